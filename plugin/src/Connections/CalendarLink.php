<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\DetailsSection;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Busy;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;
use WP_Post;

/**
 * The secret address of a registry's calendar, one for each owner who wants it, who makes it among the list's details. It ends when another one is
 * made, or with the ownership.
 */
final class CalendarLink extends DetailsSection implements OwnersOwn {

	public const ACTIONS = array( 'calendar', 'no-calendar' );

	private const META = '_trousseau_calendars';

	/** Calendars know by the end of the address what they get. */
	private const SUFFIX = '.ics';

	public function __construct( private readonly FlashMessage $flash_message, private readonly MetaList $meta_list ) {
	}

	/** Someone who manages the site may not own the list. A closed list has no dates to come. */
	public function html( WP_Post $post, string $address ): string {
		$calendar = self::address( $post );
		return Access::owns( $post, get_current_user_id() ) && ( $calendar !== '' || ! Closing::is_over( $post ) )
			? Template::html( 'calendar', compact( 'address', 'calendar' ) )
			: '';
	}

	public function handle( WP_Post $post, Form $form ): string {
		if ( $form->action === 'no-calendar' ) {
			$this->meta_list->change( $post->ID, self::META, static fn( array $secrets ): array => array_diff_key( $secrets, array( get_current_user_id() => '' ) ) );
			$this->flash_message->keep( __( 'The calendar link has been removed.', 'trousseau' ) );
			return '';
		}
		self::address( $post ) !== '' && $this->flash_message->keep( __( 'The old link no longer works. Add the new one to your calendar.', 'trousseau' ) );
		$secret = bin2hex( random_bytes( 16 ) );
		$this->meta_list->change( $post->ID, self::META, static fn( array $secrets ): array => array( get_current_user_id() => $secret ) + $secrets );
		return '#trousseau-calendar';
	}

	/** So someone who is added again gets another address. */
	public function forget_former( WP_Post $post, array $owners ): void {
		if ( array_diff_key( MetaList::read( $post->ID, self::META ), array_flip( $owners ) ) ) {
			try {
				$this->meta_list->change( $post->ID, self::META, static fn( array $secrets ): array => array_intersect_key( $secrets, array_flip( $owners ) ) );
			} catch ( Busy ) {
				// The owners are stored, and a former one's address opens nothing.
				return;
			}
		}
	}

	/** The current user's calendar address. Empty if they have none. */
	public static function address( WP_Post $post ): string {
		$user   = get_current_user_id();
		$secret = self::secret( $post, $user );
		return $secret === '' ? '' : PageAddress::of( 'calendar', 0, array( 'for' => SignedToken::sign( 'calendar', "$post->ID $user $secret" ) . self::SUFFIX ) );
	}

	/** @return array{0: WP_Post, 1: int}|null The registry of an address and the account of its owner. */
	public static function behind( mixed $signed ): ?array {
		$signed = is_string( $signed ) && str_ends_with( $signed, self::SUFFIX ) ? substr( $signed, 0, -strlen( self::SUFFIX ) ) : '';

		list( $registry, $user, $secret ) = explode( ' ', SignedToken::read( 'calendar', $signed ) ) + array( '', '', '' );
		$post                             = PostType::live( (int) $registry );
		$is_open                          = $secret !== '' && $post && in_array( (int) $user, CoOwners::all_of( $post ), true ) && hash_equals( self::secret( $post, (int) $user ), $secret );
		return $is_open ? array( $post, (int) $user ) : null;
	}

	private static function secret( WP_Post $post, int $user ): string {
		return (string) ( MetaList::read( $post->ID, self::META )[ $user ] ?? '' );
	}
}
