<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\Claims;
use Trousseau\Lists\Closing;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Download;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Service\Claim;
use Trousseau\Service\ServiceError;
use WP_Post;

/** A registry's days as a file for its owner's calendar program, which reads it again and again by its secret address. */
final class CalendarPage extends Page {

	public const TOKEN = 'for';

	public function __construct(
		private readonly Claims $claims,
		private readonly Download $download,
	) {
	}

	public function title(): string {
		return __( 'Calendar', 'trousseau' );
	}

	public function html( Form $form ): string {
		return '';
	}

	/**
	 * The answer is its reader's own, as if they were signed in. Calendars keep their days where they get none, and look again later: no
	 * reservation is missing while the service is away, and an address that nobody knows any more may be back with a backup, so it isn't called gone for good.
	 */
	public function send_file(): void {
		list( $post, $user ) = CalendarLink::behind( $this->token() ) ?? $this->download->send_missing( __( 'This calendar link no longer works. You’ll find the new one under “Details” of your list.', 'trousseau' ) );
		wp_set_current_user( $user );
		switch_to_locale( get_user_locale( $user ) );
		try {
			$days = array( ...self::days( $post ), ...$this->reservations() );
		} catch ( ServiceError ) {
			$this->download->send_missing( __( 'This can’t be shown right now. Please come back in a minute.', 'trousseau' ), 503 );
		}
		$this->download->send_if_new( "list-$post->ID.ics", Calendar::TYPE, Calendar::text( Registries::title( $post ), $days ) );
	}

	/** @return array<array{id: string, day: string, title: string, address: string, changed: int}> */
	private static function days( WP_Post $post ): array {
		$title = Registries::title( $post );
		$until = Meta::surprise_until( $post->ID );
		$days  = array(
			array( 'day', Meta::event_date( $post->ID ), $title, (string) get_permalink( $post ) ),
			/* translators: %s: name of a list */
			array( 'surprise', $until === 'always' ? '' : $until, sprintf( __( '“%s”: the surprise is over', 'trousseau' ), $title ), PageAddress::of( 'given', $post->ID ) ),
			/* translators: %s: name of a list */
			array( 'closed', Closing::day( $post->ID ), sprintf( __( '“%s” closes today', 'trousseau' ), $title ), PageAddress::of( 'given', $post->ID ) ),
		);
		$changed = (int) get_post_modified_time( 'U', true, $post );
		$found   = array();
		foreach ( $days as list( $name, $day, $words, $address ) ) {
			if ( $day !== '' ) {
				$found[] = array( 'id' => self::id( "$name-$post->ID" ), 'day' => $day, 'title' => $words, 'address' => $address, 'changed' => $changed );
			}
		}
		return $found;
	}

	/** The ends of the reader's own reservations on any list, as days. */
	private function reservations(): array {
		$user     = wp_get_current_user();
		$claims   = $this->claims->of_person( $user->user_email, $user->ID );
		$reserved = array_filter( $claims, static fn( Claim $claim ): bool => $claim->state === 'reserved' && $claim->expires_at && $claim->item() );
		return array_map(
			static fn( Claim $claim ): array => array(
				'id'      => self::id( "claim-{$claim->id}" ),
				'day'     => wp_date( 'Y-m-d', $claim->ends_at() ),
				/* translators: %s: name of a gift */
				'title'   => sprintf( __( 'Your reservation ends: %s', 'trousseau' ), $claim->item()->name ),
				'address' => PageAddress::of( 'my-gifts' ),
				'changed' => (int) strtotime( $claim->updated_at ),
			),
			$reserved
		);
	}

	private static function id( string $name ): string {
		// Sites of a network may share the host.
		return $name . ( is_multisite() ? '-' . get_current_blog_id() : '' ) . '@' . wp_parse_url( home_url(), PHP_URL_HOST );
	}
}
