<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\PictureFetch;
use Trousseau\Jobs\RegistryImport;
use Trousseau\Registry\GiftLists;
use Trousseau\Registry\GiftOrder;
use Trousseau\Registry\GiftParts;
use Trousseau\Registry\Meta;
use Trousseau\Registry\PictureUpload;
use Trousseau\Registry\RemovedGifts;
use Trousseau\Registry\Sections;
use Trousseau\Registry\Surprise;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Request;
use Trousseau\Support\Template;

/** A registry's gifts, for its owner: adding by a shop's address or by hand, changing, ordering, taking off. */
final class GiftsPage extends OwnerPage {

	protected const NAME = 'gifts';

	/** The fields that a lookup could not fill. */
	private string $missing = '';

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly GiftForm $gift_form,
		private readonly GiftLists $gift_lists,
		private readonly GiftOrder $gift_order,
		private readonly ItemService $item_service,
		private readonly PictureFetch $picture_fetch,
		private readonly RegistryImport $registry_import,
		private readonly RegistryView $registry_view,
		private readonly RemovedGifts $removed_gifts,
		private readonly Request $request,
		private readonly Sections $sections,
	) {
	}

	public function title(): string {
		return __( 'Gifts on your list', 'trousseau' );
	}

	public function form(): Form {
		$edited = $this->edited();
		return GiftForm::of( $edited, $edited ? Sections::of( $this->post )[ (int) $edited['id'] ] ?? '' : '', Meta::currency( $this->post->ID ) );
	}

	public function html( Form $form ): string {
		$edited = $this->edited();
		$head   = $this->head();
		$fields = array(
			'form'     => $form,
			'key'      => IdempotencyKey::field( $this->key_purpose(), $form->text( 'key' ) ),
			'address'  => $this->address(),
			'currency' => Meta::currency( $this->post->ID ),
			'question' => GiftForm::question( $form, $this->post ),
			'missing'  => $this->missing,
			'upload'   => PictureUpload::may_upload(),
			'sections' => Sections::names( $this->post ),
			'bookmark' => FromShop::page(),
		);
		if ( $edited || $form->action === 'change' ) {
			return $head . Template::html( 'gift-form', $fields + array( 'id' => $edited ? (int) $edited['id'] : $form->number( 'item' ) ) );
		}
		$is_filled_in = $form->action === 'add' || ( in_array( $form->action, array( 'look', 'offer' ), true ) && $form->is_sound() );
		if ( $is_filled_in || isset( $_GET['by-hand'] ) ) {
			return $head . Template::html( 'gift-form', $fields + array( 'id' => 0 ) );
		}
		$items = $this->gift_lists->of( $this->post )->items;
		$under = Sections::of( $this->post );
		return $head . Template::html(
			'gifts',
			$fields + array(
				'post'      => $this->post,
				'trouble'   => $items === null ? '' : $this->registry_view->trouble( $this->post ),
				'list'      => $items === null ? null : GiftParts::of( $items, $under, $this->request->number( 'part' ), $this->request->search() ),
				'moved'     => $this->request->number( 'move' ),
				'to'        => fn( int $id ): string => $this->at( $id ),
				'import'    => RegistryImport::state( $this->post ),
				'under'     => $under,
				'surprised' => Surprise::is_for_viewer( $this->post ),
				'removed'   => RemovedGifts::of( $this->post ),
				'guests'    => PageAddress::of( 'guests', $this->post->ID ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$id = $form->number( 'item' );
		switch ( $form->action ) {
			case 'look':
				$this->missing = $this->gift_form->look_up( $form, $this->post );
				return null;
			case 'offer':
				$this->missing = GiftForm::fill_in( $form, $this->post );
				return null;
			case 'add':
			case 'change':
				return $this->store( $form, $id );
			case 'move':
				$moves = self::moves( $form );
				// All of the script's gifts may be gone by now, which is no fault.
				if ( ! $this->gift_order->move( $this->post, $moves, $form->text( 'sent' ) ) && $form->text( 'moves' ) === '' ) {
					throw new NotFound( 'The gift to move is not on the list.', 404 );
				}
				return $this->back( $form, '', (int) array_key_first( $moves ) );
			case 'remove':
				return $this->remove( $form, $id );
			case 'restore':
				$this->removed_gifts->restore( $this->post, $id );
				return $this->back( $form, __( 'The gift is back on your list.', 'trousseau' ), $id );
			case 'import-read':
				$this->registry_import->forget_rest( $this->post );
				return $this->address();
		}
		return null;
	}

	private function store( Form $form, int $id ): ?string {
		$before = $id ? $this->gift_lists->item( $this->post, $id ) : null;
		$item   = $this->gift_form->item( $form, $this->post, $before );
		if ( ! $item ) {
			return null;
		}
		$service = $this->item_service;
		$stored  = $id ? $service->update_item( $id, $item ) : $service->create_registry_item( $this->post->ID, $item, IdempotencyKey::of_form( $form, $this->key_purpose() ) );
		$stored  = $stored['data'] ?? $stored;
		$this->picture_fetch->expect( array( $stored ) );
		$this->sections->put( $this->post, (int) $stored['id'], $form->text( 'section' ) );
		/* translators: %s: name of a gift */
		$this->flash_message->keep( sprintf( $id ? __( '“%s” is saved.', 'trousseau' ) : __( '“%s” is on your list.', 'trousseau' ), Language::isolate( $stored['name'] ) ) );
		return $id ? $this->at( $id ) : $this->address();
	}

	private function remove( Form $form, int $id ): ?string {
		$item = array_column( $this->gift_lists->items( $this->post ), null, 'id' )[ $id ] ?? null;
		$this->removed_gifts->remove( $this->post, $id );
		if ( $item ) {
			/* translators: %s: name of a gift */
			$said = sprintf( __( '“%s” is removed from your list.', 'trousseau' ), Language::isolate( (string) $item['name'] ) );
			$this->flash_message->keep( $said, button: array( $this->address(), 'restore', __( 'Undo', 'trousseau' ), array( 'item' => $id ) ) );
		}
		return $this->back( $form, '' );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return $error instanceof NotFound && $form->action !== 'add' ? array( '', __( 'This gift is no longer on your list.', 'trousseau' ) ) : parent::refusal( $form, $error );
	}

	private function key_purpose(): string {
		return "gift-{$this->post->ID}";
	}

	/** @param int $id The gift at which the page opens. */
	private function back( Form $form, string $said, int $id = 0 ): string {
		if ( $said !== '' ) {
			$this->flash_message->keep( $said );
		}
		return $id ? $this->at( $id ) : add_query_arg( array_filter( array( 'part' => $form->number( 'part' ) ) ), $this->address() );
	}

	/** The place of a gift: the part of the list, and its number there. */
	private function at( int $id ): string {
		$part = GiftParts::part_of( $this->gift_lists->of( $this->post )->items ?? array(), $id );
		return ( $part > 1 ? add_query_arg( 'part', $part, $this->address() ) : $this->address() ) . "#trousseau-item-$id";
	}

	/** @return array<int, string> The moves of a button, or of the script, which sends places for several: number of a gift → where to. */
	private static function moves( Form $form ): array {
		if ( preg_match_all( '/(\d{1,18}):(\d{1,6})/', $form->text( 'moves' ), $found ) ) {
			return array_combine( array_map( 'intval', $found[1] ), $found[2] );
		}
		foreach ( array( 'up', 'down' ) as $where ) {
			if ( $form->number( $where ) ) {
				return array( $form->number( $where ) => $where );
			}
		}
		$where = $form->text( 'where' );
		return array( $form->number( 'item' ) => $where === 'place' ? (string) max( 0, $form->number( 'place' ) - 1 ) : $where );
	}

	/** @return array<string, mixed>|null The gift that the address asks to change. */
	private function edited(): ?array {
		$id = $this->request->number( 'item' );
		return $id ? array_column( $this->gift_lists->items( $this->post ), null, 'id' )[ $id ] ?? null : null;
	}
}
