<?php
/**
 * The hooks of gifts.
 */

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Plugin;

// Links to shops, and adding from one.
add_action( 'parse_request', Plugin::hook( ShopRedirect::class, 'follow' ) );
add_action( 'parse_request', Plugin::hook( FromShop::class, 'serve_manifest' ) );
add_action( 'wp_head', array( FromShop::class, 'link_manifest' ) );

// Pictures are fetched for gifts, and go with them.
add_action( 'trousseau_gifts_received', Plugin::hook( PictureFetch::class, 'expect' ), 10, 2 );
add_action( 'trousseau_gifts_changed', Plugin::hook( UnusedPictures::class, 'expect' ) );
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( UnusedPictures::class )->forget( (int) $id ), 10, 2 );
