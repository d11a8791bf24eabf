<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Platform\Form;

/** A giver: someone with an account, a guest with their link, or a visitor who has to confirm an address. */
final class Giver {

	public function __construct(
		public readonly int $user_id,
		public readonly string $name,
		public readonly string $email,
		public readonly bool $is_known,
	) {
	}

	/** The giver completed from the form, whose fields count only where the site knows nothing better. */
	public function completed( Form $form ): self {
		if ( $this->user_id ) {
			return $this;
		}
		return new self( 0, mb_substr( $form->text( 'giver' ), 0, Accounts::LONGEST_NAME ), $this->is_known ? $this->email : $form->text( 'email' ), $this->is_known );
	}

	/** @return array<string, mixed> As the service takes it. */
	public function for_service(): array {
		return array( 'name' => $this->name, 'email' => $this->email ) + ( $this->user_id ? array( 'user_id' => $this->user_id ) : array() );
	}
}
