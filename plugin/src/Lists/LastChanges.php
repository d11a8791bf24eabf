<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Busy;
use Trousseau\Platform\Language;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\Request;
use Trousseau\Platform\Unreadable;
use WP_Post;

/**
 * The last change of each gift through the site's pages, and of a registry's details by any way: its account, its time and its
 * form. Claims leave no trace here, so that it tells nothing to an owner who is to be surprised.
 */
final class LastChanges implements OwnersOwn {

	/** The key of the registry's own details. */
	public const DETAILS = 0;

	/** The lists whose entries say it under `changed`: what the site stores of gifts, drafts, and removed gifts. */
	public const OF_GIFTS   = '_trousseau_gift_notes';
	public const OF_DRAFTS  = '_trousseau_drafts';
	public const OF_REMOVED = '_trousseau_removed';
	private const ALL       = array( self::OF_GIFTS, self::OF_DRAFTS, self::OF_REMOVED );

	/** The details of a registry that are meta. */
	private const FIELDS = array( '_thumbnail_id', Meta::CURRENCY, Meta::EVENT_DATE, Meta::EVENT_TYPE, Meta::PAY_TO, Meta::RESERVED_FOR, Meta::SURPRISE_KEEPS, Meta::SURPRISE_UNTIL );

	/** The most gifts of a registry whose last change is known. */
	private const MOST = 300;

	/** Stands for an owner who has left. */
	private const LEFT = 0;

	/** @var array<int, true> Registries that this request has made. */
	private array $made = array();

	/** @var array<int, true> Registries whose details have changed in this request, which nobody has noted yet. */
	private array $unnoted = array();

	public function __construct( private readonly MetaList $meta_list ) {
	}

	/** @param string $form The form that was sent. An empty string means a button, which leaves the last form as it is. */
	public function note( WP_Post $post, int|array $item_ids, string $form = '' ): void {
		if ( $item_ids === self::DETAILS ) {
			unset( $this->unnoted[ $post->ID ] );
		}
		$this->change(
			$post->ID,
			self::OF_GIFTS,
			static fn( array $entries ): array => self::newest( array_replace( $entries, ...array_map( static fn( int $id ): array => array( $id => self::mark( $form, $entries[ $id ] ?? array() ) ), (array) $item_ids ) ) )
		);
	}

	/** @return array<string, mixed> An entry that is changed now. */
	public static function mark( string $form, array $entry ): array {
		return array( 'changed' => array( get_current_user_id(), time(), $form === '' ? $entry['changed'][2] ?? '' : $form ) ) + $entry;
	}

	/** @return array<int, array<string, mixed>> Entries of which only the newest say when they were changed. */
	public static function newest( array $entries ): array {
		$times = array_filter( array_map( static fn( array $entry ): int => $entry['changed'][1] ?? 0, $entries ) );
		arsort( $times );
		foreach ( array_slice( array_keys( $times ), self::MOST ) as $id ) {
			unset( $entries[ $id ]['changed'] );
		}
		return array_filter( $entries );
	}

	/** @param callable(array<int, array<string, mixed>>): array<int, array<string, mixed>> $change */
	private function change( int $post_id, string $key, callable $change ): void {
		try {
			$this->meta_list->change( $post_id, $key, $change, $key !== self::OF_GIFTS );
		} catch ( Unreadable | Busy ) {
			// What people changed is stored in any case, whoever made the last change.
			return;
		}
	}

	/** The form by which a gift or the details were changed last: its name, and the fields that its sender changed. */
	public static function form( WP_Post $post, int $item_id ): string {
		return self::of( $post )[ $item_id ][2] ?? '';
	}

	/** The gift that a form has changed last; 0: none. */
	public static function item_of( WP_Post $post, string $form ): int {
		return (int) array_search( $form, array_map( static fn( array $entry ): string => $entry[2], self::of( $post ) ), true );
	}

	/** Who changed it since a time, in words. Empty if unknown, or if it was the reader. */
	public static function person_since( WP_Post $post, int $item_id, int $time ): string {
		list( $user, $at ) = self::of( $post )[ $item_id ] ?? array( 0, 0 );
		return $at >= $time && $user !== get_current_user_id() ? self::person( $user, CoOwners::all_of( $post ) ) : '';
	}

	/** @return array<int, string> The last changes in words, by the numbers of gifts; none where the list has one owner. */
	public static function words( WP_Post $post ): array {
		/* translators: %s: a time such as “2 hours ago” */
		$by_you = __( 'Changed by you, %s', 'trousseau' );
		/* translators: 1: name of a person, 2: a time such as “2 hours ago” */
		return self::said( $post, self::of( $post ), $by_you, __( 'Changed by %1$s, %2$s', 'trousseau' ) );
	}

	/** @return array<int, string> The same for removed gifts. */
	public static function removals( WP_Post $post ): array {
		/* translators: %s: a time such as “2 hours ago” */
		$by_you = __( 'Removed by you, %s', 'trousseau' );
		/* translators: 1: name of a person, 2: a time such as “2 hours ago” */
		return self::said( $post, self::of( $post, array( self::OF_REMOVED ) ), $by_you, __( 'Removed by %1$s, %2$s', 'trousseau' ) );
	}

	private static function said( WP_Post $post, array $changes, string $by_you, string $by_others ): array {
		$owners = CoOwners::all_of( $post );
		return count( $owners ) < 2 ? array() : array_map(
			static fn( array $entry ): string => $entry[0] === get_current_user_id()
				? sprintf( $by_you, Language::ago( $entry[1] ) )
				: sprintf( $by_others, self::person( $entry[0], $owners ), Language::ago( $entry[1] ) ),
			$changes
		);
	}

	/** @return array<int, int> The times of an account's changes, by the numbers of gifts. */
	public static function times_of( WP_Post $post, int $user_id ): array {
		return array_map( static fn( array $entry ): int => $entry[1], array_filter( self::of( $post ), static fn( array $entry ): bool => $entry[0] === $user_id ) );
	}

	/** Remembers that a registry's details have changed. */
	public function follow_meta( mixed $meta_id, int $post_id, string $key ): void {
		if ( in_array( $key, self::FIELDS, true ) ) {
			$this->expect_note( $post_id );
		}
	}

	/** Creating a registry isn't a change. */
	public function follow_new( int $post_id, WP_Post $post, bool $is_update ): void {
		if ( ! $is_update && $post->post_type === PostType::NAME ) {
			$this->made[ $post_id ] = true;
		}
	}

	/** Remembers that a registry's title, story or visitors have changed. */
	public function follow_post( int $post_id, WP_Post $after, WP_Post $before ): void {
		$fields = static fn( WP_Post $post ): array => array( $post->post_title, $post->post_content, $post->post_status );
		if ( $fields( $after ) !== $fields( $before ) ) {
			$this->expect_note( $post_id );
		}
	}

	private function expect_note( int $post_id ): void {
		// By the end of the request a switched site may have given this number to another post.
		if ( ! is_multisite() || ! ms_is_switched() ) {
			$this->unnoted[ $post_id ] = true;
		}
	}

	/** Notes details that were changed elsewhere than on their page: in WordPress's own screens, or by a program of an owner's. */
	public function note_details(): void {
		$user_id = get_current_user_id();
		// The service writes on behalf of others, with its own account's password.
		$is_keeper = self::is_keeper( $user_id ) && ! Request::is_by_program();
		foreach ( array_keys( array_diff_key( $this->unnoted, $this->made ) ) as $id ) {
			$post = PostType::find( $id );
			if ( $post && ( $is_keeper || in_array( $user_id, CoOwners::all_of( $post ), true ) ) ) {
				$this->note( $post, self::DETAILS );
			}
		}
	}

	public function forget_former( WP_Post $post, array $owners ): void {
		$forget = static fn( array $entry ): array => isset( $entry['changed'] ) && ! in_array( $entry['changed'][0], $owners, true ) && ! self::is_keeper( $entry['changed'][0] )
			? array( 'changed' => array( self::LEFT, $entry['changed'][1], $entry['changed'][2] ) ) + $entry
			: $entry;
		foreach ( self::ALL as $key ) {
			if ( array_column( MetaList::read( $post->ID, $key ), 'changed' ) ) {
				$this->change( $post->ID, $key, static fn( array $entries ): array => array_map( $forget, $entries ) );
			}
		}
	}

	private static function person( int $user_id, array $owners ): string {
		$user = in_array( $user_id, $owners, true ) ? get_userdata( $user_id ) : false;
		return match ( true ) {
			(bool) $user                => Language::isolate( Accounts::name_among_owners( $user ) ),
			self::is_keeper( $user_id ) => __( 'an administrator', 'trousseau' ),
			default                     => __( 'a former owner', 'trousseau' ),
		};
	}

	private static function is_keeper( int $user_id ): bool {
		return $user_id !== self::LEFT && user_can( $user_id, 'manage_options' );
	}

	/** @return array<int, array{0: int, 1: int, 2: string}> Account, time and form, by the numbers of gifts. */
	private static function of( WP_Post $post, array $keys = self::ALL ): array {
		$changes = array();
		foreach ( $keys as $key ) {
			foreach ( MetaList::read( $post->ID, $key ) as $id => $entry ) {
				// A gift may be changed after it came back by other ways.
				if ( ( $entry['changed'][1] ?? 0 ) >= ( $changes[ $id ][1] ?? 1 ) ) {
					$changes[ $id ] = $entry['changed'];
				}
			}
		}
		return $changes;
	}
}
