<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

use Trousseau\Lists\ListPage;
use Trousseau\Lists\Page;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Plugin;
use WP_Post;

/** Fills in a form of one of the site's pages and sends it for the signed-in person, so that every rule of the page holds for programs, too. */
final class PageForm {

	public function __construct( private readonly FlashMessage $flash_message ) {
	}

	/**
	 * @param string                $page  The name in the page's address.
	 * @param array<string, string> $typed Fields that differ from those that the page shows.
	 * @param array<string, mixed>  $query What the page's address says besides.
	 * @return string The page's answer, in words for the person.
	 * @throws Refused Where the page doesn't open for this person, or refuses the form.
	 */
	public function send( string $page, ?WP_Post $post, string $action, array $typed, array $query = array() ): string {
		$asked = $_GET;
		$_GET  = wp_slash( $query );
		try {
			$class    = Plugin::parts( $post ? ListPage::class : Page::class )[ $page ] ?? null;
			$opened   = $class ? Plugin::get( $class )->about( $post ) : null;
			$obstacle = $opened ? $opened->obstacle() : __( 'This site has no such page.', 'trousseau' );
			if ( $obstacle !== '' ) {
				throw new Refused( self::words( $obstacle ) );
			}
			$form = new Form( $typed + $opened->form()->typed(), $action );
			$opened->submit( $form );
			if ( ! $form->is_sound() ) {
				throw new Refused( trim( self::words( $this->flash_message->html() ) . ' ' . implode( ' ', $form->faults() ) ) );
			}
			return self::words( $this->flash_message->take_back() );
		} finally {
			$_GET = $asked;
		}
	}

	private static function words( string $html ): string {
		return trim( (string) preg_replace( '/[\x{2066}-\x{2069}]|\s+(?=\s)/u', '', html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES, 'UTF-8' ) ) );
	}
}
