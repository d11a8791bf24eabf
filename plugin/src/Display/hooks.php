<?php

declare(strict_types=1);

namespace Trousseau\Display;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Platform\PageAddress;
use Trousseau\Plugin;

// Blocks, shortcodes and a list's own page.
add_action( 'init', static fn() => Blocks::register( static fn( string $method ) => Plugin::hook( Blocks::class, $method ) ) );
add_action( 'enqueue_block_editor_assets', Plugin::hook( Blocks::class, 'enqueue_editor' ) );
add_action( 'wp_enqueue_scripts', Plugin::hook_if( Blocks::class, 'enqueue', static fn() => is_singular( PostType::NAME ) ) );
add_action( 'wp_head', Plugin::hook_if( Blocks::class, 'describe', static fn() => is_singular( PostType::NAME ) || PageAddress::is_open() ) );
add_filter( 'the_content', Plugin::hook_if( Blocks::class, 'begin_content', static fn( $content ) => in_array( get_post_type(), array( PostType::NAME, 'revision' ), true ) || preg_match( '/trousseau|"ref":/', (string) $content ) ), 1 );
add_filter( 'the_content', Plugin::hook_if( Blocks::class, 'complete', static fn() => is_singular( PostType::NAME ) ), 20 );
// A private list’s title is shown without “Private: ”, since everyone who sees it is allowed to.
add_action( 'template_redirect', static fn() => add_filter( 'private_title_format', static fn( $format, $post ) => $post->post_type === PostType::NAME ? '%s' : $format, 10, 2 ) );

// Ready-made pages, and templates for block themes.
add_action( 'init', array( Patterns::class, 'register_templates' ) );
add_action( 'admin_init', array( Patterns::class, 'register' ) );
add_action( 'rest_api_init', array( Patterns::class, 'register' ) );
