<?php

declare(strict_types=1);

namespace Trousseau\Owners;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Lock;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use WP_Post;
use WP_User;

/**
 * The links in the emails to new owners. Each is for one entry of a registry's list of owners, and ends when that entry is removed:
 * someone who is added again gets another link.
 */
final class OwnerLink {

	private const META = '_trousseau_owner_links';

	public function __construct( private readonly Lock $lock, private readonly Meta $meta, private readonly MetaList $meta_list ) {
	}

	public function address( WP_Post $post, string $entry ): string {
		$key = Meta::invitee_key( $entry );
		$id  = $this->meta_list->change( $post->ID, self::META, static fn( array $ids ): array => $ids + array( $key => bin2hex( random_bytes( 16 ) ) ) )[ $key ];
		return PageAddress::of( 'owner', 0, array( 'for' => SignedToken::sign( 'owner link', "$post->ID $id" ) ) );
	}

	/** @return array{0: WP_Post, 1: string}|null The registry of a link, and the entry in its list of owners. */
	public static function behind( mixed $signed ): ?array {
		list( $registry, $id ) = explode( ' ', SignedToken::read( 'owner link', $signed ) ) + array( '', '' );
		$post                  = PostType::live( (int) $registry );
		if ( ! $post ) {
			return null;
		}
		foreach ( array_intersect_key( Meta::owner_list( $post->ID ), MetaList::read( $post->ID, self::META ) ) as $key => $entry ) {
			if ( hash_equals( MetaList::read( $post->ID, self::META )[ $key ], $id ) ) {
				return array( $post, $entry );
			}
		}
		return null;
	}

	/** The account that an entry of the list of owners names, or null if nobody has it yet. */
	public static function account( string $entry ): ?WP_User {
		return current( CoOwners::accounts_of( array( $entry ) ) ) ?: null;
	}

	/**
	 * Replaces an address without an account by the current user, who reads its email under another account. A second press changes nothing.
	 * Returns false if the link has ended, or is someone else's.
	 */
	public function take( int $post_id, string $signed ): bool {
		return $this->lock->alone(
			"owners-$post_id",
			30,
			function () use ( $post_id, $signed ): bool {
				// Another process may have stored it a moment ago.
				clean_post_cache( $post_id );
				list( $post, $entry ) = self::behind( $signed ) ?? array( null, '' );
				$name                 = Accounts::invited_as( wp_get_current_user() )[0] ?? '';
				$account              = self::account( $entry );
				if ( ! $post || $name === '' || $account ) {
					return $account?->ID === get_current_user_id();
				}
				$keys   = array( Meta::invitee_key( $entry ), Meta::invitee_key( $name ) );
				$owners = array_map( static fn( string $owner ): string => $owner === $entry ? $name : $owner, Meta::owner_list( $post_id ) );
				$this->meta_list->change( $post_id, self::META, static fn( array $ids ): array => array( $keys[1] => $ids[ $keys[0] ] ) + $ids );
				$this->meta->store_people( $post_id, Meta::OWNERS, $owners );
				$this->meta_list->change( $post_id, self::META, static fn( array $ids ): array => array_diff_key( $ids, array( $keys[0] => '' ) ) );
				return true;
			}
		);
	}

	/**
	 * Deletes the links of owners who leave the list by any way. Called before a list is stored. While `take` hands a link over, it stays under
	 * the old entry too, so that a second press always finds it.
	 */
	public function forget_removed( int $post_id, mixed $owners ): void {
		$listed = Meta::people_in( $owners, Meta::MAX_OWNERS );
		$stay   = static fn( array $ids ): array => array_intersect( $ids, array_intersect_key( $ids, $listed ) );
		$ids    = MetaList::read( $post_id, self::META );
		if ( count( $stay( $ids ) ) < count( $ids ) ) {
			$this->meta_list->change( $post_id, self::META, $stay );
		}
	}
}
