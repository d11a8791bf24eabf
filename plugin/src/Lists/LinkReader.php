<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** A feature that opens lists by links, on devices that remember them. */
interface LinkReader {

	/** The guest of a registry that this device stands for, as in its list of guests. Empty if none. */
	public function of( WP_Post $post ): string;

	/** @return int[] The registries that are open on this device. */
	public function registries(): array;
}
