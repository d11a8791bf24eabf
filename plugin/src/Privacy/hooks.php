<?php

declare(strict_types=1);

namespace Trousseau\Privacy;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// People's data: exported, erased, and forgotten in time.
add_action( 'deleted_post', Plugin::hook( GiverRetention::class, 'note_gone' ), 10, 2 );
add_filter( 'wp_privacy_personal_data_exporters', Plugin::hook( PersonalData::class, 'add_exporter' ) );
add_filter( 'wp_privacy_personal_data_erasers', Plugin::hook( PersonalData::class, 'add_eraser' ) );
add_action( 'admin_init', Plugin::hook( PersonalData::class, 'suggest_policy' ) );

Plugin::add( JobHandler::class, array( 'retention' => GiverRetention::class ) );
