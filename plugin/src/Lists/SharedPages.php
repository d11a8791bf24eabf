<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\ResponseHeaders;
use Trousseau\Plugin;
use WP_Post;

/** Pages that caches may store, if a feature shares them. Otherwise each visitor has a page of their own, which no cache stores. */
final class SharedPages {

	public function __construct( private readonly ResponseHeaders $response_headers ) {
	}

	private function sharing(): ?PageSharing {
		$classes = array_values( Plugin::parts( PageSharing::class ) );
		return $classes ? Plugin::get( $classes[0] ) : null;
	}

	public function is_shared( WP_Post $post ): bool {
		return (bool) $this->sharing()?->is_shared( $post );
	}

	/** Whether the current page is a list's, made for everyone. */
	public function is_this_one(): bool {
		$post = is_singular( PostType::NAME ) ? get_queried_object() : null;
		return $post instanceof WP_Post && $this->is_shared( $post );
	}

	/** @return array<string, mixed> */
	public function settings( WP_Post $post ): array {
		return $this->sharing()?->settings( $post ) ?? array();
	}

	public function begin(): void {
		$this->sharing()?->begin();
	}

	public function note( int $registry ): void {
		$sharing = $this->sharing();
		$sharing ? $sharing->note( $registry ) : $this->response_headers->keep_out_of_caches();
	}

	public function send_headers(): void {
		$sharing = $this->sharing();
		if ( $sharing ) {
			$sharing->send_headers();
		} elseif ( is_singular( PostType::NAME ) ) {
			$this->response_headers->keep_out_of_caches();
		}
	}
}
