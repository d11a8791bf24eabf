<?php

declare(strict_types=1);

namespace Trousseau\Admin;

/** What a feature shows above the plugin's settings until the site is connected, and below them after that. */
interface SettingsSection {

	public function show(): void;

	public function show_below(): void;
}
