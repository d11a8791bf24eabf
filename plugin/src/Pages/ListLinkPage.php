<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Guest;
use Trousseau\Registry\ListLink;
use Trousseau\Registry\Registries;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\PageAddress;
use Trousseau\Support\PlainText;
use Trousseau\Support\Template;
use WP_Post;

/** The page to which the link of a private list leads: one press opens the list on this device. */
final class ListLinkPage extends Page {

	public function __construct( private readonly Guest $guest ) {
	}

	public function title(): string {
		$post = $this->preview();
		return $post ? PlainText::to_html( Registries::title( $post ) ) : __( 'There’s nothing to see here', 'trousseau' );
	}

	public function address(): string {
		$to = $_GET['to'] ?? '';
		return PageAddress::of( 'link', 0, array( 'to' => is_string( $to ) ? $to : '' ) );
	}

	public function obstacle(): string {
		return $this->preview() ? '' : FlashMessage::note( __( 'This link has ended, or it isn’t complete. Please ask the people whose list it is for the new one.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		$post = $this->preview();
		return Template::html(
			'list-link',
			array(
				'owner'   => Registries::owner_name( $post ),
				'picture' => (string) get_the_post_thumbnail_url( $post, 'large' ),
				'address' => $this->address(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$post = $this->preview();
		$this->guest->remember_link( $post );
		return (string) get_permalink( $post );
	}

	public function preview(): ?WP_Post {
		return ListLink::of_address( $_GET['to'] ?? '' );
	}
}
