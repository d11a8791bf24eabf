<?php
/**
 * The head of every page for a registry's owner: its name, and the links between the pages.
 *
 * @var string                $name      The registry's name.
 * @var string                $permalink The address of its own page.
 * @var array<string, string> $pages     Words → address.
 * @var string                $current   Words of the page that is open.
 * @var bool                  $is_public
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Language;

?>
<p class="trousseau-of">
	<a href="<?php echo esc_url( $permalink ); ?>"><?php echo esc_html( Language::isolate( $name ) ); ?></a>
	<small><?php echo esc_html( $is_public ? __( 'public: everybody can see it', 'trousseau' ) : __( 'private: only your guests see it', 'trousseau' ) ); ?></small>
</p>
<nav class="trousseau-tabs" aria-label="<?php esc_attr_e( 'Your list', 'trousseau' ); ?>">
	<ul role="list">
<?php foreach ( $pages as $trousseau_words => $trousseau_address ) : ?>
		<li><a href="<?php echo esc_url( $trousseau_address ); ?>"<?php echo $trousseau_words === $current ? ' aria-current="page"' : ''; ?>><?php echo esc_html( $trousseau_words ); ?></a></li>
<?php endforeach; ?>
	</ul>
</nav>
