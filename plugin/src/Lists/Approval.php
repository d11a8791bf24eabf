<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Settings;
use WP_Post;
use WP_REST_Request;

/**
 * If the settings require approval, a list becomes public only after someone who manages all lists approves it. Until then it is private
 * with a mark: its guests see it, while strangers and the service learn no more than of any private list.
 */
final class Approval {

	/** When a list began to wait for approval. */
	private const META = '_trousseau_waits';

	/** The most emails a day about the lists of one owner, who could use up those about the lists of others. */
	private const A_DAY = 5;

	/** Whether the list that WordPress is storing was to be public. */
	private bool $is_held = false;

	public function __construct( private readonly Mail $mail, private readonly RateLimiter $rate_limiter ) {
	}

	public static function is_needed(): bool {
		return is_user_logged_in() && self::is_announced();
	}

	/** Whether forms say that a public list needs approval. Visitors read it, too: they make an account later. */
	public static function is_announced(): bool {
		return Settings::is_on( Settings::APPROVAL ) && ! Access::looks_after_all();
	}

	/** Whether a public list's title is that of someone the site trusts, or was approved: emails may say it to anyone. */
	public static function vouches_for( WP_Post $post ): bool {
		return PostType::is_public( $post ) && ( Settings::is_on( Settings::APPROVAL ) || ! get_option( 'users_can_register' ) );
	}

	public static function waits( WP_Post $post ): bool {
		return $post->post_status === 'private' && get_post_meta( $post->ID, self::META, true );
	}

	/** Whether a list about to be stored as public has to be held back. A list that is already public, or is to be on a day, stays so. */
	public static function holds( int $id ): bool {
		$post = get_post( $id ?: -1 );
		return self::is_needed() && ! ( $post && in_array( $post->post_status, PrivateByDefault::PUBLISHED, true ) && $post->post_password === '' );
	}

	/** As a filter of what WordPress is about to store. A list behind a password isn't public. */
	public function hold( array $data, array $sent ): array {
		if ( $data['post_type'] !== PostType::NAME ) {
			return $data;
		}
		$this->is_held = in_array( $data['post_status'], PrivateByDefault::PUBLISHED, true ) && $data['post_password'] === '' && self::holds( (int) ( $sent['ID'] ?? 0 ) );
		return ( $this->is_held ? array( 'post_status' => 'private' ) : array() ) + $data;
	}

	/** Marks the list that was held back, or removes the mark of one that has become public. */
	public function note( int $id, WP_Post $post ): void {
		if ( $this->is_held ) {
			$this->is_held = false;
			add_post_meta( $id, self::META, time(), true ) && do_action( 'trousseau_waits_for_approval', $post );
		} elseif ( $post->post_status === 'publish' ) {
			$this->withdraw( $post );
		}
	}

	/** An owner who sets another status by the REST API no longer asks for the list to be public. */
	public function follow_rest( WP_Post $post, WP_REST_Request $request ): void {
		if ( isset( $request['status'] ) && ! in_array( $request['status'], PrivateByDefault::PUBLISHED, true ) ) {
			$this->withdraw( $post );
		}
	}

	public function withdraw( WP_Post $post ): void {
		delete_post_meta( $post->ID, self::META );
	}

	/** Emails the site's administrator, on `trousseau_waits_for_approval`. */
	public function ask( WP_Post $post ): void {
		$owner  = get_userdata( (int) $post->post_author );
		$values = array(
			'registry' => Registries::title( $post ),
			'owner'    => $owner ? Accounts::display_name( $owner ) : '',
			'link'     => PageAddress::of( 'details', $post->ID ),
		);
		$this->rate_limiter->allows( 'approval', (string) $post->post_author, self::A_DAY, DAY_IN_SECONDS ) && $this->mail->send( (string) get_option( 'admin_email' ), 'approval', $values );
	}

	/** Shows the number of lists that wait next to the menu entry for registries, as WordPress does with comments. */
	public function count_in_menu(): void {
		$wpdb  = $GLOBALS['wpdb'];
		$count = Access::looks_after_all() ? (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->postmeta JOIN $wpdb->posts ON ID = post_id WHERE meta_key = %s AND post_status = 'private'", self::META ) ) : 0;
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
		return self::waits( $post ) ? $states + array( 'trousseau-waits' => __( 'Waiting for approval', 'trousseau' ) ) : $states;
	}

	/** Links from there to the page on which it is approved. */
	public static function link( array $actions, WP_Post $post ): array {
		$waits = self::waits( $post ) && Access::looks_after_all();
		return $waits ? $actions + array( 'trousseau-approve' => sprintf( '<a href="%s">%s</a>', esc_url( PageAddress::of( 'details', $post->ID ) ), esc_html__( 'Review', 'trousseau' ) ) ) : $actions;
	}
}
