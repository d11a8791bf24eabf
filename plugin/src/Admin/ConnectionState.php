<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Settings;

/** Whether the service has answered with the current settings. */
final class ConnectionState {

	/** The fingerprint of the settings with which the service has answered. */
	private const STANDS = 'trousseau_connected';

	/**
	 * Notes that the service has answered.
	 *
	 * @param string[]|null $settings The settings that it answered, perhaps not stored yet; the site's own when absent.
	 */
	public function succeeded( ?array $settings = null ): void {
		$fingerprint = self::fingerprint( $settings ?? Settings::connection() );
		if ( get_option( self::STANDS ) !== $fingerprint ) {
			update_option( self::STANDS, $fingerprint );
		}
	}

	public static function is_connected(): bool {
		return get_option( self::STANDS ) === self::fingerprint( Settings::connection() );
	}

	/** A fingerprint that distinguishes sets of settings and reveals none of them. */
	private static function fingerprint( array $settings ): string {
		return Encryption::hash( 'connection', (string) wp_json_encode( $settings ) );
	}
}
