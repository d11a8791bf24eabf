<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

defined( 'ABSPATH' ) || exit;

use Trousseau\Plugin;

// WordPress 6.9 and later fire these once a program asks for abilities; earlier versions never do.
add_action( 'wp_abilities_api_categories_init', Plugin::hook( Abilities::class, 'register_category' ) );
add_action( 'wp_abilities_api_init', Plugin::hook( Abilities::class, 'register' ) );
