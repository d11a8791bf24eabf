<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

/** What a feature shows above the plugin's settings, until a connection stands, and below them. */
interface SettingsSection {

	public function show(): void;

	public function show_below(): void;
}
