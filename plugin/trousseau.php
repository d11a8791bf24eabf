<?php
/**
 * Plugin Name:       Trousseau
 * Description:       Private and public gift lists. The Trousseau item service stores the gifts.
 * Version:           0.2.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * Author:            The Trousseau contributors
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       trousseau
 * Domain Path:       /languages
 *
 * The hooks of each feature stand in `src/FEATURE/hooks.php`.
 */

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.2.0';
const PLUGIN_FILE = __FILE__;

require __DIR__ . '/autoload.php';

foreach ( preg_grep( '/\./', scandir( __DIR__ . '/src' ), PREG_GREP_INVERT ) as $trousseau_feature ) {
	require __DIR__ . "/src/$trousseau_feature/hooks.php";
}
