<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Language;

/** The guests that someone typed: addresses and user names, as people write them or copy them from an address book. */
final class TypedGuests {

	/** The most words of one user name, and the most words and parts of all that is typed. */
	private const WORDS     = 4;
	private const MAX_WORDS = 5 * Meta::MAX_INVITEES;

	/** The most names, and the most addresses, that a message lists, and the most characters of each. */
	private const LISTED  = 5;
	private const LONGEST = 60;

	/**
	 * @param string[]              $guests       Entries for the list of guests.
	 * @param string[]              $unknown      Names that nobody has, and unusable addresses.
	 * @param array<string, string> $names        Entry → the name that was typed with its address.
	 * @param bool                  $are_too_many Whether there are more than any list takes; then they were not read.
	 */
	private function __construct( public readonly array $guests, public readonly array $unknown, public readonly array $names, public readonly bool $are_too_many ) {
	}

	/** @param callable(string[]): array<string, object> $accounts_named Finds accounts by their user names. */
	public static function of( string $text, callable $accounts_named ): self {
		$parts = self::split( $text );
		return count( $parts, COUNT_RECURSIVE ) > self::MAX_WORDS ? new self( array(), array(), array(), true ) : new self( ...self::guests_in( $parts, $accounts_named ), are_too_many: false );
	}

	/** What to correct: names without an account need an address, and unusable addresses a look. */
	public function fault(): string {
		$cut       = static fn( string $name ): string => mb_strimwidth( $name, 0, self::LONGEST, '…' );
		$listed    = static fn( array $typed ): string => Language::list( array_map( $cut, array_slice( $typed, 0, self::LISTED ) ) ) . ( count( $typed ) > self::LISTED ? ' …' : '' );
		$addresses = preg_grep( '/@/', $this->unknown );
		$names     = array_diff_key( $this->unknown, $addresses );
		/* translators: %s: names of people */
		$nameless = sprintf( _n( 'Enter an email for %s, who has no account here.', 'Enter emails for these people, who have no account here: %s.', count( $names ), 'trousseau' ), $listed( $names ) );
		/* translators: %s: what somebody typed as email addresses */
		$unusable = sprintf( _n( 'Check this email: %s', 'Check these emails: %s', count( $addresses ), 'trousseau' ), $listed( $addresses ) );
		return implode( ' ', array_filter( array( $names ? $nameless : '', $addresses ? $unusable : '' ) ) );
	}

	/**
	 * @return string[][] The words of each part; a comma, a semicolon or a line break ends a part. The name that an address book writes before an
	 * address, as in “Ann Smith <ann@example.org>”, is one word with a space at its end, which no other word has.
	 */
	private static function split( string $text ): array {
		// Some people write an address in other brackets.
		$text = (string) preg_replace( '/[(\[]\s*([^()\[\]<>\s@]+@[^()\[\]<>\s@]+)\s*[)\]]/u', '<$1>', str_ireplace( 'mailto:', '', $text ) );
		// A quoted name before an address may have commas.
		$text  = (string) preg_replace_callback( '/["“„«]([^"“”„«»\n]*)["“”»]\s*(?=<?[^<>\s@]+@)/u', static fn( array $found ): string => strtr( $found[1], ',;', "\u{1}\u{2}" ) . ' ', $text );
		$texts = array();
		foreach ( (array) preg_split( '/[,;\n،؛，；、]+/u', $text ) as $part ) {
			// The words before an address in brackets are its name. Other addresses among them are separate guests.
			$named = (array) preg_split( '/<([^<>\s@]+@[^<>\s@]+)>/u', (string) $part, -1, PREG_SPLIT_DELIM_CAPTURE );
			$last  = array_pop( $named );
			foreach ( array_chunk( $named, 2 ) as list( $before, $address ) ) {
				$words   = self::words( $before );
				$name    = implode( ' ', preg_grep( '/@/', $words, PREG_GREP_INVERT ) );
				$texts[] = array( ...preg_grep( '/@/', $words ), ...( $name === '' ? array() : array( "$name " ) ), $address );
			}
			$texts[] = self::words( (string) $last );
		}
		return array_values( array_filter( $texts ) );
	}

	private static function words( string $text ): array {
		return (array) preg_split( '/\s+/u', $text, -1, PREG_SPLIT_NO_EMPTY );
	}

	/** @return array{0: string[], 1: string[], 2: array<string, string>} Entries of the list, words that name nobody, and the names of addresses. */
	private static function guests_in( array $texts, callable $accounts_named ): array {
		$names = array();
		foreach ( $texts as $words ) {
			foreach ( array_keys( $words ) as $from ) {
				array_push( $names, ...self::names_at( array_slice( $words, $from ) ) );
			}
		}
		$accounts = $accounts_named( $names );
		$guests   = array();
		$wrong    = array();
		$named    = array();
		foreach ( $texts as $words ) {
			$row = array();
			foreach ( array( ...$words, '' ) as $word ) {
				$address = self::address( $word );
				if ( $address === '' && $word !== '' ) {
					$row[] = $word;
					continue;
				}
				$found = self::accounts_in( $row, $accounts );
				// Words before an address are its name, even where an account is called like one of them.
				if ( $address !== '' && $row && ! preg_grep( '/@/', $row ) ) {
					$named += array_filter( array( $address => self::name( $row ) ) );
				} elseif ( $found === null ) {
					$wrong[] = implode( ' ', $row );
				} else {
					$guests += $found;
				}
				$guests += $address === '' ? array() : array( Meta::invitee_key( $address ) => $address );
				$row     = array();
			}
		}
		return array( array_values( $guests ), $wrong, $named );
	}

	/** @return array<string, string>|null The accounts that words name, which may have spaces. Null where a word names none: “Uncle Bob” isn't the account “bob”. */
	private static function accounts_in( array $words, array $accounts ): ?array {
		$found = array();
		while ( $words ) {
			$known = array_filter( self::names_at( $words ), static fn( string $name ): bool => isset( $accounts[ Meta::invitee_key( $name ) ] ) );
			if ( ! $known ) {
				return null;
			}
			// The longest name counts: “Ann Lee” is another person than “Ann”.
			$login  = $accounts[ Meta::invitee_key( end( $known ) ) ]->user_login;
			$found += array( Meta::invitee_key( $login ) => $login );
			$words  = array_slice( $words, array_key_last( $known ) + 1 );
		}
		return $found;
	}

	private static function address( string $word ): string {
		$address = (string) preg_replace( '/^[\p{Cf}\p{Ps}\p{Pi}"\']+|[\p{Cf}\p{Pe}\p{Pf}"\'.:!?]+$/u', '', $word );
		return is_email( $address ) ? $address : '';
	}

	/** The words before an address, without what divides them. */
	private static function name( array $words ): string {
		$name = strtr( implode( ' ', $words ), "\u{1}\u{2}", ',;' );
		return mb_substr( (string) preg_replace( '/^[\s\p{Pd}\p{Pi}\p{Pf}\p{Ps}"•*:]+|[\s\p{Pd}\p{Pi}\p{Ps}"“”:]+$/u', '', $name ), 0, Accounts::LONGEST_NAME );
	}

	/** @return string[] The user names that words may begin with: of one word, of two, and so on. */
	private static function names_at( array $words ): array {
		$names = array();
		$name  = '';
		foreach ( array_slice( $words, 0, self::WORDS ) as $word ) {
			if ( str_contains( $word, '@' ) || str_ends_with( $word, ' ' ) ) {
				break;
			}
			$name    = ltrim( "$name $word" );
			$names[] = sanitize_user( $name );
		}
		return $names;
	}
}
