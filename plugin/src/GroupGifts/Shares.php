<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\ShareForm;
use Trousseau\Giving\ClaimKind;
use Trousseau\Giving\Claims;
use Trousseau\Giving\Givers;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Currency;
use Trousseau\Platform\Form;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Language;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Shares of group gifts: what their givers see and do, by the stages of `GroupGift`. */
final class Shares extends ClaimKind {

	/** Seconds for which one press about a gift may keep the others. */
	private const PRESS = 60;

	public function __construct(
		private readonly BoughtForAll $bought_for_all,
		private readonly Claims $claims,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly Lock $lock,
	) {
	}

	public static function takes( Claim $claim ): bool {
		return $claim->is_share();
	}

	/** One that was sent once, or whose giver buys the gift, was cancelled with more words. */
	public function may_undo( Claim $claim ): bool {
		return $claim->state !== 'purchased' && ! $claim->buys;
	}

	private function group( WP_Post $post, Claim $claim, ?Item $item ): GroupGift {
		return GroupGift::of( $post, $claim->item_id, $item, $this->item_service->claims_at( $post ) );
	}

	public function html( array $view, Claim $claim, ?WP_Post $post, ?Item $item, Form $form ): string {
		$group     = $post ? $this->group( $post, $claim, $item ) : null;
		$stage     = $group ? $group->stage( $claim ) : GroupGift::ENDED;
		$currency  = $view['currency'];
		$is_let_in = $post && Givers::is_let_in( $post, $claim );
		$is_mine   = (bool) $group?->is_buyer( $claim );
		$is_bought = (bool) $group?->is_bought();
		$is_lost   = $view['is_lost'] && ! $is_bought;
		$others    = $is_mine ? $group->others( $claim ) : array();
		$longer    = $claim->state === 'reserved' && $item && ! $is_bought ? ReservationTime::longer( $post, $claim->ends_at() ) : 0;
		$stored    = array(
			'amount'  => Currency::typed( Currency::from_units( $claim->quantity, $currency ), $currency ),
			'message' => $claim->message,
			'pay_to'  => $is_mine ? $claim->pay_to : '',
		);
		return Template::html(
			'share',
			array(
				'stage'      => $stage,
				'shop'       => $is_mine && $item && ! $is_bought ? $view['shop'] : '',
				'is_bought'  => $is_bought,
				'is_lost'    => $is_lost,
				'is_mine'    => $is_mine,
				'my_other'   => $stage === GroupGift::SPENT && ! $is_mine ? Claims::link( $group->buyer->id ) : '',
				'may_buy'    => $stage === GroupGift::TO_SEND && ! $group->buyer && $item && ! $group->is_fund && ! $group->is_settled() && Givers::is_invited( $post, $claim ),
				'by'         => $is_mine ? null : $group?->buyer_name(),
				'item'       => $item,
				'group'      => $group,
				// Givers know the one who buys, and the one who buys knows all.
				'faces'      => array_values( array_unique( array_filter( array( $claim->name, ...( $is_mine ? array_map( array( GroupGift::class, 'name' ), $others ) : array( (string) $group?->buyer_name() ) ) ) ) ) ),
				'amount'     => GroupGift::sum( array( $claim ) ),
				'received'   => $is_mine ? GroupGift::sum( $group->at( GroupGift::SENT ) ) : '',
				'awaited'    => $is_mine ? GroupGift::sum( $group->at( GroupGift::TO_SEND ) ) : '',
				'others'     => $others,
				'send'       => $is_let_in && ! $is_lost && in_array( $stage, array( GroupGift::TO_SEND, GroupGift::SENT ), true ) ? $this->how_to_send( $claim, $group, $view['gift'] ) : null,
				'delivery'   => $is_let_in ? Claims::destination( $claim ) : '',
				'form'       => $form->action === 'change' ? $form : new Form( $stored ),
				'buy_form'   => $form->action === 'buy' ? $form : new Form( $stored ),
				'most'       => $item ? $item->most( $claim->quantity ) : $claim->quantity,
				'longer'     => $longer,
				/* translators: %s: date */
				'keep'       => sprintf( __( 'Give me until %s', 'trousseau' ), Language::day( $longer ) ),
			) + $view
		);
	}

	/** A share that isn't the buyer's, in words. */
	public static function words_of( string $stage ): string {
		return $stage === GroupGift::SENT ? _x( 'Sent', 'share of a gift', 'trousseau' ) : _x( 'Not sent yet', 'share of a gift', 'trousseau' );
	}

	/** @return array<string, mixed> The ways to send a confirmed share, for their template. */
	private function how_to_send( Claim $claim, GroupGift $group, string $name ): array {
		$currency = GiftAmount::currency_of_claim( $claim );
		$units    = $claim->quantity;
		$pay_to   = PayTo::read( $group->buyer ? $claim->pay_to : Meta::pay_to( $group->post->ID ) );
		return array(
			'pay_to'      => $pay_to,
			'amount'      => Currency::typed( Currency::from_units( $units, $currency ), $currency ),
			'purpose'     => $name,
			'code'        => $pay_to->code( $units, $currency, $name, Registries::owner_name( $group->post ) ),
			'links'       => array_map( static fn( string $link ): string => PayTo::with_amount( $link, $units, $currency ), $pay_to->links ),
			'is_sent'     => $group->stage( $claim ) === GroupGift::SENT,
			'is_surprise' => ! $group->buyer && Surprise::is_on( $group->post->ID ) && ( $pay_to->iban !== '' || $pay_to->links ),
		);
	}

	/** Presses about one gift come one after another: each changes what the others may. */
	public function press( Form $form, Claim $claim, ?WP_Post $post, ?Item $item ): ?Claim {
		$post || $form->fault( '', self::has_changed() );
		// The site's copy may count shares that have ended by themselves, and a bought gift stays bought.
		$is_asked = $form->action === 'change' || ( $form->action === 'bought' && $claim->buys );
		$now      = fn(): ?Item => $is_asked ? $this->item_service->find_item( $claim->item_id ) : $item;
		return $post ? $this->lock->alone( "shares-{$claim->item_id}", self::PRESS, fn(): ?Claim => $this->press_alone( $form, $claim, $post, $now() ) ) : null;
	}

	private function press_alone( Form $form, Claim $claim, WP_Post $post, ?Item $item ): ?Claim {
		$claims = $this->item_service->claims_at( $post );
		$group  = GroupGift::of( $post, $claim->item_id, $item, $claims );
		// A list’s claims don’t say where to send them.
		$claim   = ( array_column( $claims, null, 'id' )[ $claim->id ] ?? $claim )->with( array( 'pay_to' => $claim->pay_to ) );
		$why     = $this->obstacle( $form, $claim, $group );
		$changes = $why !== '' ? array() : $this->changes( $form, $claim, $group );
		$why === '' || $form->fault( '', $why );
		if ( ! $form->is_sound() ) {
			// The page below asks about the money that is missing now.
			$form->action === 'bought' && $this->gift_lists->renew( $post->ID );
			return null;
		}
		try {
			$done = $changes ? $this->claims->change( $claim, $changes ) : $claim;
		} catch ( Unavailable $error ) {
			// Its answer may be lost, and the service doesn't tell this site of what it asked for itself.
			$this->job_queue->add( BuyerWatch::JOB, null, 0, (string) $post->ID );
			throw $error;
		}
		if ( $form->action === 'bought' && $group->is_buyer( $claim ) ) {
			$this->spend( $post, $group, $done );
		}
		return $done;
	}

	/** Why a press isn't allowed at the share's stage. Empty if it is. */
	private function obstacle( Form $form, Claim $claim, GroupGift $group ): string {
		$stage   = $group->stage( $claim );
		$is_over = in_array( $form->action, array( 'confirm', 'release', 'change', 'not-buy', 'got-back' ), true );
		if ( $group->is_bought() && ( $claim->state === 'pending' ? $form->action !== 'release' : $is_over ) ) {
			return self::has_changed();
		}
		switch ( $form->action ) {
			case 'release':
			case 'not-buy':
				return match ( true ) {
					$stage === GroupGift::SENT                            => self::no_way_back(),
					$group->is_buyer( $claim ) && $group->is_settled()    => self::give_back_first( GroupGift::sum( $group->at( GroupGift::SENT ) ), ! $group->item ),
					default                                               => '',
				};
			case 'bought':
				return match ( true ) {
					// A form may have been opened before the receiver changed.
					$form->text( 'to' ) !== ( $group->is_buyer( $claim ) ? '' : $group->receiver() ) => self::has_changed(),
					// Nor has its giver been asked about money that went missing since.
					$group->is_buyer( $claim ) && ! $group->is_bought() && $group->missing() > $form->number( 'missing' ) => self::buy_anyway( GiftAmount::of( $group->missing(), GiftAmount::currency_of_claim( $claim ) ) ),
					default => '',
				};
			case 'buy':
				return match ( true ) {
					! $group->item && ! $group->buyer => self::has_changed(),
					$group->is_fund => __( 'The money goes to the owners of the list.', 'trousseau' ),
					! Givers::is_invited( $group->post, $claim ) => __( 'Only guests the owners have invited can buy it for everyone.', 'trousseau' ),
					! $group->buyer && $group->is_settled() => __( 'Someone has already sent their share to the owners, so all shares go to them.', 'trousseau' ),
					default => '',
				};
			case 'got-back':
				return $stage === GroupGift::SENT ? '' : self::has_changed();
		}
		return '';
	}

	/** The change that a button asks the service for. */
	private function changes( Form $form, Claim $claim, GroupGift $group ): array {
		switch ( $form->action ) {
			case 'bought':
				return array( 'state' => 'purchased' );
			case 'buy':
				return array(
					'buys'   => true,
					'pay_to' => ShareForm::pay_to( $form, $claim->buys ? $claim->pay_to : '', __( 'Say how the others should pay you, such as “in an envelope”.', 'trousseau' ) ),
				);
			case 'not-buy':
				return array( 'buys' => false );
			case 'got-back':
				return array( 'state' => 'released' );
			case 'change':
				$is_sent = $group->stage( $claim ) === GroupGift::SENT;
				$most    = $group->item ? $group->item->most( $claim->quantity ) : 0;
				// The page of a sent share asks only for a message.
				$count = $is_sent && $form->text( 'amount' ) === '' ? $claim->quantity : ShareForm::typed( $form, GiftAmount::currency_of_claim( $claim ) );
				if ( $is_sent && $count !== $claim->quantity ) {
					$form->fault( 'amount', self::no_way_back() );
				}
				if ( $group->item && $count > $most ) {
					/* translators: %s: amount of money */
					$form->fault( 'amount', sprintf( $group->item->has_no_goal() ? __( 'You can give up to %s.', 'trousseau' ) : __( 'Only %s is still needed.', 'trousseau' ), GiftAmount::of( $most, GiftAmount::currency_of_claim( $claim ) ) ) );
				}
				return array( 'quantity' => $count, 'message' => self::message( $form ) );
		}
		return self::common( $form, $claim, $group->post );
	}

	/** The gift takes no more shares, and the other shares of the one who has bought it are spent with it. */
	private function spend( WP_Post $post, GroupGift $group, Claim $bought ): void {
		$this->bought_for_all->note( $post->ID, array_unique( array( ...BoughtForAll::of( $post->ID ), $bought->item_id ) ) );
		foreach ( $group->at( GroupGift::SPENT ) as $share ) {
			try {
				$share->state === 'reserved' && $share->id !== $bought->id && $this->claims->change( $share, array( 'state' => 'purchased' ) );
			} catch ( Conflict | Unavailable ) {
				// The gift is bought in any case. The share has just ended, or the next look sees to it.
				$this->job_queue->add( BuyerWatch::JOB, null, 0, (string) $post->ID );
			}
		}
	}

	/** What the buyer is asked who would buy a gift while money is missing. */
	public static function buy_anyway( string $missing ): string {
		/* translators: %s: amount of money */
		return sprintf( __( '%s is still missing. Buy it anyway?', 'trousseau' ), $missing );
	}

	/** Why a sent share can't be cancelled or changed. */
	public static function no_way_back(): string {
		return __( 'You’ve told us that you sent your share. Only the person who has the money can return it, so please ask them.', 'trousseau' );
	}

	/** Why the buyer can't step back. The money of a gift that was removed stays in view until those who sent it have it back. */
	public static function give_back_first( string $received, bool $is_lost ): string {
		return sprintf(
			$is_lost
				/* translators: %s: amount of money */
				? __( 'Others have sent you %s for this gift. Give it back first, and ask them to confirm on their pages that they have it. Then you can cancel your share here.', 'trousseau' )
				/* translators: %s: amount of money */
				: __( 'Others have sent you %s for this gift. Give it back first, and ask them to confirm on their pages that they have it. Then someone else can buy the gift.', 'trousseau' ),
			$received
		);
	}

	public function answer( string $action, Claim $before, Claim $after, ?Item $item ): string {
		return match ( true ) {
			$action === 'change',
			$action === 'buy' && $before->buys  => __( 'Your changes are saved.', 'trousseau' ),
			$action === 'buy'                     => __( 'Thank you! The others can see that someone is buying it and where to send their shares.', 'trousseau' ),
			$action === 'not-buy'                 => __( 'You’re no longer buying it. We’ll email the others.', 'trousseau' ),
			$action === 'keep'                    => __( 'You have more time now.', 'trousseau' ),
			$after->state === 'purchased'       => $after->buys ? __( 'Thank you! It’s marked as bought.', 'trousseau' ) : __( 'Thank you! It’s marked as sent.', 'trousseau' ),
			$after->state === 'released'        => ! $item || $item->has_no_goal() || Givers::obstacle( get_post( $after->registry_id ), $item->id ) !== '' ? __( 'Your share is cancelled.', 'trousseau' ) : __( 'Your share is cancelled, so others can give that amount.', 'trousseau' ),
			// The page says until when it is to be sent.
			default                               => __( 'Thank you! Your share is confirmed.', 'trousseau' ),
		};
	}

	public function refusal( Form $form ): array {
		return match ( true ) {
			$form->action === 'change' => array( 'amount', __( 'Less is needed now, or someone has changed this gift. Check the amount and try again.', 'trousseau' ) ),
			$form->action === 'buy'    => array( '', __( 'Someone else is buying it now.', 'trousseau' ) ),
			default                    => array( '', self::has_changed() ),
		};
	}

	public function stages( WP_Post $post, array $claims ): array {
		$stages = array();
		foreach ( GroupGift::all( $post, $this->gift_lists->of( $post )->items ?? array(), $claims ) as $group ) {
			foreach ( $group->shares as $share ) {
				$stage                = $group->stage( $share );
				$stages[ $share->id ] = match ( true ) {
					$stage === GroupGift::SPENT                  => $group->is_bought() ? __( 'Has bought it for everyone', 'trousseau' ) : __( 'Is buying it for everyone', 'trousseau' ),
					$stage === GroupGift::SENT && $group->buyer => __( 'Sent to another guest', 'trousseau' ),
					default                                      => self::words_of( $stage ),
				};
			}
		}
		return $stages;
	}

	public function when_gone( WP_Post $post, array $claims ): array {
		$more = array();
		foreach ( GroupGift::all( $post, $this->gift_lists->of( $post )->items ?? array(), $claims ) as $group ) {
			// Money that is spent isn't to be returned.
			$sent = $group->is_bought() ? array() : $group->at( GroupGift::SENT );
			foreach ( $sent as $share ) {
				$more[ $share->id ] = array( 'mail/parts/share-gone', self::money( $share ) + array( 'holder' => $group->buyer_name() ) );
			}
			if ( $sent && $group->buyer ) {
				$more[ $group->buyer->id ] = array( 'mail/parts/share-gone', array( 'owed' => array_map( static fn( Claim $share ): array => self::money( $share ) + array( 'name' => GroupGift::name( $share ) ), $sent ) ) );
			}
		}
		return $more;
	}

	/** @return array{units: int, currency: string} The money of a share, which an email says in its reader's language. */
	private static function money( Claim $share ): array {
		return array( 'units' => $share->quantity, 'currency' => GiftAmount::currency_of_claim( $share ) );
	}

	public function personal( Claim $claim ): array {
		return array(
			// Another buyer's words are in the answer to every giver.
			array( __( 'Others send you their shares', 'trousseau' ), $claim->buys ? $claim->pay_to : '' ),
		);
	}

	public function warnings( array $claims ): array {
		$held = 0;
		foreach ( array_filter( $claims, static fn( Claim $claim ): bool => GroupGift::is_confirmed( $claim ) && $claim->buys ) as $share ) {
			$post = get_post( $share->registry_id );
			try {
				$held += $post && $this->group( $post, $share, null )->is_settled() ? 1 : 0;
			} catch ( NotFound ) {
				continue;
			}
		}
		/* translators: %s: number of gifts */
		return $held ? array( sprintf( _n( 'Guests say they sent this person money for %s group gift. They can no longer see who has it, so make sure it’s returned or spent on the gift.', 'Guests say they sent this person money for %s group gifts. They can no longer see who has it, so make sure it’s returned or spent on the gifts.', $held, 'trousseau' ), number_format_i18n( $held ) ) ) : array();
	}
}
