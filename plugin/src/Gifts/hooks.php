<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListPage;
use Trousseau\Lists\Page;
use Trousseau\Lists\PostType;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\PageAddress;
use Trousseau\Plugin;

// Links to shops, and adding from a shop's page.
add_action( 'parse_request', static fn( $wp ) => isset( $wp->query_vars[ PageAddress::SHOP ] ) && Plugin::get( ShopRedirect::class )->follow( $wp ) );
add_action( 'parse_request', static fn( $wp ) => $wp->request === FromShop::MANIFEST && Plugin::get( FromShop::class )->serve_manifest() );
add_action( 'wp_head', array( FromShop::class, 'link_manifest' ) );

// Pictures: a shop's are fetched once, and all are deleted when no gift has them.
add_action( 'trousseau_gifts_received', Plugin::hook( PictureFetch::class, 'expect' ), 10, 2 );
add_action( 'trousseau_gifts_changed', Plugin::hook( UnusedPictures::class, 'expect' ) );
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( GiftPicture::class )->forget( (int) $id ), 10, 2 );

// Marks follow a gift to another list.
add_action( 'trousseau_gift_moved', Plugin::hook( ReceivedGifts::class, 'move' ), 10, 4 );
add_action( 'trousseau_gift_moved', Plugin::hook( RemovedGifts::class, 'moved' ), 10, 3 );

Plugin::add( Page::class, array( 'add' => AddGiftPage::class ) );
Plugin::add( ListPage::class, array( 'gifts' => GiftsPage::class ) );

Plugin::add( JobHandler::class, array( 'picture' => PictureFetch::class, 'unused-pictures' => UnusedPictures::class ) );
