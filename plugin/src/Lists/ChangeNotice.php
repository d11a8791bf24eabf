<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Lock;
use Trousseau\Platform\RateLimiter;
use WP_REST_Request;

/**
 * Takes the service's notices that a registry has changed. Each comes with the credentials of the person who changed it, or with none when
 * something has expired. Strangers can send these, too: then the site looks at published lists only, and not often. The answer is the same for everyone.
 */
final class ChangeNotice {

	public const ROUTE = '/registries/(?P<id>\d+)/changed';

	/** Limits for notices without credentials: seconds between two about one list, and how many about all lists in a minute. */
	private const APART    = 2;
	private const A_MINUTE = 1200;

	public function __construct( private readonly GiftLists $gift_lists, private readonly Lock $lock, private readonly RateLimiter $rate_limiter ) {
	}

	public function receive( WP_REST_Request $request ): array {
		$id       = (int) $request['id'];
		$post     = PostType::find( $id );
		$may_look = $post && is_user_logged_in()
			? Access::opens( $post )
			: $post?->post_status === 'publish' && $this->lock->take( "notice-$id", self::APART ) && $this->rate_limiter->allows( 'notice', 'anybody', self::A_MINUTE, MINUTE_IN_SECONDS );
		if ( $may_look ) {
			$this->gift_lists->renew( $id );
			/** Fires after the service has reported a change of a registry, and the site has checked it. Passes the registry's number. */
			do_action( 'trousseau_change_reported', $id );
		}
		return array( 'changed' => true );
	}
}
