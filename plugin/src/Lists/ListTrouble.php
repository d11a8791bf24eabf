<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Language;
use WP_Post;

/** The sentence that says why the gifts of a list are out of date or missing. */
final class ListTrouble {

	/** @var array<int, true> Registries whose trouble this page has shown. */
	private array $told = array();

	public function __construct( private readonly GiftLists $gift_lists ) {
	}

	/** Shows it once on a page: above the story where there is one, or else with the gifts. */
	public function html( WP_Post $post ): string {
		if ( isset( $this->told[ $post->ID ] ) || ! Access::can_read( $post ) ) {
			return '';
		}
		$list = $this->gift_lists->of( $post );
		$why  = match ( true ) {
			$list->items === null => __( 'The gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ),
			$list->is_current     => '',
			/* translators: %s: date and time */
			current_user_can( 'edit_post', $post->ID ) => sprintf( __( 'This is your list as of %s. Newer changes can’t be shown right now, and gifts can’t be added or changed. Please come back in a minute.', 'trousseau' ), Language::moment( $list->known_at ) ),
			/* translators: %s: date and time */
			default               => sprintf( __( 'This is the list as of %s. Newer changes can’t be shown right now, and gifts can’t be reserved. Please come back in a minute.', 'trousseau' ), Language::moment( $list->known_at ) ),
		};
		if ( $why === '' ) {
			return '';
		}
		$this->told[ $post->ID ] = true;
		// An empty address is the page's own.
		return FlashMessage::note( $why, 'is-problem' ) . '<p class="trousseau-ways"><a href="">' . esc_html__( 'Try again', 'trousseau' ) . '</a></p>';
	}
}
