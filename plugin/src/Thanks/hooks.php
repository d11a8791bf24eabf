<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\GiftDestination;
use Trousseau\Lists\ListField;
use Trousseau\Lists\ListPage;
use Trousseau\Plugin;

// Pages.
Plugin::add( ListPage::class, array( 'given' => GivenGiftsPage::class ) );
// The address to which gifts are sent, in a list's details.
Plugin::add( ListField::class, array( 'delivery' => DeliveryAddress::class ) );
Plugin::add( GiftDestination::class, array( 'delivery' => DeliveryAddress::class ) );
