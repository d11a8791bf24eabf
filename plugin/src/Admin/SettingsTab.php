<?php

declare(strict_types=1);

namespace Trousseau\Admin;

/** A tab that a feature adds to the plugin's settings, by its name in the address. */
interface SettingsTab {

	public static function tab(): string;

	public function show(): void;
}
