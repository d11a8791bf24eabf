<?php

declare(strict_types=1);

namespace Trousseau\Lists;

/** Tells a feature the results of emails about its entries of a list. */
interface MailOutcome {

	public const WAITING = 'waiting';
	public const SENT    = 'sent';
	public const FAILED  = 'failed';

	/** @param array<string, string> $how Entry → `SENT`, `WAITING` or `FAILED`. */
	public function mailed( int $registry, array $how ): void;
}
