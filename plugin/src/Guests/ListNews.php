<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\Closing;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\Mail;
use Trousseau\Platform\MetaList;
use WP_Post;

/** The emails to guests who asked to hear of new gifts and changed dates: at most one a day per list. */
final class ListNews extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	/** Seconds for which one process alone makes these emails. */
	public const LEASE = HOUR_IN_SECONDS;

	/** The gifts and the day of which a list's guests know; lists that nobody follows have none. */
	private const META = '_trousseau_news';

	public function __construct(
		private readonly Accounts $accounts,
		private readonly MetaList $meta_list,
		private readonly Invitations $invitations,
		private readonly Mail $mail,
	) {
	}

	/** Turns the emails to a guest on or off. A new follower knows the list as it is now. */
	public function follow( WP_Post $post, string $invitee, bool $wants ): void {
		$this->invitations->change( $post, array( $invitee => array( 'news' => $wants ) ) );
		$this->meta_list->change( $post->ID, self::META, static fn( array $known ): array => Invitations::followers( $post ) ? ( $known ?: self::now( $post->ID ) ) : array() );
	}

	public static function words(): string {
		return __( 'Daily emails to guests', 'trousseau' );
	}

	public function run( Job $job ): void {
		array_map( array( $this, 'tell' ), Registries::with_meta( array( 'key' => self::META ) ) );
	}

	private function tell( WP_Post $post ): void {
		$known = MetaList::read( $post->ID, self::META );
		if ( ! $known || ! Invitations::are_readable( $post ) ) {
			// Unreadable, or the last follower has just left.
			return;
		}
		$now   = self::now( $post->ID );
		$new   = array_diff( $now['gifts'], $known['gifts'] );
		$moved = $now['day'] !== $known['day'] && $now['day'] !== '';
		if ( ( ! $new && ! $moved ) || Closing::is_over( $post ) || $this->mail( $post, count( $new ), $moved ? $now['day'] : '' ) ) {
			$this->meta_list->change( $post->ID, self::META, static fn(): array => $now );
		}
	}

	/** @return bool Whether the emails are on their way, or nobody is to get one. */
	private function mail( WP_Post $post, int $count, string $day ): bool {
		$guests   = Invitations::followers( $post );
		$accounts = $this->accounts->with_user_names( $guests );
		$values   = array( 'registry' => Registries::title( $post ) ) + compact( 'count', 'day' );
		$mails    = array();
		foreach ( $this->mail->may_go( Accounts::addresses( $guests, $accounts ), 'news' ) as $guest => $address ) {
			$guest   = (string) $guest;
			$link    = isset( $accounts[ Meta::invitee_key( $guest ) ] ) ? (string) get_post_permalink( $post, false, true ) : $this->invitations->link( $post, $guest );
			$mails[] = array( 'to' => $address, 'template' => 'news', 'values' => $values + compact( 'link' ) );
		}
		return ! $mails || $this->mail->queue( $mails, $post->ID );
	}

	/** @return array{gifts: int[], day: string} */
	private static function now( int $post_id ): array {
		return array( 'gifts' => Meta::item_ids( $post_id ), 'day' => Meta::event_date( $post_id ) );
	}
}
