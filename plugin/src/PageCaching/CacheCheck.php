<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\HealthCheck;

/** Reports to Site Health whether a page cache stores private pages. */
final class CacheCheck implements HealthCheck {

	public function __construct( private readonly CacheProbe $cache_probe ) {
	}

	public static function titles(): array {
		return array( __( 'No page cache stores private lists', 'trousseau' ), __( 'A page cache stores pages meant for one visitor', 'trousseau' ) );
	}

	public function find(): array {
		$cure = __( 'Configure your page cache, and anything else in front of this site, to bypass requests with a cookie whose name starts with wp-postpass_, and never to store responses that say “Cache-Control: private” or “no-store”. In nginx use fastcgi_cache_bypass and fastcgi_no_cache, in Varnish “return (pass)”, at Cloudflare a cache rule that respects the header. Then empty the cache.', 'trousseau' );
		return match ( $this->cache_probe->run() ) {
			CacheProbe::WELL       => array( 'good', __( 'We opened a private page as a guest and then as a stranger, and the other way round. Each got the right page.', 'trousseau' ) ),
			CacheProbe::SHOWN      => array( 'critical', __( 'After a guest opened a private page, a stranger got it, too. The same happens with every private list.', 'trousseau' ), $cure ),
			CacheProbe::LOCKED_OUT => array( 'critical', __( 'After a stranger was told that a list doesn’t exist, an invited guest was told the same. So invited guests can’t open their lists.', 'trousseau' ), $cure ),
			default                => array( 'unknown', __( 'This site couldn’t open a page of its own, so we don’t know whether a cache stores private pages.', 'trousseau' ), __( 'Site Health says more under “loopback request”.', 'trousseau' ) ),
		};
	}
}
