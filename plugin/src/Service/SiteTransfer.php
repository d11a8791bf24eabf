<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

use RuntimeException;

/** Carries a site with all its gifts from one service to another, in a file that only this site's own processes may read. */
final class SiteTransfer {

	/** The most bytes that a service takes. */
	public const MOST = 64 * MB_IN_BYTES;

	private const TYPE = 'application/gzip';

	/** The first bytes of every such file. */
	private const GZIP = "\x1f\x8b";

	/** The beginning of the file's name, and the seconds after which one that a dying process has left is deleted. */
	private const NAME = 'trousseau-site-';
	private const LEFT = HOUR_IN_SECONDS;

	public function __construct( private readonly SiteProof $site_proof ) {
	}

	/**
	 * Makes an empty file with mode 0600; the caller deletes it.
	 *
	 * @throws RuntimeException Where the folder of temporary files can't be written.
	 */
	public function new_file(): string {
		$file = wp_is_writable( get_temp_dir() ) ? tempnam( get_temp_dir(), self::NAME ) : false;
		if ( $file === false ) {
			/* translators: %s: a folder */
			throw new RuntimeException( sprintf( __( 'This site can’t write files to %s. Ask your host to allow that.', 'trousseau' ), get_temp_dir() ) );
		}
		return $file;
	}

	/** Deletes files of processes that have died. */
	public function sweep(): void {
		foreach ( glob( get_temp_dir() . self::NAME . '*' ) ?: array() as $file ) {
			if ( filemtime( $file ) < time() - self::LEFT ) {
				wp_delete_file( $file );
			}
		}
	}

	/**
	 * Closes the site at its service for ten minutes, and writes all of it to a file.
	 *
	 * @throws ServiceError Where the service refuses, or another server answers.
	 */
	public function export( HttpClient $from, string $file, int $seconds ): void {
		$this->site_proof->during( static fn( string $token ) => $from->download( '/export', array( 'token' => $token ), $file, self::MOST, $seconds ) );
		clearstatcache( true, $file );
		if ( file_get_contents( $file, false, null, 0, 2 ) !== self::GZIP ) {
			throw new Unavailable( __( 'Something else than the item service answers at its address.', 'trousseau' ), 200 );
		}
	}

	/**
	 * Gives the file to a service that has nothing of this site yet: it takes all or nothing.
	 *
	 * @throws ServiceError Where the service refuses, or another server answers.
	 */
	public function import( HttpClient $to, string $file, int $seconds ): void {
		$answer = $to->upload( '/import', (string) file_get_contents( $file ), self::TYPE, $seconds );
		if ( ! is_array( $answer ) || ! is_int( $answer['items'] ?? null ) ) {
			throw new Unavailable( __( 'Something else than the item service answers at its address.', 'trousseau' ), 200 );
		}
	}

	/** Opens the site at its service again. @throws ServiceError Where that fails. */
	public function keep( HttpClient $from ): void {
		$from->ask( 'PUT', '/export', array( 'state' => 'kept' ) );
	}

	/** Closes the site at the service that it has left, for good. @throws ServiceError Where that fails. */
	public function leave( HttpClient $from ): void {
		$from->ask( 'PUT', '/export', array( 'state' => 'moved' ) );
	}
}
