<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

use Trousseau\Platform\PublicWeb;
use const Trousseau\VERSION;

/**
 * Whether a link still leads anywhere. Only a clear answer makes a link dead: a shop that is slow, down, or keeps robots
 * out may have the page all the same.
 */
final class LinkCheck {

	private const SECONDS   = 8;
	private const REDIRECTS = 5;
	private const MAX_BYTES = 64 * KB_IN_BYTES;

	/** @var array<string, string> The results of this request: many gifts may have the same link. */
	private array $known = array();

	public function __construct( private readonly PublicWeb $public_web ) {
	}

	public function is_known( string $link ): bool {
		return isset( $this->known[ $link ] );
	}

	/** The status that a link should have, `active` or `expired`; `unknown` without a clear answer. */
	public function state( string $link ): string {
		return $this->known[ $link ] ??= $this->look( $link );
	}

	private function look( string $link ): string {
		$answer = $this->public_web->get(
			$link,
			array(
				'timeout'             => self::SECONDS,
				'limit_response_size' => self::MAX_BYTES,
				'user-agent'          => 'Trousseau/' . VERSION . ' (link check; ' . home_url() . ')',
				'headers'             => array( 'Accept' => 'text/html' ),
			),
			self::REDIRECTS
		);
		$status = (int) wp_remote_retrieve_response_code( $answer );
		return match ( true ) {
			$status === 404, $status === 410  => 'expired',
			$status >= 200 && $status < 300   => 'active',
			default                           => 'unknown',
		};
	}
}
