<?php
/**
 * What guests read where a link to a shop may earn something.
 *
 * @var string $shop    Empty: there is no link.
 * @var bool   $is_line Whether it goes on below the link, as the next line of the same paragraph.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;

$trousseau_told = ShopLink::disclosure( $shop );
if ( $trousseau_told === '' ) {
	return;
}
echo $is_line ? '<br>' : '<p>', '<small>' . esc_html( $trousseau_told ) . '</small>', $is_line ? '' : '</p>';
