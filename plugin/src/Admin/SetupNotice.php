<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\Router;
use Trousseau\Platform\Settings;
use Trousseau\Service\ItemService;

/** The notice between the plugin's activation and a working connection, and the admin bar, which guests and owners don't see. */
final class SetupNotice {

	public function __construct( private readonly CoOwnerRules $co_owner_rules, private readonly ItemService $item_service ) {
	}

	/** Reminds administrators on every other screen than the settings until the service is connected and they have seen the list of pages. */
	public function remind(): void {
		$is_connected = ConnectionState::is_connected();
		$is_there     = get_current_screen()?->id === 'settings_page_' . Settings::PAGE;
		if ( $is_there || ! current_user_can( 'manage_options' ) || ( $is_connected && MenuPages::are_seen() ) ) {
			return;
		}
		list( $words, $link, $address ) = match ( true ) {
			$is_connected                            => array( get_option( 'users_can_register' ) ? __( 'Trousseau is ready: people can create their lists now.', 'trousseau' ) : __( 'Trousseau is ready: people with an account can create their lists now.', 'trousseau' ), __( 'View your pages', 'trousseau' ), Settings::url() . '#trousseau-pages' ),
			$this->item_service->is_configured() => array( __( 'Trousseau is nearly ready: test whether it can reach the service that stores the gifts.', 'trousseau' ), __( 'Connect', 'trousseau' ), Settings::url() ),
			default                                  => array( __( 'Before Trousseau can show gifts, connect it to the service that stores them.', 'trousseau' ), __( 'Connect', 'trousseau' ), Settings::url() ),
		};
		printf(
			'<div class="notice notice-%s" id="trousseau-setup"><p>%s <a href="%s">%s</a></p></div>',
			$is_connected ? 'info' : 'warning',
			esc_html( $words ),
			esc_url( $address ),
			esc_html( $link )
		);
	}

	/** Hides the admin bar on the plugin's own pages and from owners, where they do nothing else on this site. */
	public function keeps_admin_bar(): bool {
		return current_user_can( 'edit_posts' ) || current_user_can( 'manage_options' ) || ! ( Router::shows_ours() || $this->co_owner_rules->owns_any( get_current_user_id() ) );
	}
}
