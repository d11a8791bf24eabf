<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Meta;
use Trousseau\Registry\PostType;
use Trousseau\Support\Cookie;
use Trousseau\Support\EncryptedMeta;
use Trousseau\Support\PageAddress;
use Trousseau\Support\SignedToken;
use WP_Post;
use WP_Query;

/**
 * Guests without an account. Each has a link of their own in their mail; the device that opened it remembers them until the
 * owner takes them off the list. What a link is good for is looked up each time, so that taking back holds at once.
 */
final class Guest {

	private const COOKIE = 'guest';
	private const META   = '_trousseau_guests';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 20;

	// What is kept of an invitation beside the list of guests itself.
	public const WAITING = 'waiting';
	public const SENT    = 'sent';
	public const FAILED  = 'failed';

	/** The guest's own link. */
	public static function link( WP_Post $post, string $invitee ): string {
		$id = self::note( $post, $invitee )['id'];
		return PageAddress::of( 'invitation', 0, array( 'for' => SignedToken::sign( 'invitation', "$post->ID $id" ) ) );
	}

	/**
	 * Whom a link or cookie stands for.
	 *
	 * @return array{0: WP_Post, 1: string}|null The registry and the entry in its list of guests.
	 */
	public static function behind( string $about ): ?array {
		list( $registry, $id ) = explode( ' ', $about ) + array( '', '' );
		$post                  = ctype_digit( $registry ) ? self::registry( (int) $registry ) : null;
		if ( ! $post || $id === '' ) {
			return null;
		}
		foreach ( self::notes( $post->ID ) as $invitee => $note ) {
			if ( hash_equals( $note['id'], $id ) ) {
				$listed = self::listed( $post, (string) $invitee );
				return $listed === '' ? null : array( $post, $listed );
			}
		}
		return null;
	}

	/** This device is the guest's from now on. */
	public static function remember( WP_Post $post, string $invitee ): void {
		$mine = array( "$post->ID " . self::note( $post, $invitee )['id'], ...self::remembered() );
		Cookie::set( self::COOKIE, implode( ',', array_slice( array_unique( $mine ), 0, self::MOST ) ), self::KEPT );
		self::change( $post, array( $invitee => array( 'opened' => time() ) ) );
	}

	/** As whom this device is invited to a registry; nothing where it isn't. */
	public static function of( WP_Post $post ): string {
		foreach ( self::remembered() as $about ) {
			if ( str_starts_with( $about, "$post->ID " ) ) {
				$found = self::behind( $about );
				if ( $found ) {
					return $found[1];
				}
			}
		}
		return '';
	}

	/** @return int[] The registries to which this device is invited. */
	public static function registries(): array {
		$found = array_filter( array_map( array( self::class, 'behind' ), self::remembered() ) );
		return array_values( array_unique( array_map( static fn( array $guest ): int => $guest[0]->ID, $found ) ) );
	}

	/** @return int[] The registries to which this device was invited, and perhaps no longer is. */
	public static function places(): array {
		return array_values( array_unique( array_map( 'intval', self::remembered() ) ) );
	}

	/** A private registry opens for who was invited to it, as WordPress asks for one registry. */
	public static function open( WP_Query $query ): void {
		if ( ! $query->is_main_query() || is_admin() || is_user_logged_in() || ! $query->is_singular() || $query->get( 'post_type' ) !== PostType::NAME ) {
			return;
		}
		$id   = (int) $query->get( 'p' );
		$post = $id ? get_post( $id ) : get_page_by_path( (string) $query->get( PostType::NAME ) ?: (string) $query->get( 'name' ), OBJECT, PostType::NAME );
		if ( $post instanceof WP_Post && $post->post_status === 'private' && self::of( $post ) !== '' ) {
			$query->set( 'post_status', array( 'publish', 'private' ) );
		}
	}

	/**
	 * What is known of an invitation: how its mail fares, and whether its link was opened.
	 *
	 * @return array{id: string, note: string, mail: string, at: int, opened: int}
	 */
	public static function note( WP_Post $post, string $invitee ): array {
		return self::notes_of( $post, array( $invitee ) )[ $invitee ];
	}

	/**
	 * The same of many; those that have no note get one, all by one write.
	 *
	 * @param string[] $invitees
	 * @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}>
	 */
	public static function notes_of( WP_Post $post, array $invitees ): array {
		$notes = self::notes( $post->ID );
		$new   = array_filter( $invitees, static fn( string $invitee ): bool => ! isset( $notes[ self::key( $invitee ) ] ) );
		$notes = $new ? self::change( $post, array_fill_keys( $new, array() ) ) : $notes;
		$found = array();
		foreach ( $invitees as $invitee ) {
			$found[ $invitee ] = $notes[ self::key( $invitee ) ];
		}
		return $found;
	}

	/**
	 * Changes notes of a registry, however many, by one write.
	 *
	 * @param array<string, array<string, mixed>> $changes Invitee → what is new of them.
	 * @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> All notes, by key.
	 */
	public static function change( WP_Post $post, array $changes ): array {
		return EncryptedMeta::change(
			$post->ID,
			self::META,
			static function ( array $notes ) use ( $changes ): array {
				foreach ( $changes as $invitee => $new ) {
					$key           = self::key( (string) $invitee );
					$notes[ $key ] = $new + ( $notes[ $key ] ?? array(
						'id'     => bin2hex( random_bytes( 8 ) ),
						'note'   => '',
						'mail'   => '',
						'at'     => 0,
						'opened' => 0,
					) );
				}
				return $notes;
			}
		);
	}

	/**
	 * A guest who leaves the list loses their note, and with it their link: a new invitation has another link. Called before a
	 * list is stored, by any way. Notes of people who weren't on the list are leftovers, and go too.
	 */
	public static function forget_removed( int $post_id, mixed $invitees ): void {
		$after = Meta::invitees_in( $invitees );
		$stay  = static function ( array $notes ) use ( $post_id, $after ): array {
			$before = Meta::invitees_in( get_post_meta( $post_id, Meta::INVITEES, true ) );
			$stays  = static fn( int|string $key ): bool => isset( $before[ Meta::invitee_key( (string) $key ) ], $after[ Meta::invitee_key( (string) $key ) ] );
			return array_filter( $notes, $stays, ARRAY_FILTER_USE_KEY );
		};
		$notes = self::notes( $post_id );
		if ( count( $stay( $notes ) ) < count( $notes ) ) {
			EncryptedMeta::change( $post_id, self::META, $stay );
		}
	}

	/** Whether somebody is on a registry's list of guests, whatever becomes of the registry. */
	public static function is_listed( int $registry, string $invitee ): bool {
		$post = get_post( $registry );
		return $post && self::listed( $post, $invitee ) !== '';
	}

	/**
	 * How the mails of invitations went.
	 *
	 * @param array<string, string> $how Invitee → `SENT`, `WAITING` or `FAILED`.
	 */
	public static function mailed( int $registry, array $how ): void {
		$how = array_filter( $how, static fn( $invitee ): bool => self::is_listed( $registry, (string) $invitee ), ARRAY_FILTER_USE_KEY );
		$how && self::change(
			get_post( $registry ),
			array_map(
				static fn( string $mail ): array => array(
					'mail' => $mail,
					'at'   => time(),
				),
				$how
			)
		);
	}

	/** How the mail of an invitation fares: `SENT`, `WAITING` or `FAILED`; nothing where there was none. */
	public static function mail_of( WP_Post $post, string $invitee ): string {
		return self::notes( $post->ID )[ self::key( $invitee ) ]['mail'] ?? '';
	}

	/** When a guest's link was opened; 0: never. */
	public static function opened( WP_Post $post, string $invitee ): int {
		return self::notes( $post->ID )[ self::key( $invitee ) ]['opened'] ?? 0;
	}

	/** @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> */
	private static function notes( int $post_id ): array {
		return EncryptedMeta::read( $post_id, self::META );
	}

	/** A registry to which an invitation leads. */
	public static function registry( int $id ): ?WP_Post {
		$post = get_post( $id );
		return $post && $post->post_type === PostType::NAME && in_array( $post->post_status, array( 'publish', 'private' ), true ) ? $post : null;
	}

	/** The entry as it stands in the list of guests; nothing where it doesn't any more. */
	private static function listed( WP_Post $post, string $invitee ): string {
		return Meta::invitee( $post->ID, $invitee );
	}

	private static function key( string $invitee ): string {
		return mb_strtolower( trim( $invitee ) );
	}

	/**
	 * Only for pages: other sites can send this device's cookies to the REST API, which asks for a nonce only from people who
	 * have signed in.
	 *
	 * @return string[]
	 */
	private static function remembered(): array {
		$is_program = ( defined( 'REST_REQUEST' ) && REST_REQUEST ) || ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST );
		return $is_program ? array() : array_filter( explode( ',', Cookie::read( self::COOKIE ) ) );
	}
}
