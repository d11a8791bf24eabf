<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * A list that is stored with a registry as one text: encrypted, unless guests may read it anyway. Requests that change it at the same
 * time take turns. A text that can't be decrypted shows as an empty list with a notice, and nothing overwrites it.
 */
final class MetaList {

	/** The beginning of the names of all of them, and of the plugin's other meta. */
	private const PREFIX = '_trousseau_';

	/** Seconds after which a process that was changing it is taken to have died. */
	private const TURN = 30;

	private const AT_ONCE = 200;

	/** @var array<string, array{0: mixed, 1: array<int|string, mixed>|null}> Meta key → the text that was opened last, and its list. */
	private static array $opened = array();

	/** Whether this request has come upon a text that can't be decrypted. */
	private static bool $was_unreadable = false;

	public function __construct( private readonly Lock $lock ) {
	}

	/** A text is decrypted once, however often a page asks for it. */
	public static function read( int $post_id, string $key ): array {
		$list                 = self::stored( $post_id, $key );
		self::$was_unreadable = self::$was_unreadable || $list === null;
		return $list ?? array();
	}

	public static function is_readable( int $post_id, string $key ): bool {
		return self::stored( $post_id, $key ) !== null;
	}

	/**
	 * Reads a post's meta as it is in the database now, which another process may have changed since this one read it.
	 *
	 * @throws Unreadable Where the query fails: WordPress finds nothing then.
	 */
	public function now( int $post_id, callable $read ): mixed {
		wp_cache_delete( $post_id, 'post_meta' );
		$GLOBALS['wpdb']->last_error = '';
		$found                       = $read();
		if ( $GLOBALS['wpdb']->last_error !== '' ) {
			wp_cache_delete( $post_id, 'post_meta' );
			throw new Unreadable( "the meta of $post_id" );
		}
		return $found;
	}

	/** Whether a page that this request has made lacks something. */
	public function was_unreadable(): bool {
		return self::$was_unreadable;
	}

	/**
	 * Changes the list as it is in the database now. An empty list leaves no row.
	 *
	 * @throws Unreadable Where the stored text can't be decrypted.
	 * @throws Busy       Where others are changing it for too long, or the database refuses the change.
	 */
	public function change( int $post_id, string $key, callable $change, bool $is_secret = true ): array {
		return $this->lock->alone(
			"meta-$post_id$key",
			self::TURN,
			function () use ( $post_id, $key, $change, $is_secret ): array {
				$before = $this->now( $post_id, static fn(): ?array => self::stored( $post_id, $key ) );
				if ( $before === null ) {
					throw new Unreadable( "$key of $post_id" );
				}
				$after                       = $change( $before );
				$GLOBALS['wpdb']->last_error = '';
				$is_done                     = true;
				if ( ! $after ) {
					$is_done = delete_post_meta( $post_id, $key );
				} elseif ( $after !== $before ) {
					$text    = $is_secret ? Encryption::seal( $after ) : (string) wp_json_encode( $after );
					$is_done = update_post_meta( $post_id, $key, wp_slash( $text ) );
				}
				// WordPress also returns false where there was nothing to change.
				if ( ! $is_done && $GLOBALS['wpdb']->last_error !== '' ) {
					throw new Busy( "$key of $post_id could not be stored" );
				}
				return $after;
			}
		);
	}

	/** How many of the stored texts none of the site's keys opens; they are deleted on request, since nobody can use them. */
	public function count_unreadable( bool $delete = false ): int {
		$wpdb  = $GLOBALS['wpdb'];
		$last  = 0;
		$count = 0;
		do {
			$rows = $wpdb->get_results( $wpdb->prepare( "SELECT meta_id, meta_value FROM $wpdb->postmeta WHERE meta_key LIKE %s AND meta_id > %d ORDER BY meta_id LIMIT %d", $wpdb->esc_like( self::PREFIX ) . '%', $last, self::AT_ONCE ) );
			foreach ( $rows as $row ) {
				$last = (int) $row->meta_id;
				if ( Encryption::is_unreadable( $row->meta_value ) ) {
					++$count;
					$delete && delete_metadata_by_mid( 'post', $last );
				}
			}
		} while ( count( $rows ) === self::AT_ONCE );
		return $count;
	}

	/** @return array<int|string, mixed>|null Null where the text can't be decrypted. */
	private static function stored( int $post_id, string $key ): ?array {
		$stored = get_post_meta( $post_id, $key, true );
		if ( ! isset( self::$opened[ $key ] ) || self::$opened[ $key ][0] !== $stored ) {
			$is_open              = ! is_string( $stored ) || $stored === '' || str_contains( '[{', $stored[0] );
			$list                 = $is_open ? json_decode( (string) $stored ?: '[]', true ) : Encryption::open( $stored );
			self::$opened[ $key ] = array( $stored, is_array( $list ) ? $list : null );
		}
		return self::$opened[ $key ][1];
	}
}
