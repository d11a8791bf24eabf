<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\ResponseHeaders;
use WP_Post;

/**
 * Pages that caches may store: none, so that each visitor has a page of their own. A feature may stand in this place, make the page of a public
 * list the same for everyone, and have each known device ask for its own part.
 */
class SharedPages {

	public function __construct( protected readonly ResponseHeaders $response_headers ) {
	}

	/** Whether a list's page is made for everyone, and not for the visitor who asked for it. */
	public function is_shared( WP_Post $post ): bool {
		return false;
	}

	/** Whether the current page is a list's, made for everyone. */
	final public function is_this_one(): bool {
		return is_singular( PostType::NAME ) && $this->is_shared( get_queried_object() );
	}

	/** @return array<string, mixed> The values for the page's script. */
	public function settings( WP_Post $post ): array {
		return array();
	}

	/** Notes that the page shows a list, or several lists (0). */
	public function note( int $registry ): void {
		$this->response_headers->keep_out_of_caches();
	}

	/** Tells caches about a page that is no visitor's own. */
	public function send_headers(): void {
		is_singular( PostType::NAME ) && $this->response_headers->keep_out_of_caches();
	}
}
