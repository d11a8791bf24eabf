<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** The lists that links have opened on this device: none, unless a feature with such links takes the place of this class. */
class OpenedLinks {

	/** @return int[] */
	public function registries(): array {
		return array();
	}

	public function open( WP_Post $post ): bool {
		return false;
	}
}
