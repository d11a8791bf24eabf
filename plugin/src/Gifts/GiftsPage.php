<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\EditMerger;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftDrafts;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\GiftOrder;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\ListTrouble;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\PictureUpload;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryImport;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Currency;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Lock;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;
use Trousseau\Service\Conflict;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;

/** A registry's gifts for its owner, who adds them from a link or by hand, changes, orders and removes them. */
final class GiftsPage extends OwnerPage {

	protected const TAB = 1;

	/** Seconds after which a request that was saving is considered dead: it wouldn't wait longer for the service. */
	private const TURN = 30;

	/** @var array<string, array{state: string, words: string}> The links that were looked up, with what became of them. */
	private array $links = array();

	/** The fields that a lookup could not fill. */
	private string $missing = '';

	public function __construct(
		private readonly EditMerger $edit_merger,
		private readonly FlashMessage $flash_message,
		private readonly GiftDrafts $gift_drafts,
		private readonly GiftForm $gift_form,
		private readonly GiftLinks $gift_links,
		private readonly GiftLists $gift_lists,
		private readonly GiftNotes $gift_notes,
		private readonly GiftOrder $gift_order,
		private readonly GiftTransfer $gift_transfer,
		private readonly GotElsewhere $got_elsewhere,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
		private readonly ListTrouble $list_trouble,
		private readonly Lock $lock,
		private readonly RegistryImport $registry_import,
		private readonly RemovedGifts $removed_gifts,
		private readonly Request $request,
		private readonly ShopLookup $shop_lookup,
	) {
	}

	public static function tab(): string {
		return __( 'Gifts', 'trousseau' );
	}

	public function title(): string {
		return match ( true ) {
			isset( $_GET['item'] )                  => __( 'Edit gift', 'trousseau' ),
			isset( $_GET['fund'] )                  => __( 'Start a cash fund', 'trousseau' ),
			$this->is_new( $this->request->form() ) => __( 'Add a gift', 'trousseau' ),
			default                                 => __( 'Gifts on your list', 'trousseau' ),
		};
	}

	/** Whether the page is the form of a new gift. */
	private function is_new( Form $form ): bool {
		$is_one = $form->action === 'look' && count( PastedGifts::in( $form->lines( 'address' ) )->gifts ) < 2;
		return $is_one || in_array( $form->action, array( 'add', 'offer' ), true ) || array_intersect_key( array_flip( array( 'by-hand', 'fund', 'several' ) ), $_GET );
	}

	public function form(): Form {
		$edited = $this->edited();
		$form   = $this->stored_form( $edited ?? $this->gift( $this->request->number( 'several' ) ) );
		if ( isset( $_GET['fund'] ) ) {
			$form->set( 'kind', 'money' );
		}
		// A pasted link or name from which no gift could be made.
		if ( isset( $_GET['link'] ) && ! $edited ) {
			$form->set( 'address', wp_unslash( $_GET['link'] ) );
			$gift    = $form->text( 'address' );
			$is_link = PastedGifts::is_link( $gift );
			$form->set( 'address', $is_link ? $gift : '' );
			$form->set( 'name', $is_link ? ShopLookup::name_in( ShopLookup::address_in( $gift ) ) : $gift );
		}
		// Adding a copy of a gift on the list.
		$form->set( 'several', ! $edited && $this->request->number( 'several' ) ? '1' : '' );
		return $form;
	}

	private function stored_form( ?Item $item ): Form {
		$id   = $item->id ?? 0;
		$form = $id < 0
			? GiftForm::of( $item, $item->answer['section'], $item->answer['currency'], $item->answer['most_wanted'] )
			: GiftForm::of( $item, GiftNotes::sections( $this->post )[ $id ] ?? '', Meta::currency( $this->post->ID ), in_array( $id, GiftNotes::most_wanted( $this->post ), true ) );
		if ( $item && $item->is_any_number() && ! Surprise::hides_numbers( $this->post ) && ! GotElsewhere::has( $this->post->ID, $id ) ) {
			// The number to go back to: one below what guests already give would surprise everyone.
			$form->set( 'quantity', (string) max( 1, $item->given ?? 0 ) );
		}
		$form->set( 'pay_to', Meta::pay_to( $this->post->ID ) );
		// Without a shop, its link is the list's own, which nobody typed.
		if ( $item && ShopLink::of( $item, $this->post->ID ) === '' ) {
			$form->set( 'address', '' );
		}
		return $form;
	}

	public function html( Form $form ): string {
		$edited  = $this->edited();
		$head    = $this->head();
		$fields  = array(
			'form'     => $form,
			'key'      => IdempotencyKey::field( self::key_purpose( $this->post->ID ), $form->text( 'key' ) ),
			'address'  => $this->address(),
			'currency' => Meta::currency( $this->post->ID ),
			'question' => GiftForm::question( $form, $this->post ),
			'missing'  => $this->missing,
			'upload'   => PictureUpload::may_upload(),
			'sections' => array_values( array_unique( GiftNotes::sections( $this->post ) ) ),
			'bookmark' => FromShop::page(),
			'picture'  => GiftPicture::address( $form->text( 'image' ), $this->post->ID ),
			'more'     => isset( $_GET['more'] ),
			'is_surprise' => Surprise::is_on( $this->post->ID ),
			'is_first' => ! Meta::item_ids( $this->post->ID ),
			'may_be_open' => ! $edited || ShopLink::is_fund( $edited, $this->post->ID ),
			'given'    => $edited && ! Surprise::hides_numbers( $this->post ) ? $edited->given ?? 0 : 0,
		);
		$waiting = GiftLinks::waiting( $this->post->ID );
		$links   = $this->links;
		if ( ! $links && isset( $_GET['links'] ) ) {
			$links = array_fill_keys( array_slice( $waiting, 0, GiftLinks::MOST ), array( 'state' => 'waiting', 'words' => '' ) );
		}
		if ( $links ) {
			return $head . Template::html( 'gift-links', compact( 'links' ) + $fields );
		}
		// A lookup's form has no such field yet.
		if ( in_array( $form->action, array( 'look', 'offer' ), true ) ) {
			$form->set( 'pay_to', Meta::pay_to( $this->post->ID ) );
		}
		$is_change = $edited || $form->action === 'change';
		if ( $is_change || $this->is_new( $form ) ) {
			$id     = $is_change ? $edited->id ?? $form->number( 'item' ) : 0;
			$opened = $is_change ? EditMerger::stamp( $form, GiftForm::values( $form, $this->post, $edited && $edited->is_money() ) ) : ( $form->text( OpenedForm::FIELD ) ?: OpenedForm::stamp( $this->of_list() ) );
			return $head . $this->warning( $form, $id ) . Template::html( 'gift-form', $fields + compact( 'id', 'opened' ) + array( 'has_it' => GotElsewhere::has( $this->post->ID, $id ) ) );
		}
		$items = $this->gift_lists->of( $this->post )->items;
		$under = GiftNotes::sections( $this->post );
		return $head . Template::html(
			'gifts',
			$fields + array(
				'post'      => $this->post,
				'trouble'   => $items === null ? '' : $this->list_trouble->html( $this->post ),
				'list'      => $items === null ? null : GiftParts::of( $items, $under, $this->request->number( 'part' ), $this->request->search() ),
				'lists'     => GiftTransfer::targets( $this->post ),
				'selected'  => array_map( 'intval', $form->list( 'gifts' ) ),
				'moved'     => $this->request->number( 'move' ),
				'to'        => fn( int $id ): string => $this->at( $id ),
				'waiting'   => count( $waiting ),
				'import'    => RegistryImport::state( $this->post ),
				'under'     => $under,
				'most_wanted' => array_intersect( GiftNotes::most_wanted( $this->post ), array_column( $items ?? array(), 'id' ) ),
				'drafts'    => GiftDrafts::of( $this->post ),
				'chosen'    => $form->list( 'drafts' ),
				'changes'   => LastChanges::words( $this->post ),
				'got'       => GiftNotes::got_elsewhere( $this->post->ID ),
				'bought'    => array_filter( array_column( $items ?? array(), 'id' ), fn( int $id ): bool => BoughtForAll::takes_no_more( $this->post, $id ) ),
				'surprised' => Surprise::hides_numbers( $this->post ),
				'removals'  => LastChanges::removals( $this->post ),
				'removed'   => RemovedGifts::to_put_back( $this->post, array_column( $items ?? array(), 'id' ) ),
				'guests'    => PageAddress::of( 'guests', $this->post->ID ),
			)
		);
	}

	/** Says that a gift can't be stored now before its form is filled in. A draft can: it is this site's. */
	private function warning( Form $form, int $id ): string {
		if ( $form->action !== '' || $id < 0 || ! PostType::is_live( $this->post ) || $this->gift_lists->of( $this->post )->is_current ) {
			return '';
		}
		return FlashMessage::note( $id ? __( 'Gifts can’t be changed right now. Please come back in a minute.', 'trousseau' ) : __( 'Gifts can’t be added right now. Save this one as a draft, or come back in a minute.', 'trousseau' ), 'is-problem' );
	}

	public function handle( Form $form ): ?string {
		$id = $form->number( 'item' );
		switch ( $form->action ) {
			case 'look':
				return $this->look( $form );
			case 'offer':
				$this->missing = ShopLookup::fill_in( $form, $this->post );
				return null;
			case 'add-links':
				$links       = array_merge( ...array_map( static fn( string $one ): array => PastedGifts::in( $one )->gifts, $form->list( 'links' ) ) );
				$links       = array_slice( array_unique( $links ), 0, GiftLinks::MOST );
				$this->links = $links ? $this->gift_links->add( $this->post, $links, IdempotencyKey::of_form( $form, self::key_purpose( $this->post->ID ) ) ) : array();
				return $links ? null : $this->address();
			case 'forget-links':
				$this->gift_links->forget( $this->post );
				return $this->address();
			case 'add':
				if ( $form->text( 'name' ) === '' && ShopLookup::address_in( $form->text( 'address' ) ) !== '' ) {
					$this->missing = $this->shop_lookup->look_up_rest( $form, $this->post );
					if ( $this->missing !== '' || $form->text( 'name' ) === '' ) {
						return $this->alone( fn() => $this->gift_form->keep_picture( $form, $this->post ) );
					}
				}
				return GiftForm::is_money( $form, null ) || $form->is_checked( 'most_wanted' ) || $form->is_checked( 'draft' ) || $this->request->has_file( GiftForm::UPLOAD ) ? $this->alone( fn(): ?string => $this->store( $form ) ) : $this->store( $form );
			case 'change':
				return $this->alone( fn(): ?string => $this->change( $form, $id ) );
			case 'move':
				$moves = self::moves( $form );
				// The gifts that the script named may all be gone by now, which is no error.
				if ( $this->gift_order->move( $this->post, $moves, $form->text( 'sent' ) ) ) {
					$this->last_changes->note( $this->post, array_intersect( array_keys( $moves ), array_column( $this->gift_lists->items( $this->post ), 'id' ) ) );
				} elseif ( $form->text( 'moves' ) === '' ) {
					throw new NotFound( 'The gift to move is not on the list.', 404 );
				}
				return $this->back( $form, '', (int) array_key_first( $moves ) );
			case 'transfer':
				return $this->alone( fn(): ?string => $this->transfer( $form ) );
			case 'publish':
				return $this->alone( fn(): ?string => $this->publish( $form ) );
			case 'remove':
				return $id < 0 ? $this->alone( fn(): ?string => $this->delete_draft( $id ) ) : $this->remove( $form, self::named( $form ) );
			case 'restore':
				return $this->restore( $form, self::named( $form ) ?: array( 0 ) );
			case 'got':
				$this->got_elsewhere->mark( $this->post, $id );
				return $this->back( $form, __( 'Your list now says that you have it. If a guest is already giving it, we’ll tell them in 15 minutes.', 'trousseau' ), $id );
			case 'not-got':
				$this->got_elsewhere->unmark( $this->post, $id );
				return $this->back( $form, __( 'Guests can give it again.', 'trousseau' ), $id );
			case 'import-read':
				$this->registry_import->forget_rest( $this->post );
				return $this->address();
		}
		return null;
	}

	/** Looks up one pasted link, or keeps several pasted gifts for their own page. */
	private function look( Form $form ): ?string {
		$pasted = PastedGifts::in( $form->lines( 'address' ) );
		if ( count( $pasted->gifts ) > 1 ) {
			$rest = $this->gift_links->keep( $this->post, $pasted->gifts );
			if ( ! $rest ) {
				$pasted->left_out && $this->flash_message->keep( self::left_out( $pasted ) );
				return add_query_arg( 'links', 1, $this->address() );
			}
			$form->set( 'address', implode( "\n", $rest ) );
			/* translators: %s: number of gifts */
			$form->fault( 'address', sprintf( __( 'Only %s gifts can wait at once. Those in this field aren’t among them: copy them, add some gifts first, then paste them again.', 'trousseau' ), number_format_i18n( GiftLinks::MOST_KEPT ) ) );
			return null;
		}
		$gift = $pasted->gifts[0] ?? '';
		if ( $gift !== '' && ! PastedGifts::is_link( $gift ) ) {
			$form->set( 'name', $gift );
			$form->set( 'address', '' );
			return null;
		}
		$this->missing = $this->shop_lookup->look_up( $form, $this->post );
		$gift !== '' && $pasted->left_out && $this->flash_message->say( self::left_out( $pasted ) );
		return null;
	}

	private static function left_out( PastedGifts $pasted ): string {
		$lines = array_map( static fn( string $line ): string => mb_strimwidth( $line, 0, 80, '…' ), array_slice( $pasted->left_out, 0, 5 ) );
		/* translators: %s: lines of a message */
		return sprintf( __( 'We only used the links in your message. Left out: %s', 'trousseau' ), implode( ' / ', array_map( Language::isolate( ... ), $lines ) ) . ( count( $pasted->left_out ) > 5 ? ' / …' : '' ) );
	}

	/** Owners who press at the same moment take turns, so the second one sees what the first one stored. */
	private function alone( callable $work ): ?string {
		$fresh = function () use ( $work ): ?string {
			wp_cache_delete( $this->post->ID, 'post_meta' );
			return $work();
		};
		return $this->lock->alone( "edit-{$this->post->ID}", self::TURN, $fresh );
	}

	private function change( Form $form, int $id ): ?string {
		$before = $id < 0 ? new Item( GiftDrafts::draft( $this->post, $id ) ) : $this->gift_lists->item_now( $this->post, $id );
		if ( $id < 0 && GiftDrafts::is_on_its_way( $before->answer ) ) {
			$form->fault( '', __( 'Publishing was interrupted. Publish it again.', 'trousseau' ) );
			return null;
		}
		$is_money = $before->is_money();
		$has_file = $this->request->has_file( GiftForm::UPLOAD );
		$stored   = $this->stored_form( $before );
		GiftForm::complete( $form, $stored );
		$sent    = GiftForm::values( $form, $this->post, $is_money, $has_file );
		$mark    = OpenedForm::of( $form )?->mark( $sent ) ?? '';
		$present = GiftForm::values( $stored, $this->post, $is_money );
		$merged  = $this->edit_merger->merge( $this->post, $id, $form, $sent, $present, GiftForm::labels(), 'image', $has_file );
		return $merged === null ? null : $this->store( $form, $before, $mark, $merged );
	}

	/** @return array<string, string> What the form of a new gift shows of the list itself. */
	private function of_list(): array {
		return array( 'pay_to' => Meta::pay_to( $this->post->ID ) );
	}

	/** @param bool $is_merged Whether the form has another owner's changes as well. */
	private function store( Form $form, ?Item $before = null, string $sent = '', bool $is_merged = false ): ?string {
		$id = $before->id ?? 0;
		if ( ! $id && $this->edit_merger->merge( $this->post, LastChanges::DETAILS, $form, array( 'pay_to' => ShareForm::sent_to( $form ) ), $this->of_list(), GiftForm::labels(), 'image', $this->request->has_file( GiftForm::UPLOAD ) ) === null ) {
			return null;
		}
		$key       = $id ? '' : IdempotencyKey::of_form( $form, self::key_purpose( $this->post->ID ) );
		$sent      = $id ? $sent : $key;
		$is_marked = $form->is_checked( 'most_wanted' );
		$is_draft  = $id < 0 || ( ! $id && $form->is_checked( 'draft' ) );
		// If the form was sent twice, its gift is on the list by now.
		$own    = $id ?: LastChanges::item_of( $this->post, $key );
		$others = $is_marked && ! $is_draft ? array_filter( $this->gift_lists->items( $this->post ), static fn( Item $item ): bool => $item->id !== $own ) : array();
		$why    = $is_marked && ! $is_draft ? GiftNotes::obstacle( $this->post, $others ) : '';
		if ( $why !== '' ) {
			$form->fault( 'most_wanted', $why );
		}
		$item = $this->gift_form->item( $form, $this->post, $before );
		if ( ! $item ) {
			return null;
		}
		if ( GiftForm::is_money( $form, $before ) && ShareForm::sent_to( $form ) !== Meta::pay_to( $this->post->ID ) ) {
			update_post_meta( $this->post->ID, Meta::PAY_TO, wp_slash( PlainText::to_html( ShareForm::sent_to( $form ) ) ) );
			// Where the gift itself is refused, the form comes again: what it has just stored is no other person's.
			$id || $form->set( OpenedForm::FIELD, OpenedForm::stamp( $this->of_list() ) );
		}
		if ( $is_draft ) {
			$draft   = array( 'section' => $form->text( 'section' ), 'most_wanted' => $is_marked ) + $item + array_intersect_key( $before->answer ?? array(), array( 'unit' => 0 ) );
			$is_kept = $id ? $this->gift_drafts->keep( $this->post, $id, $draft, $sent ) : $this->gift_drafts->add( $this->post, $key, $draft );
			if ( ! $is_kept ) {
				/* translators: %s: number of drafts */
				$form->fault( '', sprintf( __( 'A list can have up to %s drafts. Publish or delete some first.', 'trousseau' ), number_format_i18n( GiftDrafts::MOST ) ) );
				return null;
			}
			/* translators: %s: name of a gift */
			$this->flash_message->keep( sprintf( __( '“%s” is saved as a draft. Guests can’t see it.', 'trousseau' ), Language::isolate( $form->text( 'name' ) ) ) );
			return $this->address() . '#trousseau-drafts';
		}
		$service = $this->item_service;
		$hides   = Surprise::hides_numbers( $this->post );
		$stored  = Item::stored( $id ? $service->update_item( $id, $item, hides_claims: $hides ) : $service->create_registry_item( $this->post->ID, $item, $key ) );
		$this->gift_notes->put( $this->post, $stored->id, $form->text( 'section' ), $is_marked, array_column( $others, 'id' ), $sent );
		$said = match ( true ) {
			/* translators: %s: name of a gift */
			! $id      => __( '“%s” is on your list.', 'trousseau' ),
			/* translators: %s: name of a gift */
			$is_merged => __( '“%s” is saved. Someone else changed it in the meantime, and those changes are kept, too.', 'trousseau' ),
			/* translators: %s: name of a gift */
			default    => __( '“%s” is saved.', 'trousseau' ),
		};
		/* translators: %s: number of pieces */
		$over = ! $hides && $stored->given > $stored->needed() && ! GotElsewhere::has( $this->post->ID, $stored->id ) ? ' ' . sprintf( __( 'Guests are already giving %s, so nobody can choose another.', 'trousseau' ), number_format_i18n( $stored->given ) ) : '';
		$this->flash_message->keep( sprintf( $said, Language::isolate( $stored->name ) ) . $over );
		return $id ? $this->at( $id ) : $this->address();
	}

	private function publish( Form $form ): ?string {
		$ids = array_map( 'intval', $form->list( 'drafts' ) );
		if ( ! $ids ) {
			$form->fault( '', __( 'Choose the drafts to publish.', 'trousseau' ) );
			return null;
		}
		if ( ! PostType::is_live( $this->post ) ) {
			throw new NotFound( 'The registry is a draft.', 404 );
		}
		$drafts = GiftDrafts::of( $this->post );
		$done   = $this->gift_drafts->publish( $this->post, $ids );
		/* translators: %s: names of gifts */
		$said = $done['items'] ? sprintf( __( 'Now on your list: %s.', 'trousseau' ), Language::list( array_column( $done['items'], 'name' ) ) ) : '';
		if ( $done['refused'] ) {
			$said !== '' && $this->flash_message->say( $said );
			foreach ( $done['refused'] as $id => $why ) {
				/* translators: 1: name of a gift, 2: sentence that says why */
				$form->fault( "draft$id", sprintf( __( '“%1$s” is still a draft. %2$s', 'trousseau' ), Language::isolate( $drafts[ $id ]['name'] ), $why ) );
			}
			return null;
		}
		return $this->back( $form, $said );
	}

	private function transfer( Form $form ): ?string {
		$lists = GiftTransfer::targets( $this->post );
		$to    = $lists[ $form->number( 'to' ) ] ?? null;
		$ids   = self::named( $form );
		if ( ! $to ) {
			$form->fault( 'to', $form->number( 'to' ) ? __( 'You can’t add gifts to that list any more. Choose another one.', 'trousseau' ) : __( 'Choose one of your other lists.', 'trousseau' ) );
		}
		if ( ! self::are_some( $form, $ids ) || ! $to ) {
			return null;
		}
		$is_copy = $form->text( 'how' ) === 'copy';
		$result  = $this->gift_transfer->transfer( $this->post, $to, $ids, $is_copy ? IdempotencyKey::of_form( $form, self::key_purpose( $this->post->ID ) ) : '' );
		$title   = Language::isolate( Registries::title( $to ) );
		$said    = '';
		if ( $result['done'] ) {
			/* translators: 1: names of gifts, 2: name of a list */
			$said = sprintf( $is_copy ? __( 'Copied to “%2$s”: %1$s.', 'trousseau' ) : __( 'Moved to “%2$s”: %1$s.', 'trousseau' ), Language::list( $result['done'] ), $title );
			/* translators: 1: currency, such as “British pounds”, 2: names of gifts */
			$said .= $result['unpriced'] ? ' ' . sprintf( __( 'That list uses %1$s, so please add a price for: %2$s.', 'trousseau' ), Currency::plural( Meta::currency( $to->ID ) ), Language::list( $result['unpriced'] ) ) : '';
		}
		$is_money = static fn( Item $item ): bool => $item->is_money();
		$groups   = array_filter( $this->gift_lists->of( $to )->items ?? array(), $is_money );
		if ( $said !== '' && $groups && Meta::pay_to( $to->ID ) === '' ) {
			$said .= ' ' . __( 'Say how people should pay you.', 'trousseau' );
		}
		$link = array( PageAddress::of( 'gifts', $to->ID ), __( 'Go to that list', 'trousseau' ) );
		if ( $result['refused'] ) {
			$said !== '' && $this->flash_message->say( $said, $link );
			foreach ( $result['refused'] as $id => list( $name, $why ) ) {
				/* translators: 1: name of a gift, 2: sentence that says why */
				$form->fault( "item-$id", $name === '' ? $why : sprintf( $is_copy ? __( '“%1$s” wasn’t copied. %2$s', 'trousseau' ) : __( '“%1$s” is still here. %2$s', 'trousseau' ), Language::isolate( $name ), $why ) );
			}
			return null;
		}
		$this->flash_message->keep( $said, link: $link );
		return $this->back( $form, '' );
	}

	private function delete_draft( int $id ): string {
		$draft = GiftDrafts::of( $this->post )[ $id ] ?? null;
		if ( $draft ) {
			$this->gift_drafts->delete( $this->post, $id );
			/* translators: %s: name of a gift */
			$this->flash_message->keep( sprintf( __( 'The draft “%s” has been removed.', 'trousseau' ), Language::isolate( $draft['name'] ) ) );
		}
		return $this->address();
	}

	/** @return int[] The gifts that are selected in a form, or the one that its button names. */
	private static function named( Form $form ): array {
		return array_unique( array_map( 'intval', $form->list( 'gifts' ) ) ) ?: array_filter( array( $form->number( 'item' ) ) );
	}

	private static function are_some( Form $form, array $ids ): bool {
		$ids || $form->fault( 'selected', __( 'Choose the gifts first.', 'trousseau' ) );
		return (bool) $ids;
	}

	private function remove( Form $form, array $ids ): ?string {
		if ( ! self::are_some( $form, $ids ) ) {
			return null;
		}
		$items = array_column( $this->gift_lists->items( $this->post ), null, 'id' );
		$done  = array();
		try {
			$this->gift_lists->renew_after(
				function () use ( $ids, $items, &$done ): void {
					foreach ( $ids as $id ) {
						$this->removed_gifts->remove( $this->post, $id );
						$done += array_intersect_key( $items, array( $id => true ) );
					}
				}
			);
		} finally {
			// If the service fails on the way, the page is shown again.
			$said = $done ? RemovedGifts::words( $this->post, $done ) : '';
			$done && $this->flash_message->say( $said );
		}
		if ( $done ) {
			$names = array_map( static fn( int $id ): string => "gifts[$id]", array_keys( $done ) );
			$this->flash_message->keep( $said, button: array( $this->address(), 'restore', __( 'Undo', 'trousseau' ), array_combine( $names, array_keys( $done ) ), '', 'is-quiet' ) );
		}
		return $this->back( $form, '' );
	}

	private function restore( Form $form, array $ids ): string {
		$back = array();
		// The last one first: each goes where it was when it was removed.
		foreach ( array_reverse( $ids ) as $id ) {
			try {
				$is_undone = RemovedGifts::is_by_reader( $this->post, $id );
				$this->removed_gifts->restore( $this->post, $id );
				$is_undone || $this->last_changes->note( $this->post, $id );
				$back[ $id ] = $this->gift_lists->known( $this->post, $id )?->name;
			} catch ( NotFound $gone ) {
				// Another owner has moved it, for instance.
				continue;
			}
		}
		$back || throw $gone;
		$said = count( $ids ) > 1 ? __( 'The gifts are back on your list.', 'trousseau' ) : __( 'The gift is back on your list.', 'trousseau' );
		/* translators: %s: names of gifts */
		$said = count( $back ) < count( $ids ) ? sprintf( __( 'Back on your list: %s. The rest can’t be put back any more.', 'trousseau' ), Language::list( array_filter( $back ) ) ) : $said;
		return $this->back( $form, $said, (int) array_key_last( $back ) );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		if ( $error instanceof Conflict && $form->action === 'change' && $form->text( 'kind' ) === 'money' ) {
			return array( 'price', $this->too_low( $form ) );
		}
		return $error instanceof NotFound && ! in_array( $form->action, array( 'add', 'publish' ), true ) ? array( '', __( 'This gift is no longer on your list.', 'trousseau' ) ) : parent::refusal( $form, $error );
	}

	/** What an owner reads whose goal is lower than what is promised, if they may know that amount. */
	private function too_low( Form $form ): string {
		$this->gift_lists->renew( $this->post->ID );
		$item     = $this->gift( $form->number( 'item' ) ) ?? new Item( array() );
		$currency = GiftAmount::currency( $item, $this->post->ID );
		$price    = Price::read( $form->text( 'price' ), $currency, determine_locale() );
		$promised = $item->given ?? 0;
		return $price && Currency::to_units( $price->amounts[0], $currency ) < $promised
			/* translators: %s: amount of money */
			? sprintf( __( '%s is already promised, so the goal can’t be lower.', 'trousseau' ), GiftAmount::of( $promised, $currency ) )
			: __( 'The gift has changed in the meantime. Please check it again.', 'trousseau' );
	}

	public static function key_purpose( int $post_id ): string {
		return "gift-$post_id";
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
		$place = (string) ( $form->number( 'place' ) - 1 );
		return array( $form->number( 'item' ) => $where === 'place' ? $place : $where );
	}

	/** The gift or draft that the address asks to change. */
	private function edited(): ?Item {
		$id = $this->request->number( 'item' );
		if ( $id < 0 ) {
			$draft = GiftDrafts::of( $this->post )[ $id ] ?? null;
			return $draft ? new Item( $draft ) : null;
		}
		return $this->gift( $id );
	}

	/** A gift on the list; one that the kept list lacks may have been added elsewhere a moment ago. */
	private function gift( int $id ): ?Item {
		for ( $tries = 0; $id && $tries < 2; ++$tries ) {
			try {
				return $this->gift_lists->item( $this->post, $id );
			} catch ( NotFound ) {
				$tries || $this->gift_lists->renew( $this->post->ID );
			}
		}
		return null;
	}
}
