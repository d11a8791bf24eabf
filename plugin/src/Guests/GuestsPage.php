<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\DetailsPage;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryForm;
use Trousseau\Lists\Surprise;
use Trousseau\Lists\TypedGuests;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\OpenedForm;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;
use Trousseau\Service\ItemService;
use WP_Post;

/** The page on which an owner invites guests, sees how each invitation fares, and finds the address to share. */
final class GuestsPage extends OwnerPage {

	protected const TAB = 2;

	public const MAX_NOTE = 1000;

	/** The most guests on one page, and the most that need no search. */
	private const A_PAGE = 100;
	private const FEW    = 20;

	public function __construct(
		private readonly Accounts $accounts,
		private readonly FlashMessage $flash_message,
		private readonly InvitationMails $invitation_mails,
		private readonly Invitations $invitations,
		private readonly ItemService $item_service,
		private readonly ListLink $list_link,
		private readonly Registries $registries,
		private readonly Request $request,
	) {
	}

	public static function tab(): string {
		return __( 'Guests', 'trousseau' );
	}

	public function title(): string {
		return __( 'Your guests', 'trousseau' );
	}

	/** The address names the part that is shown, so that every press leads back to it. */
	public function address(): string {
		return $this->part_address( $this->part() );
	}

	private function part_address( int $part ): string {
		return PageAddress::of( 'guests', $this->post->ID, array_filter( array( 'find' => $this->request->search(), 'part' => $part > 1 ? (string) $part : '' ), 'strlen' ) );
	}

	public function form(): Form {
		$shown = array( 'owner' => Registries::owner_name( $this->post ) );
		return new Form( $shown + array( OpenedForm::FIELD => OpenedForm::stamp( $shown ) ) );
	}

	public function html( Form $form ): string {
		$all   = Meta::invitees( $this->post->ID );
		$find  = $this->request->search();
		$found = $find === '' ? $all : array_filter( $all, fn( string $guest ): bool => mb_stripos( Invitations::known( $this->post, $guest )['name'] . " $guest", $find ) !== false );
		// Guests whose link the owner has to send themselves come first.
		$failed = array_filter( $found, fn( string $guest ): bool => Invitations::known( $this->post, $guest )['mail'] === Invitations::FAILED );
		$found  = array( ...$failed, ...array_diff_key( $found, $failed ) );
		$parts  = max( 1, (int) ceil( count( $found ) / self::A_PAGE ) );
		$part   = min( $this->part(), $parts );
		$shown  = array_slice( $found, ( $part - 1 ) * self::A_PAGE, self::A_PAGE );
		$claims = $shown ? Surprise::given_soon( $this->item_service, $this->post ) : array();
		return $this->head() . Template::html(
			'guests',
			array(
				// The button that cancels an invitation sends none of the fields.
				'form'      => $form->action === 'invite' ? $form : $this->form(),
				'address'   => $this->address(),
				'guests'    => $this->guests( $shown, $claims ?? array() ),
				'is_cut'    => $claims === null && Meta::item_ids( $this->post->ID ),
				'count'     => count( $all ),
				'found'     => count( $found ),
				'find'      => $find,
				'search'    => count( $all ) > self::FEW ? PageAddress::of( 'guests', $this->post->ID ) : '',
				'part'      => $part,
				'parts'     => $parts,
				'before'    => $part > 1 ? $this->part_address( $part - 1 ) : '',
				'after'     => $part < $parts ? $this->part_address( $part + 1 ) : '',
				'share'     => self::shared_address( $this->post ),
				'whatsapp'  => 'https://wa.me/?text=' . rawurlencode( Registries::title( $this->post ) . ' ' . self::shared_address( $this->post ) ),
				'cards'     => PageAddress::of( 'cards', $this->post->ID ),
				'name'      => Registries::title( $this->post ),
				'has_link'  => ListLink::is_on( $this->post ),
				'details'   => DetailsPage::part_address( $this->post, 'privacy' ),
			)
		);
	}

	/** The address that opens a list for those who have it; empty where only invited guests can open it. */
	public static function shared_address( WP_Post $post ): string {
		return match ( RegistryForm::status( $post ) ) {
			'publish' => (string) get_permalink( $post ),
			'link'    => ListLink::address( $post ),
			default   => '',
		};
	}

	public function handle( Form $form ): ?string {
		switch ( $form->action ) {
			case 'invite':
				return $form->text( 'again' ) === '' ? $this->invite( $form ) : $this->again( $form );
			case 'cancel':
				$guest = $form->text( 'guest' );
				$this->item_service->remove_invitee( $this->post->ID, $guest );
				/* translators: %s: guest */
				return $this->answer( sprintf( __( '%s is no longer invited. Their link no longer works.', 'trousseau' ), Language::isolate( $guest ) ) );
			case 'renew':
				if ( ListLink::is_on( $this->post ) ) {
					$this->list_link->renew( $this->post );
					$this->flash_message->keep( __( 'Your list has a new link. The old one no longer works.', 'trousseau' ) );
				}
				return $this->address();
		}
		return null;
	}

	private function invite( Form $form ): ?string {
		$note   = $form->needs( 'note', self::MAX_NOTE );
		$named  = $this->new_name( $form );
		$typed  = TypedGuests::of( $form->lines( 'guests' ), array( $this->accounts, 'with_user_names' ) );
		$owners = CoOwners::keys( $this->post );
		$own    = array_values( array_filter( $typed->guests, static fn( string $guest ): bool => isset( $owners[ Meta::invitee_key( $guest ) ] ) ) );
		$guests = array_values( array_diff( $typed->guests, $own ) );
		$wrong  = array( ...$typed->unknown, ...$own );
		$keys   = array_map( array( Meta::class, 'invitee_key' ), array( ...Meta::invitees( $this->post->ID ), ...$guests ) );
		if ( $typed->are_too_many || count( array_unique( $keys ) ) > Meta::MAX_INVITEES ) {
			$guests = array();
			$wrong  = array();
			/* translators: %s: number of guests */
			$form->fault( 'guests', sprintf( __( 'A list can have up to %s guests, so nobody was invited. Remove some and try again.', 'trousseau' ), number_format_i18n( Meta::MAX_INVITEES ) ) );
		} elseif ( $wrong ) {
			/* translators: %s: emails or names of people */
			$needless = _n( '%s is an owner of this list and doesn’t need an invitation.', '%s are owners of this list and don’t need an invitation.', count( $own ), 'trousseau' );
			$form->fault( 'guests', trim( $typed->fault() . ( $own ? ' ' . sprintf( $needless, Language::list( $own ) ) : '' ) ) );
		} elseif ( ! $guests && $named === null ) {
			$form->fault( 'guests', __( 'Enter at least one email or user name.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() && ( ! $guests || array_keys( $form->faults() ) !== array( 'guests' ) ) ) {
			return null;
		}
		$guests && $this->item_service->add_invitees( $this->post->ID, $guests );
		$named === null || $this->registries->name_owner( $this->post, $named );
		$said = $guests ? $this->invited( $guests, $note, $typed->names ) : __( 'Your changes are saved.', 'trousseau' );
		// The others have been invited, so only the names to correct stay in the field.
		$wrong && $form->set( 'guests', implode( "\n", $wrong ) );
		return $this->answer( $said, stays: (bool) $wrong );
	}

	/** Sends an invitation again, with the host's name as typed: a guest's button sends the form along. */
	private function again( Form $form ): ?string {
		$note  = $form->needs( 'note', self::MAX_NOTE );
		$named = $this->new_name( $form );
		if ( ! $form->is_sound() ) {
			return null;
		}
		$named === null || $this->registries->name_owner( $this->post, $named );
		$guest = Meta::invitee( $this->post->ID, $form->text( 'again' ) );
		if ( $guest === '' || ! $this->invitation_mails->send( $this->post, array( $guest ), $note === '' ? null : $note ) ) {
			/* translators: %s: guest */
			$form->fault( '', sprintf( __( 'We can’t email %s any more today. Send them their link yourself, or try again tomorrow.', 'trousseau' ), Language::isolate( $form->text( 'again' ) ) ) );
			return null;
		}
		$at   = $this->invitations->note( $this->post, $guest )['at'];
		$said = $at > time()
			/* translators: 1: guest, 2: date */
			? sprintf( __( 'We’ll email %1$s on %2$s, or as soon as your first guest opens the list.', 'trousseau' ), Language::isolate( $guest ), Language::day( $at ) )
			/* translators: %s: guest */
			: sprintf( __( 'The invitation is on its way to %s again.', 'trousseau' ), Language::isolate( $guest ) );
		// Other guests in the field wait for “Send invitations”.
		return $this->answer( $said, stays: $form->text( 'guests' ) !== '' );
	}

	/** Says what was done, above the form if some of it stays to be sent. */
	private function answer( string $said, bool $stays = false ): ?string {
		$stays ? $this->flash_message->say( $said ) : $this->flash_message->keep( $said );
		return $stays ? null : $this->address();
	}

	/** The hosts' name, where the sender has changed it: another owner may have, since the page was opened. */
	private function new_name( Form $form ): ?string {
		$form->needs( 'owner', Accounts::LONGEST_NAME );
		$owner          = $form->text( 'owner' );
		$stored         = Registries::owner_name( $this->post );
		list( $theirs ) = OpenedForm::of( $form )?->compare( compact( 'owner' ), array( 'owner' => $stored ) ) ?? array( array() );
		return isset( $form->typed()['owner'] ) && $owner !== $stored && ! $theirs ? $owner : null;
	}

	/** Emails guests who haven't had an email yet, and says so. */
	private function invited( array $guests, string $note, array $names ): string {
		// The service has written the list through another request.
		wp_cache_delete( $this->post->ID, 'post_meta' );
		// Guests who are on the list already, but had no email, get one: the answer to an earlier press may have been lost.
		$new = array_values( array_filter( $guests, fn( string $guest ): bool => Invitations::known( $this->post, $guest )['mail'] === '' ) );
		if ( ! $new ) {
			return _n( 'This guest is already invited.', 'These guests are already invited.', count( $guests ), 'trousseau' );
		}
		$sent   = $this->invitation_mails->send( $this->post, $new, $note, $names );
		$later  = count( array_filter( $this->invitations->notes_of( $this->post, $sent ), static fn( array $note ): bool => $note['at'] > time() ) );
		$unsent = count( $new ) - count( $sent );
		$sent   = count( $sent ) - $later;
		$known  = array_diff( $guests, $new );
		/* translators: %s: number of guests */
		$said = $sent ? sprintf( _n( '%s guest is invited. The email is on its way.', '%s guests are invited. The emails are on their way.', $sent, 'trousseau' ), number_format_i18n( $sent ) ) : '';
		/* translators: %s: number of guests */
		$but = $unsent ? sprintf( _n( '%s guest is invited, but we can’t email them today. Send them their link yourself.', '%s guests are invited, but we can’t email them today. Send them their links yourself.', $unsent, 'trousseau' ), number_format_i18n( $unsent ) ) : '';
		/* translators: %s: number of emails */
		$rest = $later ? sprintf( _n( 'We’ll send %s more email over the next few days, or as soon as your first guest opens the list.', 'We’ll send %s more emails over the next few days, or as soon as your first guest opens the list.', $later, 'trousseau' ), number_format_i18n( $later ) ) : '';
		/* translators: %s: emails or names of guests */
		$before = $known ? sprintf( __( 'Already invited: %s.', 'trousseau' ), Language::list( $known ) ) : '';
		return implode( ' ', array_filter( array( $said, $rest, $but, $before ) ) );
	}

	/** @return array<string, mixed>[] Guests as the page shows them, and whether they are among the givers of these claims. */
	private function guests( array $guests, array $claims ): array {
		$accounts = $this->accounts->with_user_names( $guests );
		$emails   = array_map( 'mb_strtolower', Accounts::addresses( $guests, $accounts ) );
		$givers   = array_flip( array_map( 'mb_strtolower', array_column( $claims, 'email' ) ) );
		$notes    = $this->invitations->notes_of( $this->post, $guests );
		$row      = fn( string $guest ): array => array(
			'name'  => $guest,
			'typed' => $notes[ $guest ]['name'] ?? '',
			'state' => isset( $givers[ $emails[ $guest ] ] ) ? __( 'Is giving something', 'trousseau' ) : self::state( $notes[ $guest ] ),
			'link'  => isset( $accounts[ Meta::invitee_key( $guest ) ] ) ? '' : $this->invitations->link( $this->post, $guest ),
		);
		return array_map( $row, $guests );
	}

	private static function state( array $note ): string {
		return match ( $note['opened'] ? 'opened' : $note['mail'] ) {
			/* translators: %s: date */
			'opened'             => sprintf( __( 'Opened the list on %s', 'trousseau' ), Language::day( $note['opened'] ) ),
			Invitations::SENT    => __( 'Email sent', 'trousseau' ),
			/* translators: %s: date */
			Invitations::WAITING => $note['at'] > time() ? sprintf( __( 'We’ll email them on %s', 'trousseau' ), Language::day( $note['at'] ) ) : __( 'Email on its way', 'trousseau' ),
			Invitations::FAILED  => __( 'The email couldn’t be delivered', 'trousseau' ),
			default              => __( 'Invited', 'trousseau' ),
		};
	}

	private function part(): int {
		return max( 1, $this->request->number( 'part' ) );
	}
}
