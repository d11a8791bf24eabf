<?php
/**
 * The affiliate links to one shop.
 *
 * @var array<string, mixed> $typed The values in the fields of its rule.
 * @var string $template Nothing where there is no rule.
 * @var array<int, array<string, string>> $dead The first of the dead links.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Affiliate\AffiliateScreen;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Template;

$facts = array(
	__( 'Gifts', 'trousseau' )                    => $gifts,
	__( 'Links in use', 'trousseau' )             => $links,
	__( 'Broken links', 'trousseau' )               => $expired,
	__( 'Set by owners', 'trousseau' )            => $own,
	__( 'Could not be checked', 'trousseau' )     => $unknown,
	__( 'Clicks this month', 'trousseau' )       => $month,
	__( 'Clicks in twelve months', 'trousseau' ) => $year,
);

?>
<div class="wrap trousseau-affiliate">
	<p><a href="<?php echo esc_url( AffiliateScreen::url() ); ?>"><?php esc_html_e( 'All shops', 'trousseau' ); ?></a></p>
	<h1><bdi dir="ltr"><?php echo esc_html( $shop ); ?></bdi></h1>
	<?php echo Template::html( 'affiliate-state', compact( 'round', 'found' ) ); ?>
	<div id="col-container" class="wp-clearfix">
		<div id="col-left"><div class="col-wrap">
			<h2><?php esc_html_e( 'Links to this shop', 'trousseau' ); ?></h2>
			<?php echo Template::html( 'affiliate-form', array( 'was' => $template === '' ? '' : $shop ) + $typed + compact( 'action' ) ); ?>
			<?php if ( $template !== '' ) : ?>
			<details class="trousseau-end">
				<summary><?php esc_html_e( 'Remove these links', 'trousseau' ); ?></summary>
				<?php echo AdminForm::open( $action, array( 'do' => 'end', 'shop' => $shop ) ); ?>
					<p><?php esc_html_e( 'Links created by this rule are removed. Links set by owners stay.', 'trousseau' ); ?></p>
					<?php
					/* translators: %s: name of a shop */
					submit_button( sprintf( __( 'Remove the links to %s', 'trousseau' ), $shop ), 'delete', 'submit', false, array( 'id' => 'trousseau-end' ) );
					?>
				</form>
			</details>
			<?php endif; ?>
		</div></div>
		<div id="col-right"><div class="col-wrap">
			<dl class="trousseau-numbers">
				<?php foreach ( $facts as $name => $value ) : ?>
				<div><dt><?php echo esc_html( $name ); ?></dt><dd><?php echo esc_html( number_format_i18n( $value ) ); ?></dd></div>
				<?php endforeach; ?>
			</dl>
			<?php echo AdminForm::open( $action, array( 'do' => 'check', 'shop' => $shop ) ); ?>
				<p><?php submit_button( __( 'Check these links now', 'trousseau' ), 'secondary', 'submit', false, array( 'id' => 'trousseau-check' ) ); ?></p>
			</form>
			<?php if ( $dead ) : ?>
			<h2><?php esc_html_e( 'Broken links', 'trousseau' ); ?></h2>
			<p><?php esc_html_e( 'The shop says that the page is gone. Guests use the owner’s own link instead, until a check finds the page again.', 'trousseau' ); ?></p>
			<ul class="ul-disc">
				<?php foreach ( $dead as $one ) : ?>
				<li><a href="<?php echo esc_url( $one['shop'], array( 'http', 'https' ) ); ?>" rel="noreferrer"><?php echo esc_html( $one['gift'] ); ?></a> – <a href="<?php echo esc_url( $one['page'] ); ?>"><?php echo esc_html( $one['registry'] ); ?></a></li>
				<?php endforeach; ?>
			</ul>
			<?php endif; ?>
		</div></div>
	</div>
</div>
