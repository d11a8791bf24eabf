<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use WP_Post;

/** Lists that wait for approval: an email to the site's administrator, and marks in WordPress's own screens. */
final class ApprovalQueue {

	public function __construct( private readonly Approval $approval, private readonly Mail $mail ) {
	}

	public function ask( WP_Post $post ): void {
		$owner  = get_userdata( (int) $post->post_author );
		$values = array(
			'registry' => Registries::title( $post ),
			'owner'    => $owner ? Accounts::display_name( $owner ) : '',
			'link'     => PageAddress::of( 'details', $post->ID ),
		);
		$this->mail->send( (string) get_option( 'admin_email' ), 'approval', $values );
	}

	/** Shows their number next to the menu entry for registries, as WordPress does with comments. */
	public function count_in_menu(): void {
		$count = Access::looks_after_all() ? $this->approval->count() : 0;
		foreach ( $count ? $GLOBALS['menu'] : array() as $place => $entry ) {
			if ( ( $entry[2] ?? '' ) !== 'edit.php?post_type=' . PostType::NAME ) {
				continue;
			}
			/* translators: %s: number of lists */
			$words = sprintf( _n( '%s gift list is waiting for your approval.', '%s gift lists are waiting for your approval.', $count, 'trousseau' ), number_format_i18n( $count ) );
			// phpcs:ignore WordPress.WP.GlobalVariablesOverride.Prohibited
			$GLOBALS['menu'][ $place ][0] .= sprintf( ' <span class="awaiting-mod"><span class="pending-count" aria-hidden="true">%s</span><span class="screen-reader-text">%s</span></span>', esc_html( number_format_i18n( $count ) ), esc_html( $words ) );
		}
	}

	/** Marks such a list next to its title in WordPress's list of registries. */
	public static function mark( array $states, WP_Post $post ): array {
		return Approval::waits( $post ) ? $states + array( 'trousseau-waits' => __( 'Waiting for approval', 'trousseau' ) ) : $states;
	}

	/** Links from there to the page on which it is approved. */
	public static function link( array $actions, WP_Post $post ): array {
		$waits = Approval::waits( $post ) && Access::looks_after_all();
		return $waits ? $actions + array( 'trousseau-approve' => sprintf( '<a href="%s">%s</a>', esc_url( PageAddress::of( 'details', $post->ID ) ), esc_html__( 'Review', 'trousseau' ) ) ) : $actions;
	}
}
