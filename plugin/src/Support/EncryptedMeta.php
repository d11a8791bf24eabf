<?php

declare(strict_types=1);

namespace Trousseau\Support;

defined( 'ABSPATH' ) || exit;

/** A list that is stored with a registry as one encrypted text. Requests that change it at the same time take turns. */
final class EncryptedMeta {

	/** Seconds after which a process that was changing it is taken to have died. */
	private const TURN = 5;

	/** @var array<string, array{0: mixed, 1: array<int|string, mixed>}> Meta key → the text that was decrypted last, and its list. */
	private static array $opened = array();

	public function __construct( private readonly Lock $lock ) {
	}

	/** A text is decrypted once, however often a page asks for it. */
	public static function read( int $post_id, string $key ): array {
		$stored = get_post_meta( $post_id, $key, true );
		if ( ! isset( self::$opened[ $key ] ) || self::$opened[ $key ][0] !== $stored ) {
			$list                 = Encryption::open( $stored );
			self::$opened[ $key ] = array( $stored, is_array( $list ) ? $list : array() );
		}
		return self::$opened[ $key ][1];
	}

	/**
	 * Changes the list as it is in the database now. An empty list leaves no row.
	 *
	 * @param callable(array<int|string, mixed>): array<int|string, mixed> $change
	 */
	public function change( int $post_id, string $key, callable $change ): array {
		return $this->lock->alone(
			"meta-$post_id$key",
			self::TURN,
			static function () use ( $post_id, $key, $change ): array {
				wp_cache_delete( $post_id, 'post_meta' );
				$before = self::read( $post_id, $key );
				$after  = $change( $before );
				if ( ! $after ) {
					delete_post_meta( $post_id, $key );
				} elseif ( $after !== $before ) {
					update_post_meta( $post_id, $key, wp_slash( Encryption::seal( $after ) ) );
				}
				return $after;
			}
		);
	}
}
