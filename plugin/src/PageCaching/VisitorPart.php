<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\RememberedGifts;
use Trousseau\Guests\Guest;
use Trousseau\Guests\SecretGifts;
use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\PostType;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use WP_Post;

/**
 * The part of a registry's page that differs from visitor to visitor. The page of a public registry is the same for everybody
 * who isn't signed in, so that any cache may keep it; a known device then asks for its own part by a POST, which no cache
 * keeps.
 */
final class VisitorPart {

	public const PARAMETER = 'trousseau_visitor';

	public function __construct( private readonly Guest $guest, private readonly RememberedGifts $remembered_gifts ) {
	}

	/** Whether the registry's page is made for everybody, and not for the visitor who asked for it. */
	public static function is_shared( WP_Post $post ): bool {
		return $post->post_status === 'publish' && $post->post_password === '' && ! is_user_logged_in();
	}

	/** Whether the current page is a registry's, made for everybody. */
	public static function sees_shared_page(): bool {
		$post = is_singular( PostType::NAME ) ? get_queried_object() : null;
		return $post instanceof WP_Post && self::is_shared( $post );
	}

	/** The part above the gifts: the owner's way to the list's pages, or the guest's own name. */
	public function head( WP_Post $post ): string {
		return Template::html(
			'visitor',
			array(
				'as'     => is_user_logged_in() ? '' : $this->guest->of( $post ),
				'manage' => self::is_owner( $post ) && current_user_can( 'edit_post', $post->ID ) ? PageAddress::of( 'gifts', $post->ID ) : '',
				'mine'   => PageAddress::of( 'my-gifts' ),
				'secret' => SecretGifts::are_on( $post->ID ) && $this->guest->listed_as( $post ) !== '' ? PageAddress::of( 'secret', $post->ID ) : '',
				'news'   => Closing::is_over( $post ) || $this->guest->listed_as( $post ) === '' ? '' : PageAddress::of( 'news', $post->ID ),
			)
		);
	}

	/**
	 * The gifts that this device remembers; none for the owner, whose device a guest may also have used.
	 *
	 * @return array<int, array{id: string, waits: bool}> Number of an item → the visitor's claim, and whether it waits to be confirmed.
	 */
	public function gifts( WP_Post $post ): array {
		return self::is_owner( $post ) ? array() : $this->remembered_gifts->at( $post->ID );
	}

	/** The values for the page's script. */
	public static function settings( WP_Post $post ): array {
		return array(
			'registry' => $post->ID,
			// The address is relative: the visitor may have come by another origin than the site's own.
			'address'  => wp_make_link_relative( add_query_arg( self::PARAMETER, $post->ID, home_url( '/' ) ) ),
			'cookie'   => VisitorMarks::cookie(),
			'isShared' => self::is_shared( $post ),
			'mine'     => __( 'You’re giving this', 'trousseau' ),
			'waiting'  => __( 'Waits for your confirmation', 'trousseau' ),
			/* translators: 1: words of a button or link, which must stay first, 2: the gift or person that it is about */
			'label'    => __( '%1$s: %2$s', 'trousseau' ),
			'myGifts'  => PageAddress::of( 'my-gifts' ),
		);
	}

	public static function is_owner( WP_Post $post ): bool {
		return Access::owns( $post, get_current_user_id() );
	}
}
