<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

/** Records for a feature how the mails about its entries of a list fare. */
interface MailOutcome {

	public const WAITING = 'waiting';
	public const SENT    = 'sent';
	public const FAILED  = 'failed';

	/** @param array<string, string> $how Entry → `SENT`, `WAITING` or `FAILED`. */
	public function mailed( int $registry, array $how ): void;
}
