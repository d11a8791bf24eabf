<?php
/**
 * Affiliate links by shop.
 *
 * @var array<string, mixed> $typed The values in the fields of a new rule.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Affiliate\AffiliateScreen;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Template;

$number = static fn( int $of ): string => esc_html( number_format_i18n( $of ) );

?>
<div class="wrap trousseau-affiliate">
	<h1><?php esc_html_e( 'Affiliate links', 'trousseau' ); ?></h1>
	<p><?php esc_html_e( 'When guests go from a gift to its shop, your affiliate link can take them there, so the shop pays you a commission. Guests, owners and the page itself never see it.', 'trousseau' ); ?></p>
	<?php echo Template::html( 'affiliate-state', compact( 'round', 'found' ) ); ?>
	<div id="col-container" class="wp-clearfix">
		<div id="col-left"><div class="col-wrap">
			<h2><?php esc_html_e( 'Links to a shop', 'trousseau' ); ?></h2>
			<?php echo Template::html( 'affiliate-form', array( 'was' => '' ) + $typed + compact( 'action' ) ); ?>
		</div></div>
		<div id="col-right"><div class="col-wrap">
			<table class="wp-list-table widefat striped">
				<caption class="screen-reader-text"><?php esc_html_e( 'Shops with affiliate links', 'trousseau' ); ?></caption>
				<thead><tr>
					<th scope="col" class="column-primary"><?php esc_html_e( 'Shop', 'trousseau' ); ?></th>
					<th scope="col" class="num"><?php esc_html_e( 'Gifts', 'trousseau' ); ?></th>
					<th scope="col" class="num"><?php esc_html_e( 'Links', 'trousseau' ); ?></th>
					<th scope="col" class="num"><?php esc_html_e( 'Clicks', 'trousseau' ); ?></th>
				</tr></thead>
				<tbody>
				<?php foreach ( $linked as $one ) : ?>
				<tr>
					<th scope="row" class="column-primary" data-colname="<?php esc_attr_e( 'Shop', 'trousseau' ); ?>">
						<a class="row-title" href="<?php echo esc_url( AffiliateScreen::url( $one['shop'] ) ); ?>" dir="ltr"><?php echo esc_html( $one['shop'] ); ?></a>
						<code dir="ltr"><?php echo esc_html( $one['template'] ); ?></code>
					</th>
					<td class="num" data-colname="<?php esc_attr_e( 'Gifts', 'trousseau' ); ?>"><?php echo $number( $one['gifts'] ); ?></td>
					<td class="num" data-colname="<?php esc_attr_e( 'Links', 'trousseau' ); ?>"><?php echo $number( $one['links'] ); ?><?php if ( $one['expired'] ) : ?><br><span class="trousseau-dead"><?php
					/* translators: %s: number of links */
					echo esc_html( sprintf( _n( '%s broken', '%s broken', $one['expired'], 'trousseau' ), number_format_i18n( $one['expired'] ) ) );
					?></span><?php endif; ?></td>
					<td class="num" data-colname="<?php esc_attr_e( 'Clicks', 'trousseau' ); ?>"><?php echo $number( $one['month'] ); ?></td>
				</tr>
				<?php endforeach; ?>
				<?php if ( ! $linked ) : ?>
				<tr><td colspan="4"><?php esc_html_e( 'No shop has affiliate links yet.', 'trousseau' ); ?></td></tr>
				<?php endif; ?>
				</tbody>
			</table>
			<?php echo AdminForm::open( $action, array( 'do' => 'check' ) ); ?>
				<p><?php submit_button( __( 'Check all links now', 'trousseau' ), 'secondary', 'submit', false, array( 'id' => 'trousseau-check' ) ); ?>
				<span class="description"><?php esc_html_e( 'Clicks this month. We don’t store who clicked a link.', 'trousseau' ); ?></span></p>
			</form>
			<?php if ( $others ) : ?>
			<h2><?php esc_html_e( 'Other shops on the lists', 'trousseau' ); ?></h2>
			<ul class="trousseau-shops">
				<?php foreach ( $others as $one ) : ?>
				<li><a href="<?php echo esc_url( AffiliateScreen::url( $one['shop'] ) ); ?>" dir="ltr"><?php echo esc_html( $one['shop'] ); ?></a> <span><?php
				/* translators: %s: number of gifts */
				echo esc_html( sprintf( _n( '%s gift', '%s gifts', $one['gifts'], 'trousseau' ), number_format_i18n( $one['gifts'] ) ) );
				?></span></li>
				<?php endforeach; ?>
			</ul>
			<?php endif; ?>
		</div></div>
	</div>
</div>
