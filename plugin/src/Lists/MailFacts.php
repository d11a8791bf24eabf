<?php

declare(strict_types=1);

namespace Trousseau\Lists;

/** What a feature knows about its planned emails when they are due, by a name in the email's `only`. */
interface MailFacts {

	/**
	 * Returns the values of an email, or null if it is no longer true.
	 *
	 * @param array<string, mixed> $mail `to`, `template`, `values` and `only`.
	 * @return array<string, mixed>|null
	 * @throws \Trousseau\Service\ServiceError Where the service can't say.
	 */
	public function facts( string $about, array $mail ): ?array;
}
