<?php

declare(strict_types=1);

namespace Trousseau\Owners;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\TypedGuests;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Lock;
use Trousseau\Platform\Mail;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Template;
use Trousseau\Service\ItemService;
use WP_Post;
use WP_User;

/** The owners of a list: adding a co-owner, removing one, leaving, and handing the list over. */
final class PeoplePage extends OwnerPage {

	protected const TAB = 3;

	/** The most emails a day by one account: to one address, and to people who become co-owners. */
	private const A_DAY_TO_ONE = 5;
	private const OWNERS_A_DAY = 20;

	public function __construct(
		private readonly Accounts $accounts,
		private readonly FlashMessage $flash_message,
		private readonly Handover $handover,
		private readonly ItemService $item_service,
		private readonly Lock $lock,
		private readonly Mail $mail,
		private readonly MetaList $meta_list,
		private readonly OwnerLink $owner_link,
		private readonly RateLimiter $rate_limiter,
	) {
	}

	public static function tab(): string {
		return __( 'Owners', 'trousseau' );
	}

	public static function asks( WP_Post $post ): string {
		return Handover::offered_to( $post )?->ID === get_current_user_id() ? __( 'Someone wants to hand this list over to you. Accept or decline', 'trousseau' ) : '';
	}

	public function title(): string {
		return __( 'The owners of this list', 'trousseau' );
	}

	public function html( Form $form ): string {
		$first   = get_userdata( (int) $this->post->post_author );
		$listed  = Meta::owner_list( $this->post->ID );
		$offered = Handover::offered_to( $this->post );
		return $this->head() . Template::html(
			'people',
			array(
				// Buttons send none of the fields.
				'form'    => $form->action === 'add' ? $form : new Form(),
				'address' => $this->address(),
				'first'   => $first ? Accounts::name_among_owners( $first ) : '',
				'is_own'  => (int) $this->post->post_author === get_current_user_id(),
				'others'  => $listed,
				'names'   => array_map( array( Accounts::class, 'name_among_owners' ), $this->takers() ),
				'own'     => $this->own_entries(),
				'rules'   => ! CoOwnerRules::is_bound( $this->post ),
				'offered' => $offered ? Accounts::name_among_owners( $offered ) : '',
				'is_mine' => $offered?->ID === get_current_user_id(),
				'full'    => count( $listed ) >= Meta::MAX_OWNERS,
			)
		);
	}

	public function handle( Form $form ): ?string {
		$may = ! CoOwnerRules::is_bound( $this->post );
		switch ( $form->action ) {
			case 'add':
				return $may ? $this->add( $form ) : $this->address();
			case 'remove':
				$name = $form->text( 'person' );
				if ( $may ) {
					$account = OwnerLink::account( $name );
					// The list may name them by their address, too.
					$this->leave_out( array( $name, ...( $account ? Accounts::invited_as( $account ) : array() ) ) );
					/* translators: %s: name or address of a person */
					$this->flash_message->keep( sprintf( __( '%s is no longer an owner of this list.', 'trousseau' ), Language::isolate( $name ) ) );
				}
				return $this->address();
			case 'leave':
				$this->leave_out( $this->own_entries() );
				$this->flash_message->keep( __( 'You have left the list.', 'trousseau' ) );
				return PageAddress::of( 'mine' );
			case 'offer':
				return $may ? $this->offer( $form->text( 'person' ) ) : $this->address();
			case 'end-offer':
				if ( $may || Handover::offered_to( $this->post )?->ID === get_current_user_id() ) {
					$this->handover->end( $this->post );
					$this->flash_message->keep( $may ? __( 'The list stays yours.', 'trousseau' ) : __( 'You declined. Nothing has changed.', 'trousseau' ) );
				}
				return $this->address();
			case 'take':
				return $this->take();
		}
		return null;
	}

	/** @return array<string, WP_User> The co-owners with an account, to whom the list can be given, by the keys of their entries. */
	private function takers(): array {
		return CoOwners::accounts_of( get_post_meta( $this->post->ID, Meta::OWNERS, true ) );
	}

	private function offer( string $person ): string {
		$to = $this->takers()[ Meta::invitee_key( $person ) ] ?? null;
		if ( $to && ! Handover::offered_to( $this->post ) ) {
			$this->handover->offer( $this->post, $to );
			/* translators: %s: name of a person */
			$told = __( 'We’ve emailed %s. The list stays yours until they accept.', 'trousseau' );
			/* translators: %s: name of a person */
			$untold = __( 'We can’t email %s any more today, so please tell them to open this page. The list stays yours until they accept.', 'trousseau' );
			$this->flash_message->keep( sprintf( $this->tell( $to, 'offer' ) ? $told : $untold, Language::isolate( Accounts::name_among_owners( $to ) ) ) );
		}
		return $this->address();
	}

	private function take(): string {
		$former = get_userdata( (int) $this->post->post_author );
		if ( $this->handover->accept( $this->post->ID ) && $former ) {
			$this->tell( $former, 'taken' );
		}
		// On a second press the list is already theirs.
		if ( (int) get_post_field( 'post_author', $this->post->ID ) !== get_current_user_id() ) {
			$this->flash_message->keep( __( 'You’re no longer being asked to take over this list.', 'trousseau' ), 'is-problem' );
			return $this->address();
		}
		$pay_to = Meta::pay_to( $this->post->ID );
		$this->flash_message->keep(
			$pay_to === ''
				? __( 'The list is yours now.', 'trousseau' )
				/* translators: %s: an account or other place to which money is sent */
				: sprintf( __( 'The list is yours now. Shares still go to “%s”: change that under “Details” if you’d like to be paid another way.', 'trousseau' ), Language::isolate( $pay_to ) )
		);
		return $this->address();
	}

	/** Whether an email about the list's owner is on its way to an owner. */
	private function tell( WP_User $to, string $template ): bool {
		// An administrator may offer the list: the email then still names its first owner.
		$first  = $template === 'offer' ? get_userdata( (int) $this->post->post_author ) : false;
		$values = array(
			'registry' => Registries::title( $this->post ),
			'owner'    => Accounts::name_among_owners( $first ?: wp_get_current_user() ),
			'link'     => $this->address(),
		);
		return $this->may_email( $to->user_email ) && $this->mail->send( $to->user_email, $template, $values );
	}

	private function add( Form $form ): ?string {
		$typed  = TypedGuests::of( $form->text( 'person' ), array( $this->accounts, 'with_user_names' ) );
		$keys   = array_map( array( Meta::class, 'invitee_key' ), $typed->guests );
		$listed = Meta::owner_list( $this->post->ID );
		$wanted = $listed + array_combine( $keys, $typed->guests );
		if ( $typed->unknown ) {
			$form->fault( 'person', $typed->fault() );
		} elseif ( ! $typed->guests ) {
			$form->fault( 'person', __( 'Enter an email or a user name.', 'trousseau' ) );
		} elseif ( count( $wanted ) > Meta::MAX_OWNERS ) {
			/* translators: %s: number of people */
			$form->fault( 'person', sprintf( __( 'A list can have up to %s owners besides you.', 'trousseau' ), number_format_i18n( Meta::MAX_OWNERS ) ) );
		}
		if ( ! $form->is_sound() ) {
			return null;
		}
		$owners = CoOwners::keys( $this->post );
		$named  = array_intersect_key( $wanted, array_flip( $keys ) );
		// Those on the list get the email again: it, or the answer to an earlier press, may have been lost.
		$new = array_diff_key( $named, array_diff_key( $owners, $listed ) );
		$this->store( static fn( array $owners ): array => $owners + $new );
		$sent = array_filter( array_map( array( $this, 'mail' ), $new ) );
		/* translators: %s: names or addresses of people */
		$told = __( '%s is now an owner of this list. The email is on its way.', 'trousseau' );
		/* translators: %s: names or addresses of people */
		$untold = __( '%s is now an owner of this list, but we can’t email them today. Please tell them yourself.', 'trousseau' );
		$this->flash_message->keep( $new ? sprintf( count( $sent ) === count( $new ) ? $told : $untold, Language::list( $new ) ) : __( 'They already own this list.', 'trousseau' ) );
		return $this->address();
	}

	/** @return string[] The entries by which the current user is a co-owner. */
	private function own_entries(): array {
		return array_values( array_intersect_key( Meta::owner_list( $this->post->ID ), CoOwners::keys_of( wp_get_current_user() ) ) );
	}

	private function leave_out( array $names ): void {
		$gone = array_flip( array_map( array( Meta::class, 'invitee_key' ), $names ) );
		$this->store( static fn( array $owners ): array => array_diff_key( $owners, $gone ) );
	}

	/** @param callable(array<string, string>): array<string, string> $change Of the owners as they are now: another one may just have left. */
	private function store( callable $change ): void {
		$this->lock->alone(
			"owners-{$this->post->ID}",
			30,
			function () use ( $change ): void {
				$owners = array_values( $change( $this->meta_list->now( $this->post->ID, fn(): array => Meta::owner_list( $this->post->ID ) ) ) );
				$this->item_service->update_registry( $this->post->ID, array( 'meta' => array( Meta::OWNERS => $owners ) ) );
			}
		);
	}

	/** Whether an email to a new owner is on its way. */
	private function mail( string $person ): bool {
		$account = $this->accounts->with_user_names( array( $person ) )[ Meta::invitee_key( $person ) ] ?? null;
		$to      = $account->user_email ?? $person;
		$values  = array(
			'registry'  => Registries::title( $this->post ),
			'owner'     => Registries::owner_name( $this->post ),
			'address'   => $to,
			'is_member' => $account !== null || email_exists( $to ),
			'link'      => $this->owner_link->address( $this->post, $person ),
		);
		return $this->may_email( $to )
			&& $this->rate_limiter->allows( 'invite-owners', (string) get_current_user_id(), self::OWNERS_A_DAY, DAY_IN_SECONDS )
			&& $this->mail->send( $to, 'owner', $values );
	}

	private function may_email( string $to ): bool {
		return $this->rate_limiter->allows( 'invite-one', get_current_user_id() . ' ' . strtolower( $to ), self::A_DAY_TO_ONE, DAY_IN_SECONDS );
	}
}
