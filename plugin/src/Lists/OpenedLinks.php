<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Cookie;
use Trousseau\Plugin;
use WP_Post;

/** The lists that are open on this device by a link, where a feature has such links. */
final class OpenedLinks {

	/** @return int[] */
	public function registries(): array {
		return $this->reader()?->registries() ?? array();
	}

	public function open( WP_Post $post ): bool {
		return (string) $this->reader()?->of( $post ) !== '';
	}

	/** A device without a cookie of ours has opened none. */
	private function reader(): ?LinkReader {
		$class = array_values( Plugin::parts( LinkReader::class ) )[0] ?? null;
		return $class && Cookie::are_among( $_COOKIE ) ? Plugin::get( $class ) : null;
	}
}
