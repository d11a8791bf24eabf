<?php

declare(strict_types=1);

namespace Trousseau\Guests;

use Trousseau\Lists\Access;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\ListLink;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Cookie;
use Trousseau\Service\Claim;
use WP_Post;
use WP_Query;

/** A guest without an account: the device that opened the link of an invitation, or of a list, remembers it. */
final class Guest {

	private const COOKIE = 'guest';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 20;

	public function __construct( private readonly Cookie $cookie ) {
	}

	/** Remembers an opened link: “registry id” of an invitation, or a list's `ListLink::mark`, by which nobody is invited. */
	public function remember( string $about ): void {
		$this->cookie->set( self::COOKIE, implode( ',', array_slice( array_unique( array( $about, ...$this->remembered() ) ), 0, self::MOST ) ), self::KEPT );
	}

	/** Shows a private registry to a guest without an account, on the main query for a registry. */
	public function find( WP_Query $query ): void {
		if ( is_admin() || is_user_logged_in() || ! $query->is_singular() ) {
			return;
		}
		$id   = (int) $query->get( 'p' );
		$post = $id ? get_post( $id ) : get_page_by_path( (string) $query->get( PostType::NAME ) ?: (string) $query->get( 'name' ), OBJECT, PostType::NAME );
		if ( $post instanceof WP_Post && $this->opens( $post ) ) {
			$query->set( 'post_status', PostType::LIVE );
		}
	}

	/** Allows its guest to read it when WordPress asks for the right `read_post`. */
	public function let_read( array $caps, int $user_id, array $args ): array {
		$post = $user_id === get_current_user_id() && isset( $args[0] ) ? get_post( $args[0] ) : null;
		return $post?->post_type === PostType::NAME && $this->opens( $post ) ? array( 'exist' ) : $caps;
	}

	/** Whether a link that this device has opened leads into a private registry. */
	private function opens( WP_Post $post ): bool {
		return $post->post_status === 'private' && in_array( $post->ID, $this->registries(), true );
	}

	/** The guest of a registry that this device stands for, as in its list of guests. Empty if none. */
	public function of( WP_Post $post ): string {
		foreach ( $this->remembered() as $about ) {
			$found = str_starts_with( $about, "$post->ID " ) ? Invitations::behind( $about ) : null;
			if ( $found ) {
				return $found[1];
			}
		}
		return '';
	}

	/** Whether this device has opened an invitation that was sent to the address of a gift's giver. */
	public function is_giver( Claim $claim ): bool {
		$post = get_post( $claim->registry_id );
		return $post && $claim->email !== '' && Meta::invitee_key( $this->of( $post ) ) === Meta::invitee_key( $claim->email );
	}

	/** This visitor's entry in a registry's list of guests, by their account or else by this device. Empty if none. */
	public function listed_as( WP_Post $post ): string {
		if ( ! is_user_logged_in() ) {
			return $this->of( $post );
		}
		$user = wp_get_current_user();
		return Access::owns( $post, $user->ID ) || ! Access::can_read( $post ) ? '' : Meta::invitee( $post->ID, ...Accounts::invited_as( $user ) );
	}

	/** @return int[] The registries that are open on this device by their links, and by invitations while nobody has signed in. */
	public function registries(): array {
		// Other plugins may query before users are known.
		$is_invited = ! function_exists( 'is_user_logged_in' ) || ! is_user_logged_in();
		$behind     = static fn( string $about ): ?WP_Post => ( $is_invited ? Invitations::behind( $about )[0] ?? null : null ) ?? ListLink::behind( $about );
		return array_values( array_unique( array_column( array_filter( array_map( $behind, $this->remembered() ) ), 'ID' ) ) );
	}

	/** @return int[] The registries whose links this device has opened; a link may have ended. */
	public function places(): array {
		return array_values( array_unique( array_map( 'intval', $this->remembered() ) ) );
	}

	/** @return string[] The cookie's entries, for pages only: other sites can send them to the REST API, which asks no nonce of people without an account. */
	private function remembered(): array {
		$is_program = ( defined( 'REST_REQUEST' ) && REST_REQUEST ) || ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST );
		return $is_program ? array() : array_filter( explode( ',', $this->cookie->read( self::COOKIE ) ) );
	}
}
