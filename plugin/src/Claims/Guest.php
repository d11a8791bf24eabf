<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\Cookie;
use WP_Post;

/** A guest without an account: the device that opened the link of an invitation remembers it. */
final class Guest {

	private const COOKIE = 'guest';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 20;

	public function __construct( private readonly Cookie $cookie, private readonly Invitations $invitations ) {
	}

	public function remember( WP_Post $post, string $invitee ): void {
		$mine = array( "$post->ID " . $this->invitations->note( $post, $invitee )['id'], ...$this->remembered() );
		$this->cookie->set( self::COOKIE, implode( ',', array_slice( array_unique( $mine ), 0, self::MOST ) ), self::KEPT );
		$this->invitations->note_opened( $post, $invitee );
	}

	/** The entry in a registry's list of guests that this device stands for; nothing where it stands for none. */
	public function of( WP_Post $post ): string {
		foreach ( $this->remembered() as $about ) {
			if ( str_starts_with( $about, "$post->ID " ) ) {
				$found = Invitations::behind( $about );
				if ( $found ) {
					return $found[1];
				}
			}
		}
		return '';
	}

	/** @return int[] The registries to which this device is invited. */
	public function registries(): array {
		$found = array_filter( array_map( array( Invitations::class, 'behind' ), $this->remembered() ) );
		return array_values( array_unique( array_map( static fn( array $guest ): int => $guest[0]->ID, $found ) ) );
	}

	/** @return int[] The registries to which this device was invited; an invitation may have ended. */
	public function places(): array {
		return array_values( array_unique( array_map( 'intval', $this->remembered() ) ) );
	}

	/**
	 * The cookie's entries, for pages only: other sites can send this device's cookies to the REST API, which asks a nonce only of people who
	 * have signed in.
	 *
	 * @return string[]
	 */
	private function remembered(): array {
		$is_program = ( defined( 'REST_REQUEST' ) && REST_REQUEST ) || ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST );
		return $is_program ? array() : array_filter( explode( ',', $this->cookie->read( self::COOKIE ) ) );
	}
}
