<?php

declare(strict_types=1);

namespace Trousseau\Affiliate;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopVisit;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// Gifts whose links don't fit the rules any more.
add_action( 'trousseau_gifts_received', Plugin::hook( AffiliateRegistry::class, 'expect' ), 10, 2 );

// The screen of the rules comes before those of Admin in the menu.
add_action( 'admin_menu', Plugin::hook( AffiliateScreen::class, 'add_page' ), 9 );
add_action( 'admin_enqueue_scripts', Plugin::hook( AffiliateScreen::class, 'enqueue' ) );

Plugin::add(
	JobHandler::class,
	array(
		'affiliate-registry' => AffiliateRegistry::class,
		'affiliate-round'    => AffiliateRound::class,
	)
);

// Links that guests follow are counted by shop.
Plugin::add( ShopVisit::class, array( 'affiliate' => ShopClicks::class ) );

Plugin::add( AdminAction::class, array( 'trousseau_affiliate' => AffiliateScreen::class ) );
