<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

/** The address of Settings → Trousseau. Its panels lead back to it without knowing the page that shows them. */
final class SettingsAddress {

	public const PAGE = 'trousseau';

	public static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}
}
