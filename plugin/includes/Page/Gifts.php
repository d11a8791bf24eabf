<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\ApiClient;
use Trousseau\Form;
use Trousseau\FromShop;
use Trousseau\GiftForm;
use Trousseau\GiftList;
use Trousseau\GiftOrder;
use Trousseau\Import;
use Trousseau\Language;
use Trousseau\Message;
use Trousseau\Meta;
use Trousseau\Page;
use Trousseau\PageRouter;
use Trousseau\Picture;
use Trousseau\Registry;
use Trousseau\Sections;
use Trousseau\Template;

/** A registry's gifts, for its owner: adding by a shop's address or by hand, changing, ordering, taking off. */
final class Gifts extends Page {

	/** What a lookup found missing. */
	private string $missing = '';

	public function title(): string {
		return __( 'Your gifts', 'trousseau' );
	}

	public function address(): string {
		return PageRouter::address( 'gifts', $this->post->ID );
	}

	public function obstacle(): string {
		return $this->unless_owner();
	}

	public function form(): Form {
		$edited = $this->edited();
		return GiftForm::of( $edited, $edited ? Sections::of( $this->post )[ (int) $edited['id'] ] ?? '' : '' );
	}

	public function html( Form $form ): string {
		$edited = $this->edited();
		$head   = Template::html( 'owner', Mine::head( $this->post, 'gifts' ) );
		$fields = array(
			'form'     => $form,
			'address'  => $this->address(),
			'currency' => Meta::currency( $this->post->ID ),
			'missing'  => $this->missing,
			'upload'   => Picture::may_upload(),
			'sections' => Sections::names( $this->post ),
			'bookmark' => FromShop::bookmarklet(),
		);
		if ( $edited || $form->action === 'change' ) {
			return $head . Template::html( 'gift-form', $fields + array( 'id' => $edited ? (int) $edited['id'] : $form->number( 'item' ) ) );
		}
		$is_filled_in = $form->action === 'add' || ( in_array( $form->action, array( 'look', 'offer' ), true ) && $form->is_sound() );
		if ( $is_filled_in || isset( $_GET['by-hand'] ) ) {
			return $head . Template::html( 'gift-form', $fields + array( 'id' => 0 ) );
		}
		$list = GiftList::of( $this->post );
		return $head . Template::html(
			'gifts',
			$fields + array(
				'post'      => $this->post,
				'items'     => $list->items,
				'import'    => Import::state( $this->post ),
				'under'     => Sections::of( $this->post ),
				'surprised' => GiftList::is_surprise_to_viewer( $this->post ),
				'removed'   => GiftOrder::removed( $this->post ),
				'guests'    => PageRouter::address( 'guests', $this->post->ID ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$id = $form->number( 'item' );
		switch ( $form->action ) {
			case 'look':
				$this->missing = GiftForm::look_up( $form, $this->post );
				return null;
			case 'offer':
				$this->missing = GiftForm::fill_in( $form, $this->post );
				return null;
			case 'add':
			case 'change':
				return $this->store( $form, $id );
			case 'move':
				$moved = GiftOrder::move( $this->post, $id, $form->text( 'where' ) );
				return $this->back( $form, $moved, '', $id );
			case 'remove':
				$removed = GiftOrder::remove( $this->post, $id );
				return $this->back( $form, $removed, __( 'The gift is off your list. You can put it back below.', 'trousseau' ) );
			case 'restore':
				$restored = GiftOrder::restore( $this->post, $id );
				return $this->back( $form, $restored, __( 'The gift is back on your list.', 'trousseau' ), $id );
			case 'import-read':
				Import::forget_rest( $this->post );
				return $this->address();
		}
		return null;
	}

	private function store( Form $form, int $id ): ?string {
		$before = $id ? Registry::item( $this->post, $id ) : null;
		$item   = GiftForm::item( $form, $this->post, is_array( $before ) ? $before : null );
		if ( ! $item ) {
			return null;
		}
		$service = ApiClient::of_site();
		if ( $id && ! is_array( $before ) ) {
			$form->fault( '', __( 'That gift is no longer on your list.', 'trousseau' ) );
			return null;
		}
		$stored = $id ? $service->update_item( $id, $item ) : $service->create_registry_item( $this->post->ID, $item, $form->text( 'key' ) );
		if ( ! is_array( $stored ) ) {
			$form->fault( '', $this->may_not_change_now( $stored ) );
			return null;
		}
		$stored = $stored['data'] ?? $stored;
		Picture::expect( array( $stored ) );
		Sections::put( $this->post, (int) $stored['id'], $form->text( 'section' ) );
		/* translators: %s: name of a gift */
		Message::keep( sprintf( $id ? __( '“%s” is changed.', 'trousseau' ) : __( '“%s” is on your list.', 'trousseau' ), Language::isolate( $stored['name'] ) ) );
		return $this->address();
	}

	/** @param int $id The gift at which the page opens. */
	private function back( Form $form, mixed $done, string $said, int $id = 0 ): ?string {
		if ( is_wp_error( $done ) ) {
			$form->fault( '', $this->may_not_change_now( $done ) );
			return null;
		}
		if ( $said !== '' ) {
			Message::keep( $said );
		}
		return $this->address() . ( $id ? "#trousseau-item-$id" : '' );
	}

	/** @return array<string, mixed>|null The gift that the address asks to change. */
	private function edited(): ?array {
		$id   = (int) filter_input( INPUT_GET, 'item', FILTER_VALIDATE_INT );
		$item = $id ? Registry::item( $this->post, $id ) : null;
		return is_array( $item ) ? $item : null;
	}
}
