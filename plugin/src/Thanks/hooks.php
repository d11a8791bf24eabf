<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Lists\ListPage;
use Trousseau\Plugin;

Plugin::add( ListPage::class, array( 'given' => GivenGiftsPage::class ) );
Plugin::add( ListField::class, array( 'delivery' => DeliveryAddress::class ) );
