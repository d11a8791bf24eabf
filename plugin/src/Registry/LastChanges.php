<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\EncryptedMeta;
use Trousseau\Support\Language;
use WP_Post;

/**
 * The last change of each gift and of a registry's details through the site's pages: its account, its time and its form. Claims
 * leave no trace here, so that it tells nothing to an owner who is to be surprised.
 */
final class LastChanges {

	/** The number under which the details of the registry itself stand. */
	public const DETAILS = 0;

	private const META = '_trousseau_changes';

	/** The most gifts of a registry whose last change is known. */
	private const MOST = 300;

	/** In the place of an account: an owner who has left. */
	private const LEFT = 0;

	/** @var array<int, true> Registries whose owners have changed in this request. */
	private array $touched = array();

	public function __construct( private readonly EncryptedMeta $encrypted_meta ) {
	}

	public function note( WP_Post $post, int $item_id, string $form = '' ): void {
		$entry = array( get_current_user_id(), time(), $form );
		$this->encrypted_meta->change( $post->ID, self::META, static fn( array $entries ): array => array_slice( array( $item_id => $entry ) + $entries, 0, self::MOST, true ) );
	}

	/** The form by which a gift or the details were changed last: its name, and the fields that its sender changed. */
	public static function form( WP_Post $post, int $item_id ): string {
		return self::of( $post )[ $item_id ][2] ?? '';
	}

	/** The gift that a form has changed last; 0: none. */
	public static function item_of( WP_Post $post, string $form ): int {
		return (int) array_search( $form, array_map( static fn( array $entry ): string => $entry[2], self::of( $post ) ), true );
	}

	/** The person who changed it since a time, in words; nothing where nobody is known, or where it was the reader. */
	public static function person_since( WP_Post $post, int $item_id, int $time ): string {
		list( $user, $at ) = self::of( $post )[ $item_id ] ?? array( 0, 0 );
		return $at >= $time && $user !== get_current_user_id() ? self::person( $user, CoOwners::all_of( $post ) ) : '';
	}

	/** @return array<int, string> The last changes in words, by the numbers of gifts; none where the list has one owner. */
	public static function words( WP_Post $post ): array {
		$owners = CoOwners::all_of( $post );
		return count( $owners ) < 2 ? array() : array_map(
			static fn( array $entry ): string => $entry[0] === get_current_user_id()
				/* translators: %s: a time such as “2 hours” */
				? sprintf( __( 'changed by you, %s ago', 'trousseau' ), human_time_diff( $entry[1] ) )
				/* translators: 1: name of a person, 2: a time such as “2 hours” */
				: sprintf( __( 'changed by %1$s, %2$s ago', 'trousseau' ), self::person( $entry[0], $owners ), human_time_diff( $entry[1] ) ),
			self::of( $post )
		);
	}

	/** @return array<int, int> The times of an account's changes, by the numbers of gifts. */
	public static function times_of( WP_Post $post, int $user_id ): array {
		return array_map( static fn( array $entry ): int => $entry[1], array_filter( self::of( $post ), static fn( array $entry ): bool => $entry[0] === $user_id ) );
	}

	/** Remembers that a registry's owners have changed. */
	public function follow_owners( mixed $meta_id, int $post_id, string $key ): void {
		if ( $key === Meta::OWNERS ) {
			$this->touched[ $post_id ] = true;
		}
	}

	/** Forgets the accounts of former owners at the end of a request: while a registry is handed over, its new owner is none for a moment. */
	public function forget_former(): void {
		foreach ( array_keys( $this->touched ) as $id ) {
			$post = get_post( $id );
			if ( $post && self::of( $post ) ) {
				$owners = CoOwners::all_of( $post );
				$this->encrypted_meta->change(
					$id,
					self::META,
					static fn( array $entries ): array => array_map( static fn( array $entry ): array => array( in_array( $entry[0], $owners, true ) || self::is_keeper( $entry[0] ) ? $entry[0] : self::LEFT, $entry[1], $entry[2] ), $entries )
				);
			}
		}
		$this->touched = array();
	}

	/** @param int[] $owners */
	private static function person( int $user_id, array $owners ): string {
		$user = in_array( $user_id, $owners, true ) ? get_userdata( $user_id ) : false;
		return match ( true ) {
			(bool) $user                => Language::isolate( Accounts::display_name( $user ) ),
			self::is_keeper( $user_id ) => __( 'somebody who looks after this site', 'trousseau' ),
			default                     => __( 'somebody who has left the list', 'trousseau' ),
		};
	}

	private static function is_keeper( int $user_id ): bool {
		return $user_id !== self::LEFT && user_can( $user_id, 'manage_options' );
	}

	/** @return array<int, array{0: int, 1: int, 2: string}> Account, time and form, by the numbers of gifts. */
	private static function of( WP_Post $post ): array {
		return EncryptedMeta::read( $post->ID, self::META );
	}
}
