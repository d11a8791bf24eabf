<?php

declare(strict_types=1);

namespace Trousseau\Platform;

defined( 'ABSPATH' ) || exit;

/** What else can be found with settings of the connection that are not stored yet, once they have been tested. */
interface ConnectionFindings {

	/**
	 * @param string[]                    $settings
	 * @param array{0: string, 1: string} $connection The finding of the test.
	 * @return array<string, array{status: string, title: string, words: string, cure: string}>
	 */
	public function find_with( array $settings, array $connection ): array;
}
