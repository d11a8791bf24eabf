<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** Makes the page of a public list the same for everyone, so that caches may keep it; each known device asks for its own part. */
interface PageSharing {

	/** Whether a list's page is made for everyone, and not for the visitor who asked for it. */
	public function is_shared( WP_Post $post ): bool;

	/** @return array<string, mixed> The values for the page's script. */
	public function settings( WP_Post $post ): array;

	/** Runs before any page is made. */
	public function begin(): void;

	/** Notes that the page shows a list, or several lists (0). */
	public function note( int $registry ): void;

	/** Tells caches that everyone is shown this page. */
	public function send_headers(): void;
}
