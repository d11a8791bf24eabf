<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use PHPUnit\Framework\TestCase;
use WP_REST_Request;

/**
 * A test inside a real WordPress with the plugin. Each begins with the freshly installed site, which has the administrator `admin` and
 * the subscribers `alice`, `bob` and `carol`: whatever it stores goes back with its transaction. People are named by their logins,
 * and nobody by null. Each request to the site is one of its own, as if PHP had begun anew.
 */
abstract class WordPressTestCase extends TestCase {

	protected const PASSWORD = 'a password of everybody';

	protected Outside $outside;

	private static string $running = '';

	private static array $hooks = array();

	private Mailer $mailer;

	private array $files = array();

	private array $uploaded = array();

	protected function setUp(): void {
		if ( ! self::$hooks ) {
			self::$hooks = Process::hooks();
			register_shutdown_function( static fn() => self::$running === '' || fwrite( STDERR, "\nPHP ended during " . self::$running . "\n" ) );
		}
		set_time_limit( 0 );
		self::$running = static::class . '::' . $this->getName();
		$this->outside = new Outside();
		$this->mailer  = new Mailer();
		$this->files   = self::uploads();
		Process::begin_request();
		Complaints::take();
		$GLOBALS['phpmailer'] = $this->mailer;
		$GLOBALS['wpdb']->query( 'START TRANSACTION' );
		add_filter( 'query', array( self::class, 'keep_transaction' ) );
		add_filter( 'pre_http_request', array( $this->outside, 'send' ), PHP_INT_MAX, 3 );
		// Sendmail is given the complete headers.
		add_action( 'phpmailer_init', static fn( Mailer $mailer ) => $mailer->isSendmail(), PHP_INT_MIN );
		add_filter( 'wp_mail_from', static fn( string $from ): string => str_ends_with( $from, '@127.0.0.1' ) ? 'wordpress@example.test' : $from );
		$this->connect_service();
		// A test needs no strong hash.
		add_filter( 'wp_hash_password_options', static fn(): array => array( 'cost' => 4 ) );
		foreach ( array( '', '_ajax', '_json', '_jsonp', '_xmlrpc', '_xml' ) as $kind ) {
			add_filter( "wp_die{$kind}_handler", static fn(): callable => array( self::class, 'stop' ), PHP_INT_MAX );
		}
		add_filter( 'wp_redirect', static fn( string $to, int $status ) => throw new Stopped( '', $status, $to ), PHP_INT_MAX, 2 );
	}

	protected function assertPostConditions(): void {
		self::assertSame( '', implode( "\n", array_unique( $this->outside->unexpected ) ), 'requests without an answer' );
		self::assertSame( '', implode( "\n", array_unique( Complaints::take() ) ), 'complaints' );
	}

	protected function tearDown(): void {
		Process::restore_hooks( self::$hooks );
		$GLOBALS['wpdb']->query( 'ROLLBACK' );
		array_map( 'unlink', array_filter( array( ...array_diff( self::uploads(), $this->files ), ...$this->uploaded ), 'is_file' ) );
		Complaints::take();
		self::$running = '';
	}

	public static function tearDownAfterClass(): void {
		$changed = Process::changed_tables();
		self::assertCount( 0, $changed, static::class . ' leaves something in ' . implode( ', ', $changed ) );
	}

	/** Returns all of them at night, and otherwise the first so many, as dev/night.ts does. */
	protected static function most_telling( int $most, array $all ): array {
		return getenv( 'NIGHT' ) === 'yes' ? $all : array_slice( $all, 0, $most, true );
	}

	/** Fails unless a function gives the same for each of these. */
	protected static function assert_each( mixed $expected, array $all, callable $of ): void {
		self::assertSame( array_map( static fn(): mixed => $expected, $all ), array_map( $of, $all ) );
	}

	/** Says the part of a text, which may be a whole page, that a failure is about. */
	private static function excerpt( string $text, int $at = 0 ): string {
		return '…' . mb_strcut( $text, max( 0, $at - 300 ), 600 ) . '…';
	}

	public static function assertStringContainsString( string $needle, string $haystack, string $message = '' ): void {
		self::assertTrue( str_contains( $haystack, $needle ), "$message\nlacks “{$needle}”: " . self::excerpt( $haystack, (int) strpos( $haystack, '<main' ) + 300 ) );
	}

	public static function assertStringNotContainsString( string $needle, string $haystack, string $message = '' ): void {
		self::assertFalse( strpos( $haystack, $needle ), "$message\nholds “{$needle}”: " . self::excerpt( $haystack, (int) strpos( $haystack, $needle ) ) );
	}

	public static function assertMatchesRegularExpression( string $pattern, string $string, string $message = '' ): void {
		self::assertSame( 1, preg_match( $pattern, $string ), "$message\nlacks $pattern: " . self::excerpt( $string, (int) strpos( $string, '<main' ) + 300 ) );
	}

	public static function assertDoesNotMatchRegularExpression( string $pattern, string $string, string $message = '' ): void {
		$is_found = preg_match( $pattern, $string, $found, PREG_OFFSET_CAPTURE );
		self::assertSame( 0, $is_found, "$message\nholds $pattern: " . self::excerpt( $string, $found[0][1] ?? 0 ) );
	}

	/** As a filter of all statements: refuses those that would end the transaction. */
	public static function keep_transaction( string $statement ): string {
		if ( preg_match( '/^\s*(CREATE|DROP|ALTER|TRUNCATE|RENAME|LOCK|COMMIT|ROLLBACK|START TRANSACTION)\b/i', $statement ) ) {
			Complaints::add( "A test can't take this back: $statement" );
			return 'SELECT 1';
		}
		return $statement;
	}

	/** As a handler of `wp_die()`. */
	public static function stop( mixed $message, mixed $title = '', mixed $also = array() ): never {
		$status = is_int( $title ) ? $title : ( is_array( $also ) ? $also['response'] ?? 200 : 200 );
		$text   = match ( true ) {
			$message instanceof \WP_Error  => $message->get_error_message(),
			$message instanceof \IXR_Error => $message->message,
			default                        => (string) ( is_scalar( $message ) ? $message : '' ),
		};
		throw new Stopped( $text, (int) $status );
	}

	/** The number of the account with this login, which is made where there is none; 0 for nobody. */
	protected static function user( ?string $login, string $role = 'subscriber', array $also = array() ): int {
		$found = $login === null ? null : get_user_by( 'login', $login );
		if ( $login === null || $found ) {
			return $found->ID ?? 0;
		}
		$id = wp_insert_user(
			$also + array(
				'user_login' => $login,
				'user_pass'  => self::PASSWORD,
				'user_email' => "$login@example.test",
				'role'       => $role,
			)
		);
		self::assertIsInt( $id );
		return $id;
	}

	/** A gift list, made by the REST API as its owner does. */
	protected function registry( string $owner, array $fields ): object {
		$answer = $this->rest( $owner, 'POST', '/wp/v2/registry', $fields );
		self::assertSame( 201, $answer->status, $answer->text );
		return (object) $answer->json;
	}

	/** A post, stored by WordPress without anybody's rights. */
	protected static function post( array $fields ): int {
		$id = wp_insert_post( wp_slash( $fields ), true );
		self::assertIsInt( $id );
		return $id;
	}

	/** Does something in a request of its own, up to the end of which WordPress tells its plugins. */
	protected function in_request( ?string $login, callable $run, string $method = 'GET', string $path = '/' ): mixed {
		$hooks = Process::hooks();
		Complaints::collect();
		Process::begin_request( $method, $path );
		$user = $login === null ? null : get_user_by( 'login', $login );
		self::assertNotFalse( $user, "There is no $login" );
		wp_set_current_user( $user->ID ?? 0 );
		$depth = ob_get_level();
		try {
			return $run();
		} finally {
			$GLOBALS['wp_current_filter'] = array();
			do_action( 'shutdown' );
			while ( ob_get_level() > $depth ) {
				ob_end_clean();
			}
			Process::restore_hooks( $hooks );
		}
	}

	protected function printed( ?string $login, callable $print, string $path = '/' ): string {
		return $this->in_request( $login, static function () use ( $print ): string {
			ob_start();
			$print();
			return (string) ob_get_clean();
		}, 'GET', $path );
	}

	/** A request to the REST API with an application password, or by a browser, and everything that WordPress does to its answer. */
	protected function rest( ?string $login, string $method, string $path, ?array $body = null, bool $by_browser = false ): Answer {
		$request = new WP_REST_Request( $method, (string) wp_parse_url( $path, PHP_URL_PATH ) );
		parse_str( (string) wp_parse_url( $path, PHP_URL_QUERY ), $query );
		$request->set_query_params( $query );
		if ( $body !== null ) {
			$request->set_header( 'content-type', 'application/json' );
			$request->set_body( wp_json_encode( $body ) );
		}
		return $this->in_request(
			$login,
			static function () use ( $login, $request, $query, $by_browser ): Answer {
				$login === null || $by_browser || do_action( 'application_password_did_authenticate', wp_get_current_user(), array( 'uuid' => 'test' ) );
				$server = rest_get_server();
				$result = apply_filters( 'rest_post_dispatch', rest_ensure_response( $server->dispatch( $request ) ), $server, $request );
				$data   = $server->response_to_data( $result, isset( $query['_embed'] ) );
				$data   = apply_filters( 'rest_pre_echo_response', $data, $server, $request );
				$text   = (string) wp_json_encode( $data, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE );
				return new Answer( $result->get_status(), $text, array_change_key_case( $result->get_headers() ), json_decode( $text, true ) );
			},
			$method,
			"/wp-json$path"
		);
	}

	/** A page, a feed or a sitemap, at a path or a whole address of the site; with a form that the page has sent, and pictures by their fields. */
	protected function page( ?string $login, string $path, array $cookies = array(), array $server = array(), array $form = array(), array $files = array() ): Answer {
		$path = '/' . ltrim( str_starts_with( $path, home_url() ) ? substr( $path, strlen( home_url() ) ) : $path, '/' );
		return $this->in_request(
			$login,
			static function () use ( $cookies, $server, $form, $files ): Answer {
				$_COOKIE = $cookies;
				$_POST   = wp_slash( $form );
				$_FILES  = array_map( static fn( string $file ): array => array( 'name' => 'picture.png', 'type' => 'image/png', 'tmp_name' => $file, 'error' => UPLOAD_ERR_OK, 'size' => filesize( $file ) ), $files );
				$_SERVER = $server + ( $form ? array( 'HTTP_SEC_FETCH_SITE' => 'same-origin' ) : array() ) + $_SERVER;
				$status  = 200;
				add_filter(
					'status_header',
					static function ( string $header, int $code ) use ( &$status ): string {
						$status = $code;
						return $header;
					},
					PHP_INT_MAX,
					2
				);
				add_action(
					'trousseau_cookie_set',
					static function ( string $name ) use ( &$cookies ): void {
						$value                   = self::call( 'read_cookie', $name );
						list( $cookie, $signed ) = explode( '=', self::call( 'cookie', $name, $value ), 2 );
						$cookies[ $cookie ]      = $signed;
						if ( $value === '' ) {
							unset( $cookies[ $cookie ] );
						}
					}
				);
				ob_start();
				try {
					$GLOBALS['wp']->main();
					require ABSPATH . WPINC . '/template-loader.php';
					return new Answer( $status, (string) ob_get_clean(), cookies: $cookies );
				} catch ( Stopped $stopped ) {
					return self::answer_of( $stopped, (string) ob_get_clean(), $cookies, $status );
				}
			},
			$form ? 'POST' : 'GET',
			$path
		);
	}

	/** The file of a picture that a browser sends with a form. It is gone after the test. */
	protected function uploaded(): string {
		$this->uploaded[] = wp_tempnam();
		copy( dirname( __DIR__, 3 ) . '/theme/screenshot.png', end( $this->uploaded ) );
		return end( $this->uploaded );
	}

	/** The fields that a browser would send with the plugin's first form of this action; none where a page has no such form. */
	protected static function form_on( Answer $page, string $action ): array {
		$document = new \DOMDocument();
		$document->loadHTML( '<?xml encoding="utf-8"?>' . $page->text, LIBXML_NOERROR );
		$path   = new \DOMXPath( $document );
		$form   = $path->query( "//form[.//*[@name='do' and @value='$action']]" )->item( 0 );
		$fields = array();
		foreach ( $form ? $path->query( './/input | .//textarea | .//select', $form ) : array() as $field ) {
			$type    = $field->getAttribute( 'type' );
			$is_tick = in_array( $type, array( 'radio', 'checkbox' ), true );
			if ( ! in_array( $type, array( 'submit', 'button', 'image', 'file' ), true ) && ( ! $is_tick || $field->hasAttribute( 'checked' ) ) ) {
				$chosen                                   = $path->query( './/option[@selected]', $field )->item( 0 ) ?? $path->query( './/option', $field )->item( 0 ) ?? $field;
				$value                                    = $chosen->getAttribute( 'value' ) ?: ( $is_tick ? 'on' : '' );
				$fields[ $field->getAttribute( 'name' ) ] = $field->nodeName === 'textarea' ? $field->textContent : $value;
			}
		}
		unset( $fields[''] );
		return $fields;
	}

	protected static function words( string $html ): string {
		$html = (string) preg_replace( array( '/<(script|style|svg).*?<\/\1>/s', '/<[^>]*>/' ), array( '', ' ' ), $html );
		return (string) preg_replace( '/[\s\x{2068}\x{2069}\x{a0}\x{202f}]+/u', ' ', html_entity_decode( $html, ENT_QUOTES ) );
	}

	/** A page, where its address may lead on to another. */
	protected function visit( ?string $login, string $path ): Answer {
		$page = $this->page( $login, $path );
		return $page->status === 301 ? $this->page( $login, $page->location() ) : $page;
	}

	protected function read( ?string $login, string $path, array $cookies = array() ): string {
		return html_entity_decode( $this->page( $login, $path, $cookies )->text, ENT_QUOTES );
	}

	protected function see( ?string $login, string $path, array $cookies = array() ): string {
		return self::words( $this->page( $login, $path, $cookies )->text );
	}

	/** What a pattern, or its first group, finds in a text. */
	protected static function found( string $pattern, string $text ): string {
		self::assertMatchesRegularExpression( $pattern, $text );
		preg_match( $pattern, $text, $found );
		return $found[1] ?? $found[0];
	}

	protected static function assert_shows( array|string $parts, string $text, array|string $hides = array() ): void {
		array_map( static fn( string $part ) => self::assertStringContainsString( $part, $text ), (array) $parts );
		array_map( static fn( string $part ) => self::assertStringNotContainsString( $part, $text ), (array) $hides );
	}

	/** Fails unless a form is shown again, on a page with these words. */
	protected static function assert_refused( string $pattern, Answer $answer, string $about = '' ): void {
		self::assertSame( 422, $answer->status, $about . $answer->location() . $answer->text );
		self::assertMatchesRegularExpression( $pattern, self::words( $answer->text ), $about );
	}

	protected static function refused( Answer $answer ): string {
		self::assertSame( 422, $answer->status, $answer->location() . $answer->text );
		preg_match( '/role="alert".*?<\/(?:ul|span)>/s', $answer->text, $found );
		return self::words( '<' . ( $found[0] ?? '' ) );
	}

	/** Sends a form of a page with these changes, to the page itself or to another one. */
	protected function send_form( ?string $login, string $path, string $action, array $changes = array(), string $to = '', array $cookies = array() ): Answer {
		$form = self::form_on( $this->page( $login, $path, $cookies ), $action );
		self::assertNotSame( array(), $form, "no form $action on $path" );
		return $this->page( $login, $to ?: $path, $cookies, form: $changes + $form );
	}

	/** A request of a screen to admin-ajax.php, with its fields in the form and in the address. */
	protected function ajax( ?string $login, string $action, array $fields = array() ): Answer {
		$run = static function () use ( $action, $fields ): Answer {
			$_POST    = wp_slash( compact( 'action' ) + $fields );
			$_GET     = $_POST;
			$_REQUEST = $_POST;
			add_filter( 'wp_doing_ajax', '__return_true' );
			set_current_screen( 'admin-ajax' );
			$core = 'wp_ajax_' . strtr( $action, '-', '_' );
			function_exists( $core ) && add_action( "wp_ajax_$action", $core, 1 );
			ob_start();
			try {
				do_action( 'admin_init' );
				do_action( is_user_logged_in() ? "wp_ajax_$action" : "wp_ajax_nopriv_$action" );
				return new Answer( 400, (string) ob_get_clean() );
			} catch ( Stopped $stopped ) {
				return self::answer_of( $stopped, (string) ob_get_clean() );
			}
		};
		return $this->in_request( $login, $run, 'POST', '/wp-admin/admin-ajax.php' );
	}

	protected function nonce_for( string $login, string $action ): string {
		return $this->in_request( $login, static fn(): string => wp_create_nonce( $action ) );
	}

	/** Runs WordPress's checks at the beginning of a screen, where the plugin may refuse it. */
	protected function screen( ?string $login, string $path ): Answer {
		$run = static function () use ( $path ): Answer {
			$GLOBALS['pagenow'] = basename( (string) wp_parse_url( $path, PHP_URL_PATH ) );
			set_current_screen( basename( $GLOBALS['pagenow'], '.php' ) );
			try {
				do_action( 'admin_init' );
				return new Answer( 200, '' );
			} catch ( Stopped $stopped ) {
				return self::answer_of( $stopped, '' );
			}
		};
		return $this->in_request( $login, $run, 'GET', "/wp-admin/$path" );
	}

	/** A page of the plugin's own among WordPress's screens, such as `options-general.php` and `trousseau`. */
	protected function admin_page( string $login, string $parent, string $name, string $query = '' ): string {
		$run = static function () use ( $parent, $name ): void {
			$GLOBALS['pagenow']     = $parent;
			$GLOBALS['plugin_page'] = $name;
			$GLOBALS['menu']        = array();
			$GLOBALS['submenu']     = array();
			set_current_screen( 'dashboard' );
			do_action( 'admin_menu', '' );
			set_current_screen( get_plugin_page_hookname( $name, $parent ) );
			do_action( 'admin_init' );
			do_action( get_plugin_page_hookname( $name, $parent ) );
		};
		return $this->printed( $login, $run, "/wp-admin/$parent?page=$name$query" );
	}

	/** Sends WordPress's form of the settings, where a field that is left out is a box without a tick. Returns what the next page says against it. */
	protected function store_settings( array $fields ): array {
		$run = static function () use ( $fields ): array {
			$_POST = wp_slash( array( 'option_page' => 'trousseau' ) + $fields );
			set_current_screen( 'options' );
			do_action( 'admin_init' );
			foreach ( apply_filters( 'allowed_options', array() )['trousseau'] as $name ) {
				update_option( $name, is_string( $fields[ $name ] ?? null ) ? trim( $fields[ $name ] ) : $fields[ $name ] ?? null );
			}
			return array_column( get_settings_errors(), 'message' );
		};
		return $this->in_request( 'admin', $run, 'POST', '/wp-admin/options.php' );
	}

	/** Sends a form of the plugin's own to admin-post.php, with the nonce that it has on its page. */
	protected function admin_post( string $login, string $action, array $fields = array(), ?string $nonce = null ): Answer {
		$run = static function () use ( $action, $fields, $nonce ): Answer {
			$_POST    = wp_slash( compact( 'action' ) + $fields + array( '_wpnonce' => wp_create_nonce( $nonce ?? $action ) ) );
			$_REQUEST = $_POST;
			set_current_screen( 'admin-post' );
			try {
				do_action( 'admin_init' );
				do_action( "admin_post_$action" );
				return new Answer( 400, '' );
			} catch ( Stopped $stopped ) {
				return self::answer_of( $stopped, '' );
			}
		};
		return $this->in_request( $login, $run, 'POST', '/wp-admin/admin-post.php' );
	}

	/** Calls a method of XML-RPC. Errors are answers, too. */
	protected function xmlrpc( string $login, string $method, mixed ...$also ): mixed {
		wp_set_password( self::PASSWORD, self::user( $login ) );
		$run = static fn(): mixed => ( new \wp_xmlrpc_server() )->{strtr( $method, '.', '_' )}( array( 1, $login, self::PASSWORD, ...$also ) );
		return $this->in_request( null, $run, 'POST', '/xmlrpc.php' );
	}

	/** Calls a function of dev/wordpress/setup.php: those that need the plugin's classes stand there, and nowhere here. */
	protected static function call( string $name, mixed ...$arguments ): mixed {
		static $setup = null;
		$setup      ??= require dirname( __DIR__, 3 ) . '/dev/wordpress/setup.php';
		return json_decode( $setup( $name, $arguments ), true );
	}

	/** A picture with a file of one dot, attached to a post: its id and file. */
	protected static function picture( string $owner, string $title, int $parent = 0, array $fields = array() ): object {
		return (object) self::call( 'add_picture', array( 'post_title' => $title, 'post_author' => self::user( $owner ) ) + $fields, $parent );
	}

	/** Connects the site to an empty item service, which every page asks again. Tests add other answers. */
	protected function connect_service(): void {
		update_option( 'trousseau_base_url', Outside::SERVICE );
		update_option( 'trousseau_username', 'admin' );
		update_option( 'trousseau_app_password', 'secret' );
		add_filter( 'trousseau_gifts_fresh_for', '__return_zero' );
		$this->outside->answer( 'GET /registries/*/items' );
		$this->outside->answer( 'GET /registries/*/claims', array( 'claims' => array(), 'concealed_until' => null ) );
		$this->outside->answer( 'GET /claims?*' );
		$this->outside->answer( 'GET /events?*', array(), 404 );
	}

	/** The emails that have left since the last call. @return array{to: string[], subject: string, text: string, html: string, headers: string}[] */
	protected function mails(): array {
		$sent               = $this->mailer->sent;
		$this->mailer->sent = array();
		return $sent;
	}

	/** Does the site's work of these kinds that is due, and daily work in any case, in a request of cron. */
	protected function run_jobs( string ...$kinds ): void {
		$run = static function () use ( $kinds ): void {
			add_filter( 'wp_doing_cron', '__return_true' );
			self::call( 'run_jobs', ...$kinds );
		};
		$this->in_request( null, $run, 'GET', '/wp-cron.php' );
	}

	protected static function claim_with( array $fields ): array {
		return $fields + array( 'item_id' => 1, 'quantity' => 1, 'state' => 'reserved', 'message' => null, 'thanked_at' => null, 'expires_at' => null, 'created_at' => gmdate( 'c' ), 'updated_at' => gmdate( 'c' ) );
	}

	/** Does the work of a kind that is planned for so many days, as if they had gone by. */
	protected function run_later( string $kind, float $days = 1000 ): void {
		$this->in_request( null, static fn() => self::call( 'make_due', $kind, $days ) );
		$this->run_jobs( $kind );
	}

	/** Sends the emails that are due within so many days. @return array{to: string[], subject: string, text: string, html: string, headers: string}[] */
	protected function sent( float $days = 0 ): array {
		$days > 0 ? $this->run_later( 'mail', $days ) : $this->run_jobs( 'mail' );
		return $this->mails();
	}

	/** @return string[] Recipients and subjects. */
	protected static function about( array $mails ): array {
		$lines = array_map( static fn( array $mail ): string => "{$mail['to'][0]}: $mail[subject]", $mails );
		sort( $lines );
		return $lines;
	}

	/** @return array<string, string>[] The jobs of a kind that wait or have failed. */
	protected static function jobs( string $kind ): array {
		return array_values( array_filter( self::call( 'rows', 'trousseau_jobs' ), static fn( array $job ): bool => $job['handler'] === $kind ) );
	}

	protected function exported( string $email ): string {
		return wp_json_encode( $this->in_request( 'admin', static fn() => self::call( 'personal_data', 'exporter', $email, 1 ) ), JSON_UNESCAPED_UNICODE );
	}

	private static function answer_of( Stopped $stopped, string $output, array $cookies = array(), int $status = 200 ): Answer {
		$text = $output . $stopped->getMessage();
		// WordPress has sent the status of JSON by itself.
		return new Answer( $stopped->status === 200 ? $status : $stopped->status, $text, $stopped->location === '' ? array() : array( 'location' => $stopped->location ), json_decode( $text, true ), $cookies );
	}

	private static function uploads(): array {
		$folder = wp_get_upload_dir()['basedir'];
		if ( ! is_dir( $folder ) ) {
			return array();
		}
		$files = new \RecursiveIteratorIterator( new \RecursiveDirectoryIterator( $folder, \FilesystemIterator::SKIP_DOTS ) );
		return array_keys( iterator_to_array( $files ) );
	}
}
