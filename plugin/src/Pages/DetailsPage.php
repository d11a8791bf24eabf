<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Registry\Meta;
use Trousseau\Registry\PictureUpload;
use Trousseau\Registry\Registries;
use Trousseau\Registry\RegistryExport;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use Trousseau\Support\Currency;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;

/** The page of a registry's title, day and visitors, on which the owner also exports and deletes it. */
final class DetailsPage extends OwnerPage {

	protected const NAME = 'details';

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly PictureUpload $picture_upload,
		private readonly RegistryExport $registry_export,
		private readonly RegistryForm $registry_form,
	) {
	}

	public function title(): string {
		return __( 'Details', 'trousseau' );
	}

	public function form(): Form {
		return $this->registry_form->of( $this->post );
	}

	public function html( Form $form ): string {
		// Saving and deleting the list send none of its details.
		$fields = in_array( $form->action, array( 'export', 'delete' ), true ) ? $this->form() : $form;
		return $this->head()
			. Template::html( 'details', array( 'relabel' => $this->relabel( $fields ) ) + RegistryForm::fields( $fields, $this->post ) + array( 'address' => $this->address() ) );
	}

	public function handle( Form $form ): ?string {
		switch ( $form->action ) {
			case 'export':
				$this->registry_export->send( $this->post, $this->gift_lists->items( $this->post ), $form->text( 'as' ) );
			case 'delete':
				return $this->delete( $form );
		}
		RegistryForm::check( $form );
		if ( ! $form->is_sound() ) {
			return null;
		}
		$picture = $this->picture_upload->upload( RegistryForm::UPLOAD, $this->post );
		if ( is_wp_error( $picture ) ) {
			$form->fault( RegistryForm::UPLOAD, $picture->get_error_message() );
			return null;
		}
		// The picture is stored at once: a form that is shown again has lost the file.
		if ( $picture ) {
			set_post_thumbnail( $this->post, $picture );
		} elseif ( $form->is_checked( 'no-picture' ) ) {
			delete_post_thumbnail( $this->post );
		}
		if ( $form->text( 'relabel' ) === 'no' ) {
			$form->set( 'currency', Meta::currency( $this->post->ID ) );
		} elseif ( $this->relabel( $form ) && $form->text( 'relabel' ) !== $form->text( 'currency' ) ) {
			$form->fault( 'relabel', __( 'Your changes aren’t saved yet: choose what to do with your prices.', 'trousseau' ) );
			return null;
		}
		$stored = wp_update_post( array( 'ID' => $this->post->ID ) + $this->registry_form->post( $form, $this->post ), true );
		if ( is_wp_error( $stored ) ) {
			$form->fault( '', self::not_just_now() );
			return null;
		}
		$this->flash_message->keep( __( 'Your changes are saved.', 'trousseau' ) );
		return $this->address();
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return $form->action === 'export' && $error instanceof Unavailable ? array( '', __( 'The gifts can’t be shown just now. Please come back in a moment.', 'trousseau' ) ) : parent::refusal( $form, $error );
	}

	/**
	 * The question that a new currency needs: the prices of the list keep their numbers.
	 *
	 * @return array{question: string, options: array<string, array{0: string}>}|null Null where there is nothing to ask.
	 */
	private function relabel( Form $form ): ?array {
		$before = Meta::currency( $this->post->ID );
		$after  = Meta::clean_currency( $form->text( 'currency' ) );
		if ( $before === '' || $after === $before ) {
			return null;
		}
		$items  = $this->gift_lists->of( $this->post )->items;
		$prices = $items === null ? array( 24.9 ) : array_values( array_filter( array_column( $items, 'price' ), 'is_numeric' ) );
		if ( ! $prices ) {
			return null;
		}
		return array(
			/* translators: 1: price in the old currency, 2: the same number in the new one */
			'question' => sprintf( __( 'The numbers stay: %1$s becomes %2$s, for example. Change the currency?', 'trousseau' ), Language::isolate( Currency::amount( (float) $prices[0], $before ) ), Language::isolate( Currency::amount( (float) $prices[0], $after ) ) ),
			'options'  => array(
				/* translators: %s: currency */
				$after => array( sprintf( __( 'Yes, my prices are in %s', 'trousseau' ), $after ) ),
				/* translators: %s: currency */
				'no'   => array( sprintf( __( 'No, keep %s', 'trousseau' ), $before ) ),
			),
		);
	}

	private function delete( Form $form ): ?string {
		if ( ! $form->is_checked( 'sure' ) ) {
			$form->fault( 'sure', __( 'Tick the box if you want your list deleted.', 'trousseau' ) );
			return null;
		}
		$title = Registries::title( $this->post );
		$why   = self::not_just_now();
		try {
			$this->item_service->delete_registry( $this->post->ID );
		} catch ( ServiceError $error ) {
			// The service knows no drafts, and learns of the deletion later where it can't be asked.
			list( , $why ) = $this->refusal( $form, $error );
		}
		// The service deletes the list here too.
		clean_post_cache( $this->post->ID );
		if ( get_post( $this->post->ID ) && ! wp_delete_post( $this->post->ID, true ) ) {
			$form->fault( '', $why );
			return null;
		}
		/* translators: %s: name of a registry */
		$this->flash_message->keep( sprintf( __( '“%s” is deleted, with its gifts.', 'trousseau' ), Language::isolate( $title ) ) );
		return PageAddress::of( 'mine' );
	}
}
