<?php

declare(strict_types=1);

namespace Trousseau\Service;

defined( 'ABSPATH' ) || exit;

/** The service refuses a request with 401 or 403: the site’s account or gateway key lacks a right, or is unknown. */
final class Forbidden extends ServiceError {
}
