<?php

declare(strict_types=1);

namespace Trousseau\Privacy;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Giving\ClaimKind;
use Trousseau\Giving\SecretGifts;
use Trousseau\Giving\UninvitedGifts;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Closing;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftDrafts;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\ListField;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryDraft;
use Trousseau\Lists\Surprise;
use Trousseau\Owners\Handover;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Plugin;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use WP_Error;
use WP_Post;
use WP_User;

/**
 * People's data for WordPress's own tools under Tools → Export and Erase Personal Data: of owners, guests and
 * givers, by the requested address and by the account that has it.
 */
final class PersonalData {

	/** The most gifts, registries or emails that one request handles. */
	private const PAGE = 100;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly Handover $handover,
		private readonly ItemService $item_service,
		private readonly Mail $mail,
		private readonly Meta $meta,
		private readonly Registries $registries,
		private readonly RegistryDraft $registry_draft,
		private readonly SecretGifts $secret_gifts,
		private readonly UninvitedGifts $uninvited_gifts,
	) {
	}

	/** @return array{data: array<string, mixed>[], done: bool}|WP_Error */
	public function export( string $address, int $page = 1 ): array|WP_Error {
		$user  = get_user_by( 'email', $address ) ?: null;
		$names = self::names( $address, $user );
		$from  = ( $page - 1 ) * self::PAGE;
		try {
			$gave    = $this->gave( $address, $from, $user );
			$own     = $user ? $this->registries_of( $user, $from ) : array();
			$invited = $page === 1 ? $this->registries_with( $names, Meta::INVITEES ) : array();
			$shared  = $page === 1 ? $this->registries_with( $names, Meta::OWNERS ) : array();
			$written = $page === 1 ? SecretGifts::written_by( $names ) : array();
			// The administrator who reads it may be an owner who is to be surprised.
			$is_open = static fn( int $id ): bool => ! Surprise::is_for_viewer( get_post( $id ) );
			$written = array_filter( $written, $is_open, ARRAY_FILTER_USE_KEY );
			$gifts   = Surprise::without_secrets( Surprise::without_spoilers( $gave ) );
			$former  = array_map( 'get_post', array_keys( array_diff_key( $written, array_column( $invited, null, 'ID' ) ) ) );
			$data    = array(
				...array_map( fn( WP_Post $post ): array => $this->registry( $post, $user->ID ?? 0 ), array( ...$own, ...$shared ) ),
				...array_map( static fn( WP_Post $post ): array => self::invitation( $post, $names, $written[ $post->ID ] ?? array() ), array( ...$invited, ...$former ) ),
				// Givers may have typed the address of an owner who is to be surprised: this must not tell the owner.
				...array_map( array( $this, 'gift' ), $gifts ),
			);
		} catch ( ServiceError $error ) {
			return self::not_now( $error );
		}
		return array( 'data' => $data, 'done' => max( count( $gave ), count( $own ) ) < self::PAGE );
	}

	/** @return array{items_removed: bool, items_retained: bool, messages: string[], done: bool}|WP_Error */
	public function erase( string $address, int $page = 1 ): array|WP_Error {
		$user  = get_user_by( 'email', $address ) ?: null;
		$names = self::names( $address, $user );
		try {
			// What the administrator reads gives no surprise away.
			$gave     = Surprise::without_secrets( $this->gave( $address, 0, $user ) );
			$messages = array_merge( ...array_map( static fn( ClaimKind $kind ): array => $kind->warnings( $gave ), ClaimKind::all() ) );
			$removed  = $this->item_service->is_configured()
				? (int) $this->item_service->erase_giver( $address, $user->ID ?? 0 )['erased']
				: 0;
		} catch ( ServiceError $error ) {
			return self::not_now( $error );
		}
		foreach ( array( Meta::INVITEES, Meta::OWNERS ) as $key ) {
			foreach ( $this->registries_with( $names, $key ) as $post ) {
				$this->meta->remove( $post->ID, $key, $names );
				++$removed;
			}
		}
		$removed += $this->secret_gifts->forget_person( $names ) + $this->mail->forget( $address );
		$own      = $user ? $this->registries_of( $user, 0 ) : array();
		$kept     = array_filter( $own, array( $this, 'hand_on' ) );
		$trash    = array_diff_key( $own, $kept );
		array_map( 'wp_trash_post', array_column( $trash, 'ID' ) );
		$user && $this->registry_draft->forget_of( $user->ID );
		$user && $this->uninvited_gifts->forget_of( $user->ID );
		if ( $kept ) {
			/* translators: 1: number of registries, 2: names of registries */
			$messages[] = sprintf( _n( '%1$s list with other owners was kept, but not its delivery address or payment details: %2$s. It now belongs to its next owner.', '%1$s lists with other owners were kept, but not their delivery addresses or payment details: %2$s. Each now belongs to its next owner.', count( $kept ), 'trousseau' ), number_format_i18n( count( $kept ) ), Language::list( array_map( array( Registries::class, 'title' ), $kept ) ) );
		}
		if ( $trash ) {
			/* translators: %s: number of registries */
			$messages[] = sprintf( _n( '%s of their lists was moved to the trash and will be deleted with it, gifts and guests included. You can restore it until then.', '%s of their lists were moved to the trash and will be deleted with it, gifts and guests included. You can restore them until then.', count( $trash ), 'trousseau' ), number_format_i18n( count( $trash ) ) );
		}
		return array(
			'items_removed'  => $removed + count( $own ) > 0,
			'items_retained' => (bool) $kept,
			// WordPress's script inserts the messages as HTML.
			'messages'       => array_map( 'esc_html', $messages ),
			'done'           => count( $own ) < self::PAGE,
		);
	}

	/** Gives a registry that others own, too, to the next of them, without its author's own data. Returns false where nobody else owns it. */
	private function hand_on( WP_Post $post ): bool {
		$heir = $this->handover->inherit( $post );
		if ( $heir ) {
			foreach ( Plugin::parts( ListField::class ) as $field ) {
				Plugin::get( $field )->forget( $post->ID );
			}
			$this->registries->name_owner( $post, null );
			$this->handover->end( $post );
			$this->mail->send( $heir->user_email, 'inherited', array( 'registry' => Registries::title( $post ), 'link' => PageAddress::of( 'details', $post->ID ) ) );
		}
		return (bool) $heir;
	}

	/** Words for a site's privacy policy, offered under Settings → Privacy. */
	public function suggest_policy(): void {
		$months = GiverRetention::months();
		/* translators: %s: number of months */
		$kept  = $months ? sprintf( _n( 'The names, addresses and messages of guests who give are erased %s month after the event, or after the last change of a gift if that’s later.', 'The names, addresses and messages of guests who give are erased %s months after the event, or after the last change of a gift if that’s later.', $months, 'trousseau' ), number_format_i18n( $months ) ) : __( 'The names, addresses and messages of guests who give are kept until you ask us to erase them.', 'trousseau' );
		$parts = array(
			array( 'privacy-policy-tutorial', __( 'This is what Trousseau stores about the owners of gift lists and their guests. Change it if your site works differently, and name the company that runs the item service if that isn’t you.', 'trousseau' ) ),
			array( '', __( 'If you create a gift list, we store what you enter: its name, story, date and gifts, and the names or addresses of the guests you invite. Owners, guests and the people who run this site can see it. If you make it public, everyone can, but never who is invited.', 'trousseau' ) ),
			array( '', __( 'We store which owner last changed a gift or the details of a list, and when. The owners of that list can see it.', 'trousseau' ) ),
			array( '', __( 'If someone invites you, we store your address, whether the email was sent, and when its link was opened, until an owner removes you or deletes the list.', 'trousseau' ) ),
			array( '', __( 'If you give, we store your name, your address, your message, what you give and when. The owners can see it, or if they want to be surprised, from the date they chose. Other guests only see that a gift is given.', 'trousseau' ) ),
			array( '', __( 'For group gifts, we store where shares should be sent, such as a bank account, and show it to people with a confirmed share. No money passes through us. If money is missing on the day, we email everyone who gives, and for two years store a fingerprint of their address, so that we only do so once.', 'trousseau' ) ),
			array( '', __( 'The guest who buys a group gift sees the names and amounts of the others, and they see who buys it. We store whether each share was sent, as the sender says.', 'trousseau' ) ),
			array( '', $kept ),
			array( '', __( 'For up to 400 days, cookies remember on your device which invitation you came by, what you give and the name you gave, and for a week a list you’ve started. Nobody else gets this. Shops only learn about you when you follow a link to them.', 'trousseau' ) ),
			array( '', __( 'We count for a few days what visitors do, and for up to two weeks what people with an account do, under a fingerprint of their network address or account, so that nobody reserves all gifts at once. If you give with an account from a list you weren’t invited to, we remember it for 60 days, so that we can undo it if someone reserves far too much. If you unsubscribe, we store a fingerprint of your address.', 'trousseau' ) ),
		);
		$html  = array_map( static fn( array $part ): string => sprintf( '<p%s>%s</p>', $part[0] === '' ? '' : ' class="' . esc_attr( $part[0] ) . '"', esc_html( $part[1] ) ), $parts );
		wp_add_privacy_policy_content( __( 'Trousseau', 'trousseau' ), implode( "\n", $html ) );
	}

	private function registry( WP_Post $post, int $user_id ): array {
		$items = $this->items( $post );
		$names = array_column( $items, 'name', 'id' );
		// 0 stands for owners who have left.
		$times    = $user_id ? LastChanges::times_of( $post, $user_id ) : array();
		$pictures = array_map( 'strval', array_column( array( ...$items, ...GiftDrafts::of( $post ), ...RemovedGifts::of( $post ) ), 'image_url' ) );
		$facts    = array(
			array( __( 'Name', 'trousseau' ), Registries::title( $post ) ),
			array( __( 'Invitation from', 'trousseau' ), Registries::owner_name( $post ) ),
			array( __( 'Story', 'trousseau' ), PlainText::of_html( $post->post_content ) ),
			array( __( 'Occasion', 'trousseau' ), Meta::event_type( $post->ID ) ),
			array( __( 'Date', 'trousseau' ), Meta::event_date( $post->ID ) ),
			array( __( 'Closes on', 'trousseau' ), Closing::day( $post->ID ) ),
			...array_map( static fn( string $field ): array => array( $field::personal(), $field::personal() === '' ? '' : $field::value( $post->ID ) ), array_values( Plugin::parts( ListField::class ) ) ),
			array( __( 'Gifts', 'trousseau' ), implode( "\n", $names ) ),
			array( __( 'Pictures of gifts', 'trousseau' ), implode( "\n", array_filter( array_map( static fn( string $url ): string => GiftPicture::is_own( $url ) ? GiftPicture::address( $url, $post->ID ) : '', $pictures ) ) ) ),
			array( __( 'Drafts', 'trousseau' ), implode( "\n", array_column( GiftDrafts::of( $post ), 'name' ) ) ),
			array( __( 'Guests', 'trousseau' ), implode( "\n", Meta::invitees( $post->ID ) ) ),
			array( __( 'Created', 'trousseau' ), $post->post_date ),
			array( __( 'Last changed by you', 'trousseau' ), self::changes( $times, $names ) ),
		);
		return self::entry( 'registries', __( 'Gift lists', 'trousseau' ), "registry-$post->ID", $facts );
	}

	/** @param array<int, int> $times By the numbers of gifts. */
	private static function changes( array $times, array $names ): string {
		$names += array( LastChanges::DETAILS => __( 'Details', 'trousseau' ) );
		$lines  = array_map( static fn( int $id, int $time ): string => ( $names[ $id ] ?? __( 'a gift that’s no longer on the list', 'trousseau' ) ) . ': ' . gmdate( 'Y-m-d H:i', $time ), array_keys( $times ), $times );
		return implode( "\n", $lines );
	}

	/** @param string[] $written Gifts that aren't on the list. */
	private static function invitation( WP_Post $post, array $names, array $written ): array {
		$notes  = array_map( static fn( string $name ): array => Invitations::known( $post, $name ), $names );
		$opened = max( array_column( $notes, 'opened' ) );
		$facts  = array(
			array( __( 'Gift list', 'trousseau' ), Registries::title( $post ) ),
			array( __( 'Invited as', 'trousseau' ), implode( ', ', array_intersect( array_map( 'mb_strtolower', Meta::invitees( $post->ID ) ), $names ) ) ),
			array( __( 'Your name', 'trousseau' ), implode( ', ', array_filter( array_column( $notes, 'name' ) ) ) ),
			array( __( 'Link opened', 'trousseau' ), $opened ? gmdate( 'Y-m-d H:i', $opened ) : '' ),
			array( __( 'Gifts not on the list', 'trousseau' ), implode( "\n", $written ) ),
			array( __( 'Emails about new gifts', 'trousseau' ), array_intersect( array_map( 'mb_strtolower', Invitations::followers( $post ) ), $names ) ? __( 'yes', 'trousseau' ) : '' ),
		);
		return self::entry( 'invitations', __( 'Invitations to gift lists', 'trousseau' ), "invitation-$post->ID", $facts );
	}

	private function gift( Claim $claim ): array {
		$post  = get_post( $claim->registry_id );
		$item  = array_column( $post ? $this->items( $post ) : array(), null, 'id' )[ $claim->item_id ] ?? null;
		$facts = array(
			array( __( 'Gift', 'trousseau' ), $item ? $item->name : __( 'a gift that’s no longer on the list', 'trousseau' ) ),
			array( __( 'Gift list', 'trousseau' ), $post ? Registries::title( $post ) : '' ),
			array( __( 'How many', 'trousseau' ), GiftAmount::of( $claim->quantity, GiftAmount::currency_of_claim( $claim ) ) ),
			array( __( 'State', 'trousseau' ), GiftAmount::stage( $claim ) ),
			array( __( 'Your name', 'trousseau' ), $claim->name ),
			array( __( 'Your email', 'trousseau' ), $claim->email ),
			array( __( 'Message', 'trousseau' ), $claim->message ),
			...ClaimKind::of( $claim )->personal( $claim ),
			array( __( 'Created', 'trousseau' ), $claim->created_at ),
		);
		return self::entry( 'gifts', __( 'Gifts you’re giving', 'trousseau' ), 'gift-' . $claim->id, $facts );
	}

	/** @return array<string, mixed>[] The service knows no drafts. */
	private function items( WP_Post $post ): array {
		return match ( true ) {
			! PostType::is_live( $post )            => array(),
			$this->item_service->is_configured() => $this->gift_lists->items( $post ),
			// The site's copy, from when a service was connected.
			default                              => $this->gift_lists->of( $post )->items ?? array(),
		};
	}

	/** @return Claim[] The gifts of a giver; none where no service is connected. */
	private function gave( string $address, int $from, ?WP_User $user ): array {
		return $this->item_service->is_configured()
			? $this->item_service->claims_of( $address, $from, self::PAGE, $user->ID ?? 0 )
			: array();
	}

	/** @param array{0: string, 1: string}[] $facts */
	private static function entry( string $group, string $label, string $id, array $facts ): array {
		$facts = array_filter( $facts, static fn( array $fact ): bool => $fact[1] !== '' );
		return array(
			'group_id'    => "trousseau-$group",
			'group_label' => $label,
			'item_id'     => "trousseau-$id",
			'data'        => array_map( static fn( array $fact ): array => array( 'name' => $fact[0], 'value' => nl2br( esc_html( $fact[1] ) ) ), array_values( $facts ) ),
		);
	}

	/** @return WP_Post[] The newest first, without those in the trash. */
	private function registries_of( WP_User $user, int $from ): array {
		$made = $this->meta->made_by( $user->ID );
		rsort( $made );
		$is_there = static fn( ?WP_Post $post ): bool => $post && ! in_array( $post->post_status, array( 'trash', 'auto-draft' ), true );
		return array_slice( array_values( array_filter( array_map( 'get_post', $made ), $is_there ) ), $from, self::PAGE );
	}

	/** @return WP_Post[] Registries that list someone as a guest, or as an owner. */
	private function registries_with( array $names, string $key ): array {
		$people = static fn( WP_Post $post ): array => array_map( 'mb_strtolower', $key === Meta::OWNERS ? Meta::owner_list( $post->ID ) : Meta::invitees( $post->ID ) );
		$found  = array_filter( array_map( PostType::find( ... ), $this->meta->naming( $names, $key ) ) );
		return array_values( array_filter( $found, static fn( WP_Post $post ): bool => (bool) array_intersect( $names, $people( $post ) ) ) );
	}

	/** @return string[] The names by which someone is invited, in small letters. */
	private static function names( string $address, ?WP_User $user ): array {
		return array_values( array_unique( array_map( 'mb_strtolower', array( $address, ...( $user ? Accounts::invited_as( $user ) : array() ) ) ) ) );
	}

	private static function not_now( ServiceError $error ): WP_Error {
		/* translators: %s: an error message */
		return new WP_Error( 'trousseau_gifts', sprintf( __( 'Trousseau can’t reach the service that knows who gives what, so this isn’t complete. Try again once the service answers. %s', 'trousseau' ), $error->getMessage() ) );
	}
}
