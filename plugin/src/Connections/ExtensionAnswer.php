<?php

declare(strict_types=1);

namespace Trousseau\Connections;

use Trousseau\Gifts\GiftForm;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Gifts\ShopLookup;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Busy;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Platform\Unreadable;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Post;

/**
 * Answers the browser's extension with JSON: the person's lists, and the result of adding the gift on the shop's page that they are
 * on, or of removing it again. The person's cookie signs the extension in. No header opens the answers to other origins, so only an extension
 * to which the person gave this site can read them, and with them the nonce that a change needs.
 */
final class ExtensionAnswer {

	private const PURPOSE = 'trousseau-extension';

	public function __construct(
		private readonly GiftForm $gift_form,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
		private readonly RemovedGifts $removed_gifts,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
	) {
	}

	public function answer(): void {
		$this->response_headers->keep_secret();
		header( 'X-Content-Type-Options: nosniff' );
		$form = $this->request->form();
		if ( $this->request->is_from_elsewhere() ) {
			wp_send_json( null, 403 );
		}
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'POST' ) {
			wp_send_json( self::lists() );
		}
		if ( ! is_user_logged_in() || ! wp_verify_nonce( $form->text( 'nonce' ), self::PURPOSE ) ) {
			wp_send_json( self::lists(), 403 );
		}
		wp_send_json( ...$this->change( $form ) );
	}

	/** The site, the account that is signed in, and its lists. */
	private static function lists(): array {
		$user  = wp_get_current_user();
		$lists = array_map(
			static fn( WP_Post $post ): array => array(
				'id'      => $post->ID,
				'name'    => Registries::title( $post ),
				'address' => PageAddress::of( 'gifts', $post->ID ),
			),
			$user->ID ? Registries::owned_by( $user->ID ) : array()
		);
		return array(
			'site'    => html_entity_decode( get_bloginfo( 'name' ), ENT_QUOTES, 'UTF-8' ),
			'sign_in' => wp_login_url( PageAddress::of( 'mine' ) ),
			'new'     => PageAddress::of( 'new' ),
			'account' => $user->ID ? array(
				'id'    => $user->ID,
				'name'  => $user->display_name,
				'lists' => $lists,
				'nonce' => wp_create_nonce( self::PURPOSE ),
				'key'   => IdempotencyKey::field( self::PURPOSE ),
			) : null,
		);
	}

	/** @return array{0: array<string, mixed>, 1: int} The answer to a form, and its status. */
	private function change( Form $form ): array {
		$post = Registries::find( $form->number( 'list' ) );
		if ( ! $post || $post->ID !== $form->number( 'list' ) || ! current_user_can( 'edit_post', $post->ID ) ) {
			return array( array( 'problem' => __( 'Only the owners can change this list.', 'trousseau' ) ), 404 );
		}
		try {
			if ( $form->action !== 'remove' ) {
				return $this->add( $form, $post );
			}
			$id = $form->number( 'item' );
			$this->removed_gifts->remove( $post, $id );
			return array( array( 'id' => $id ), 200 );
		} catch ( ServiceError $error ) {
			$may_retry = $error instanceof Unavailable || $error instanceof TooMany;
			return array( array( 'problem' => $error->words() ), $may_retry ? 503 : 422 );
		} catch ( Unreadable | Busy $error ) {
			return array( array( 'problem' => $error instanceof Busy ? Page::not_just_now() : Unreadable::words() ), 503 );
		}
	}

	private function add( Form $form, WP_Post $post ): array {
		// A gift that one list refused may be sent to another one.
		$key   = IdempotencyKey::of_form( $form, self::PURPOSE ) . "-$post->ID";
		$typed = $form->text( 'currency' ) === '' ? $form->text( 'price' ) : '';
		$note  = ShopLookup::fill_in( $form, $post );
		// Without a currency someone has typed it, as their language writes it.
		$typed === '' || $form->set( 'price', $typed );
		$item = $this->gift_form->item( $form, $post );
		if ( ! $item ) {
			return array( array( 'problem' => implode( ' ', $form->faults() ) ), 422 );
		}
		$stored = Item::stored( $this->item_service->create_registry_item( $post->ID, $item, $key ) );
		$id     = $stored->id;
		$this->last_changes->note( $post, $id, $key );
		return array(
			array(
				'id'      => $id,
				'name'    => $stored->name,
				'address' => PageAddress::of( 'gifts', $post->ID, array( 'item' => $id ) ),
				'note'    => $note,
			),
			201,
		);
	}
}
