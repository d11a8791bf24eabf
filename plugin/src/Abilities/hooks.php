<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

defined( 'ABSPATH' ) || exit;

use Trousseau\Plugin;

// WordPress 6.9 and later ask for them once a program does; earlier ones never.
add_action( 'wp_abilities_api_categories_init', Plugin::hook( Abilities::class, 'register_category' ) );
add_action( 'wp_abilities_api_init', Plugin::hook( Abilities::class, 'register' ) );
