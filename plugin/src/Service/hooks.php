<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

// Keeps each request to the service within its time limit.
add_action( 'http_api_curl', array( HttpClient::class, 'keep_to_the_time' ), 10, 2 );

// A preview in WordPress Playground has sample gifts instead of a service, and says so.
add_action( 'wp_body_open', static fn() => wp_get_environment_type() === 'local' && Sample::mark() );
add_action( 'in_admin_header', static fn() => wp_get_environment_type() === 'local' && Sample::mark() );
