<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** The answer of the site to a request. */
final class Answer {

	/**
	 * @param array<string, mixed>  $headers Names in small letters.
	 * @param array<string, string> $cookies Those that the device sends from now on.
	 */
	public function __construct(
		public readonly int $status,
		public readonly string $text,
		public readonly array $headers = array(),
		public readonly mixed $json = null,
		public readonly array $cookies = array(),
	) {
	}

	public function location(): string {
		return (string) ( $this->headers['location'] ?? '' );
	}

	/** The number of all things that a list of the REST API has. */
	public function total(): int {
		return (int) ( $this->headers['x-wp-total'] ?? -1 );
	}

	/** The code of an error of the REST API. */
	public function code(): string {
		return (string) ( $this->json['code'] ?? '' );
	}
}
