<?php
/**
 * What guests read where a link to a shop may earn something.
 *
 * @var string $shop Empty: there is no link.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopLink;

$trousseau_told = ShopLink::disclosure( $shop );
echo $trousseau_told === '' ? '' : '<p><small>' . esc_html( $trousseau_told ) . '</small></p>';
