<?php
/**
 * One gift, for its giver.
 *
 * @var string $named The gift with its pieces, or the amount of a share.
 * @var string $back  The address of the list, where the main button leads there.
 * @var bool   $next  Whether the gift has ended, and its list has others.
 * @var string $again The page on which the gift can be given again once its time is over, or ''.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;

/* translators: %s: name of a list */
echo Template::html( 'subject', compact( 'picture', 'named' ) + array( 'facts' => $registry === '' ? '' : sprintf( __( 'For %s', 'trousseau' ), Language::isolate( $registry ) ) ) );
echo $body;
?>
<p class="trousseau-ways">
<?php if ( $permalink !== '' && ! $may_read ) : ?>
	<small><?php esc_html_e( 'To see the list on this device, open your invitation or the list’s link here.', 'trousseau' ); ?></small>
	<a href="<?php echo esc_url( $lost ); ?>"><?php esc_html_e( 'Resend my invitation', 'trousseau' ); ?></a>
<?php elseif ( $permalink !== '' && $back === '' ) : ?>
	<?php echo $again === '' ? '' : '<a class="button wp-element-button" href="' . esc_url( $again ) . '">' . esc_html__( 'Give it after all', 'trousseau' ) . '</a>'; ?>

	<a<?php echo $next && $again === '' ? ' class="button wp-element-button"' : ''; ?> href="<?php echo esc_url( $permalink ); ?>"><?php $next ? esc_html_e( 'Choose another gift', 'trousseau' ) : esc_html_e( 'Back to the list', 'trousseau' ); ?></a>
<?php elseif ( $permalink === '' ) : ?>
	<a href="<?php echo esc_url( PageAddress::of( 'my-gifts' ) ); ?>"><?php esc_html_e( 'Gifts I’m giving', 'trousseau' ); ?></a>
<?php endif; ?>
</p>
