<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Accounts;
use Trousseau\Support\Cookie;
use Trousseau\Support\Form;
use WP_Post;

/** A giver: somebody with an account, a guest by their link, or a visitor who has to confirm an address. */
final class Giver {

	private const COOKIE = 'giver';

	private function __construct(
		public readonly int $user_id,
		public readonly string $name,
		public readonly string $email,
		public readonly bool $is_known,
	) {
	}

	/** The giver whom the site knows from the account or device, before anything is typed. */
	public static function of_visitor( WP_Post $post ): self {
		if ( is_user_logged_in() ) {
			$user = wp_get_current_user();
			return new self( $user->ID, Accounts::display_name( $user ), $user->user_email, true );
		}
		$invitee = Guest::of( $post );
		$name    = self::remembered_name();
		return is_email( $invitee ) ? new self( 0, $name, $invitee, true ) : new self( 0, $name, '', false );
	}

	/** The giver completed from the form, whose fields count only where the site knows nothing better. */
	public function completed( Form $form ): self {
		if ( $this->user_id ) {
			return $this;
		}
		return new self( 0, mb_substr( $form->text( 'giver' ), 0, Accounts::LONGEST_NAME ), $this->is_known ? $this->email : $form->text( 'email' ), $this->is_known );
	}

	/** The same giver, who has to confirm by mail like a visitor without an account. */
	public function to_confirm(): self {
		return new self( $this->user_id, $this->name, $this->email, false );
	}

	public function remember(): void {
		if ( ! $this->user_id ) {
			Cookie::set( self::COOKIE, $this->name, YEAR_IN_SECONDS );
		}
	}

	/** @return array<string, mixed> As the service takes it. */
	public function for_service(): array {
		return array(
			'name'  => $this->name,
			'email' => $this->email,
		) + ( $this->user_id ? array( 'user_id' => $this->user_id ) : array() );
	}

	private static function remembered_name(): string {
		return mb_substr( Cookie::read( self::COOKIE ), 0, Accounts::LONGEST_NAME );
	}
}
