<?php
/**
 * The parts of Settings → Trousseau.
 *
 * @var bool $is_connections
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Connections\ConnectionsScreen;
use Trousseau\Platform\Settings;

?>
<nav class="nav-tab-wrapper" aria-label="<?php esc_attr_e( 'Trousseau', 'trousseau' ); ?>">
<?php if ( $is_connections ) : ?>
	<a class="nav-tab" href="<?php echo esc_url( Settings::url() ); ?>"><?php esc_html_e( 'Settings', 'trousseau' ); ?></a>
	<a class="nav-tab nav-tab-active" href="<?php echo esc_url( ConnectionsScreen::url() ); ?>" aria-current="page"><?php esc_html_e( 'Connections', 'trousseau' ); ?></a>
<?php else : ?>
	<a class="nav-tab nav-tab-active" href="<?php echo esc_url( Settings::url() ); ?>" aria-current="page"><?php esc_html_e( 'Settings', 'trousseau' ); ?></a>
	<a class="nav-tab" href="<?php echo esc_url( ConnectionsScreen::url() ); ?>"><?php esc_html_e( 'Connections', 'trousseau' ); ?></a>
<?php endif; ?>
</nav>
