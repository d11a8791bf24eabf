<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Form;
use WP_Post;

/** A section that a feature adds to the page of a list's details, with buttons of its own. */
abstract class DetailsSection {

	/** What its buttons do. */
	public const ACTIONS = array();

	abstract public function html( WP_Post $post, string $address ): string;

	/** Handles a press of one of its buttons. Returns the end of the address to redirect to. */
	abstract public function handle( WP_Post $post, Form $form ): string;
}
