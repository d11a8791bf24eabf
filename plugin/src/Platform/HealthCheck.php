<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** What a feature reports about its health to administrators, under Site Health and on the command line. It may take its time. */
interface HealthCheck {

	/** @return array{0: string, 1: string} The titles where all is well, and where it isn't. */
	public static function titles(): array;

	/** @return string[] `good`, `recommended`, `critical` or `unknown`, words, and the cure, if any. */
	public function find(): array;
}
