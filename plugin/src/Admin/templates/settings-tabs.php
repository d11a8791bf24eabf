<?php
/**
 * The parts of Settings → Trousseau.
 *
 * @var array<string, string> $tabs Name in the address → words.
 * @var string                $part The one that is open.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Settings;

?>
<nav class="nav-tab-wrapper" aria-label="<?php esc_attr_e( 'Trousseau', 'trousseau' ); ?>">
<?php foreach ( $tabs as $trousseau_part => $trousseau_words ) : ?>
	<a class="nav-tab<?php echo $trousseau_part === $part ? ' nav-tab-active" aria-current="page' : ''; ?>" href="<?php echo esc_url( add_query_arg( array_filter( array( 'part' => $trousseau_part ) ), Settings::url() ) ); ?>"><?php echo esc_html( $trousseau_words ); ?></a>
<?php endforeach; ?>
</nav>
