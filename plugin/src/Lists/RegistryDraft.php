<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Cookie;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\PageAddress;
use WP_User;

/**
 * A registry that someone filled in before they had an account. It is kept while they sign in, or get the email by which they
 * finish it: on this device by a cookie, on any other by that email or the account that was made here.
 */
final class RegistryDraft {

	private const COOKIE = 'draft';
	private const META   = '_trousseau_draft';
	private const PREFIX = 'draft_';
	private const MADE   = 'made';
	private const KEPT   = 7 * DAY_IN_SECONDS;

	public function __construct(
		private readonly CoOwnerRules $co_owner_rules,
		private readonly Cookie $cookie,
		private readonly KeptValues $kept_values,
		private readonly Registries $registries,
	) {
	}

	public function keep( array $fields ): void {
		$token = bin2hex( random_bytes( 16 ) );
		$this->forget();
		$this->kept_values->set( self::PREFIX . $token, Encryption::seal( $fields ), self::KEPT );
		$this->cookie->set( self::COOKIE, $token, self::KEPT );
	}

	public function of_visitor(): ?array {
		return $this->fields( $this->token() );
	}

	/** @return array<string, string>|null The typed fields; null where the draft has ended, or its list is made. */
	public function fields( string $token ): ?array {
		$kept = $this->kept( $token );
		return isset( $kept[ self::MADE ] ) ? null : $kept;
	}

	/** The number of the list that a draft has become; 0: none. */
	public function list_of( string $token ): int {
		return (int) ( $this->kept( $token )[ self::MADE ] ?? 0 );
	}

	/** Puts the number of the list in the place of the draft from which it was made. */
	public function note_made( string $token, int $list ): void {
		$this->kept_values->set( self::PREFIX . $token, Encryption::seal( array( self::MADE => $list ) ), self::KEPT );
	}

	/** Goes on with a draft on this device. */
	public function take_over( string $token ): void {
		$this->cookie->set( self::COOKIE, $token, self::KEPT );
	}

	public function forget(): void {
		$token = $this->token();
		if ( $token !== '' ) {
			$this->kept_values->delete( self::PREFIX . $token );
			$this->cookie->clear( self::COOKIE );
			delete_user_meta( get_current_user_id(), self::META );
		}
	}

	public function forget_of( int $user_id ): void {
		$token = (string) get_user_meta( $user_id, self::META, true );
		if ( $token !== '' ) {
			$this->kept_values->delete( self::PREFIX . $token );
			delete_user_meta( $user_id, self::META );
		}
	}

	/** Gives the draft to the account that is made or signed in to on this device, but not to one that someone makes for another. */
	public function attach( int $user_id ): void {
		$token = $this->cookie->read( self::COOKIE );
		if ( $token !== '' && in_array( get_current_user_id(), array( 0, $user_id ), true ) ) {
			update_user_meta( $user_id, self::META, $token );
		}
	}

	/** The address after signing in: the begun list, or *My lists* in the place of the administration and of another plugin's page for owners and guests. */
	public function back( string $to, string $asked, mixed $user ): string {
		if ( ! $user instanceof WP_User || ( $asked !== '' && $asked !== admin_url() ) ) {
			return $to;
		}
		$this->attach( $user->ID );
		$token = (string) get_user_meta( $user->ID, self::META, true );
		if ( $this->fields( $token ) ) {
			return PageAddress::of( 'new' );
		}
		$has_lists = $this->co_owner_rules->owns_any( $user->ID ) || $this->registries->inviting( Accounts::invited_as( $user ), $user->ID );
		return user_can( $user, 'edit_posts' ) || ( ! $has_lists && $to !== '' && $to !== admin_url() ) ? $to : PageAddress::of( 'mine' );
	}

	/** The name by which a link in an email finds the draft. Empty if this visitor has none. */
	public function token(): string {
		$cookie = $this->cookie->read( self::COOKIE );
		$token  = $cookie !== '' ? $cookie : (string) get_user_meta( get_current_user_id(), self::META, true );
		return preg_match( '/^[0-9a-f]{32}$/D', $token ) ? $token : '';
	}

	private function kept( string $token ): ?array {
		$kept = $token === '' ? null : Encryption::open( $this->kept_values->get( self::PREFIX . $token, true ) );
		return is_array( $kept ) ? $kept : null;
	}
}
