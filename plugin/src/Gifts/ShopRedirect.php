<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Lists\ErrorPage;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Router;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Plugin;
use Trousseau\Service\Item;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use WP;

/**
 * A guest's way to the shop. This address checks what the guest may see and only then redirects. An owner wrote the
 * target, so visitors who come from elsewhere, by an email or another site, are told the shop's name and asked first.
 */
final class ShopRedirect {

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
		private readonly Router $router,
	) {
	}

	public function follow( WP $wp ): void {
		$item_id = $wp->query_vars[ PageAddress::SHOP ] ?? '';
		if ( $item_id === '' ) {
			return;
		}
		$registry = $wp->query_vars['registry'] ?? '';
		$post     = is_scalar( $registry ) ? Registries::find( (string) $registry ) : null;
		$back     = $post ? (string) get_permalink( $post ) : '';
		$none     = new ErrorPage( __( 'This gift doesn’t exist.', 'trousseau' ), 404, $back );
		try {
			$item      = $post && is_scalar( $item_id ) ? $this->gift_lists->item( $post, (int) $item_id ) : new Item( array() );
			$affiliate = $item->affiliate_url();
			$target    = $affiliate !== '' ? $affiliate : Item::web_address( $item->url );
		} catch ( ServiceError $error ) {
			$target = '';
			$none   = $error instanceof NotFound ? $none : new ErrorPage( __( 'We can’t take you to the shop right now. Please try again later.', 'trousseau' ), 503, $back );
		}

		$this->response_headers->keep_secret( 'strict-origin' );
		if ( $target === '' ) {
			$this->router->show( $wp, $none );
			return;
		}
		if ( $this->request->is_from_here() ) {
			foreach ( Plugin::parts( ShopVisit::class ) as $visit ) {
				Plugin::get( $visit )->followed( $item, $target );
			}
			// This address exists to lead to shops on other sites.
			wp_redirect( $target, 302, 'Trousseau' );
			exit;
		}
		$this->router->show( $wp, new LeaveForShopPage( $post, $item, ShopLink::through_this_site( $item->id, $post->ID ), (string) wp_parse_url( $target, PHP_URL_HOST ) ) );
	}
}
