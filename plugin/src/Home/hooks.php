<?php

declare(strict_types=1);

namespace Trousseau\Home;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListPage;
use Trousseau\Plugin;

Plugin::add( ListPage::class, array( 'home' => HomePage::class ) );
