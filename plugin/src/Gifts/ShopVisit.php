<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

use Trousseau\Service\Item;

/** Called when a guest has followed a gift's link to its shop. */
interface ShopVisit {

	/** @param string $target The address to which the guest is led. */
	public function followed( Item $item, string $target ): void;
}
