<?php

declare(strict_types=1);

namespace Trousseau\Privacy;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// People's data: exported, erased, and forgotten in time.
add_action( 'deleted_post', Plugin::hook( GiverRetention::class, 'note_gone' ), 10, 2 );
foreach ( array( 'export' => 'exporter', 'erase' => 'eraser' ) as $trousseau_does => $trousseau_kind ) {
	add_filter(
		"wp_privacy_personal_data_{$trousseau_kind}s",
		static fn( array $all ): array => $all + array(
			'trousseau' => array(
				"{$trousseau_kind}_friendly_name" => __( 'Gift lists', 'trousseau' ),
				'callback'              => Plugin::hook( PersonalData::class, $trousseau_does ),
			),
		)
	);
}
add_action( 'admin_init', Plugin::hook( PersonalData::class, 'suggest_policy' ) );

Plugin::add( JobHandler::class, array( 'retention' => GiverRetention::class ) );
