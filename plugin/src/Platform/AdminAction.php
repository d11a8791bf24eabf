<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Handles a form of the administration. Features add theirs under the form's action. */
interface AdminAction {

	public function handle(): void;
}
