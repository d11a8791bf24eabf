<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\KeptValues;
use WP_REST_Response;

/** Shows a random token at this site's own address, where a service reads it: so it knows that the site is the one that asks. */
final class SiteProof {

	/** The token's name among the kept values, and in the REST API. */
	public const TOKEN = 'joining';

	public function __construct( private readonly KeptValues $kept_values ) {
	}

	/** Answers anyone: the token is useful only for this site's own request. */
	public function answer(): WP_REST_Response {
		$token = $this->kept_values->get( self::TOKEN, true );
		return new WP_REST_Response( $token === null ? array() : array( 'token' => $token ), $token === null ? 404 : 200, array( 'Cache-Control' => 'no-store' ) );
	}

	/**
	 * Shows a token while this request runs.
	 *
	 * @param callable $ask Gets the token.
	 */
	public function during( callable $ask ): mixed {
		$token = rtrim( strtr( base64_encode( random_bytes( 32 ) ), '+/', '-_' ), '=' );
		$this->kept_values->set( self::TOKEN, $token, 10 * MINUTE_IN_SECONDS );
		try {
			return $ask( $token );
		} finally {
			$this->kept_values->delete( self::TOKEN );
		}
	}
}
