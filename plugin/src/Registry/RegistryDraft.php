<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Cookie;
use Trousseau\Support\Encryption;
use Trousseau\Support\KeptValues;
use Trousseau\Support\PageAddress;
use WP_User;

/**
 * A registry that somebody filled in before they had an account. It is kept while they sign in, or make an
 * account and get its mail: on this device by a cookie, on any other by the account that was made here.
 */
final class RegistryDraft {

	private const COOKIE = 'draft';
	private const META   = '_trousseau_draft';
	private const PREFIX = 'draft_';
	private const KEPT   = 7 * DAY_IN_SECONDS;

	public function __construct( private readonly Cookie $cookie, private readonly KeptValues $kept_values ) {
	}

	/** @param array<string, string> $fields */
	public function keep( array $fields ): void {
		$token = bin2hex( random_bytes( 16 ) );
		$this->forget();
		$this->kept_values->set( self::PREFIX . $token, Encryption::seal( array( 'at' => time() ) + $fields ), self::KEPT );
		$this->cookie->set( self::COOKIE, $token, self::KEPT );
	}

	/** @return array<string, string>|null */
	public function of_visitor(): ?array {
		$token  = $this->token();
		$fields = $token === '' ? null : Encryption::open( $this->kept_values->get( self::PREFIX . $token ) );
		return is_array( $fields ) ? $fields : null;
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

	/** Gives the draft to the account that is made or signed in to on this device, but not to one that somebody makes for another. */
	public function attach( int $user_id ): void {
		$token = $this->cookie->read( self::COOKIE );
		if ( $token !== '' && in_array( get_current_user_id(), array( 0, $user_id ), true ) ) {
			update_user_meta( $user_id, self::META, $token );
		}
	}

	/** The address after signing in: the begun list, or the person's lists, and never the administration. */
	public function back( string $to, string $asked, mixed $user ): string {
		if ( ! $user instanceof WP_User || ( $asked !== '' && $asked !== admin_url() ) ) {
			return $to;
		}
		$this->attach( $user->ID );
		$token = (string) get_user_meta( $user->ID, self::META, true );
		if ( $token !== '' && $this->kept_values->get( self::PREFIX . $token ) ) {
			return PageAddress::of( 'new' );
		}
		return user_can( $user, 'edit_posts' ) ? $to : PageAddress::of( 'mine' );
	}

	private function token(): string {
		$cookie = $this->cookie->read( self::COOKIE );
		$token  = $cookie !== '' ? $cookie : (string) get_user_meta( get_current_user_id(), self::META, true );
		return preg_match( '/^[0-9a-f]{32}$/D', $token ) ? $token : '';
	}
}
