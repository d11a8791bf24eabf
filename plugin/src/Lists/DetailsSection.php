<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use WP_Post;

/** A section that a feature adds to the page of a list's details, with buttons of its own. */
abstract class DetailsSection {

	/** What its buttons do. */
	public const ACTIONS = array();

	/** @param string $address The page's. */
	abstract public function html( WP_Post $post, string $address ): string;

	/** Does what a button of it says. Returns the end of the address to go on to. */
	abstract public function handle( WP_Post $post, Form $form ): string;
}
