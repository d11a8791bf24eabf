<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Lists\ListPage;
use Trousseau\Plugin;

// Pages.
Plugin::add( ListPage::class, array( 'given' => GivenGiftsPage::class ) );
// The address to which gifts are sent, in a list's details.
Plugin::add( ListField::class, array( 'delivery' => DeliveryAddress::class ) );
add_filter( 'trousseau_destination', array( DeliveryAddress::class, 'for_giver' ), 10, 2 );
