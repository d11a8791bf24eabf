<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftAmount;
use Trousseau\Gifts\GotElsewhere;
use Trousseau\Gifts\ShareForm;
use Trousseau\Gifts\ShopLink;
use Trousseau\GroupGifts\ShareMoney;
use Trousseau\GroupGifts\SharePlace;
use Trousseau\GroupGifts\ShareView;
use Trousseau\GroupGifts\SharedGift;
use Trousseau\Guests\Guest;
use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Page;
use Trousseau\Platform\Currency;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\MailRequest;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;
use Trousseau\Service\ClaimState;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use WP_Post;

/** The page of one gift for its giver, who confirms it, marks it as bought, changes it or gives it back. */
final class MyGiftPage extends Page {

	public const IS_LINKED = true;

	/** Answers about a share of a gift that lacks money, and their buttons. */
	private const CHOICES = array(
		SharedGift::KEEP  => 'leave-share',
		SharedGift::OTHER => 'other-use',
	);

	/** The most emails in an hour by which one gift is confirmed, however often it is cancelled and given again. */
	private const AGAIN_AN_HOUR = 3;

	/** Seconds for which a gift that was cancelled can be given again by one press. */
	private const UNDO_FOR = HOUR_IN_SECONDS;

	/** @var array<int, array<string, mixed>>|null The gifts that are given from this gift's list. */
	private ?array $claims = null;

	public function __construct(
		private readonly Claim $claim,
		private readonly ClaimMails $claim_mails,
		private readonly ClaimView $claim_view,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly GivenAgain $given_again,
		private readonly GiverNotes $giver_notes,
		private readonly Guest $guest,
		private readonly ItemService $item_service,
		private readonly RateLimiter $rate_limiter,
		private readonly RememberedGifts $remembered_gifts,
		private readonly SharedGift $shared_gift,
		private readonly ShareMoney $share_money,
		private readonly ShareView $share_view,
	) {
	}

	public function title(): string {
		return __( 'Your gift', 'trousseau' );
	}

	public function address(): string {
		$of = $_GET['of'] ?? '';
		return PageAddress::of( 'gift', 0, array( 'of' => is_string( $of ) ? $of : '' ) );
	}

	public function obstacle(): string {
		return $this->id() !== '' ? '' : FlashMessage::note( __( 'This link isn’t complete. Open it from the email again, or have all your gifts emailed to you.', 'trousseau' ), 'is-problem' )
			. sprintf( '<p class="trousseau-ways"><a class="wp-element-button" href="%s">%s</a></p>', esc_url( PageAddress::of( 'my-gifts' ) ), esc_html__( 'Gifts I’m giving', 'trousseau' ) );
	}

	public function html( Form $form ): string {
		$claim    = $this->claim();
		$post     = get_post( (int) $claim['registry_id'] );
		$item     = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
		$ends     = (int) strtotime( (string) $claim['expires_at'] );
		$currency = GiftAmount::currency_of_claim( $claim );
		$until    = $post && $claim['state'] === 'reserved' ? ReservationTime::longer( $post, $ends ) : 0;
		$view     = $this->claim_view->of( ( $item ? array( 'item' => $item ) : array() ) + $claim );
		$claims   = $post && GiftAmount::is_share( $claim ) ? $this->claims( $post ) : array();
		return Template::html(
			'gift',
			array( 'may_confirm' => $this->may_confirm( $claim ) ) + $view + array( 'is_share' => GiftAmount::is_share( $claim ) ) + $this->share_view->of( $claim, $post, $item, $view['gift'], $claims, $form ) + array(
				'answer'      => $this->flash_message->html( (int) $claim['item_id'] ),
				'form'        => $form->action === 'change' ? $form : new Form( array( 'count' => (string) $claim['quantity'], 'amount' => $currency === '' ? '' : Currency::typed( Currency::from_units( (int) $claim['quantity'], $currency ), $currency ), 'message' => (string) $claim['message'] ) ),
				'no_goal'     => $item && Item::has_no_goal( $item ),
				'most'        => $item ? Item::most( $item, (int) $claim['quantity'] ) : (int) $claim['quantity'],
				'longer'      => $until,
				'keep'        => match ( true ) {
					$until !== $ends + ReservationTime::USUAL => sprintf(
						$currency === ''
							/* translators: %s: date */
							? __( 'Keep it reserved until %s', 'trousseau' )
							/* translators: %s: date */
							: __( 'I need until %s', 'trousseau' ),
						Language::day( $until )
					),
					$currency === '' => __( 'Keep it two weeks longer', 'trousseau' ),
					default          => __( 'I need two more weeks', 'trousseau' ),
				},
				'address'     => $this->address(),
				'may_read'    => $post && Access::can_read( $post ),
				'lost'        => PageAddress::of( 'lost-invitation' ),
				'next'        => $post && ! ClaimState::is_open( $claim ) && ! Closing::is_over( $post ),
				'again'       => $post && $item && $claim['state'] === 'expired' && Item::remaining( $item ) > 0 && self::may_be_given( $claim ) ? PageAddress::of( 'give', $post->ID, array( 'item' => (int) $item['id'] ) ) : '',
				'takes_notes' => GiverNotes::takes( $claim ),
				'delivery'    => $post && SharePlace::is_let_in( $post, $claim['giver'] ) ? Claim::destination( $claim ) : '',
				'is_gone'     => SharedGift::is_confirmed( $claim ) && ! $item,
				'choice'      => $post && $item && $this->may_choose( $claim, $item, $post ) ? $this->shared_gift->answer( $claim ) : null,
			)
		);
	}

	/** @return array<int, array<string, mixed>> All gifts that are given from a list, asked for once. */
	private function claims( WP_Post $post ): array {
		return $this->claims ??= $this->item_service->registry_claims( $post->ID, (int) $post->post_author )['claims'];
	}

	/** Whether a giver is asked about a share: the day has come and money is missing, or they have answered before. */
	private function may_choose( array $claim, array $item, WP_Post $post ): bool {
		if ( ! SharedGift::is_confirmed( $claim ) ) {
			return false;
		}
		return $this->shared_gift->answer( $claim ) !== '' || ( SharedGift::may_be_short( $item, $post->ID ) && $this->shared_gift->is_short( $item, $post->ID, $this->claims( $post ) ) );
	}

	public function handle( Form $form ): ?string {
		$claim = $this->claim();
		if ( $form->action === 'resend' || $form->action === 'undo' ) {
			return $form->action === 'undo' ? $this->undo( $form, $claim ) : $this->resend( $form, $claim );
		}
		if ( $claim['state'] === 'pending' && $form->action !== 'release' && ! $this->may_confirm( $claim ) ) {
			$form->fault( '', __( 'Please confirm first: open the email we sent you.', 'trousseau' ) );
			return null;
		}
		if ( $form->action === 'note' ) {
			return $this->note( $form, $claim );
		}
		$changes = $this->changes( $form, $claim );
		if ( in_array( $form->action, array( 'confirm', 'release', 'change', 'not-buy', ...self::CHOICES ), true ) && $this->is_bought( $claim ) ) {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
		}
		if ( $form->action === 'release' && $this->share_money->is_sent( $claim ) ) {
			$form->fault( '', ShareMoney::no_way_back() );
		}
		$received = in_array( $form->action, array( 'not-buy', 'release' ), true ) ? $this->received( $claim ) : '';
		if ( $received !== '' ) {
			$form->fault( '', self::no_way_back( $received ) );
		}
		// A form may have been opened before its reader became the one who buys, or no longer was.
		if ( $form->action === 'bought' && GiftAmount::is_share( $claim ) && ( $form->text( 'to' ) === '' ) !== $claim['buys'] ) {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		if ( $form->action === 'bought' && ! empty( $claim['buys'] ) ) {
			// After the change the service isn't asked once more.
			$this->claims( get_post( (int) $claim['registry_id'] ) );
		}
		$done = $changes ? $this->claim->change( $claim, $changes ) : $claim;
		if ( $form->action === 'bought' && GiftAmount::is_share( $claim ) ) {
			$done['buys'] ? $this->share_money->spent( $done ) : $this->share_money->sent( $done, $form->text( 'to' ) );
		}
		if ( $form->action === 'bought' && ! empty( $done['buys'] ) ) {
			$this->finish_buying( $done );
		}
		if ( $form->action === 'got-back' ) {
			$this->share_money->got_back( $claim, $form->text( 'from' ) );
		}
		if ( $form->action === 'buy' && $claim['state'] === 'purchased' && $this->share_money->is_spent( $claim ) ) {
			// A program has said that it is sent, and not to whom.
			$this->share_money->sent( $claim, ShareMoney::place( null ) );
		}
		if ( in_array( $form->action, array( 'buy', 'not-buy' ), true ) ) {
			$this->shared_gift->set_named( $done, $form->action === 'buy' && $form->is_checked( 'named' ) );
		}
		if ( in_array( $form->action, self::CHOICES, true ) ) {
			$this->choose( $form, $claim );
			if ( ! $form->is_sound() ) {
				return null;
			}
		}
		// The mail's link makes this device remember the gift.
		$this->remembered_gifts->remember( $done );
		$post = get_post( (int) $claim['registry_id'] );
		$item = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
		// A message about the gift's new state replaces the sentence about its state.
		$this->flash_message->keep( self::answer( $form->action, $done, $claim, $item && Item::has_no_goal( $item ) ), item: $form->action === 'change' ? 0 : (int) $done['item_id'], button: $done['state'] === 'released' ? $this->undo_button( $claim ) : array() );
		return $this->address();
	}

	/** The money that a gift lacks, in the smallest coin. */
	private function missing( array $claim, WP_Post $post ): int {
		$this->gift_lists->renew( $post->ID );
		$item = $this->item( $post, (int) $claim['item_id'] );
		return $item ? Item::remaining( $item ) : 0;
	}

	/** Whether a gift that several pay for is bought: then its shares stay as they are. */
	private function is_bought( array $claim ): bool {
		$post = get_post( (int) $claim['registry_id'] );
		$item = $post && GiftAmount::is_share( $claim ) ? $this->item( $post, (int) $claim['item_id'] ) : null;
		return $post && GiftAmount::is_share( $claim ) && ! ( $item && ShopLink::is_fund( $item, $post->ID ) ) && $this->shared_gift->is_bought( SharedGift::buyer( $this->claims( $post ), (int) $claim['item_id'] ) );
	}

	/** The money of others that the giver has who buys the gift; nothing where there is none. */
	private function received( array $claim ): string {
		$post = get_post( (int) $claim['registry_id'] );
		return $post && ! empty( $claim['buys'] ) ? SharedGift::sum_of( $this->shared_gift->sent_to( $this->claims( $post ), $claim ) ) : '';
	}

	public static function no_way_back( string $received ): string {
		/* translators: %s: amount of money */
		return sprintf( __( 'Others have sent you %s for this gift. Give it back first, and ask them to confirm on their pages that they have it. Then you can step back.', 'trousseau' ), $received );
	}

	/** The gift takes no more shares, and the other shares of the one who has bought it are spent with it. */
	private function finish_buying( array $bought ): void {
		$post = get_post( (int) $bought['registry_id'] );
		if ( ! $post ) {
			return;
		}
		$claims = array_map( static fn( array $claim ): array => $claim['id'] === $bought['id'] ? $bought : $claim, $this->claims( $post ) );
		$this->shared_gift->note_bought( $post->ID, $claims );
		foreach ( SharedGift::shares( $claims, (int) $bought['item_id'] ) as $share ) {
			if ( $share['state'] === 'reserved' && $share['id'] !== $bought['id'] && SharedGift::is_same_giver( $share, $bought ) ) {
				$this->claim->change( $share, array( 'state' => 'purchased' ) );
			}
		}
	}

	/**
	 * The button that undoes the cancelling of a gift. A share that was sent once, or whose giver buys the gift, was cancelled with more
	 * words.
	 *
	 * @param array<string, mixed> $before The gift before it was cancelled.
	 * @return mixed[] The arguments of `Form::button`; none: there is no such button.
	 */
	private function undo_button( array $before ): array {
		if ( ! ClaimState::is_open( $before ) || ! self::may_be_given( $before ) || ( GiftAmount::is_share( $before ) && ( $before['state'] === 'purchased' || $before['buys'] ) ) ) {
			return array();
		}
		$undo = SignedToken::sign( 'undo', implode( ' ', array( $before['id'], $before['state'], (int) strtotime( (string) $before['expires_at'] ), time() ) ) );
		return array( $this->address(), 'undo', __( 'Undo', 'trousseau' ), compact( 'undo' ), '', 'is-quiet' );
	}

	/** Whether its giver may give this gift of its list, as far as the site knows. */
	private static function may_be_given( array $claim ): bool {
		$post = get_post( (int) $claim['registry_id'] );
		$item = (int) $claim['item_id'];
		return $post && SharePlace::is_let_in( $post, $claim['giver'] ) && ! Closing::is_over( $post ) && ! GotElsewhere::has( $post->ID, $item ) && ! BoughtForAll::takes_no_more( $post, $item );
	}

	/** Gives a gift again that was cancelled a moment ago, as it was. */
	private function undo( Form $form, array $claim ): ?string {
		list( $id, $state, $ends, $at ) = explode( ' ', SignedToken::read( 'undo', $form->text( 'undo' ) ) ) + array( '', '', '0', '0' );
		if ( $id !== '' && $id !== $claim['id'] && $this->given_again->latest( $id ) === $claim['id'] ) {
			return $this->address();
		}
		$is_due = $id === $claim['id'] && $claim['state'] === 'released' && (int) $at > time() - self::UNDO_FOR;
		if ( ! $is_due || ! self::may_be_given( $claim ) ) {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
			return null;
		}
		$again = $this->claim->give_again( get_post( (int) $claim['registry_id'] ), $claim, $state, (int) $ends );
		$this->giver_notes->put( $again, $this->giver_notes->of( array( 'state' => $state ) + $claim ) );
		// The page says below how to confirm it.
		$this->flash_message->keep( $state === 'pending' ? __( 'It’s reserved for you again. Please confirm it.', 'trousseau' ) : __( 'You’re giving it again, as before.', 'trousseau' ) );
		return $this->address();
	}

	/** Emails the link that confirms once more. */
	private function resend( Form $form, array $claim ): ?string {
		if ( $claim['state'] !== 'pending' ) {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
		} elseif ( ! $this->rate_limiter->allows( 'confirm-again', strtolower( (string) $claim['giver']['email'] ) . " {$claim['item_id']}", self::AGAIN_AN_HOUR, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many attempts in a short time. Please try again later.', 'trousseau' ) );
		} elseif ( ! $this->claim_mails->ask_again( $claim ) ) {
			MailRequest::refuse( $form, '' );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		/* translators: %s: email address */
		$this->flash_message->keep( sprintf( __( 'Check your inbox and your spam folder: we’ve sent the email to %s again.', 'trousseau' ), Language::isolate( (string) $claim['giver']['email'] ) ) );
		return $this->address();
	}

	private function note( Form $form, array $claim ): ?string {
		if ( ! GiverNotes::takes( $claim ) ) {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
			return null;
		}
		$note = $form->text( 'note' );
		$this->giver_notes->put( $claim, in_array( $note, GiverNotes::NOTES, true ) ? $note : '' );
		$this->flash_message->keep( __( 'Saved. Only you can see this.', 'trousseau' ) );
		return $this->address();
	}

	/** Stores the answer of a giver who is asked about their share. */
	private function choose( Form $form, array $claim ): void {
		$post = get_post( (int) $claim['registry_id'] );
		$item = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
		if ( $item && $this->may_choose( $claim, $item, $post ) ) {
			$this->shared_gift->set_answer( $claim, (string) array_search( $form->action, self::CHOICES, true ) );
		} else {
			$form->fault( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) );
		}
	}

	/** The change that a form asks the service for. */
	private function changes( Form $form, array $claim ): array {
		$post = get_post( (int) $claim['registry_id'] );
		switch ( $form->action ) {
			case 'confirm':
				return array( 'state' => 'reserved' ) + ( $post && $claim['state'] === 'pending' ? ReservationTime::for_service( $post ) : array() );
			case 'bought':
				// The one who buys may pay what is missing: the share is then as large as on the button, however often it is pressed.
				$whole = $form->number( 'whole' );
				if ( $post && ! empty( $claim['buys'] ) && $whole > (int) $claim['quantity'] && $whole !== (int) $claim['quantity'] + $this->missing( $claim, $post ) ) {
					$form->fault( '', __( 'The missing amount has changed. Here is how things stand now.', 'trousseau' ) );
				}
				return array( 'state' => 'purchased' ) + ( ! empty( $claim['buys'] ) && $whole > (int) $claim['quantity'] ? array( 'quantity' => $whole ) : array() );
			case 'release':
				return array( 'state' => 'released' );
			case 'buy':
				$item = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
				if ( ! $claim['buys'] && $item && ShopLink::is_fund( $item, $post->ID ) ) {
					$form->fault( '', __( 'The money goes to the owners of the list.', 'trousseau' ) );
				}
				if ( ! $post || ! SharePlace::is_invited( $post, $claim['giver'] ) ) {
					$form->fault( '', __( 'Only guests the owners have invited can buy it for everyone.', 'trousseau' ) );
				}
				return array(
					'buys'   => true,
					'pay_to' => ShareForm::pay_to( $form, $claim['buys'] ? (string) $claim['pay_to'] : '', __( 'Say how the others should pay you, such as “in an envelope”.', 'trousseau' ) ),
				);
			case 'not-buy':
				return array( 'buys' => false );
			case 'keep':
				// The time is the one on the button, however often it is pressed.
				$ends  = (int) strtotime( (string) $claim['expires_at'] );
				$until = $post ? min( $form->number( 'until' ), ReservationTime::longer( $post, $ends ) ) : 0;
				return $claim['state'] !== 'reserved' || $until > $ends ? array( 'expires_in' => max( MINUTE_IN_SECONDS, $until - time() ) ) : array();
			case 'change':
				$currency = GiftAmount::currency_of_claim( $claim );
				$count    = match ( true ) {
					// The page of a share that is sent asks for a message only.
					$form->text( 'count' ) === '' && ( $currency === '' || ( $form->text( 'amount' ) === '' && $this->share_money->is_sent( $claim ) ) ) => (int) $claim['quantity'],
					$currency !== ''               => ShareForm::typed( $form, $currency ),
					default                        => $form->number( 'count' ),
				};
				if ( $count !== (int) $claim['quantity'] && $this->share_money->is_sent( $claim ) ) {
					$form->fault( 'amount', ShareMoney::no_way_back() );
				}
				if ( $count < 1 && $currency === '' ) {
					$form->fault( 'count', __( 'Enter at least 1. If you’re giving none, choose “Cancel my gift”.', 'trousseau' ) );
				}
				$item = $post ? $this->item( $post, (int) $claim['item_id'] ) : null;
				if ( $item && $currency !== '' && $count > Item::most( $item, (int) $claim['quantity'] ) ) {
					/* translators: %s: amount of money */
					$words = Item::has_no_goal( $item ) ? __( 'Up to %s.', 'trousseau' ) : __( 'Only %s is still needed.', 'trousseau' );
					$form->fault( 'amount', sprintf( $words, GiftAmount::of( Item::most( $item, (int) $claim['quantity'] ), $currency ) ) );
				}
				if ( $item && Item::is_any_number( $item ) && $count > Item::most( $item, (int) $claim['quantity'] ) ) {
					/* translators: %s: number of pieces */
					$form->fault( 'count', sprintf( __( 'Up to %s.', 'trousseau' ), number_format_i18n( Item::most( $item, (int) $claim['quantity'] ) ) ) );
				}
				$message = $form->needs( 'message', GivePage::MAX_MESSAGE );
				return array(
					'quantity' => $count,
					'message'  => $message === '' ? null : $message,
				);
		}
		return array();
	}

	public function trouble( ServiceError $error ): string {
		return FlashMessage::note( $error instanceof NotFound ? __( 'This gift no longer exists.', 'trousseau' ) : __( 'Your gift can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return match ( true ) {
			$error instanceof NotFound => array( '', __( 'This gift no longer exists.', 'trousseau' ) ),
			$form->action === 'undo' && $error instanceof Conflict => array( '', __( 'Someone else has chosen it in the meantime. Choose another gift?', 'trousseau' ) ),
			! $error instanceof Conflict => array( $error instanceof TooMany && $form->action === 'change' ? 'count' : '', $error->words() ),
			$form->action === 'change' && $form->text( 'amount' ) !== '' => array( 'amount', __( 'Less is needed now, or someone has changed this gift. Check the amount and try again.', 'trousseau' ) ),
			$form->action === 'change' => array( 'count', __( 'Fewer are needed now, or someone has changed this gift. Check the number and try again.', 'trousseau' ) ),
			$form->action === 'bought' && $form->number( 'whole' ) > 0 => array( '', __( 'The missing amount has changed. Here is how things stand now.', 'trousseau' ) ),
			$form->action === 'buy'    => array( '', __( 'Someone else is buying it now.', 'trousseau' ) ),
			default                    => array( '', __( 'You can’t do this any more, because your gift has changed. Here is how things stand now.', 'trousseau' ) ),
		};
	}

	/** @return array<string, mixed>|null The item as the site knows it; the gift is shown without it, too. */
	private function item( WP_Post $post, int $item_id ): ?array {
		try {
			return $this->gift_lists->known_item( $post, $item_id );
		} catch ( ServiceError ) {
			return null;
		}
	}

	/** @param bool $no_goal Whether it is a share of a fund that takes any amount. */
	private static function answer( string $action, array $claim, array $before, bool $no_goal ): string {
		$until = Language::day( (int) strtotime( (string) $claim['expires_at'] ) );
		return match ( true ) {
			in_array( $action, self::CHOICES, true ) => __( 'Thank you, your choice is saved. You can change it here at any time.', 'trousseau' ),
			$action === 'change'           => __( 'Your changes are saved.', 'trousseau' ),
			$action === 'got-back'         => __( 'Saved: you have your money back.', 'trousseau' ),
			$action === 'buy' && $before['buys'] => __( 'Your changes are saved. We’ll email everyone who still has to send their share.', 'trousseau' ),
			$action === 'buy'              => __( 'Thank you! The others can see that someone is buying it and where to send their shares.', 'trousseau' ),
			$action === 'not-buy'          => __( 'You’re no longer buying it. We’ll email the others.', 'trousseau' ),
			$claim['state'] === 'purchased' && GiftAmount::is_share( $claim ) && ! $claim['buys'] => __( 'Thank you! It’s marked as sent.', 'trousseau' ),
			$claim['state'] === 'purchased' => __( 'Thank you! It’s marked as bought.', 'trousseau' ),
			$claim['state'] === 'released'  => match ( true ) {
				! GiftAmount::is_share( $claim ) => __( 'Your gift is cancelled, so others can give it now.', 'trousseau' ),
				$no_goal                         => __( 'Your share is cancelled.', 'trousseau' ),
				default                          => __( 'Your share is cancelled, so others can give that amount.', 'trousseau' ),
			},
			$action === 'keep'             => GiftAmount::is_share( $claim )
				? __( 'You have more time now.', 'trousseau' )
				/* translators: %s: date */
				: sprintf( __( 'Done: it’s now reserved for you until %s.', 'trousseau' ), $until ),
			// The page says until when it is to be sent.
			GiftAmount::is_share( $claim ) => __( 'Thank you! Your share is confirmed.', 'trousseau' ),
			/* translators: %s: date */
			default                        => sprintf( __( 'Thank you! It’s confirmed, and reserved for you until %s.', 'trousseau' ), $until ),
		};
	}

	/** @return array<string, mixed> The gift; never for an owner who is to be surprised, even by a giver's link. */
	private function claim(): array {
		$claim = $this->item_service->get_claim( $this->id() );
		$this->remembered_gifts->compare( array( $claim ) );
		return ClaimFilter::for_viewer( array( $claim ) )[0] ?? throw new NotFound( 'The viewer is to be surprised.', 404 );
	}

	private function id(): string {
		return $this->given_again->latest( Claim::of_link( $_GET['of'] ?? '' )[0] );
	}

	/** Only who reads emails to the giver's address may confirm: a visitor whose device remembers the gift may have typed another's. */
	private function may_confirm( array $claim ): bool {
		return Claim::of_link( $_GET['of'] ?? '' )[1] || $this->guest->is_giver( $claim );
	}
}
