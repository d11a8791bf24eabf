<?php

declare(strict_types=1);

namespace Trousseau\Service;

/** The items of a registry, as far as this site knows them. */
final class GiftList {

	/**
	 * @param Item[]|null $items     The items; null: nothing is known.
	 * @param int         $known_at  The time of this state.
	 * @param bool        $was_asked Whether this very call has asked the service.
	 */
	public function __construct(
		public readonly ?array $items,
		public readonly int $known_at,
		public readonly bool $is_current,
		public readonly bool $was_asked,
	) {
	}

	/** The same state with the items in another form or order. */
	public function with( ?array $items ): self {
		return new self( $items, $this->known_at, $this->is_current, $this->was_asked );
	}
}
