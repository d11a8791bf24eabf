<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;

/** The page that the bookmark and a phone's share sheet open. It asks to which list the gift should go. */
final class AddGiftPage extends Page {

	public function title(): string {
		return __( 'Add a gift', 'trousseau' );
	}

	public function obstacle(): string {
		return is_user_logged_in() ? '' : $this->sign_in( __( 'Log in to add this to your list.', 'trousseau' ) );
	}

	public function html( Form $form ): string {
		if ( isset( $_GET['bookmark'] ) ) {
			return Template::html( 'bookmark', array( 'bookmark' => FromShop::bookmarklet() ) );
		}
		return Template::html(
			'add',
			array( 'registries' => Registries::owned_by( get_current_user_id() ), 'shared' => $this->shared(), 'new' => PageAddress::of( 'new' ) )
		);
	}

	/** The link that a phone shared. Some phones put it into the text, some into the title. */
	private function shared(): string {
		$text = static fn( string $name ): string => is_string( $_GET[ $name ] ?? null ) ? wp_unslash( $_GET[ $name ] ) : '';
		return ShopLookup::address_in( $text( 'url' ), $text( 'text' ), $text( 'title' ) );
	}
}
