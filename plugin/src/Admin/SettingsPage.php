<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Giving\UninvitedScreen;
use Trousseau\Lists\ListMakers;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Template;
use Trousseau\Plugin;
use Trousseau\Privacy\GiverRetention;

/** The page Settings → Trousseau. Secrets are written there and never shown again on this page. */
final class SettingsPage {

	/** The setting that the connection test has found wrong. */
	private string $faulty = '';

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly ConnectionPanel $connection_panel,
		private readonly HealthChecks $health_checks,
		private readonly MenuPages $menu_pages,
		private readonly UninvitedScreen $uninvited_screen,
	) {
	}

	public function register(): void {
		foreach ( Settings::ALL as $name ) {
			$clean = match ( $name ) {
				Settings::BASE_URL                    => array( $this, 'clean_base_url' ),
				Settings::USERNAME                    => array( self::class, 'text' ),
				Settings::API_KEY, Settings::APP_PASSWORD => fn( $value ) => $this->clean_secret( $name, $value ),
				Settings::KEEP_GIVERS                 => array( GiverRetention::class, 'clean' ),
				Settings::LIST_ROLES                  => array( ListMakers::class, 'clean' ),
				Settings::APPROVAL, Settings::ANONYMOUS_GIVING, Settings::BROWSER_CLIENT, Settings::REMOVE_DATA => static fn( $value ) => $value ? '1' : '',
			};
			register_setting( Settings::PAGE, $name, array( 'type' => 'string', 'sanitize_callback' => $clean ) );
		}
	}

	public static function text( mixed $value ): string {
		return is_scalar( $value ) ? trim( (string) $value ) : '';
	}

	public function clean_base_url( mixed $value ): string {
		$url   = rtrim( self::text( $value ), '/' );
		$fault = ConnectionTest::fault_of_address( $url );
		if ( ! $fault ) {
			return $url;
		}
		add_settings_error( Settings::BASE_URL, 'trousseau_base_url', esc_html( ConnectionTest::words( $fault[0] ) . ' ' . ( $fault[1] ?: $url ) ) );
		$this->admin_form->keep( Settings::url(), array( 'typed' => array( Settings::BASE_URL => $url ) ) );
		return (string) get_option( Settings::BASE_URL );
	}

	/** The secret to store: an empty field leaves it unchanged, and a box next to it clears it. */
	private function clean_secret( string $name, mixed $value ): string {
		// options.php has verified the form.
		$form  = $_POST;
		$value = self::text( $value );
		if ( ( $form['option_page'] ?? '' ) !== Settings::PAGE || $value !== '' ) {
			return $value;
		}
		return empty( $form[ $name . '_clear' ] ) ? (string) get_option( $name ) : '';
	}

	public function add_page(): void {
		add_options_page( __( 'Trousseau', 'trousseau' ), __( 'Trousseau', 'trousseau' ), 'manage_options', Settings::PAGE, array( $this, 'show' ) );
	}

	public static function add_link( array $links, string $address = '' ): array {
		return array( sprintf( '<a href="%s">%s</a>', esc_url( $address ?: Settings::url() ), esc_html__( 'Settings', 'trousseau' ) ), ...$links );
	}

	public function show(): void {
		if ( ! current_user_can( 'manage_options' ) ) {
			return;
		}
		echo '<div class="wrap"><h1>' . esc_html__( 'Trousseau', 'trousseau' ) . '</h1>';
		$tabs = Plugin::parts( SettingsTab::class );
		$part = is_string( $_GET['part'] ?? null ) && isset( $tabs[ $_GET['part'] ] ) ? $_GET['part'] : '';
		echo Template::html( 'settings-tabs', array( 'tabs' => array( '' => __( 'Settings', 'trousseau' ) ) + array_map( static fn( string $tab ): string => $tab::tab(), $tabs ), 'part' => $part ) );
		if ( $part !== '' ) {
			Plugin::get( $tabs[ $part ] )->show();
			echo '</div>';
			return;
		}
		echo $this->admin_form->notice( __( 'Enter passwords again.', 'trousseau' ) );
		$findings = $this->connection_panel->findings();
		ConnectionPanel::show( $findings );
		$this->faulty = ConnectionPanel::field( $findings );
		$mail         = $this->health_checks->find( 'mail' );
		// The test's findings have it, too.
		if ( $mail['status'] !== 'good' && empty( $findings[1] ) ) {
			printf( '<div class="notice notice-warning inline"><p>%s %s</p></div>', esc_html( $mail['words'] ), esc_html( $mail['cure'] ) );
		}
		$sections = array_map( Plugin::get( ... ), Plugin::parts( SettingsSection::class ) );
		ConnectionState::is_connected() ? $this->menu_pages->show() : array_walk( $sections, static fn( SettingsSection $section ) => $section->show() );
		echo '<form method="post" action="options.php" autocomplete="off">';
		settings_fields( Settings::PAGE );
		// The form above asks for the address, too, and does the rest by itself.
		$is_new  = $sections && Settings::connection()[0] === '';
		$is_open = $this->admin_form->typed( Settings::url(), Settings::BASE_URL ) !== null;
		echo $is_new ? '<details' . ( $is_open ? ' open' : '' ) . '><summary>' . esc_html__( 'Connect by hand, with an account you create yourself', 'trousseau' ) . '</summary>' : '<h2>' . esc_html__( 'Item service', 'trousseau' ) . '</h2>';
		echo '<table class="form-table" role="presentation">';
		$this->text_row( Settings::BASE_URL, __( 'Address', 'trousseau' ), __( 'The service’s address, such as https://items.example.org', 'trousseau' ), 'url' );
		$this->secret_row( Settings::API_KEY, __( 'Gateway key', 'trousseau' ), __( 'Sent as x-api-key, if a gateway in front of the service asks for one.', 'trousseau' ) );
		$this->text_row( Settings::USERNAME, __( 'User name', 'trousseau' ), __( 'The account on this site that the plugin uses for the service. “Create account” below creates one.', 'trousseau' ) );
		$this->secret_row( Settings::APP_PASSWORD, __( 'Application password', 'trousseau' ), __( 'Created on that user’s profile page under “Application Passwords”.', 'trousseau' ) );
		echo '</table>' . ( $is_new ? '</details>' : '' );
		echo '<h2>' . esc_html__( 'Lists', 'trousseau' ) . '</h2><table class="form-table" role="presentation">';
		self::roles_row( Settings::LIST_ROLES, __( 'Who can create lists', 'trousseau' ), __( 'Administrators always can. Everyone keeps the lists they already have.', 'trousseau' ) );
		self::checkbox_row( Settings::APPROVAL, __( 'Approval', 'trousseau' ), __( 'Lists only become public once an administrator has approved them. Until then, only invited guests see them. Lists that are already public stay public.', 'trousseau' ) );
		echo '</table><h2>' . esc_html__( 'Giving and privacy', 'trousseau' ) . '</h2><table class="form-table" role="presentation">';
		self::checkbox_row( Settings::ANONYMOUS_GIVING, __( 'Giving', 'trousseau' ), __( 'Guests without an account can give from public lists. They confirm by email.', 'trousseau' ) );
		self::months_row( Settings::KEEP_GIVERS, __( 'Names of guests', 'trousseau' ), __( 'months after the event, the names, addresses and messages of guests who gave are erased. 0 keeps them.', 'trousseau' ) );
		self::checkbox_row( Settings::BROWSER_CLIENT, __( 'Browser script', 'trousseau' ), __( 'Pages can load a script that asks the service directly. It needs a filter that supplies the visitor’s own credentials, and these can be read in the browser together with the gateway key: see the readme.', 'trousseau' ) );
		self::checkbox_row( Settings::REMOVE_DATA, __( 'Uninstalling', 'trousseau' ), __( 'Deleting the plugin also deletes Trousseau’s data: every list with its guests and pictures, these settings, and the account created by “Create account”. Gifts, and who gives what, are stored by the service: ask the people who run it to delete them there.', 'trousseau' ) );
		echo '</table>';
		submit_button();
		echo '</form>';
		ServiceAccountButton::show();
		array_walk( $sections, static fn( SettingsSection $section ) => $section->show_below() );
		ConnectionState::is_connected() || $this->menu_pages->show();
		$this->uninvited_screen->show();
		echo '</div>';
	}

	private function text_row( string $name, string $label, string $hint, string $type = 'text' ): void {
		$value = $this->admin_form->typed( Settings::url(), $name ) ?? (string) get_option( $name );
		$body  = sprintf( '<input type="text" inputmode="%1$s" class="regular-text form-required" id="%2$s" name="%2$s" value="%3$s" placeholder="%4$s" aria-describedby="%2$s-hint" autocomplete="off">', esc_attr( $type ), esc_attr( $name ), esc_attr( $value ), esc_attr( Settings::environment( $name ) ) );
		$this->row( $name, $label, $hint, $body );
	}

	private function secret_row( string $name, string $label, string $hint ): void {
		$stored = (string) get_option( $name ) !== '';
		$state  = $stored ? __( 'Saved, and never shown again. Leave empty to keep it.', 'trousseau' ) : __( 'Not set.', 'trousseau' );
		if ( ! $stored && Settings::value( $name ) !== '' ) {
			/* translators: %s: name of an environment variable */
			$state = sprintf( __( 'From the environment variable %s.', 'trousseau' ), strtoupper( $name ) );
		}
		$clear = $stored ? sprintf( '<p><label><input type="checkbox" name="%s_clear" value="1"> %s</label></p>', esc_attr( $name ), esc_html__( 'Clear', 'trousseau' ) ) : '';
		$field = sprintf( '<input type="password" class="regular-text form-required" id="%1$s" name="%1$s" value="" aria-describedby="%1$s-hint" autocomplete="new-password">', esc_attr( $name ) );
		$this->row( $name, $label, $hint, "$field <strong>" . esc_html( $state ) . "</strong>$clear" );
	}

	/** A row with a text field. That of the setting which the connection test has found wrong stands out. */
	private function row( string $name, string $label, string $hint, string $body ): void {
		printf( '<tr%1$s><th scope="row"><label for="%2$s">%3$s</label></th><td>%4$s<p class="description" id="%2$s-hint">%5$s</p></td></tr>', $name === $this->faulty ? ' class="form-invalid"' : '', esc_attr( $name ), esc_html( $label ), $body, esc_html( $hint ) );
	}

	private static function roles_row( string $name, string $label, string $hint ): void {
		// The empty one is sent where no box is ticked.
		printf( '<tr><th scope="row">%2$s</th><td><fieldset><legend class="screen-reader-text">%2$s</legend><input type="hidden" name="%1$s[]" value="">', esc_attr( $name ), esc_html( $label ) );
		foreach ( ListMakers::choices() as $role => $words ) {
			printf( '<label><input type="checkbox" name="%s[]" value="%s"%s> %s</label><br>', esc_attr( $name ), esc_attr( $role ), checked( ListMakers::includes_role( $role ), true, false ), esc_html( $words ) );
		}
		printf( '<p class="description">%s</p></fieldset></td></tr>', esc_html( $hint ) );
	}

	private static function months_row( string $name, string $label, string $text ): void {
		printf(
			'<tr><th scope="row"><label for="%1$s">%2$s</label></th><td><input type="number" class="small-text" id="%1$s" name="%1$s" value="%3$d" min="0" max="%4$d" aria-describedby="%1$s-hint"> <span id="%1$s-hint">%5$s</span></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			GiverRetention::months(),
			GiverRetention::MOST_MONTHS,
			esc_html( $text )
		);
	}

	private static function checkbox_row( string $name, string $label, string $text ): void {
		printf( '<tr><th scope="row">%s</th><td><label><input type="checkbox" name="%s" value="1"%s> %s</label></td></tr>', esc_html( $label ), esc_attr( $name ), checked( Settings::is_on( $name ), true, false ), esc_html( $text ) );
	}
}
