<?php

declare(strict_types=1);

namespace Trousseau\Service;

use RuntimeException;
use WP_Error;

/** A call of the item service without a result. The message is for the log and the site's administrator; `words()` is for the person who waits. */
abstract class ServiceError extends RuntimeException {

	/**
	 * @param string $detail      The service's own words.
	 * @param int    $status      The status of its answer; 0: there was none.
	 * @param int    $retry_after Seconds, where the service named them.
	 * @param bool   $is_soon     Whether the service only asked for a moment, to learn who we are.
	 * @param string $words       A sentence for the person, where the caller knows a better one.
	 */
	final public function __construct(
		string $detail,
		public readonly int $status = 0,
		public readonly int $retry_after = 0,
		public readonly bool $is_soon = false,
		private readonly string $words = '',
	) {
		parent::__construct( $detail );
	}

	/** The error for an answer of the service, or of another server in its place. */
	final public static function of( int $status, string $detail, int $retry_after = 0, bool $is_soon = false ): self {
		$class = match ( true ) {
			// A write with the same key is still running.
			$status === 409 && $retry_after > 0                => Unavailable::class,
			// Only the service itself gives a detail; another server in its place knows nothing of its items. 410 says nothing of
			// them either: events are no longer kept.
			$status === 404 && $detail !== ''                      => NotFound::class,
			in_array( $status, array( 401, 403 ), true )           => Forbidden::class,
			in_array( $status, array( 409, 412 ), true )           => Conflict::class,
			in_array( $status, array( 400, 413, 415, 422 ), true ) => Invalid::class,
			$status === 429                                    => TooMany::class,
			default                                            => Unavailable::class,
		};
		/* translators: %d: HTTP status code */
		$message = $detail !== '' ? $detail : sprintf( __( 'The item service answered with HTTP status %d and no explanation.', 'trousseau' ), $status );
		return new $class( $message, $status, $retry_after, $is_soon );
	}

	/** Whether requests about other lists would fail now, too: nothing answers, or the service serves nobody or not this site. */
	final public function is_for_all(): bool {
		return in_array( $this->status, array( 0, 503 ), true );
	}

	/** A sentence for the person whose form was not stored. */
	final public function words(): string {
		return $this->words ?: match ( static::class ) {
			Conflict::class, Invalid::class => __( 'This couldn’t be saved, because something else has changed. Check it and try again.', 'trousseau' ),
			Forbidden::class                => __( 'This site can’t do that right now. The people who run it have to fix it first.', 'trousseau' ),
			NotFound::class                 => __( 'It no longer exists, so nothing was saved.', 'trousseau' ),
			TooMany::class                  => __( 'Too many attempts in a short time. Please try again later.', 'trousseau' ),
			default                         => __( 'This couldn’t be saved right now. Nothing you typed is lost: try again in a minute.', 'trousseau' ),
		};
	}

	/** The same for other plugins, and for WordPress's own tools. */
	final public function as_wp_error(): WP_Error {
		return $this->status
			? new WP_Error( 'api_error', $this->getMessage(), array( 'status' => $this->status ) )
			: new WP_Error( 'api_unreachable', $this->getMessage() );
	}
}
