<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Surprise;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Request;
use WP_Post;

/** Notices that many people without an account give from one address: a proxy may hide theirs, and all of them share one limit. */
final class SharedAddress {

	/** The most people who give from one address in a day before the site's administrator is told. */
	public const PEOPLE = 15;

	private const FOUND = 'shared_address';

	public function __construct(
		private readonly KeptValues $kept_values,
		private readonly RateLimiter $rate_limiter,
		private readonly Request $request,
	) {
	}

	/** Counts someone who gives. A list that is to surprise an administrator is left out: the finding would tell that something was given. */
	public function note( WP_Post $post, Giver $giver ): void {
		$from   = $this->request->visitor();
		$is_new = ! Surprise::is_for_keeper( $post ) && $this->rate_limiter->allows( 'person-at', "$from " . strtolower( $giver->email ), 1, DAY_IN_SECONDS );
		if ( $is_new && ! $this->rate_limiter->allows( 'people-at', $from, self::PEOPLE, DAY_IN_SECONDS ) ) {
			$this->kept_values->set( self::FOUND, 1, WEEK_IN_SECONDS );
		}
	}

	/** Whether that happened in the last week. */
	public function was_found(): bool {
		return $this->kept_values->get( self::FOUND ) !== null;
	}
}
