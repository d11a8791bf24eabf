<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ErrorPage;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Router;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\HealthCheck;
use Trousseau\Platform\SignedToken;
use WP;

/**
 * Tests, for Site Health, whether a cache in front of this site keeps private pages. It opens a page of its own, where private lists stand and
 * guarded as they are. The page's address is signed, valid for minutes, and stored nowhere.
 */
final class CacheProbe implements HealthCheck {

	private const COOKIE  = 'probe';
	private const PURPOSE = 'cache probe';
	private const KEPT    = 5 * MINUTE_IN_SECONDS;
	private const SECONDS = 10;

	public function __construct( private readonly Cookie $cookie, private readonly Router $router ) {
	}

	public static function titles(): array {
		return array( __( 'No page cache stores private lists', 'trousseau' ), __( 'A page cache stores pages meant for one visitor', 'trousseau' ) );
	}

	public function find(): array {
		$cure  = __( 'Configure your page cache, and anything else in front of this site, to bypass requests with a cookie whose name starts with wp-postpass_, and never to store responses that say “Cache-Control: private” or “no-store”. In nginx use fastcgi_cache_bypass and fastcgi_no_cache, in Varnish “return (pass)”, at Cloudflare a cache rule that respects the header. Then empty the cache.', 'trousseau' );
		$about = self::about();
		// Some caches keep a page only when it is asked for again.
		$is_open  = $this->sees( $about, true ) && $this->sees( $about, true );
		$stranger = $is_open ? $this->sees( $about, false ) : null;
		$guest    = null;
		if ( $stranger === false ) {
			$about = self::about();
			$this->sees( $about, false );
			$this->sees( $about, false );
			$guest = $this->sees( $about, true );
		}
		return match ( $stranger ?: $guest ) {
			null    => array( 'unknown', __( 'This site couldn’t open a page of its own, so we don’t know whether a cache stores private pages.', 'trousseau' ), __( 'Site Health says more under “loopback request”.', 'trousseau' ) ),
			false   => array( 'critical', __( 'After a stranger was told that a list doesn’t exist, an invited guest was told the same. So invited guests can’t open their lists.', 'trousseau' ), $cure ),
			default => $stranger
				? array( 'critical', __( 'After a guest opened a private page, a stranger got it, too. The same happens with every private list.', 'trousseau' ), $cure )
				: array( 'good', __( 'We opened a private page as a guest and then as a stranger, and the other way round. Each got the right page.', 'trousseau' ) ),
		};
	}

	/** The page itself: visitors with the probe's cookie see it, strangers find nothing. */
	public function answer( WP $wp ): void {
		$about = SignedToken::read( self::PURPOSE, $wp->query_vars['name'] ?? $wp->query_vars[ PostType::NAME ] ?? '' );
		if ( (int) $about > time() && $this->cookie->read( self::COOKIE ) === $about ) {
			$this->router->show( $wp, new ErrorPage( self::secret( $about ), 200 ) );
		}
	}

	/** Whether the answer shows the page's secret; null: no answer, or one with another status than a list has. */
	private function sees( string $about, bool $as_guest ): ?bool {
		$answer = wp_remote_get(
			$this->address( $about ),
			array(
				'timeout'     => self::SECONDS,
				'redirection' => 0,
				// WordPress's own loopback tests do the same.
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
				'headers'     => array( 'Accept' => 'text/html,*/*;q=0.8' ) + ( $as_guest ? array( 'Cookie' => Cookie::header( self::COOKIE, $about ) ) : array() ),
			)
		);
		$status = (int) wp_remote_retrieve_response_code( $answer );
		if ( $status !== 200 && $status !== 404 ) {
			return null;
		}
		return str_contains( wp_remote_retrieve_body( $answer ), self::secret( $about ) );
	}

	private static function about(): string {
		return ( time() + self::KEPT ) . ' ' . bin2hex( random_bytes( 8 ) );
	}

	private function address( string $about ): string {
		$name = SignedToken::sign( self::PURPOSE, $about );
		return get_option( 'permalink_structure' )
			? home_url( user_trailingslashit( str_replace( '%' . PostType::NAME . '%', $name, ltrim( (string) $GLOBALS['wp_rewrite']->get_extra_permastruct( PostType::NAME ), '/' ) ) ) )
			: add_query_arg( PostType::NAME, $name, home_url( '/' ) );
	}

	/** The secret is a word that WordPress leaves unchanged; it replaces `--` and `2x4` in a text by other signs. */
	private static function secret( string $about ): string {
		return bin2hex( Encryption::hash( self::PURPOSE, "secret $about" ) );
	}
}
