<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\Page;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\MailRequest;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\Conflict;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use WP_Post;

/** The page of one gift for its giver, who confirms it, marks it as bought, changes it or cancels it; the claim’s kind has its state and buttons. */
final class MyGiftPage extends Page {

	public const TOKEN = 'of';

	/** In the address of a link by which its giver only looks at a gift, which is then not confirmed at once. */
	public const LOOKS = 'look';

	/** The most emails in an hour by which one gift is confirmed, however often it is cancelled and given again. */
	private const AGAIN_AN_HOUR = 3;

	/** Seconds for which a gift that was cancelled can be given again by one press. */
	private const UNDO_FOR = HOUR_IN_SECONDS;

	/** The kind of the claim whose button was pressed. */
	private ClaimKind $kind;

	public function __construct(
		private readonly Claims $claims,
		private readonly ClaimMails $claim_mails,
		private readonly ClaimView $claim_view,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly GiftStages $gift_stages,
		private readonly Guest $guest,
		private readonly ItemService $item_service,
		private readonly RateLimiter $rate_limiter,
		private readonly RememberedGifts $remembered_gifts,
	) {
	}

	public function title(): string {
		return __( 'Your gift', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->id() !== '' ? '' : FlashMessage::note( __( 'This link isn’t complete. Open it from the email again, or ask for an email with links to all your gifts.', 'trousseau' ), 'is-problem' )
			. sprintf( '<p class="trousseau-ways"><a class="button wp-element-button" href="%s">%s</a></p>', esc_url( PageAddress::of( 'my-gifts' ) ), esc_html__( 'Gifts I’m giving', 'trousseau' ) );
	}

	public function html( Form $form ): string {
		$claim    = $this->claim();
		$post     = self::list_of( $claim );
		$may_read = $post && Access::can_read( $post );
		// Renews the site's copy: nobody reports that a reservation on a private list has ended.
		$post && $this->gift_lists->of( $post );

		list( $item, $is_lost ) = $this->gift( $post, $claim );

		$drawn  = $this->flash_message->has_kind( FlashMessage::THANKS ) ? Template::html( 'thanks' ) : '';
		$answer = $drawn . $this->flash_message->html( $claim->item_id );
		$view   = array(
			'may_confirm' => $this->may_confirm( $claim ),
			'late'        => self::obstacle_to( $post, $claim, $item, $is_lost ),
			'is_lost'     => $is_lost,
			'is_new'      => $drawn !== '',
			'answer'      => $answer,
			'at_once'     => $answer === '' && $form->action === '' && Claims::of_link( $this->token() )[1] && ! isset( $_GET[ self::LOOKS ] ),
			'address'     => $this->address(),
			'may_read'    => $may_read,
			// Nothing is left to do.
			'back'        => $claim->state === 'purchased' && $may_read ? (string) get_permalink( $post ) : '',
		) + $this->claim_view->of( $item || $is_lost ? $claim->with( array( 'item' => $item?->answer ) ) : $claim );
		return Template::html(
			'gift',
			$view + array(
				'body'     => ClaimKind::of( $claim )->html( $view, $claim, $post, $item, $form ),
				'lost'     => PageAddress::of( 'lost-invitation' ),
				'next'     => $post && ( ! $claim->is_open() || $view['late'] !== '' ) && ! Closing::is_over( $post ),
				'again'    => $post && $item && $claim->state === 'expired' && $item->remaining() > 0 && self::may_be_given( $claim ) ? PageAddress::of( 'give', $post->ID, array( 'item' => $item->id ) ) : '',
			)
		);
	}

	public function handle( Form $form ): ?string {
		$claim = $this->claim();
		$post  = get_post( $claim->registry_id );

		list( $item, $is_lost ) = $this->gift( self::list_of( $claim ), $claim );
		$late                   = self::obstacle_to( self::list_of( $claim ), $claim, $item, $is_lost );
		if ( $late !== '' && ! in_array( $form->action, array( 'release', 'undo' ), true ) ) {
			// The page says why below.
			$form->fault( '', ClaimKind::has_changed() );
			return null;
		}
		if ( $form->action === 'resend' || $form->action === 'undo' ) {
			return $form->action === 'undo' ? $this->undo( $form, $claim ) : $this->resend( $form, $claim );
		}
		if ( $claim->state === 'pending' && $form->action !== 'release' && ! $this->may_confirm( $claim ) ) {
			$form->fault( '', __( 'Please confirm first: open the email we sent you.', 'trousseau' ) );
			return null;
		}
		$kind = $this->kind = ClaimKind::of( $claim );
		$done = $kind->press( $form, $claim, $post, $item );
		if ( ! $done ) {
			return null;
		}
		// The email's link makes this device remember the gift.
		$this->remembered_gifts->remember( $done );
		// A message about the gift's new state replaces the sentence about its state.
		$this->flash_message->keep( $kind->answer( $form->action, $claim, $done, $item ), in_array( $form->action, array( 'confirm', 'bought' ), true ) ? FlashMessage::THANKS : 'is-answer', item: $form->action === 'change' ? 0 : $done->item_id, button: $done->state === 'released' && $item ? $this->undo_button( $claim ) : array() );
		return $this->address();
	}

	/** @return mixed[] The button that undoes the cancelling of a gift, as arguments of `Form::button`; none: there is no such button. */
	private function undo_button( Claim $before ): array {
		if ( ! $before->is_open() || ! self::may_be_given( $before ) || ! ClaimKind::of( $before )->may_undo( $before ) ) {
			return array();
		}
		$undo = SignedToken::sign( 'undo', implode( ' ', array( $before->id, $before->state, $before->ends_at(), time() ) ) );
		return array( $this->address(), 'undo', __( 'Undo', 'trousseau' ), compact( 'undo' ), '', 'is-quiet' );
	}

	/** Its list; null where that is deleted or in the trash. */
	private static function list_of( Claim $claim ): ?WP_Post {
		return GoneLists::is_gone( $claim->registry_id ) ? null : get_post( $claim->registry_id );
	}

	/** Why it is too late to give a gift that is unconfirmed, cancelled or ended, or whose list is gone; empty if it isn't. */
	private static function obstacle_to( ?WP_Post $post, Claim $claim, ?Item $item, bool $is_lost ): string {
		$is_undecided = ! $claim->is_given() && ( $item || $claim->state === 'pending' );
		$why          = $post && $is_undecided ? Givers::obstacle( $post, $claim->item_id ) : '';
		return match ( true ) {
			! $post                      => __( 'The owners have deleted this list. If you’ve already bought something or sent money, please tell them.', 'trousseau' ),
			$is_lost && $claim->state === 'pending' => __( 'The owners have removed this gift from their list. Choose something else?', 'trousseau' ),
			$why !== ''                  => $why,
			$claim->state === 'expired' && ! $claim->is_share() && $item?->remaining() === 0 => __( 'Someone is already giving this. Choose something else?', 'trousseau' ),
			default                      => '',
		};
	}

	/** Whether its giver may give this gift of its list, as far as the site knows. */
	private static function may_be_given( Claim $claim ): bool {
		$post = self::list_of( $claim );
		return $post && Givers::is_let_in( $post, $claim ) && Givers::obstacle( $post, $claim->item_id ) === '';
	}

	/** Gives a gift again that was cancelled a moment ago, as it was. */
	private function undo( Form $form, Claim $claim ): ?string {
		list( $id, $state, $ends, $at ) = explode( ' ', SignedToken::read( 'undo', $form->text( 'undo' ) ) ) + array( '', '', '0', '0' );
		if ( $id !== '' && $id !== $claim->id && $this->gift_stages->latest( $id ) === $claim->id ) {
			return $this->address();
		}
		$is_due = $id === $claim->id && $claim->state === 'released' && (int) $at > time() - self::UNDO_FOR;
		if ( ! $is_due || ! self::may_be_given( $claim ) ) {
			$form->fault( '', ClaimKind::has_changed() );
			return null;
		}
		$this->claims->give_again( get_post( $claim->registry_id ), $claim, $state, (int) $ends );
		// The page says below how to confirm it.
		$this->flash_message->keep( $state === 'pending' ? ( $claim->is_share() ? __( 'You’re giving it again. Please confirm it.', 'trousseau' ) : __( 'It’s reserved for you again. Please confirm it.', 'trousseau' ) ) : __( 'You’re giving it again, as before.', 'trousseau' ) );
		return $this->address();
	}

	/** Emails the link that confirms once more. */
	private function resend( Form $form, Claim $claim ): ?string {
		if ( $claim->state !== 'pending' ) {
			$form->fault( '', ClaimKind::has_changed() );
		} elseif ( ! $this->rate_limiter->allows( 'confirm-again', strtolower( $claim->email ) . " {$claim->item_id}", self::AGAIN_AN_HOUR, HOUR_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many attempts in a short time. Please try again later.', 'trousseau' ) );
		} elseif ( ! $this->claim_mails->ask_again( $claim ) ) {
			MailRequest::refuse( $form, '' );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		/* translators: %s: email address */
		$this->flash_message->keep( sprintf( __( 'Check your inbox and your spam folder: we’ve sent the email to %s again.', 'trousseau' ), Language::isolate( $claim->email ) ) );
		return $this->address();
	}

	public function trouble( ServiceError $error ): string {
		$is_gone = $error instanceof NotFound;
		return FlashMessage::note( $is_gone ? self::is_gone() : __( 'Your gift can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' )
			. ( $is_gone && is_user_logged_in() ? sprintf( '<p class="trousseau-ways"><a href="%s">%s</a></p>', esc_url( wp_logout_url( $this->return_address() ) ), esc_html__( 'Log out and try again', 'trousseau' ) ) : '' );
	}

	/** To an account, a gift that is kept from it and one that doesn't exist are the same. */
	private static function is_gone(): string {
		return is_user_logged_in() ? __( 'This gift no longer exists, or your account can’t see it. If it’s yours, log out and try again.', 'trousseau' ) : __( 'This gift no longer exists.', 'trousseau' );
	}

	public function refusal( Form $form, ServiceError $error ): array {
		return match ( true ) {
			$error instanceof NotFound     => array( '', self::is_gone() ),
			! $error instanceof Conflict   => array( $error instanceof TooMany && $form->action === 'change' ? 'count' : '', $error->words() ),
			$form->action === 'undo'       => array( '', __( 'Someone else has chosen it in the meantime. Choose another gift?', 'trousseau' ) ),
			default                        => $this->kind->refusal( $form ),
		};
	}

	/** @return array{0: ?Item, 1: bool} The item as the site knows it, and whether it is off its list; the gift is shown without it, too. */
	private function gift( ?WP_Post $post, Claim $claim ): array {
		try {
			return array( $post ? $this->gift_lists->known_item( $post, $claim->item_id ) : null, false );
		} catch ( NotFound ) {
			// The site's copy of the list may be older than the gift's move.
			return array( null, $this->claim_view->item( $claim )[1] );
		} catch ( ServiceError ) {
			return array( null, false );
		}
	}

	/** The gift; never for an owner who is to be surprised, even by a giver's link. No owner acts for a guest. */
	private function claim(): Claim {
		$claim = $this->item_service->get_claim( $this->id() );
		$this->remembered_gifts->compare( array( $claim ) );
		$post    = get_post( $claim->registry_id );
		$user    = wp_get_current_user();
		$is_kept = $post && Access::owns( $post, $user->ID ) && ( Surprise::is_on( $post->ID ) || ! ( $claim->user_id === $user->ID || ( $claim->email !== '' && strcasecmp( $claim->email, $user->user_email ) === 0 ) ) );
		return $is_kept ? throw new NotFound( 'It is a guest’s, and the viewer owns the list.', 404 ) : $claim;
	}

	private function id(): string {
		return $this->gift_stages->latest( Claims::of_link( $this->token() )[0] );
	}

	/**
	 * Only someone who reads the giver's email may confirm: a visitor whose device remembers the gift may have typed another person's
	 * address.
	 */
	private function may_confirm( Claim $claim ): bool {
		return Claims::of_link( $this->token() )[1] || $this->guest->is_giver( $claim );
	}
}
