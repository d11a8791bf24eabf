<?php

declare(strict_types=1);

namespace Trousseau\Thanks;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\ReceivedGifts;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Giving\ClaimKind;
use Trousseau\Giving\Claims;
use Trousseau\Giving\SecretGifts;
use Trousseau\Lists\DetailsPage;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Download;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Language;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Mail;
use Trousseau\Platform\MailRequest;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;

/** The owners' page that shows who gives what, as far as the surprise allows, and who was thanked. */
final class GivenGiftsPage extends OwnerPage {

	protected const TAB = 4;

	private const LONGEST_THANKS = 2000;

	/** The most thank-you emails a day for one gift, counting those after “Undo”. */
	private const THANKS_A_DAY = 3;

	/** The most thank-you emails a day by one account: anyone who can make a list could use them to send spam. */
	private const THANKS_BY_ONE = 250;

	/** @var Claim[]|null */
	private ?array $given = null;

	public function __construct(
		private readonly Claims $claims,
		private readonly Download $download,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly KeptValues $kept_values,
		private readonly Lock $lock,
		private readonly Mail $mail,
		private readonly RateLimiter $rate_limiter,
		private readonly ReceivedGifts $received_gifts,
		private readonly SecretGifts $secret_gifts,
	) {
	}

	public static function tab(): string {
		return __( 'Thank-yous', 'trousseau' );
	}

	public function html( Form $form ): string {
		$head = $this->head();
		// For everyone: an owner could look over an administrator's shoulder.
		if ( Surprise::is_on( $this->post->ID ) ) {
			$until = Meta::surprise_until( $this->post->ID );
			return $head . Template::html(
				'surprise',
				array(
					'names'   => Meta::surprise_keeps_names_only( $this->post->ID ),
					'until'   => $until === 'always' ? '' : Language::calendar_day( $until ),
					'details' => DetailsPage::part_address( $this->post, 'privacy' ),
				)
			);
		}
		$rows   = $this->rows();
		$next   = self::next( $rows );
		$item   = (int) $this->flash_message->item();
		$answer = $item ? $this->flash_message->html( $item ) : '';
		return $head . ( $next ? '' : $answer ) . Template::html(
			'given',
			array(
				'form'    => $form,
				'rows'    => $rows,
				'address' => $this->address(),
				'open'    => $form->action === 'write' ? $form->text( 'claim' ) : (string) ( $next['id'] ?? '' ),
				'answer'  => $answer,
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( Surprise::is_on( $this->post->ID ) ) {
			return $this->address();
		}
		$rows = $this->rows();
		if ( $form->action === 'save' ) {
			$head  = array( __( 'Gift', 'trousseau' ), __( 'Quantity', 'trousseau' ), _x( 'From', 'giver of a gift', 'trousseau' ), __( 'Address', 'trousseau' ), __( 'Message', 'trousseau' ), __( 'State', 'trousseau' ), __( 'Arrived', 'trousseau' ), __( 'Thanked', 'trousseau' ) );
			$words = static fn( bool $is_so ): string => $is_so ? __( 'yes', 'trousseau' ) : __( 'no', 'trousseau' );
			$cells = static fn( array $row ): array => array( $row['gift'], $row['amount'], $row['giver'], $row['email'], $row['message'], $row['state'], $words( $row['is_here'] ), $words( $row['thanked'] ) );
			$this->download->send( 'given.csv', Download::CSV, $this->download->table( $head, array_map( $cells, $rows ) ) );
		}
		$id  = $form->text( 'claim' );
		$row = array_column( $rows, null, 'id' )[ $id ] ?? null;
		if ( ! $row ) {
			return $this->address();
		}
		if ( $form->action === 'here' || $form->action === 'not-here' ) {
			$form->action === 'here' && ! $row['is_extra'] && $this->extend( $id );
			$this->received_gifts->tick( $this->post, $id, $form->action === 'here' );
			return $this->address() . "#trousseau-claim-$id-here";
		}
		if ( $form->action === 'not-thanked' ) {
			$this->mark( $row, false );
			return $this->address() . "#trousseau-claim-$id";
		}
		$next = self::next( array_filter( $rows, static fn( array $other ): bool => $other['id'] !== $id ) );
		if ( $form->action === 'thanked' ) {
			$this->mark( $row, true );
			/* translators: %s: name of a giver */
			$next && $this->flash_message->keep( sprintf( __( 'You’ve thanked %s.', 'trousseau' ), $row['who'] ), item: $next['item'], button: array( $this->address(), 'not-thanked', __( 'Undo', 'trousseau' ), array( 'claim' => $id ), $row['giver'], 'is-quiet' ) );
		} elseif ( ! $this->write( $form, $row, $next['item'] ?? 0 ) ) {
			return null;
		}
		// The next press is in view, below the answer to this one.
		return $this->address() . match ( true ) {
			$next !== null              => "#trousseau-claim-{$next['id']}",
			$form->action === 'thanked' => "#trousseau-claim-$id-thanked",
			// Without it, browsers would go to the place in the form's own address.
			default                     => '#',
		};
	}

	private function mark( array $row, bool $is_thanked ): void {
		if ( $row['is_extra'] ) {
			$this->secret_gifts->thank( $this->post, $row['id'], $is_thanked );
		} else {
			$this->item_service->update_claim( $row['id'], array( 'thanked' => $is_thanked ) );
		}
	}

	/** The gift whose thank-you comes next: one whose giver has an email, if there is one. Nobody is thanked early by an accidental press. */
	private static function next( array $rows ): ?array {
		$waiting = array_filter( $rows, static fn( array $row ): bool => ! $row['thanked'] && ! $row['is_awaited'] );
		return current( array_filter( $waiting, static fn( array $row ): bool => $row['email'] !== '' ) ?: $waiting ) ?: null;
	}

	/** Emails the owner's thank-you, once, and marks the gift as thanked. Returns false if the form is shown again with its faults; otherwise the next page shows the result next to the gift `$next`, or at the top where that’s 0. */
	private function write( Form $form, array $row, int $next ): bool {
		$field = 'thanks-' . $row['id'];
		$begun = 'thanks_begun_' . $row['id'];
		$text  = $form->needs( $field, self::LONGEST_THANKS, __( 'Write a few words first.', 'trousseau' ) );
		if ( $row['thanked'] && ! $this->kept_values->get( $begun ) ) {
			// A page that was open in another tab.
			/* translators: %s: name of a giver */
			$this->flash_message->keep( sprintf( __( 'You’ve already thanked %s, so nothing was sent.', 'trousseau' ), $row['who'] ), item: $next );
			return true;
		}
		if ( ! $form->is_sound() ) {
			return false;
		}
		if ( $this->mail->is_refused( $row['email'] ) ) {
			$form->fault( $field, __( 'This guest has unsubscribed from this site’s emails. Please say thank you another way.', 'trousseau' ) );
			return false;
		}
		// The second press of one form comes while the first one is at work.
		if ( ! $this->lock->take( $field, MINUTE_IN_SECONDS ) ) {
			return true;
		}
		try {
			// The first press may have ended since the rows were read.
			$this->given = null;
			wp_cache_delete( $this->post->ID, 'post_meta' );
			$is_begun = $this->kept_values->get( $begun, true ) !== null;
			if ( ! $is_begun && ( array_column( $this->rows(), 'thanked', 'id' )[ $row['id'] ] ?? true ) ) {
				return true;
			}
			// A press whose answer was lost has been counted.
			if ( ! $is_begun && ! $this->may_thank( $row ) ) {
				MailRequest::refuse( $form, $field );
				return false;
			}
			// The service's answer may be lost: the next press then sends the email all the same.
			$this->kept_values->set( $begun, 1, DAY_IN_SECONDS );
			$this->mark( $row, true );
			$values = array(
				'owner'    => Registries::owner_name( $this->post ),
				'registry' => Registries::title( $this->post ),
				'note'     => $text,
				// The reader's answer quotes this email to the owner: the link gives nobody a right.
				'link'     => PageAddress::of( 'my-gifts' ),
				'reply_to' => wp_get_current_user()->user_email,
				'cover'    => (string) get_the_post_thumbnail_url( $this->post, 'medium_large' ),
			);
			if ( ! $this->mail->queue( array( array( 'to' => $row['email'], 'template' => 'thank-you', 'values' => $values ) ) ) ) {
				// Nobody has been thanked yet.
				$this->mark( $row, false );
				$form->fault( $field, self::not_just_now() );
				return false;
			}
			$this->kept_values->delete( $begun );
		} finally {
			$this->lock->release( $field );
		}
		/* translators: %s: name of a giver */
		$this->flash_message->keep( sprintf( __( 'Your thank-you is on its way to %s.', 'trousseau' ), $row['who'] ), item: $next );
		return true;
	}

	/** Whether one more thank-you may go today: for this gift, by this account, and to this address. */
	private function may_thank( array $row ): bool {
		$by = (string) get_current_user_id();
		return $this->rate_limiter->allows( 'thanks', $row['id'], self::THANKS_A_DAY, DAY_IN_SECONDS )
			&& $this->rate_limiter->allows( 'thanks-by', $by, self::THANKS_BY_ONE, DAY_IN_SECONDS )
			&& $this->mail->may_go( array( $row['email'] ), 'thank-you' );
	}

	/** A thank-you that the owner may change before it is sent. */
	private function thanks( string $giver, string $gift, bool $is_money = false ): string {
		/* translators: %s: name of a giver */
		$hello = $giver === '' ? __( 'Hello,', 'trousseau' ) : sprintf( __( 'Dear %s,', 'trousseau' ), $giver );
		$words = match ( true ) {
			$gift === '' => __( 'Thank you so much for your gift!', 'trousseau' ),
			/* translators: %s: name of a group gift or a cash fund */
			$is_money    => sprintf( __( 'Thank you so much for contributing to %s!', 'trousseau' ), $gift ),
			/* translators: %s: name of a gift */
			default      => sprintf( __( 'Thank you so much for your gift: %s.', 'trousseau' ), $gift ),
		};
		return implode( "\n\n", array_filter( array( $hello, $words, Registries::owner_name( $this->post ) ) ) );
	}

	/** @return array<int, array<string, mixed>> Those that wait for thanks come first, then those that are still to come. */
	private function rows(): array {
		$list   = $this->gift_lists->of( $this->post );
		$items  = array_column( $list->items ?? array(), null, 'id' );
		$here   = ReceivedGifts::of( $this->post );
		$rows   = array();
		$given  = array_filter( $this->claims(), static fn( Claim $claim ): bool => $claim->is_given() );
		$buyers = array_column( array_filter( $given, static fn( Claim $claim ): bool => $claim->buys ), 'id', 'item_id' );
		$stages = array_merge( ...array_map( fn( ClaimKind $kind ): array => $kind->stages( $this->post, $this->claims() ), ClaimKind::all() ) );
		foreach ( $given as $claim ) {
			$currency    = GiftAmount::currency_of_claim( $claim );
			$is_gone     = $list->items !== null && $list->is_current && ! isset( $items[ $claim->item_id ] );
			$item        = $items[ $claim->item_id ] ?? RemovedGifts::item( $this->post, $claim->item_id );
			$state       = $stages[ $claim->id ] ?? GiftAmount::stage( $claim );
			$is_promised = $claim->state !== 'purchased' && ! isset( $here[ $claim->id ] );
			// With a buyer, that guest has the money.
			$is_owed = $is_gone && $claim->is_share() && ! $is_promised && ! isset( $buyers[ $claim->item_id ] );
			$rows[]  = array(
				'id'          => $claim->id,
				'item'        => $claim->item_id,
				'gift'        => $item->name ?: __( 'A gift', 'trousseau' ),
				'named'       => GiftAmount::named( $claim->quantity, $item->name, $currency ),
				'picture'     => GiftPicture::address( $item->image_url, $this->post->ID ),
				'thanks'      => $this->thanks( $claim->name, $item->name, $claim->is_share() && ! $claim->buys ),
				'amount'      => $currency === '' ? $claim->quantity : Currency::of_units( $claim->quantity, $currency ),
				'giver'       => $claim->name !== '' ? $claim->name : __( 'Someone', 'trousseau' ),
				'who'         => $claim->name !== '' ? Language::isolate( $claim->name ) : __( 'someone', 'trousseau' ),
				'email'       => $claim->email,
				'message'     => $claim->message,
				'is_here'     => isset( $here[ $claim->id ] ),
				// What another guest buys with the money arrives, not the money.
				'arrives'     => ( $buyers[ $claim->item_id ] ?? $claim->id ) === $claim->id,
				'state'       => Language::facts( array( $state, $is_gone ? __( 'No longer on your list', 'trousseau' ) : '', $is_owed ? __( 'Please return the money if you’ve received it', 'trousseau' ) : '' ) ),
				'is_promised' => $is_promised,
				'is_awaited'  => $is_promised && ! $claim->is_thanked,
				'thanked'     => $claim->is_thanked,
				'is_extra'    => false,
			);
		}
		foreach ( SecretGifts::of( $this->post ) as $id => $extra ) {
			$rows[] = array(
				// PHP turns a key of digits into a number.
				'id'          => (string) $id,
				'item'        => 0,
				'gift'        => $extra['text'],
				'named'       => Language::isolate( $extra['text'] ),
				'picture'     => '',
				'thanks'      => $this->thanks( $extra['name'], $extra['text'] ),
				'amount'      => '',
				'giver'       => $extra['name'],
				'who'         => Language::isolate( $extra['name'] ),
				'email'       => (string) is_email( trim( $extra['by'] ) ),
				'message'     => '',
				'is_here'     => isset( $here[ $id ] ),
				'arrives'     => true,
				'state'       => __( 'Not on your list', 'trousseau' ),
				'is_promised' => false,
				'is_awaited'  => false,
				'thanked'     => isset( $extra['thanked'] ),
				'is_extra'    => true,
			);
		}
		usort( $rows, static fn( array $one, array $other ): int => array( $one['thanked'], $one['is_awaited'] ) <=> array( $other['thanked'], $other['is_awaited'] ) );
		return $rows;
	}

	/** A reservation doesn't end soon once the gift or the money has arrived, even if its giver hasn't said that they bought or sent it. */
	private function extend( string $id ): void {
		$claim = array_column( $this->claims(), null, 'id' )[ $id ];
		if ( $claim->state === 'reserved' ) {
			$this->claims->change( $claim, array( 'expires_in' => ReservationTime::MOST ) );
		}
	}

	/** @return Claim[] All claims of the list, asked for once. */
	private function claims(): array {
		return $this->given ??= $this->item_service->claims_at( $this->post );
	}
}
