<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Registries;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;
use WP_Post;

/** The head of each page of a registry's owner: the registry's name, and the way between its pages. */
final class OwnerTabs {

	public static function html( WP_Post $post, string $current ): string {
		$pages = array(
			'gifts'   => __( 'Gifts', 'trousseau' ),
			'guests'  => __( 'Guests', 'trousseau' ),
			'given'   => __( 'What is given', 'trousseau' ),
			'details' => __( 'Details', 'trousseau' ),
		);
		return Template::html(
			'owner',
			array(
				'name'      => Registries::title( $post ),
				'permalink' => (string) get_permalink( $post ),
				'pages'     => array_map( static fn( string $name ): string => PageAddress::of( $name, $post->ID ), array_combine( array_values( $pages ), array_keys( $pages ) ) ),
				'current'   => $pages[ $current ],
				'is_public' => $post->post_status === 'publish',
			)
		);
	}
}
