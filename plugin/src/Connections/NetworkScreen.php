<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\ConnectionState;
use Trousseau\Admin\ConnectionTest;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Form;
use Trousseau\Platform\Network;
use Trousseau\Platform\Settings;

/** The network's own page Settings → Trousseau: one service for all its sites, and how far each site is. */
final class NetworkScreen implements AdminAction {

	public const ACTION = 'trousseau_network_service';

	private const RIGHT = 'manage_network_options';

	/** Sites that the page lists. */
	private const SHOWN = 100;

	/** Sites that join at once when the service is entered: each occupies PHP for a moment. The others do when they are next used. */
	private const AT_ONCE = 3;

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly Network $network,
		private readonly NetworkJoin $network_join,
	) {
	}

	public static function url(): string {
		return network_admin_url( 'settings.php?page=' . Settings::PAGE );
	}

	public function add_page(): void {
		if ( Network::has_plugin() ) {
			add_submenu_page( 'settings.php', __( 'Trousseau', 'trousseau' ), __( 'Trousseau', 'trousseau' ), self::RIGHT, Settings::PAGE, array( $this, 'show' ) );
		}
	}

	/** Reminds of the service on the page on which the plugin was just activated. */
	public function remind(): void {
		if ( get_current_screen()?->id === 'plugins-network' && Network::has_plugin() && Network::service()['address'] === '' && current_user_can( self::RIGHT ) ) {
			printf( '<div class="notice notice-warning"><p>%s <a href="%s">%s</a></p></div>', esc_html__( 'Before Trousseau can show gifts, connect it to the service that stores them.', 'trousseau' ), esc_url( self::url() ), esc_html__( 'Connect all sites', 'trousseau' ) );
		}
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, self::url(), array( self::RIGHT ) );
		$form = Form::with( wp_unslash( $_POST ) );
		// The address that a service has for one site would make all sites one.
		$address = (string) preg_replace( Joining::OF_ONE_SITE, '', rtrim( $form->text( 'address' ), '/' ) );
		$fault   = ConnectionTest::fault_of_address( $address );
		if ( $fault ) {
			add_settings_error( Settings::PAGE, self::ACTION, esc_html( trim( ConnectionTest::words( $fault[0] ) . ' ' . $fault[1] ) ) );
			$this->admin_form->keep( self::url(), array( 'typed' => array( 'address' => $address ) ) );
		} else {
			$before = Network::service();
			$this->network->enter_service( $address, $form->text( 'code' ) ?: $before['code'], $form->text( 'key' ) ?: $before['key'] );
			$address === '' || array_map( array( $this->network_join, 'expect' ), $this->first_without_service() );
			$words = $address === '' ? ConnectionTest::words( 'not_configured' ) : __( 'Saved. Each site without a service of its own connects in the background: the first ones now, the others when they’re next used. Reload this page in a minute to see how far they are.', 'trousseau' );
			add_settings_error( Settings::PAGE, self::ACTION, esc_html( $words ), $address === '' ? 'warning' : 'success' );
		}
		$this->admin_form->lead_on( self::url() );
	}

	public function show(): void {
		$service = Network::service();
		echo '<div class="wrap"><h1>' . esc_html__( 'Trousseau', 'trousseau' ) . '</h1>';
		settings_errors();
		echo $this->admin_form->notice();
		echo '<p>' . esc_html__( 'One service can store the gifts of all sites. Sites with a service of their own keep it.', 'trousseau' ) . '</p>';
		echo AdminForm::open( self::ACTION ) . '<table class="form-table" role="presentation">';
		$kept = __( 'Saved, and never shown again. Leave empty to keep it.', 'trousseau' );
		echo AdminForm::row( 'address', __( 'Address of the service', 'trousseau' ), __( 'Such as https://gifts.example.org', 'trousseau' ), $this->admin_form->kept( self::url() )['typed']['address'] ?? $service['address'] );
		echo AdminForm::row( 'code', __( 'Code', 'trousseau' ), $service['code'] === '' ? __( 'From the people who run the service, if it asks for one. It must be valid for all sites.', 'trousseau' ) : $kept, '', 'password' );
		echo AdminForm::row( 'key', __( 'Gateway key', 'trousseau' ), $service['key'] === '' ? __( 'Only if you were given one.', 'trousseau' ) : $kept, '', 'password' );
		echo '</table>';
		submit_button( $service['address'] === '' ? __( 'Connect sites', 'trousseau' ) : __( 'Save and try again', 'trousseau' ) );
		echo '</form>';
		$service['address'] === '' || self::show_sites();
		echo '</div>';
	}

	private function first_without_service(): array {
		$found = array();
		foreach ( get_sites( array( 'fields' => 'ids', 'number' => self::SHOWN, 'archived' => 0, 'deleted' => 0 ) ) as $id ) {
			switch_to_blog( $id );
			ConnectionState::is_connected() || $found[] = $id;
			restore_current_blog();
			if ( count( $found ) === self::AT_ONCE ) {
				break;
			}
		}
		return $found;
	}

	private static function show_sites(): void {
		$sites = get_sites( array( 'number' => self::SHOWN, 'archived' => 0, 'deleted' => 0 ) );
		echo '<h2>' . esc_html__( 'Sites', 'trousseau' ) . '</h2><table class="widefat striped" id="trousseau-sites"><tbody>';
		foreach ( $sites as $site ) {
			switch_to_blog( (int) $site->blog_id );
			$is_connected = ConnectionState::is_connected();
			$outcome      = (string) get_option( Joining::OUTCOME );
			$words        = match ( true ) {
				$is_connected   => __( 'Connected.', 'trousseau' ),
				$outcome !== '' => $outcome,
				default         => __( 'Connects when it’s next used.', 'trousseau' ),
			};
			printf(
				'<tr data-site="%s" data-connected="%s"><th scope="row"><a href="%s">%s</a></th><td>%s</td></tr>',
				esc_attr( (string) wp_parse_url( home_url( '/' ), PHP_URL_PATH ) ),
				$is_connected ? '1' : '',
				esc_url( Settings::url() ),
				esc_html( home_url( '/' ) ),
				esc_html( $words )
			);
			restore_current_blog();
		}
		echo '</tbody></table>';
		if ( count( $sites ) === self::SHOWN ) {
			echo '<p>' . esc_html__( 'Only the first hundred sites are listed.', 'trousseau' ) . '</p>';
		}
	}
}
