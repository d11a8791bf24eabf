<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;

/** What an owner alone has of a list. It ends with the ownership. */
interface OwnersOwn {

	/** @param int[] $owners Those that the list has now. */
	public function forget_former( WP_Post $post, array $owners ): void;
}
