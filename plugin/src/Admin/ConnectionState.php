<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Settings;

/** Whether the service has answered with the current settings. */
final class ConnectionState {

	/** The fingerprint of the settings with which the service has answered. */
	private const STANDS = 'trousseau_connected';

	public function succeeded(): void {
		update_option( self::STANDS, self::fingerprint() );
	}

	public static function is_connected(): bool {
		return get_option( self::STANDS ) === self::fingerprint();
	}

	/** A fingerprint of the settings that reveals none of them. */
	private static function fingerprint(): string {
		return Encryption::hash( 'connection', (string) wp_json_encode( Settings::connection() ) );
	}
}
