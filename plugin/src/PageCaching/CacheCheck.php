<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\HealthCheck;

/** Whether a page cache keeps private pages, as the site's keeper reads it. */
final class CacheCheck implements HealthCheck {

	public function __construct( private readonly CacheProbe $cache_probe ) {
	}

	public static function titles(): array {
		return array( __( 'No page cache keeps private lists', 'trousseau' ), __( 'A page cache keeps what is for one visitor only', 'trousseau' ) );
	}

	public function find(): array {
		$cure = __( 'Let your page cache, and whatever stands in front of this site, pass by for every request with a cookie whose name begins with wp-postpass_, and keep nothing that says “Cache-Control: private” or “no-store”. In nginx that is fastcgi_cache_bypass and fastcgi_no_cache, in Varnish “return (pass)”, at Cloudflare a cache rule that respects the header. Then empty the cache.', 'trousseau' );
		return match ( $this->cache_probe->run() ) {
			CacheProbe::WELL       => array( 'good', __( 'A private page was opened as a guest does and then as a stranger, and the other way round: each was shown their own.', 'trousseau' ) ),
			CacheProbe::SHOWN      => array( 'critical', __( 'A private page that a guest had opened was shown to a stranger afterwards: so is every private list.', 'trousseau' ), $cure ),
			CacheProbe::LOCKED_OUT => array( 'critical', __( 'A guest was told that there is no such list, because a stranger had been told so before: invited guests don’t come in.', 'trousseau' ), $cure ),
			default                => array( 'unknown', __( 'This site could not open a page of its own: nobody knows whether a cache keeps private pages.', 'trousseau' ), __( 'Site Health says more about that under “loopback request”.', 'trousseau' ) ),
		};
	}
}
