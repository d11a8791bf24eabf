<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Invitations;
use Trousseau\Jobs\Mail;
use Trousseau\Registry\Accounts;
use Trousseau\Registry\Meta;
use Trousseau\Registry\Registries;
use Trousseau\Registry\Surprise;
use Trousseau\Service\ItemService;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\RateLimiter;
use Trousseau\Support\Template;

/** Whom an owner invites, how each invitation fares, and the address to share. */
final class GuestsPage extends Page {

	private const MAX_NOTE = 1000;
	private const MAX_NAME = 100;

	/** How many guests stand on one page, and how many need no search. */
	private const A_PAGE = 100;
	private const FEW    = 20;

	/** Invitations a day by one account: a full list, and some again; and how many of them to one address. */
	private const A_DAY        = 1200;
	private const A_DAY_TO_ONE = 5;

	/** How many unknown names the message lists; all of them stay in the field. */
	private const NAMED = 5;

	/** The most words of one user name, and the most words and parts of all that is typed. */
	private const WORDS     = 4;
	private const MAX_WORDS = 5 * Meta::MAX_INVITEES;

	public function title(): string {
		return __( 'Your guests', 'trousseau' );
	}

	/** With the part that is shown, so that every press there leads back to it. */
	public function address(): string {
		$part  = self::part();
		$find  = self::find();
		$where = ( $find === '' ? array() : array( 'find' => $find ) ) + ( $part > 1 ? array( 'part' => $part ) : array() );
		return PageAddress::of( 'guests', $this->post->ID, $where );
	}

	public function obstacle(): string {
		return $this->unless_owner();
	}

	public function form(): Form {
		return new Form( array( 'owner' => Registries::owner_name( $this->post ) ) );
	}

	public function html( Form $form ): string {
		$all   = Meta::invitees( $this->post->ID );
		$find  = self::find();
		$found = $find === '' ? $all : array_filter( $all, static fn( string $guest ): bool => mb_stripos( $guest, $find ) !== false );
		// Guests to whom the owner has to send the link themselves come first.
		$failed = array_filter( $found, fn( string $guest ): bool => Invitations::mail_of( $this->post, $guest ) === Invitations::FAILED );
		$found  = array( ...$failed, ...array_diff_key( $found, $failed ) );
		$parts  = max( 1, (int) ceil( count( $found ) / self::A_PAGE ) );
		$part   = min( self::part(), $parts );
		$to     = fn( int $number ): string => PageAddress::of( 'guests', $this->post->ID, ( $find === '' ? array() : array( 'find' => $find ) ) + array( 'part' => $number ) );
		return Template::html( 'owner', MyRegistriesPage::head( $this->post, 'guests' ) ) . Template::html(
			'guests',
			array(
				// The button that cancels an invitation sends none of the fields.
				'form'      => $form->action === 'invite' ? $form : $this->form(),
				'address'   => $this->address(),
				'guests'    => $this->guests( array_slice( $found, ( $part - 1 ) * self::A_PAGE, self::A_PAGE ) ),
				'count'     => count( $all ),
				'found'     => count( $found ),
				'find'      => $find,
				'search'    => count( $all ) > self::FEW ? PageAddress::of( 'guests', $this->post->ID ) : '',
				'part'      => $part,
				'parts'     => $parts,
				'before'    => $part > 1 ? $to( $part - 1 ) : '',
				'after'     => $part < $parts ? $to( $part + 1 ) : '',
				'permalink' => (string) get_permalink( $this->post ),
				'name'      => Registries::title( $this->post ),
				'is_public' => $this->post->post_status === 'publish',
			)
		);
	}

	public function handle( Form $form ): ?string {
		switch ( $form->action ) {
			case 'invite':
				return $form->text( 'again' ) === '' ? $this->invite( $form ) : $this->again( $form );
			case 'cancel':
				$guest = $form->text( 'guest' );
				$left  = ItemService::of_site()->remove_invitee( $this->post->ID, $guest );
				if ( ! is_array( $left ) ) {
					$form->fault( '', $this->may_not_change_now( $left ) );
					return null;
				}
				/* translators: %s: guest */
				FlashMessage::keep( sprintf( __( '%s is no longer invited. Their link opens nothing any more.', 'trousseau' ), Language::isolate( $guest ) ) );
				return $this->address();
		}
		return null;
	}

	private function invite( Form $form ): ?string {
		$note    = $form->needs( 'note', self::MAX_NOTE );
		$named   = $this->new_name( $form );
		$parts   = self::split( $form->lines( 'guests' ) );
		$is_much = count( $parts, COUNT_RECURSIVE ) > self::MAX_WORDS;

		list( $guests, $wrong ) = self::guests_in( $is_much ? array() : $parts );
		$keys                   = array_map( array( Meta::class, 'invitee_key' ), array( ...Meta::invitees( $this->post->ID ), ...$guests ) );
		if ( $is_much || count( array_unique( $keys ) ) > Meta::MAX_INVITEES ) {
			$guests = array();
			$wrong  = array();
			/* translators: %s: number of guests */
			$form->fault( 'guests', sprintf( __( 'A list takes at most %s guests. Nobody was invited yet: take some away and press again.', 'trousseau' ), number_format_i18n( Meta::MAX_INVITEES ) ) );
		} elseif ( $wrong ) {
			/* translators: %s: what was typed */
			$form->fault( 'guests', sprintf( _n( 'Nobody here has this name or address: %s. Correct it and press again.', 'Nobody here has these names or addresses: %s. Correct them and press again.', count( $wrong ), 'trousseau' ), Language::list( array_slice( $wrong, 0, self::NAMED ) ) . ( count( $wrong ) > self::NAMED ? ' …' : '' ) ) );
		} elseif ( ! $guests && $named === null ) {
			$form->fault( 'guests', __( 'Type at least one address or user name.', 'trousseau' ) );
		}
		if ( ! $form->is_sound() && ( ! $guests || ! $form->is_faulty_only_at( 'guests' ) ) ) {
			return null;
		}
		$stored = $guests ? ItemService::of_site()->add_invitees( $this->post->ID, $guests ) : array();
		if ( ! is_array( $stored ) ) {
			$form->fault( '', $this->may_not_change_now( $stored ) );
			return null;
		}
		if ( $named !== null ) {
			Registries::name_owner( $this->post, $named );
		}
		$said = $guests ? $this->invited( $guests, $note ) : __( 'Your changes are kept.', 'trousseau' );
		if ( $wrong ) {
			// The others are invited: what is left in the field is to be corrected.
			$form->set( 'guests', implode( "\n", $wrong ) );
			FlashMessage::say( $said );
			return null;
		}
		FlashMessage::keep( $said );
		return $this->address();
	}

	/** The button of a guest sends the form along: a name that was typed there is the one in which the mail leaves. */
	private function again( Form $form ): ?string {
		$note  = $form->needs( 'note', self::MAX_NOTE );
		$named = $this->new_name( $form );
		if ( ! $form->is_sound() ) {
			return null;
		}
		if ( $named !== null ) {
			Registries::name_owner( $this->post, $named );
		}
		$guest = Meta::invitee( $this->post->ID, $form->text( 'again' ) );
		if ( $guest === '' || ! $this->mail( array( $guest ), $note === '' ? null : $note ) ) {
			/* translators: %s: guest */
			$form->fault( '', sprintf( __( 'No mail can be sent to %s today. Send them their link yourself, or try again tomorrow.', 'trousseau' ), Language::isolate( $form->text( 'again' ) ) ) );
			return null;
		}
		/* translators: %s: guest */
		$said = sprintf( __( 'The invitation is on its way to %s again.', 'trousseau' ), Language::isolate( $guest ) );
		if ( $form->text( 'guests' ) !== '' ) {
			// Other guests were typed, too: they wait for “Invite”.
			FlashMessage::say( $said );
			return null;
		}
		FlashMessage::keep( $said );
		return $this->address();
	}

	/** The name of the people who invite, where it has changed. */
	private function new_name( Form $form ): ?string {
		$form->needs( 'owner', self::MAX_NAME );
		$owner = $form->text( 'owner' );
		return isset( $form->typed()['owner'] ) && $owner !== Registries::owner_name( $this->post ) ? $owner : null;
	}

	/**
	 * Mails those who have had none, and says so.
	 *
	 * @param string[] $guests
	 */
	private function invited( array $guests, string $note ): string {
		// The service has written the list through another request.
		wp_cache_delete( $this->post->ID, 'post_meta' );
		// Also who is on the list already, but has had no mail: the answer to the press before this one may have been lost.
		$new = array_values( array_filter( $guests, fn( string $guest ): bool => Invitations::mail_of( $this->post, $guest ) === '' ) );
		if ( ! $new ) {
			return _n( 'This guest is invited already.', 'These guests are invited already.', count( $guests ), 'trousseau' );
		}
		$sent   = count( $this->mail( $new, $note ) );
		$unsent = count( $new ) - $sent;
		/* translators: %s: number of guests */
		$said = $sent ? sprintf( _n( '%s guest is invited. The mail is on its way.', '%s guests are invited. Their mails are on their way.', $sent, 'trousseau' ), number_format_i18n( $sent ) ) : '';
		/* translators: %s: number of guests */
		$but = $unsent ? sprintf( _n( '%s guest is invited, but can’t be sent a mail today. Send them their link yourself.', '%s guests are invited, but can’t be sent a mail today. Send them their links yourself.', $unsent, 'trousseau' ), number_format_i18n( $unsent ) ) : '';
		return trim( "$said $but" );
	}

	/**
	 * The words of a text, apart for each part that ends with a comma, a semicolon or a line. Names before an address, as address
	 * books write them (“Ann Smith <ann@example.org>”), are left out.
	 *
	 * @return string[][]
	 */
	private static function split( string $text ): array {
		// Such a name may have commas between quotes.
		$text  = (string) preg_replace( '/"[^"\n]*"\s*(?=<[^<>\s@]+@)/u', '', $text );
		$texts = array();
		foreach ( (array) preg_split( '/[,;\n]+/u', $text ) as $part ) {
			// The words before an address in brackets are its name; other addresses among them are guests of their own.
			$named   = (array) preg_split( '/<([^<>\s@]+@[^<>\s@]+)>/u', (string) $part, -1, PREG_SPLIT_DELIM_CAPTURE );
			$last    = array_pop( $named );
			$texts[] = preg_split( '/\s+/u', (string) $last, -1, PREG_SPLIT_NO_EMPTY );
			foreach ( $named as $place => $words ) {
				$words   = preg_split( '/\s+/u', $words, -1, PREG_SPLIT_NO_EMPTY );
				$texts[] = $place % 2 ? $words : array_values( array_filter( $words, static fn( string $word ): bool => str_contains( $word, '@' ) ) );
			}
		}
		return array_values( array_filter( $texts ) );
	}

	/**
	 * The guests that words name: by addresses, and by names of accounts, which may have spaces.
	 *
	 * @param string[][] $texts
	 * @return array{0: string[], 1: string[]} Entries of the list, and what is none.
	 */
	private static function guests_in( array $texts ): array {
		$names = array();
		foreach ( $texts as $words ) {
			foreach ( array_keys( $words ) as $from ) {
				array_push( $names, ...self::names_at( $words, $from ) );
			}
		}
		$accounts = Accounts::with_user_names( $names );
		$guests   = array();
		$wrong    = array();
		foreach ( $texts as $words ) {
			$unknown = array();
			for ( $from = 0, $end = count( $words ); $from < $end; $from += $count ) {
				list( $entry, $count ) = self::entry_at( $words, $from, $accounts );
				if ( $entry === '' ) {
					$unknown[] = $words[ $from ];
				} else {
					$guests += array( Meta::invitee_key( $entry ) => $entry );
				}
				// Words in a row that nobody knows are one name.
				if ( $unknown && ( $entry !== '' || $from + $count >= $end ) ) {
					$wrong[] = implode( ' ', $unknown );
					$unknown = array();
				}
			}
		}
		return array( array_values( $guests ), $wrong );
	}

	/**
	 * @param string[]              $words
	 * @param array<string, object> $accounts
	 * @return array{0: string, 1: int} The guest who is named there, nothing where nobody is, and by how many words.
	 */
	private static function entry_at( array $words, int $from, array $accounts ): array {
		// The longest name counts: “Ann Lee” is somebody else than “Ann”.
		foreach ( array_reverse( self::names_at( $words, $from ), true ) as $count => $name ) {
			$account = $accounts[ Meta::invitee_key( $name ) ] ?? null;
			if ( $account ) {
				return array( $account->user_login, $count + 1 );
			}
		}
		return array( is_email( $words[ $from ] ) ? $words[ $from ] : '', 1 );
	}

	/**
	 * The user names that may begin with a word: of one word, of two, and so on.
	 *
	 * @param string[] $words
	 * @return string[]
	 */
	private static function names_at( array $words, int $from ): array {
		$names = array();
		$name  = '';
		foreach ( array_slice( $words, $from, self::WORDS ) as $word ) {
			if ( str_contains( $word, '@' ) ) {
				break;
			}
			$name    = ltrim( "$name $word" );
			$names[] = sanitize_user( $name );
		}
		return $names;
	}

	/**
	 * Sends invitations: however many, the notes about them are written once.
	 *
	 * @param string[]    $guests
	 * @param string|null $words  To go with it; those of the time before when null.
	 * @return string[] Those to whom a mail is on its way.
	 */
	private function mail( array $guests, ?string $words ): array {
		$accounts = Accounts::with_user_names( $guests );
		$to       = array();
		foreach ( $guests as $guest ) {
			$to[ $guest ] = $accounts[ Meta::invitee_key( $guest ) ]->user_email ?? $guest;
		}
		$by    = (string) get_current_user_id();
		$count = RateLimiter::how_many( 'invite', $by, count( $to ), self::A_DAY, DAY_IN_SECONDS );
		$some  = array_map( 'strtolower', array_slice( $to, 0, $count, true ) );
		$some  = array_intersect_key( $to, RateLimiter::those_allowed( 'invite-one', array_map( static fn( string $address ): string => "$by $address", $some ), self::A_DAY_TO_ONE, DAY_IN_SECONDS ) );
		// Guests who have opened an invitation to this list know who writes.
		$known = array_filter( $some, fn( $guest ): bool => Invitations::opened( $this->post, (string) $guest ) > 0, ARRAY_FILTER_USE_KEY );
		$sent  = Mail::may_go( $known, 'invitation', 'known' ) + Mail::may_go( array_diff_key( $some, $known ), 'invitation' );
		$new   = array();
		foreach ( array_keys( $to ) as $guest ) {
			$new[ $guest ] = ( $words === null ? array() : array( 'note' => $words ) ) + array(
				'mail' => isset( $sent[ $guest ] ) ? Invitations::WAITING : Invitations::FAILED,
				'at'   => time(),
			);
		}
		Invitations::change( $this->post, $new );
		$notes = Invitations::notes_of( $this->post, array_map( 'strval', array_keys( $sent ) ) );
		$same  = array(
			'registry' => Registries::title( $this->post ),
			'owner'    => Registries::owner_name( $this->post ),
		);
		$mails = array();
		foreach ( $sent as $guest => $address ) {
			$guest     = (string) $guest;
			$is_member = isset( $accounts[ Meta::invitee_key( $guest ) ] );
			$mails[]   = array(
				'to'       => $address,
				'template' => 'invitation',
				'values'   => $same + array(
					'note'      => $notes[ $guest ]['note'],
					'is_member' => $is_member,
					'link'      => $is_member ? (string) get_permalink( $this->post ) : Invitations::link( $this->post, $guest ),
				),
				'only'     => array(
					'registry' => $this->post->ID,
					'invitee'  => $guest,
				),
			);
		}
		if ( $mails && ! Mail::queue( $mails ) ) {
			Invitations::mailed( $this->post->ID, array_fill_keys( array_keys( $sent ), Invitations::FAILED ) );
			return array();
		}
		return array_map( 'strval', array_keys( $sent ) );
	}

	/**
	 * Guests as the page shows them.
	 *
	 * @param string[] $guests
	 * @return array<int, array<string, mixed>>
	 */
	private function guests( array $guests ): array {
		$giving = array();
		if ( $guests && ! Surprise::is_on( $this->post->ID ) ) {
			$answer = ItemService::of_site()->registry_claims( $this->post->ID, (int) $this->post->post_author );
			foreach ( is_array( $answer ) ? $answer['claims'] : array() as $claim ) {
				if ( in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) ) {
					$giving[ mb_strtolower( (string) $claim['giver']['email'] ) ] = true;
				}
			}
		}
		$accounts = Accounts::with_user_names( $guests );
		$notes    = Invitations::notes_of( $this->post, $guests );
		$rows     = array();
		foreach ( $guests as $guest ) {
			$account = $accounts[ Meta::invitee_key( $guest ) ] ?? null;
			$email   = mb_strtolower( $account->user_email ?? $guest );
			$rows[]  = array(
				'name'  => $guest,
				'state' => isset( $giving[ $email ] ) ? __( 'gives something', 'trousseau' ) : self::state( $notes[ $guest ] ),
				'link'  => $account ? '' : Invitations::link( $this->post, $guest ),
			);
		}
		return $rows;
	}

	private static function state( array $note ): string {
		if ( $note['opened'] ) {
			/* translators: %s: date */
			return sprintf( __( 'opened the list on %s', 'trousseau' ), Language::day( $note['opened'] ) );
		}
		return match ( $note['mail'] ) {
			Invitations::SENT    => __( 'mail sent', 'trousseau' ),
			Invitations::WAITING => __( 'mail is on its way', 'trousseau' ),
			Invitations::FAILED  => __( 'the mail could not be delivered', 'trousseau' ),
			default        => __( 'invited', 'trousseau' ),
		};
	}

	private static function part(): int {
		return max( 1, self::asked( 'part' ) );
	}
}
