<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP;
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

	/** Seconds after which whoever was writing notes is gone. */
	private const TURN = 5;

	// What is kept of an invitation beside the list of guests itself.
	public const WAITING = 'waiting';
	public const SENT    = 'sent';
	public const FAILED  = 'failed';

	/** The guest's own link. */
	public static function link( WP_Post $post, string $invitee ): string {
		$id = self::note( $post, $invitee )['id'];
		return PageRouter::address( 'invitation', 0, array( 'for' => Link::sign( 'invitation', "$post->ID $id" ) ) );
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
		foreach ( self::notes( $post ) as $invitee => $note ) {
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
		self::change( $post, $invitee, array( 'opened' => time() ) );
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
		return self::notes( $post )[ self::key( $invitee ) ] ?? self::change( $post, $invitee, array() );
	}

	/**
	 * @param array<string, mixed> $changes
	 * @return array{id: string, note: string, mail: string, at: int, opened: int}
	 */
	public static function change( WP_Post $post, string $invitee, array $changes ): array {
		$fresh = array(
			'id'     => bin2hex( random_bytes( 8 ) ),
			'note'   => '',
			'mail'   => '',
			'at'     => 0,
			'opened' => 0,
		);
		return self::rewrite( $post, $invitee, static fn( ?array $note ): array => $changes + ( $note ?? $fresh ) );
	}

	/** Whoever is taken off the list: their link is worth nothing, and an invitation made again is another. */
	public static function forget( WP_Post $post, string $invitee ): void {
		self::rewrite( $post, $invitee, static fn(): ?array => null );
	}

	/** Whether somebody is on a registry's list of guests, whatever becomes of the registry. */
	public static function is_listed( int $registry, string $invitee ): bool {
		$post = get_post( $registry );
		return $post && self::listed( $post, $invitee ) !== '';
	}

	/** How the mail of an invitation went. */
	public static function mailed( int $registry, string $invitee, string $how ): void {
		if ( self::is_listed( $registry, $invitee ) ) {
			self::change(
				get_post( $registry ),
				$invitee,
				array(
					'mail' => $how,
					'at'   => time(),
				)
			);
		}
	}

	/** When a guest's link was opened; 0: never. */
	public static function opened( WP_Post $post, string $invitee ): int {
		return self::notes( $post )[ self::key( $invitee ) ]['opened'] ?? 0;
	}

	/** @return array<string, array{id: string, note: string, mail: string, at: int, opened: int}> */
	private static function notes( WP_Post $post ): array {
		$notes = Sealed::open( get_post_meta( $post->ID, self::META, true ) );
		return is_array( $notes ) ? $notes : array();
	}

	/**
	 * Changes one note. Owners invite while mails leave and guests open their links, and all notes of a registry are one
	 * text: one at a time writes it, as it is in the database then. A guest whose note is lost would have a dead link.
	 *
	 * @param callable(?array<string, mixed>): ?array<string, mixed> $change Null: there is none.
	 * @return array<string, mixed>|null
	 */
	private static function rewrite( WP_Post $post, string $invitee, callable $change ): ?array {
		$turn  = "guests-$post->ID";
		$until = microtime( true ) + self::TURN;
		while ( ! Turn::take( $turn, self::TURN ) && microtime( true ) < $until ) {
			usleep( 10_000 );
		}
		wp_cache_delete( $post->ID, 'post_meta' );
		$key   = self::key( $invitee );
		$notes = self::notes( $post );
		$note  = $change( $notes[ $key ] ?? null );
		$notes = array_filter( array( $key => $note ) + $notes );
		update_post_meta( $post->ID, self::META, wp_slash( Sealed::seal( $notes ) ) );
		Turn::forget( $turn );
		return $note;
	}

	/** A registry to which an invitation leads. */
	public static function registry( int $id ): ?WP_Post {
		$post = get_post( $id );
		return $post && $post->post_type === PostType::NAME && in_array( $post->post_status, array( 'publish', 'private' ), true ) ? $post : null;
	}

	/** The entry as it stands in the list of guests; nothing where it doesn't any more. */
	private static function listed( WP_Post $post, string $invitee ): string {
		foreach ( Meta::invitees( $post->ID ) as $entry ) {
			if ( self::key( $entry ) === self::key( $invitee ) ) {
				return $entry;
			}
		}
		return '';
	}

	private static function key( string $invitee ): string {
		return mb_strtolower( trim( $invitee ) );
	}

	/** @return string[] */
	private static function remembered(): array {
		return array_filter( explode( ',', Cookie::read( self::COOKIE ) ) );
	}
}
