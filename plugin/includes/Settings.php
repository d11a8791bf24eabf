<?php

declare(strict_types=1);

namespace Trousseau;

/** The plugin's options, and the page Settings → Trousseau. Secrets are written there and never shown again. */
final class Settings {

	public const BASE_URL         = 'trousseau_base_url';
	public const API_KEY          = 'trousseau_api_key';
	public const USERNAME         = 'trousseau_username';
	public const APP_PASSWORD     = 'trousseau_app_password';
	public const ANONYMOUS_GIVING = 'trousseau_anonymous_giving';
	public const BROWSER_CLIENT   = 'trousseau_browser_client';
	public const REMOVE_DATA      = 'trousseau_remove_data';

	public const ALL = array(
		self::BASE_URL,
		self::API_KEY,
		self::USERNAME,
		self::APP_PASSWORD,
		self::ANONYMOUS_GIVING,
		self::BROWSER_CLIENT,
		self::REMOVE_DATA,
	);

	private const PAGE = 'trousseau';

	/** A setting of the connection: the site's option, or else the environment variable of the same name in capitals. */
	public static function value( string $name ): string {
		$option = get_option( $name );
		return is_string( $option ) && $option !== '' ? $option : (string) getenv( strtoupper( $name ) );
	}

	public static function is_on( string $name ): bool {
		return (bool) get_option( $name );
	}

	public static function register(): void {
		foreach ( self::ALL as $name ) {
			$clean = match ( $name ) {
				self::BASE_URL                    => array( self::class, 'clean_base_url' ),
				self::USERNAME                    => static fn( $value ) => trim( (string) $value ),
				self::API_KEY, self::APP_PASSWORD => static fn( $value ) => self::clean_secret( $name, $value ),
				default                           => static fn( $value ) => $value ? '1' : '',
			};
			register_setting(
				self::PAGE,
				$name,
				array(
					'type'              => 'string',
					'sanitize_callback' => $clean,
				)
			);
		}
	}

	public static function clean_base_url( mixed $value ): string {
		$url = rtrim( trim( (string) $value ), '/' );
		if ( $url === '' || ( preg_match( '#^https?://[^/@?\#\s]+(/[^?\#\s]*)?$#i', $url ) && esc_url_raw( $url ) === $url ) ) {
			return $url;
		}
		if ( function_exists( 'add_settings_error' ) ) {
			add_settings_error( self::BASE_URL, 'trousseau_base_url', __( 'The address of the service must start with http:// or https:// and hold no user name, password or query.', 'trousseau' ) );
		}
		return (string) get_option( self::BASE_URL );
	}

	/** On the form an empty field leaves the secret as it is, and a box beside it clears it. */
	private static function clean_secret( string $name, mixed $value ): string {
		// Options.php has verified it.
		$form  = $_POST;
		$value = trim( (string) $value );
		if ( ( $form['option_page'] ?? '' ) !== self::PAGE || $value !== '' ) {
			return $value;
		}
		return empty( $form[ $name . '_clear' ] ) ? (string) get_option( $name ) : '';
	}

	public static function add_page(): void {
		add_options_page( __( 'Trousseau', 'trousseau' ), __( 'Trousseau', 'trousseau' ), 'manage_options', self::PAGE, array( self::class, 'show' ) );
	}

	public static function url(): string {
		return admin_url( 'options-general.php?page=' . self::PAGE );
	}

	/**
	 * @param string[] $links
	 * @return string[]
	 */
	public static function add_link( array $links ): array {
		return array( sprintf( '<a href="%s">%s</a>', esc_url( self::url() ), esc_html__( 'Settings', 'trousseau' ) ), ...$links );
	}

	public static function show(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html__( 'Trousseau', 'trousseau' ) . '</h1>';
		ConnectionTest::show_result();
		echo '<form method="post" action="options.php" autocomplete="off">';
		settings_fields( self::PAGE );
		echo '<h2>' . esc_html__( 'Item service', 'trousseau' ) . '</h2><table class="form-table" role="presentation">';
		self::text_row( self::BASE_URL, __( 'Address', 'trousseau' ), __( 'Where the item service answers, such as https://items.example.org', 'trousseau' ), 'url' );
		self::secret_row( self::API_KEY, __( 'Gateway key', 'trousseau' ), __( 'Sent as x-api-key, where the gateway in front of the service asks for one.', 'trousseau' ) );
		self::text_row( self::USERNAME, __( 'User name', 'trousseau' ), __( 'The account of this site in whose name the plugin asks the service: usually an administrator made for it.', 'trousseau' ) );
		self::secret_row( self::APP_PASSWORD, __( 'Application password', 'trousseau' ), __( 'Made on that user’s profile page under “Application Passwords”.', 'trousseau' ) );
		echo '</table><h2>' . esc_html__( 'Pages', 'trousseau' ) . '</h2><table class="form-table" role="presentation">';
		self::checkbox_row( self::ANONYMOUS_GIVING, __( 'Giving', 'trousseau' ), __( 'Visitors who are not signed in may mark gifts of public registries as given.', 'trousseau' ) );
		self::checkbox_row( self::BROWSER_CLIENT, __( 'Browser script', 'trousseau' ), __( 'Pages may load a script that asks the service directly. It needs a filter that supplies the visitor’s own credentials, and these, with the gateway key, can then be read in the browser: see the readme.', 'trousseau' ) );
		self::checkbox_row( self::REMOVE_DATA, __( 'Uninstalling', 'trousseau' ), __( 'Deleting the plugin also deletes every registry and these settings.', 'trousseau' ) );
		echo '</table>';
		submit_button();
		echo '</form>';
		ConnectionTest::show_button();
		echo '</div>';
	}

	private static function text_row( string $name, string $label, string $hint, string $type = 'text' ): void {
		$environment = (string) getenv( strtoupper( $name ) );
		printf(
			'<tr><th scope="row"><label for="%1$s">%2$s</label></th><td><input type="%3$s" class="regular-text" id="%1$s" name="%1$s" value="%4$s" placeholder="%5$s" aria-describedby="%1$s-hint" autocomplete="off"><p class="description" id="%1$s-hint">%6$s</p></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_attr( $type ),
			esc_attr( (string) get_option( $name ) ),
			esc_attr( $environment ),
			esc_html( $hint )
		);
	}

	private static function secret_row( string $name, string $label, string $hint ): void {
		$stored = get_option( $name ) !== false && get_option( $name ) !== '';
		$state  = $stored ? __( 'Stored. Leave empty to keep it.', 'trousseau' ) : __( 'Not set.', 'trousseau' );
		if ( ! $stored && self::value( $name ) !== '' ) {
			/* translators: %s: name of an environment variable */
			$state = sprintf( __( 'From the environment variable %s.', 'trousseau' ), strtoupper( $name ) );
		}
		printf(
			'<tr><th scope="row"><label for="%1$s">%2$s</label></th><td><input type="password" class="regular-text" id="%1$s" name="%1$s" value="" aria-describedby="%1$s-hint" autocomplete="new-password"> <strong>%3$s</strong>%4$s<p class="description" id="%1$s-hint">%5$s</p></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_html( $state ),
			$stored ? sprintf( '<br><label><input type="checkbox" name="%s_clear" value="1"> %s</label>', esc_attr( $name ), esc_html__( 'Clear it', 'trousseau' ) ) : '',
			esc_html( $hint )
		);
	}

	private static function checkbox_row( string $name, string $label, string $text ): void {
		printf(
			'<tr><th scope="row">%2$s</th><td><label><input type="checkbox" name="%1$s" value="1"%3$s> %4$s</label></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			checked( self::is_on( $name ), true, false ),
			esc_html( $text )
		);
	}
}
