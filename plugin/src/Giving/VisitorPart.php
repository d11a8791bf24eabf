<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use WP_Post;

/** The part of a list's page that differs from visitor to visitor. */
final class VisitorPart {

	public function __construct( private readonly Guest $guest, private readonly RememberedGifts $remembered_gifts ) {
	}

	/** The part above the gifts: links for an owner to the list's pages, or a guest's own name. */
	public function head( WP_Post $post ): string {
		return Template::html(
			'visitor',
			array(
				'as'     => is_user_logged_in() ? '' : $this->guest->of( $post ),
				'manage' => self::is_owner( $post ) && current_user_can( 'edit_post', $post->ID ) ? PageAddress::of( 'home', $post->ID ) : '',
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

	public static function is_owner( WP_Post $post ): bool {
		return Access::owns( $post, get_current_user_id() );
	}
}
