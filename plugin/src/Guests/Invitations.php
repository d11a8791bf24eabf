<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\MailOutcome;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Unreadable;
use WP_Post;

/**
 * The invitations of a registry's guests: the id in each guest's link, how the email fares, and whether the link was opened.
 * A link is checked against the list of guests each time, so that taking a guest off the list closes it at once.
 */
final class Invitations implements MailFacts, MailOutcome {

	private const META = '_trousseau_guests';

	/** The most lists that a guest who has lost their invitations is sent. */
	private const LISTS = 20;

	public function __construct( private readonly Meta $meta, private readonly MetaList $meta_list, private readonly Registries $registries ) {
	}

	public function link( WP_Post $post, string $invitee ): string {
		$id = $this->note( $post, $invitee )['id'];
		return PageAddress::of( 'invitation', 0, array( 'for' => SignedToken::sign( 'invitation', "$post->ID $id" ) ) );
	}

	/** @return array{0: WP_Post, 1: string}|null The registry of a link or a cookie, “registry id”, and the entry in its list of guests. */
	public static function behind( string $about ): ?array {
		list( $registry, $id ) = explode( ' ', $about ) + array( '', '' );
		$post                  = ctype_digit( $registry ) ? PostType::live( (int) $registry ) : null;
		if ( ! $post || $id === '' ) {
			return null;
		}
		foreach ( self::notes( $post->ID ) as $invitee => $note ) {
			if ( hash_equals( $note['id'], $id ) ) {
				$listed = Meta::invitee( $post->ID, (string) $invitee );
				return $listed === '' ? null : array( $post, $listed );
			}
		}
		return null;
	}

	/** @return array{id: string, note: string, mail: string, at: int, opened: int} The state of an invitation's email, and when its link was opened. */
	public function note( WP_Post $post, string $invitee ): array {
		return $this->notes_of( $post, array( $invitee ) )[ $invitee ];
	}

	/** @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> Several invitations. Guests without one get one, all by one write. */
	public function notes_of( WP_Post $post, array $invitees ): array {
		$notes = self::notes( $post->ID );
		$new   = array_filter( $invitees, static fn( string $invitee ): bool => ! isset( $notes[ self::key( $invitee ) ] ) );
		$notes = $new ? $this->change( $post, array_fill_keys( $new, array() ) ) : $notes;
		return array_combine( $invitees, array_map( static fn( string $invitee ): array => $notes[ self::key( $invitee ) ], $invitees ) );
	}

	/**
	 * Changes notes of a registry, however many, by one write.
	 *
	 * @param array<string, array<string, mixed>> $changes By invitee.
	 * @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> All notes, by key.
	 */
	public function change( WP_Post $post, array $changes ): array {
		return $this->meta_list->change(
			$post->ID,
			self::META,
			static function ( array $notes ) use ( $changes ): array {
				foreach ( $changes as $invitee => $new ) {
					$key           = self::key( (string) $invitee );
					$notes[ $key ] = $new + ( $notes[ $key ] ?? array( 'id' => bin2hex( random_bytes( 8 ) ), 'note' => '', 'mail' => '', 'at' => 0, 'opened' => 0 ) );
				}
				return $notes;
			}
		);
	}

	/**
	 * A guest who leaves the list, by any way, loses their note and with it their link. Called before a list is stored. Notes of people who
	 * weren't on the list are leftovers, and go too.
	 */
	public function forget_removed( int $post_id, mixed $invitees ): void {
		$after = Meta::people_in( $invitees );
		$stay  = static function ( array $notes ) use ( $post_id, $after ): array {
			$before = Meta::people_in( get_post_meta( $post_id, Meta::INVITEES, true ) );
			$stays  = static fn( int|string $key ): bool => isset( $before[ Meta::invitee_key( (string) $key ) ], $after[ Meta::invitee_key( (string) $key ) ] );
			return array_filter( $notes, $stays, ARRAY_FILTER_USE_KEY );
		};
		$notes = self::notes( $post_id );
		if ( count( $stay( $notes ) ) < count( $notes ) ) {
			$this->meta_list->change( $post_id, self::META, $stay );
		}
	}

	/** An invitation's email goes only to someone who is still invited. The other one lists their links, where there are some. */
	public function facts( string $about, array $mail ): ?array {
		if ( $about === 'registry' ) {
			list( 'registry' => $registry, 'invitee' => $invitee ) = $mail['only'];
			// A later press, perhaps while other emails were being sent, has replaced it.
			$notes   = $this->meta_list->now( $registry, static fn(): array => self::notes( $registry ) );
			$is_last = ( $notes[ self::key( $invitee ) ]['sending'] ?? '' ) === ( $mail['only']['sending'] ?? '' );
			return $is_last && Meta::invitee( $registry, $invitee ) !== '' ? $mail['values'] : null;
		}
		$lists = $this->lists_of( $mail['to'] );
		return $lists ? array( 'lists' => $lists ) + $mail['values'] : null;
	}

	public function mailed( int $registry, array $how ): void {
		$how = array_filter( $how, static fn( $invitee ): bool => Meta::invitee( $registry, (string) $invitee ) !== '', ARRAY_FILTER_USE_KEY );
		$how && $this->change( get_post( $registry ), array_map( static fn( string $mail ): array => array( 'mail' => $mail, 'at' => time() ), $how ) );
	}

	/** @return array{mail: string, name: string, opened: int} The state of a guest's email: `SENT`, `WAITING`, `FAILED` or empty; the name typed with the address; when the link was opened, or 0. */
	public static function known( WP_Post $post, string $invitee ): array {
		return ( self::notes( $post->ID )[ self::key( $invitee ) ] ?? array() ) + array( 'mail' => '', 'name' => '', 'opened' => 0 );
	}

	/** Whether a guest has ever opened one of the lists that this account has made. */
	public function have_been_opened( int $author ): bool {
		$lists = $this->meta->made_by( $author );
		update_meta_cache( 'post', $lists );
		return (bool) array_filter( $lists, static fn( int $list ): bool => (bool) array_filter( array_column( self::notes( $list ), 'opened' ) ) );
	}

	/** Whether the invitations of a registry can be read: `followers()` finds none where they can't. */
	public static function are_readable( WP_Post $post ): bool {
		return MetaList::is_readable( $post->ID, self::META );
	}

	/** @return string[] The guests who wish to hear of new gifts, as they stand in the list of guests. */
	public static function followers( WP_Post $post ): array {
		$wants  = static fn( array $note ): bool => ! empty( $note['news'] );
		$key    = static fn( int|string $guest ): string => Meta::invitee_key( (string) $guest );
		$follow = array_map( $key, array_keys( array_filter( self::notes( $post->ID ), $wants ) ) );
		// A guest who is an owner by now knows what is on the list.
		$guests = array_diff_key( Meta::guest_list( $post->ID ), CoOwners::keys( $post ) );
		return array_values( array_intersect_key( $guests, array_flip( $follow ) ) );
	}

	/** @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> */
	private static function notes( int $post_id ): array {
		return MetaList::read( $post_id, self::META );
	}

	/** @return array<int, array{registry: string, owner: string, link: string, is_member: bool}> The lists to which an address, or its account, is invited; the newest first. */
	private function lists_of( string $address ): array {
		$user  = get_user_by( 'email', $address ) ?: null;
		$names = array_unique( array( $address, ...( $user ? Accounts::invited_as( $user ) : array() ) ) );
		$lists = array();
		foreach ( array_slice( $this->registries->inviting( $names, $user->ID ?? 0 ), 0, self::LISTS ) as $post ) {
			$listed    = Meta::invitee( $post->ID, ...$names );
			$is_member = ! str_contains( $listed, '@' );
			try {
				// As a sample, since nobody has signed in where emails are sent: get_permalink() would leave out the list's name.
				$link = $is_member ? (string) get_post_permalink( $post, false, true ) : $this->link( $post, $listed );
			} catch ( Unreadable $missing ) {
				// The links to their other lists are no less true.
				continue;
			}
			$lists[] = array( 'registry' => Registries::title( $post ), 'owner' => Registries::owner_name( $post ) ) + compact( 'link', 'is_member' );
		}
		return $lists || ! isset( $missing ) ? $lists : throw $missing;
	}

	private static function key( string $invitee ): string {
		return mb_strtolower( trim( $invitee ) );
	}
}
