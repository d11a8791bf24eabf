<?php

declare(strict_types=1);

namespace Trousseau\Giving;

/** A giver: someone with an account, a guest with their link, or a visitor who has to confirm an address. */
final class Giver {

	public function __construct(
		public readonly int $user_id,
		public readonly string $name,
		public readonly string $email,
		public readonly bool $is_known,
	) {
	}

	/** @return array<string, mixed> As the service takes it. */
	public function for_service(): array {
		$giver = array( 'name' => $this->name, 'email' => $this->email, 'user_id' => $this->user_id );
		// An account may have no address.
		return array_filter( $giver, static fn( int|string $value ): bool => $value !== '' && $value !== 0 );
	}
}
