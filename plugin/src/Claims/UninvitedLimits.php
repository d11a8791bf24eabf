<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\Mail;
use Trousseau\Registry\Access;
use Trousseau\Registry\Meta;
use Trousseau\Service\ItemService;
use Trousseau\Support\Encryption;
use Trousseau\Support\PageAddress;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Request;
use WP_Post;

/**
 * People with an account who give from a public registry to which nobody invited them. Some gifts they mark at once, more
 * they confirm by mail, and beyond that they have to be invited. Their gifts are noted, so that the site's keeper can see
 * who takes far more than people usually do, and can undo it.
 */
final class UninvitedLimits {

	public const AT_ONCE = 'at once';
	public const BY_MAIL = 'by mail';
	public const REFUSED = 'refused';

	/** Visitors who confirm by mail, and may have as many addresses as they like: by their network. */
	private const UNKNOWN = 'without an account';

	/** A row for each gift. */
	private const NOTE = 'trousseau_uninvited_';

	/** Seconds for which the site's keeper sees them, and can undo them. */
	private const KEPT = 60 * DAY_IN_SECONDS;

	/** How many notes are read at a time. */
	private const BATCH = 5000;

	/**
	 * Gifts and pieces: of an account at one registry and gifts at all of them in a week, and of all at one registry in a day;
	 * of a network's visitors without an account all in a day.
	 */
	private const LIMITS = array(
		self::AT_ONCE => array(
			'gifts'      => 4,
			'pieces'     => 12,
			'everywhere' => 10,
			'of_all'     => 15,
		),
		self::BY_MAIL => array(
			'gifts'      => 10,
			'pieces'     => 30,
			'everywhere' => 25,
			'of_all'     => 60,
		),
		self::UNKNOWN => array(
			'gifts'      => 20,
			'pieces'     => 60,
			'everywhere' => 60,
		),
	);

	/** Whether the visitor is one of them at this registry. */
	public static function is_giver( WP_Post $post ): bool {
		return is_user_logged_in() && ! Access::belongs_to( $post, get_current_user_id() ) && Guest::of( $post ) === '';
	}

	/** How the visitor may give so many pieces. The same form, sent again, has the same answer and is counted once. */
	public static function weigh( WP_Post $post, int $item_id, int $pieces, string $key ): string {
		$user = get_current_user_id();
		return RateLimiter::once( 'uninvited', "$user $post->ID $item_id $pieces $key", DAY_IN_SECONDS, static fn(): string => self::counted( $user, $post->ID, 1, $pieces ) );
	}

	/** Whether a visitor whom nobody knows may give so many pieces, which they confirm by mail in any case. Counted once, as above. */
	public static function may_unknown( WP_Post $post, int $pieces, string $key ): bool {
		$decide = static fn(): string => self::allows_unknown( $post->ID, 1, $pieces ) ? self::BY_MAIL : self::REFUSED;
		return RateLimiter::once( 'unknown', "$post->ID $pieces $key", DAY_IN_SECONDS, $decide ) === self::BY_MAIL;
	}

	/** Whether a gift may become larger. Gifts of invited people always may. */
	public static function may_add( array $claim, int $pieces ): bool {
		$user = (int) $claim['giver']['user_id'];
		if ( ! $user ) {
			$is_guest = Meta::invitee( (int) $claim['registry_id'], (string) $claim['giver']['email'] ) !== '';
			return $is_guest || self::allows_unknown( (int) $claim['registry_id'], 0, $pieces );
		}
		return get_option( self::row( $user, $claim['id'] ) ) === false
			|| self::counted( $user, (int) $claim['registry_id'], 0, $pieces ) === self::AT_ONCE;
	}

	/** Whether the next gift of the visitor will have to be confirmed, as far as is known before they press. */
	public static function is_to_confirm( WP_Post $post ): bool {
		$user   = get_current_user_id();
		$limits = self::limits( self::AT_ONCE );
		if ( ! self::is_giver( $post ) ) {
			return false;
		}
		foreach ( self::counters( $user, $post->ID ) as $what => list( $who, $seconds ) ) {
			if ( RateLimiter::so_far( self::AT_ONCE . " $what", $who, $seconds ) >= $limits[ $what ] ) {
				return true;
			}
		}
		return false;
	}

	public static function refusal(): string {
		return __( 'You have chosen very much from this list, so nothing more was marked. Ask the people whose list it is to invite you: then you can give as much as you like.', 'trousseau' );
	}

	/** @param array<string, mixed> $claim A gift that one of them has just made. */
	public static function note( array $claim ): void {
		add_option( self::row( get_current_user_id(), $claim['id'] ), self::sealed( $claim, time() ), '', false );
	}

	/** @param array<string, mixed> $claim A gift that has changed, of anybody. */
	public static function note_again( array $claim ): void {
		$row  = self::row( (int) $claim['giver']['user_id'], $claim['id'] );
		$note = Encryption::open( get_option( $row ) );
		if ( ! $note ) {
			return;
		}
		in_array( $claim['state'], array( 'released', 'expired' ), true ) ? delete_option( $row ) : update_option( $row, self::sealed( $claim, $note['at'] ), false );
	}

	/**
	 * Accounts that have taken more than people usually do, alone, or together with others at one registry.
	 *
	 * @param callable(WP_Post): bool $may_know Whether a registry may be named; the others are left out.
	 * @return array<int, array{gifts: int, pieces: int, registries: int[]}> By the number of the account.
	 */
	public static function found( callable $may_know ): array {
		$by_user     = array();
		$at_registry = array();
		foreach ( self::notes() as $note ) {
			$post = get_post( $note['registry'] );
			if ( ! $post || ! $may_know( $post ) ) {
				continue;
			}
			$by_user[ $note['user'] ][]                                          = $note;
			$at_registry[ $post->ID ][ intdiv( $note['at'], DAY_IN_SECONDS ) ][] = $note['user'];
		}
		$limits  = self::limits( self::AT_ONCE );
		$crowded = array();
		foreach ( $at_registry as $days ) {
			array_push( $crowded, ...array_merge( ...array_values( array_filter( $days, static fn( array $users ): bool => count( $users ) > $limits['of_all'] ) ) ) );
		}
		$found = array();
		foreach ( $by_user as $user => $notes ) {
			$gifts  = array_count_values( array_column( $notes, 'registry' ) );
			$pieces = array();
			foreach ( $notes as $note ) {
				$pieces[ $note['registry'] ] = ( $pieces[ $note['registry'] ] ?? 0 ) + $note['pieces'];
			}
			if ( max( $gifts ) > $limits['gifts'] || max( $pieces ) > $limits['pieces'] || count( $notes ) > $limits['everywhere'] || in_array( $user, $crowded, true ) ) {
				$found[ $user ] = array(
					'gifts'      => count( $notes ),
					'pieces'     => (int) array_sum( $pieces ),
					'registries' => array_keys( $gifts ),
				);
			}
		}
		uasort( $found, static fn( array $one, array $other ): int => $other['pieces'] <=> $one['pieces'] );
		return $found;
	}

	/**
	 * Takes back all that an account gives where nobody invited it.
	 *
	 * @param callable(WP_Post): bool $may_know Whether a registry's gifts are counted; all of them are taken back.
	 * @return array{0: int, 1: int} How many were taken back, and how many could not be just now.
	 */
	public static function release( int $user, callable $may_know ): array {
		$counts     = array( 0, 0 );
		$registries = array();
		foreach ( self::notes( $user ) as $note ) {
			$post     = get_post( $note['registry'] );
			$released = ItemService::of_site()->release_claim( $note['claim'] );
			// A gift that no longer exists is as good as taken back.
			if ( $released === true || $released === null ) {
				delete_option( self::row( $user, $note['claim'] ) );
				$registries[ $note['registry'] ] = true;
			}
			if ( $post && $may_know( $post ) ) {
				++$counts[ is_wp_error( $released ) ? 1 : 0 ];
			}
		}
		foreach ( array_keys( $registries ) as $id ) {
			do_action( 'trousseau_written', $id );
		}
		$giver = $counts[0] ? get_userdata( $user ) : false;
		$giver && Mail::send( $giver->user_email, 'claims-undone', array( 'link' => PageAddress::of( 'my-gifts' ) ) );
		return $counts;
	}

	/** Deletes notes that are over. */
	public static function sweep(): void {
		foreach ( self::rows( 0 ) as $row ) {
			$note = Encryption::open( $row->option_value );
			if ( ! is_array( $note ) || $note['at'] < time() - self::KEPT || ( $note['until'] && $note['until'] < time() ) ) {
				delete_option( $row->option_name );
			}
		}
	}

	public static function forget_of( int $user ): void {
		foreach ( self::rows( $user ) as $row ) {
			delete_option( $row->option_name );
		}
	}

	/** Counts a gift, or pieces that come to one, and says how they may be given. */
	private static function counted( int $user, int $registry, int $gifts, int $pieces ): string {
		foreach ( array( self::BY_MAIL, self::AT_ONCE ) as $way ) {
			$limits = self::limits( $way );
			foreach ( self::counters( $user, $registry ) as $what => list( $who, $seconds ) ) {
				$by = $what === 'pieces' ? $pieces : $gifts;
				if ( $by && ! RateLimiter::allows( "$way $what", $who, $limits[ $what ], $seconds, $by ) ) {
					return $way === self::BY_MAIL ? self::REFUSED : self::BY_MAIL;
				}
			}
		}
		return self::AT_ONCE;
	}

	/** @return array<string, array{0: string, 1: int}> For each limit by whom it is counted, and in how many seconds. */
	private static function counters( int $user, int $registry ): array {
		return array(
			'pieces'     => array( "$user $registry", WEEK_IN_SECONDS ),
			'gifts'      => array( "$user $registry", WEEK_IN_SECONDS ),
			'everywhere' => array( (string) $user, WEEK_IN_SECONDS ),
			'of_all'     => array( (string) $registry, DAY_IN_SECONDS ),
		);
	}

	private static function allows_unknown( int $registry, int $gifts, int $pieces ): bool {
		$limits = self::limits( self::UNKNOWN );
		$from   = Request::visitor();
		return RateLimiter::allows( 'unknown pieces', "$from $registry", $limits['pieces'], DAY_IN_SECONDS, $pieces ) && (
			! $gifts || (
				RateLimiter::allows( 'unknown gifts', "$from $registry", $limits['gifts'], DAY_IN_SECONDS )
				&& RateLimiter::allows( 'unknown everywhere', $from, $limits['everywhere'], DAY_IN_SECONDS )
			)
		);
	}

	/** @return array<string, int> */
	private static function limits( string $way ): array {
		/** Filters how much people whom nobody invited may give: “at once”, “by mail” with a confirmation, or “without an account”. */
		return array_map( 'intval', (array) apply_filters( 'trousseau_uninvited_limits', self::LIMITS[ $way ], $way ) + self::LIMITS[ $way ] );
	}

	/** @return array<int, array{user: int, registry: int, claim: string, pieces: int, at: int}> Of gifts that still hold pieces. */
	private static function notes( int $user = 0 ): array {
		$notes = array();
		foreach ( self::rows( $user ) as $row ) {
			$note = Encryption::open( $row->option_value );
			if ( is_array( $note ) && ( ! $note['until'] || $note['until'] > time() ) ) {
				$notes[] = array( 'user' => (int) substr( $row->option_name, strlen( self::NOTE ) ) ) + $note;
			}
		}
		return $notes;
	}

	/** @return object[] */
	private static function rows( int $user ): array {
		$wpdb = $GLOBALS['wpdb'];
		$like = $wpdb->esc_like( self::NOTE . ( $user ? "{$user}_" : '' ) ) . '%';
		return $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s ORDER BY option_id DESC LIMIT %d", $like, self::BATCH ) );
	}

	/** @param array<string, mixed> $claim */
	private static function sealed( array $claim, int $at ): string {
		return Encryption::seal(
			array(
				'registry' => (int) $claim['registry_id'],
				'claim'    => (string) $claim['id'],
				'pieces'   => (int) $claim['quantity'],
				'until'    => (int) strtotime( (string) ( $claim['expires_at'] ?? '' ) ),
				'at'       => $at,
			)
		);
	}

	private static function row( int $user, string $claim ): string {
		return self::NOTE . $user . '_' . Encryption::hash( 'uninvited', $claim );
	}
}
