<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Currency;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Lock;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;
use Trousseau\Plugin;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/** The pages of a list's details, one for each part of `RegistryForm::PARTS`. On the last one owners also export and delete the list. */
final class DetailsPage extends OwnerPage {

	protected const TAB = 5;

	/** Seconds after which a request that was saving is considered dead. */
	private const TURN = 30;

	/** @var string[] The fields of the form that is being saved, as they were sent; the others are filled in as they are stored. */
	private array $sent = array();

	public function __construct(
		private readonly Approval $approval,
		private readonly Closing $closing,
		private readonly CurrencyRules $currency_rules,
		private readonly EditMerger $edit_merger,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
		private readonly ListLink $list_link,
		private readonly Lock $lock,
		private readonly PictureUpload $picture_upload,
		private readonly RegistryExport $registry_export,
		private readonly RegistryForm $registry_form,
		private readonly RegistryImport $registry_import,
		private readonly Request $request,
	) {
	}

	public static function tab(): string {
		return __( 'Details', 'trousseau' );
	}

	public function form(): Form {
		return $this->registry_form->of( $this->post );
	}

	/** The address names the part, so that every press leads back to it. An address without one opens the first. */
	public function address(): string {
		return self::part_address( $this->post, $this->part() );
	}

	public static function part_address( WP_Post $post, string $part ): string {
		return PageAddress::of( 'details', $post->ID, $part === 'about' ? array() : array( 'part' => $part ) );
	}

	/** The day on which it closed stands there, too. */
	protected function tells_of_closing(): bool {
		return $this->part() === 'after' && parent::tells_of_closing();
	}

	private function part(): string {
		$part = $_GET['part'] ?? '';
		return is_string( $part ) && isset( RegistryForm::PARTS[ $part ] ) ? $part : 'about';
	}

	private static function parts(): array {
		return array(
			'about'    => __( 'About', 'trousseau' ),
			'privacy'  => __( 'Privacy and surprise', 'trousseau' ),
			'delivery' => __( 'Delivery', 'trousseau' ),
			'after'    => __( 'After the day', 'trousseau' ),
		);
	}

	public function html( Form $form ): string {
		// Other buttons send none of the list's details.
		$fields = in_array( $form->action, array( '', 'change' ), true ) ? $form : $this->form();
		$part   = $fields === $form ? $this->part() : 'after';
		$shown  = RegistryForm::part( $part );
		// Another date may end a surprise earlier, too.
		array_splice( $shown, 1 + (int) array_search( in_array( 'surprise', $shown, true ) ? 'surprise' : 'date', $shown, true ), 0, array( 'end_surprise' ) );
		return $this->head() . Template::html(
			'details',
			array(
				'fields'     => RegistryForm::fields( $fields, $this->post ) + array(
					'shown'        => $shown,
					'relabel'      => $this->sent ? $this->relabel( $fields ) : null,
					'end_surprise' => $this->sent ? $this->surprise( $fields ) : null,
				),
				'address'    => $this->address(),
				'may_delete' => current_user_can( 'delete_post', $this->post->ID ),
				'opened'     => EditMerger::stamp( $fields, $fields->action === '' ? array_intersect_key( $this->registry_form->stored_values( $this->post ), array_flip( $shown ) ) : array() ),
				'changed'    => $part === 'about' ? LastChanges::words( $this->post )[ LastChanges::DETAILS ] ?? '' : '',
				'part'       => $part,
				'parts'      => array_map( fn( string $part, string $words ): array => array( $words, self::part_address( $this->post, $part ), $part ), array_keys( self::parts() ), self::parts() ),
				'sections'   => $part === 'after' ? implode( '', array_map( fn( string $section ): string => Plugin::get( $section )->html( $this->post, $this->address() ), Plugin::parts( DetailsSection::class ) ) ) : '',
				'done'       => $form->action,
			)
		);
	}

	public function handle( Form $form ): ?string {
		switch ( $form->action ) {
			case 'export':
				$this->registry_export->send( $this->post, $this->gift_lists->items( $this->post ), $form->text( 'as' ) );
			case 'copy':
				return $this->copy( $form );
			case 'delete':
				return $this->delete( $form );
			case 'reopen':
				$this->closing->set( $this->post->ID, '' );
				$this->last_changes->note( $this->post, LastChanges::DETAILS );
				$this->flash_message->keep( __( 'Your list is open again. Guests can give.', 'trousseau' ) );
				return $this->address();
			case 'approve':
			case 'leave-private':
				return $this->decide( $form->action === 'approve' );
		}
		foreach ( Plugin::parts( DetailsSection::class ) as $section ) {
			if ( in_array( $form->action, $section::ACTIONS, true ) ) {
				return $this->address() . Plugin::get( $section )->handle( $this->post, $form );
			}
		}
		// Owners who press at the same moment take turns, so the second one sees what the first one stored.
		return $this->lock->alone( "edit-{$this->post->ID}", self::TURN, fn(): ?string => $this->change( $form ) );
	}

	private function change( Form $form ): ?string {
		wp_cache_delete( $this->post->ID, 'posts' );
		wp_cache_delete( $this->post->ID, 'post_meta' );
		$this->post = get_post( $this->post->ID ) ?? $this->post;
		$has_file   = $this->request->has_file( RegistryForm::UPLOAD );
		$this->sent = array_keys( $form->typed() );
		// Fields of the other pages keep their stored values.
		foreach ( array_diff_key( $this->form()->typed(), $form->typed() ) as $field => $value ) {
			$form->set( $field, $value );
		}
		$sent   = array_intersect_key( RegistryForm::values( $form, $has_file ), array_flip( array( ...$this->sent, 'picture' ) ) );
		$mark   = OpenedForm::of( $form )?->mark( $sent ) ?? '';
		$merged = $this->edit_merger->merge( $this->post, LastChanges::DETAILS, $form, $sent, $this->registry_form->stored_values( $this->post ), RegistryForm::labels(), 'picture', $has_file );
		return $merged === null ? null : $this->store( $form, $mark, $merged );
	}

	/** @param bool $is_merged Whether the form has another owner's changes as well. */
	private function store( Form $form, string $sent, bool $is_merged ): ?string {
		RegistryForm::check( $form, $this->post, $this->sent );
		if ( ! $form->is_sound() ) {
			return null;
		}
		$refusal = $this->currency_rules->refuse_change( $this->post->ID, $form->text( 'currency' ) );
		if ( $refusal ) {
			$form->fault( 'currency', $refusal->get_error_message() );
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
			$form->set( 'no-picture', '' );
		}
		$question = $this->surprise( $form );
		$answer   = $form->text( 'end_surprise' );
		if ( $question && ! isset( $question['options'][ $answer ] ) ) {
			$form->fault( 'end_surprise', __( 'Your changes aren’t saved yet. Choose whether you still want to be surprised.', 'trousseau' ) );
			return null;
		}
		if ( $question && $answer === 'no' ) {
			$until = Meta::surprise_until( $this->post->ID );
			$form->set( 'surprise', $until === 'always' ? $until : 'day' );
			$form->set( 'until', $until === 'always' ? '' : $until );
			$form->set( 'keeps', Meta::surprise_keeps_names_only( $this->post->ID ) ? 'names' : 'all' );
		}
		if ( $form->text( 'relabel' ) === 'no' ) {
			$form->set( 'currency', Meta::currency( $this->post->ID ) );
		} elseif ( $this->relabel( $form ) && $form->text( 'relabel' ) !== $form->text( 'currency' ) ) {
			$form->fault( 'relabel', __( 'Your changes aren’t saved yet. Choose what to do with your prices.', 'trousseau' ) );
			return null;
		}
		$stored = wp_update_post( array( 'ID' => $this->post->ID ) + $this->registry_form->post( $form, $this->post ), true );
		if ( is_wp_error( $stored ) ) {
			$form->fault( '', self::not_just_now() );
			return null;
		}
		$form->is_checked( 'no-picture' ) && delete_post_thumbnail( $this->post );
		if ( $form->text( 'status' ) !== 'publish' && ! Access::looks_after_all() ) {
			$this->approval->withdraw( $this->post );
		}
		$this->list_link->set( $this->post, $form->text( 'status' ) === 'link' );
		foreach ( array_intersect_key( RegistryForm::added_values( $form ), array_flip( $this->sent ) ) as $name => $value ) {
			Plugin::get( Plugin::parts( ListField::class )[ $name ] )->store( $this->post->ID, $value );
		}
		$this->closing->set( $this->post->ID, $form->text( 'closes' ) );
		$this->last_changes->note( $this->post, LastChanges::DETAILS, $sent );
		$this->flash_message->keep( $is_merged ? __( 'Your changes are saved. Someone else changed the list in the meantime, and those changes are kept, too.', 'trousseau' ) : __( 'Your changes are saved.', 'trousseau' ) );
		return $this->address();
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return in_array( $form->action, array( 'export', 'copy' ), true ) && $error instanceof Unavailable ? array( '', __( 'The gifts can’t be shown right now. Please come back in a minute.', 'trousseau' ) ) : parent::refusal( $form, $error );
	}

	private function surprise( Form $form ): ?array {
		return Surprise::question( $this->post, RegistryForm::surprise_of( $form ), $form->text( 'keeps' ) === 'names' );
	}

	/** @return array{question: string, options: array<string, array{0: string}>}|null The question that a new currency needs, since the prices keep their numbers. */
	private function relabel( Form $form ): ?array {
		$before = Meta::currency( $this->post->ID );
		$after  = Meta::clean_currency( $form->text( 'currency' ) );
		if ( $before === '' || $after === $before || isset( $form->faults()['currency'] ) ) {
			return null;
		}
		$items  = $this->gift_lists->of( $this->post )->items;
		$prices = $items === null ? array( 24.9 ) : array_values( array_filter( array_column( $items, 'price' ), 'is_numeric' ) );
		if ( ! $prices ) {
			return null;
		}
		return array(
			/* translators: 1: price in the old currency, 2: the same number in the new one */
			'question' => sprintf( __( 'The numbers stay the same: %1$s becomes %2$s, for example. Change the currency?', 'trousseau' ), Language::isolate( Currency::amount( (float) $prices[0], $before ) ), Language::isolate( Currency::amount( (float) $prices[0], $after ) ) ),
			'options'  => array(
				/* translators: %s: currency */
				$after => array( sprintf( __( 'Yes, my prices are in %s', 'trousseau' ), $after ) ),
				/* translators: %s: currency */
				'no'   => array( sprintf( __( 'No, keep %s', 'trousseau' ), $before ) ),
			),
		);
	}

	/** Copies the list; the second press of one form makes no second copy. */
	private function copy( Form $form ): ?string {
		if ( ! $this->lock->take( "copy-{$this->post->ID}", MINUTE_IN_SECONDS ) ) {
			return PageAddress::of( 'mine' );
		}
		$made = $this->registry_import->copy( $this->post, $this->gift_lists->items( $this->post ) );
		if ( is_wp_error( $made ) ) {
			$this->lock->release( "copy-{$this->post->ID}" );
			$form->fault( '', $made->get_error_message() );
			return null;
		}
		$this->flash_message->keep( __( 'This is the copy. It has no guests and no date yet.', 'trousseau' ) );
		return PageAddress::of( 'gifts', $made );
	}

	/** Makes a list that waits for approval public, or keeps it private. Only for those who manage all lists. */
	private function decide( bool $approves ): string {
		if ( ! Access::looks_after_all() || ! Approval::waits( $this->post ) ) {
			return $this->address();
		}
		if ( $approves ) {
			wp_update_post( array( 'ID' => $this->post->ID, 'post_status' => 'publish' ) );
		} else {
			$this->approval->withdraw( $this->post );
		}
		$this->flash_message->keep( $approves ? __( 'The list is now public.', 'trousseau' ) : __( 'The list stays private.', 'trousseau' ) );
		return $this->address();
	}

	private function delete( Form $form ): ?string {
		// The service deletes for the site's own account, so a co-owner is stopped here.
		if ( ! current_user_can( 'delete_post', $this->post->ID ) ) {
			$form->fault( '', __( 'Only the first owner can delete this list.', 'trousseau' ) );
			return null;
		}
		if ( ! $form->is_checked( 'sure' ) ) {
			$form->fault( 'sure', __( 'Tick the box to delete your list.', 'trousseau' ) );
			return null;
		}
		$id    = $this->post->ID;
		$title = Registries::title( $this->post );
		$why   = self::not_just_now();
		/** Filters whether a list that an owner deletes by its page goes at once, and not to the trash first: afterwards the service names no givers. Passes true and the list's number. */
		$goes_at_once = (bool) apply_filters( 'trousseau_list_goes', true, $id );
		try {
			$goes_at_once && $this->item_service->delete_registry( $id );
		} catch ( ServiceError $error ) {
			// The service doesn't know drafts. If it can't be asked, it learns of the deletion later.
			list( , $why ) = $this->refusal( $form, $error );
		}
		// The service deletes the list here too.
		clean_post_cache( $id );
		$is_done = ! get_post( $id ) || ( $goes_at_once ? wp_delete_post( $id, true ) : wp_trash_post( $id ) || get_post_status( $id ) === 'trash' );
		if ( ! $is_done ) {
			$form->fault( '', $why );
			return null;
		}
		get_post_status( $id ) === 'trash' && update_post_meta( $id, Meta::IS_DELETED, '1' );
		/* translators: %s: name of a registry */
		$this->flash_message->keep( sprintf( __( '“%s” and its gifts have been deleted.', 'trousseau' ), Language::isolate( $title ) ) );
		return PageAddress::of( 'mine' );
	}
}
