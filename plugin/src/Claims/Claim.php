<?php

declare(strict_types=1);

namespace Trousseau\Claims;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\Digest;
use Trousseau\Jobs\Mail;
use Trousseau\Pages\ShopRedirect;
use Trousseau\Registry\GiftList;
use Trousseau\Registry\GiftOrder;
use Trousseau\Registry\Registries;
use Trousseau\Registry\Surprise;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Support\Cookie;
use Trousseau\Support\Encryption;
use Trousseau\Support\Lock;
use Trousseau\Support\PageAddress;
use Trousseau\Support\SignedToken;
use WP_Error;
use WP_Post;

/** Gifts that somebody gives, as the site's pages make, show and change them, and the mails about them. */
final class Claim {

	private const COOKIE = 'gifts';

	/** The purpose of the link that confirms. */
	private const CONFIRMS = 'confirm gift';

	/** A note that a gift was confirmed, for devices that only know that it waited, and the seconds for which the site keeps it. */
	private const CONFIRMED      = 'trousseau_confirmed_';
	private const CONFIRMED_KEPT = MONTH_IN_SECONDS;

	private const KEPT = 400 * DAY_IN_SECONDS;
	private const MOST = 60;

	/** Seconds before the end of a reservation at which its giver is reminded. */
	private const REMINDER = 2 * DAY_IN_SECONDS;

	/** Seconds for which an owner may put a gift back before its givers hear that it was removed. */
	private const SECOND_THOUGHTS = 15 * MINUTE_IN_SECONDS;

	/**
	 * Takes pieces for a giver. The key was made with the form: however often it is sent, it is one gift.
	 *
	 * @param int $seconds For how long the form said that it is reserved.
	 * @return array<string, mixed>|WP_Error|null
	 */
	public static function make( WP_Post $post, array $item, Giver $giver, string $state, int $quantity, string $message, string $key, int $seconds = 0 ): array|WP_Error|null {
		if ( ! $giver->is_known && ! Mail::may_go( array( $giver->email ), 'claim-confirm' ) ) {
			return new WP_Error( 'no_mail', __( 'This address can’t get a mail to confirm with just now. Nothing was marked: try again tomorrow, take another address, or log in.', 'trousseau' ) );
		}
		$body  = array(
			'quantity' => $quantity,
			'state'    => $giver->is_known ? $state : 'pending',
			'giver'    => $giver->for_service(),
		) + ( $message === '' ? array() : array( 'message' => $message ) )
			+ ( $giver->is_known && $state === 'reserved' ? ReservationTime::for_service( $post, $seconds ) : array() );
		$claim = ItemService::of_site()->create_claim( $post->ID, (int) $item['id'], $body, $key, (int) $post->post_author );
		if ( is_array( $claim ) && ! isset( $claim['id'], $claim['state'], $claim['item_id'] ) ) {
			// Something else answers in the place of the service.
			return new WP_Error( 'api_error', '' );
		}
		if ( is_array( $claim ) ) {
			self::remember( $claim );
			$giver->remember();
			UninvitedLimits::is_giver( $post ) && UninvitedLimits::note( $claim );
			// The same form sent twice is one gift and one mail.
			if ( Lock::take( 'mailed-' . $claim['id'], HOUR_IN_SECONDS ) ) {
				self::mail( $giver->is_known ? $claim['state'] : 'confirm', $post, self::now( $post, $item ), $claim );
				$giver->is_known && Digest::note( $post );
			}
		}
		return $claim;
	}

	/**
	 * Buying, confirming, changing one's mind.
	 *
	 * @param array<string, mixed> $changes
	 */
	public static function change( array $claim, array $changes ): array|WP_Error|null {
		$more = (int) ( $changes['quantity'] ?? 0 ) - (int) $claim['quantity'];
		if ( $more > 0 && ! UninvitedLimits::may_add( $claim, $more ) ) {
			return new WP_Error( 'uninvited', UninvitedLimits::refusal(), array( 'status' => 429 ) );
		}
		$changed = ItemService::of_site()->update_claim( $claim['id'], $changes );
		if ( is_array( $changed ) ) {
			UninvitedLimits::note_again( $changed );
			if ( $claim['state'] === 'pending' && in_array( $changed['state'], array( 'reserved', 'purchased' ), true ) ) {
				set_transient( self::confirmed( $claim['id'] ), 1, self::CONFIRMED_KEPT );
			}
			self::tell_giver( $claim, $changed );
		}
		return $changed;
	}

	/** Sends or plans the mails after a change. Mails that were planned for another time are dropped by still(). */
	private static function tell_giver( array $before, array $after ): void {
		if ( $after['state'] === $before['state'] && $after['expires_at'] === $before['expires_at'] ) {
			return;
		}
		$post = get_post( (int) $before['registry_id'] );
		$item = $post ? GiftList::known_item( $post, (int) $before['item_id'] ) : null;
		if ( ! is_array( $item ) ) {
			return;
		}
		if ( $after['state'] === $before['state'] ) {
			self::plan_mails( $post, $item, $after );
			return;
		}
		self::mail( $after['state'], $post, $item, $after );
		$after['state'] !== 'released' && $before['state'] === 'pending' && Digest::note( $post );
	}

	/** An item after the change that was just made. */
	public static function now( WP_Post $post, array $item ): array {
		$now = GiftList::known_item( $post, (int) $item['id'] );
		return is_array( $now ) ? $now : $item;
	}

	/** The link by which a giver comes back to their gift. Only the link in the mail that asks for it can confirm. */
	public static function link( string $id, bool $confirms = false ): string {
		return PageAddress::of( 'gift', 0, array( 'of' => SignedToken::sign( $confirms ? self::CONFIRMS : 'gift', $id ) ) );
	}

	/**
	 * Reads such a link.
	 *
	 * @return array{0: string, 1: bool} The gift, and whether its reader has the mail that asks them to confirm.
	 */
	public static function of_link( mixed $signed ): array {
		$id = SignedToken::read( self::CONFIRMS, $signed );
		return $id === '' ? array( SignedToken::read( 'gift', $signed ), false ) : array( $id, true );
	}

	/**
	 * The gifts of this visitor: their account's, and those that this device remembers, each with its item.
	 *
	 * @return array<string, mixed>[]|WP_Error
	 */
	public static function of_visitor(): array|WP_Error {
		$service = ItemService::of_site();
		$claims  = array();
		$user    = wp_get_current_user();
		$found   = $user->ID && $user->user_email !== '' ? $service->gifts_of( $user->user_email ) : array();
		if ( ! is_array( $found ) ) {
			return self::unknown( $found );
		}
		foreach ( self::without_surprises( $found ) as $claim ) {
			$claims[ $claim['id'] ] = $claim;
		}
		$ids   = array_diff( self::remembered(), array_keys( $claims ) );
		$found = $service->gifts( $ids );
		if ( ! is_array( $found ) ) {
			return self::unknown( $found );
		}
		foreach ( $found as $claim ) {
			if ( in_array( $claim['id'], $ids, true ) ) {
				$claims[ $claim['id'] ] = $claim;
			}
		}
		return self::for_viewer( array_values( $claims ) );
	}

	/** An older service doesn't know this question: it has not said that nothing is given. */
	public static function unknown( ?WP_Error $answer ): WP_Error {
		return $answer ?? new WP_Error( 'api_error', __( 'The service is too old for this.', 'trousseau' ) );
	}

	/** @return string[] The gifts that this device remembers. */
	private static function remembered(): array {
		return array_map( static fn( string $entry ): string => explode( ':', $entry )[2] ?? '', self::entries_for_viewer() );
	}

	/**
	 * A family shares a device: people who are signed in don't see what somebody else gave there, and an owner who is to be
	 * surprised sees nothing of that list. Older entries don't say who gave.
	 *
	 * @return string[]
	 */
	private static function entries_for_viewer(): array {
		$viewer = get_current_user_id();
		return array_filter(
			self::entries(),
			static function ( string $entry ) use ( $viewer ): bool {
				list( $registry, , , $giver ) = explode( ':', $entry ) + array( '', '', '', '' );
				$post                         = $viewer ? get_post( (int) $registry ) : null;
				if ( $post && (int) $post->post_author === $viewer ) {
					return (int) $giver === $viewer && ! Surprise::is_on( $post->ID );
				}
				return $giver === '' || (int) $giver === $viewer;
			}
		);
	}

	/**
	 * Leaves out the gifts of lists that are a surprise to the viewer.
	 *
	 * @param array<string, mixed>[] $claims
	 * @return array<string, mixed>[]
	 */
	public static function for_viewer( array $claims ): array {
		$is_secret = static function ( array $claim ): bool {
			$post = get_post( (int) $claim['registry_id'] );
			return $post && Surprise::is_for_viewer( $post );
		};
		return array_values( array_filter( $claims, static fn( array $claim ): bool => ! $is_secret( $claim ) ) );
	}

	/** @return string[] Registry, item, claim, the user who was signed in, and until when it waits to be confirmed, if it did. */
	private static function entries(): array {
		return array_filter( explode( ',', Cookie::read( self::COOKIE ) ) );
	}

	/** This device has the gift from now on, or not any more. */
	public static function remember( array $claim ): void {
		$entries = array_filter( self::entries(), static fn( string $entry ): bool => ( explode( ':', $entry )[2] ?? '' ) !== $claim['id'] );
		if ( in_array( $claim['state'], array( 'pending', 'reserved', 'purchased' ), true ) ) {
			$waits_until = $claim['state'] === 'pending' ? ':' . (int) strtotime( (string) $claim['expires_at'] ) : '';
			array_unshift( $entries, $claim['registry_id'] . ':' . $claim['item_id'] . ':' . $claim['id'] . ':' . get_current_user_id() . $waits_until );
		}
		Cookie::set( self::COOKIE, implode( ',', array_slice( $entries, 0, self::MOST ) ), self::KEPT );
	}

	/** @return string[] Where this device gives: registry and item, such as `12-5`, with a `w` while it waits to be confirmed. */
	public static function places(): array {
		$place = static fn( string $entry ): string => implode( '-', array_slice( explode( ':', $entry ), 0, 2 ) ) . ( self::waits_until( $entry ) ? 'w' : '' );
		return array_map( $place, array_values( array_filter( self::entries(), array( self::class, 'holds' ) ) ) );
	}

	/** @return array<int, array{id: string, waits: bool}> What this device gives at a registry: number of an item → claim, and whether it waits to be confirmed. */
	public static function remembered_at( int $registry ): array {
		$found = array();
		foreach ( array_filter( self::entries_for_viewer(), array( self::class, 'holds' ) ) as $entry ) {
			list( $at, $item, $id ) = explode( ':', $entry ) + array( '', '', '' );
			if ( (int) $at === $registry ) {
				$found[ (int) $item ] = array(
					'id'    => $id,
					'waits' => self::waits_until( $entry ) > 0,
				);
			}
		}
		return $found;
	}

	/** Until when a gift has to be confirmed; 0: it was, or never had to be. */
	private static function waits_until( string $entry ): int {
		list( , , $id, , $until ) = explode( ':', $entry ) + array( '', '', '', '', '' );
		return (int) $until && ! get_transient( self::confirmed( $id ) ) ? (int) $until : 0;
	}

	/** Whether a gift was not left to others because nobody confirmed it in time. */
	private static function holds( string $entry ): bool {
		$until = self::waits_until( $entry );
		return ! $until || $until > time();
	}

	private static function confirmed( string $id ): string {
		return self::CONFIRMED . Encryption::hash( 'confirmed', $id );
	}

	/**
	 * A gift was removed from its list: its givers hear of it once the owner had time to put it back. Addresses that nobody
	 * confirmed get no mail.
	 */
	public static function tell_givers( WP_Post $post, array $item, float $removed_at ): void {
		$claims = ItemService::of_site()->registry_claims( $post->ID, (int) $post->post_author );
		foreach ( is_array( $claims ) ? $claims['claims'] : array() as $claim ) {
			if ( $claim['item_id'] === $item['id'] && in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) ) {
				self::mail( 'removed', $post, $item, $claim, $removed_at );
			}
		}
	}

	/**
	 * The claim and gift of a mail, if the mail is still true at its time; an error while the service can't say.
	 *
	 * @param float $removed_at The mail says that the gift was removed then.
	 * @return array<string, mixed>|WP_Error|null
	 */
	public static function still( string $id, string $state, ?string $expires_at, float $removed_at = 0 ): array|WP_Error|null {
		$service = ItemService::of_site();
		$claim   = $service->get_claim( $id );
		if ( ! is_array( $claim ) ) {
			return is_wp_error( $claim ) ? $claim : null;
		}
		if ( $removed_at ) {
			$is_given = in_array( $claim['state'], array( 'reserved', 'purchased' ), true );
			$item     = $service->get_item( (int) $claim['item_id'] );
			$is_gone  = $item === null && GiftOrder::removed_at( (int) $claim['registry_id'], (int) $claim['item_id'] ) === $removed_at;
			return is_wp_error( $item ) ? $item : ( $is_given && $is_gone ? $claim : null );
		}
		if ( $claim['state'] !== $state || ( $state !== 'expired' && $claim['expires_at'] !== $expires_at ) ) {
			return null;
		}
		// The giver of a gift that was taken off its list knows that already.
		$item = $service->get_item( (int) $claim['item_id'] );
		return is_wp_error( $item ) ? $item : ( $item === null ? null : $claim );
	}

	/**
	 * Somebody may have typed the address of the very owner who is to be surprised: that owner learns nothing by it.
	 *
	 * @param array<string, mixed>[] $claims
	 * @return array<string, mixed>[]
	 */
	public static function without_surprises( array $claims ): array {
		return array_values( array_filter( $claims, static fn( array $claim ): bool => ! self::spoils_surprise( $claim ) ) );
	}

	private static function spoils_surprise( array $claim ): bool {
		$post  = get_post( (int) $claim['registry_id'] );
		$owner = $post && Surprise::is_on( $post->ID ) ? get_userdata( (int) $post->post_author ) : false;
		return $owner && ( $claim['giver']['user_id'] === $owner->ID || strcasecmp( (string) $claim['giver']['email'], $owner->user_email ) === 0 );
	}

	/** @param string $about `confirm`, a state, or `removed`. */
	private static function mail( string $about, WP_Post $post, array $item, array $claim, float $removed_at = 0 ): void {
		$to = (string) $claim['giver']['email'];
		if ( $to === '' || self::spoils_surprise( $claim ) ) {
			return;
		}
		$values = self::values( $post, $item, $claim, $about === 'confirm' );
		if ( $removed_at ) {
			$only = array(
				'claim'      => $claim['id'],
				'state'      => $claim['state'],
				'expires'    => $claim['expires_at'],
				'removed_at' => $removed_at,
			);
			Mail::send( $to, 'claim-removed', $values, (int) $removed_at + self::SECOND_THOUGHTS, $only );
			return;
		}
		if ( $about === 'confirm' ) {
			// An address that was typed gets nothing that people wrote, not even names; an account's own address does. make() has counted this mail.
			$template = 'claim-confirm';
			$values   = $claim['giver']['user_id'] ? $values : array_intersect_key( $values, array_flip( array( 'link', 'expires_at' ) ) );
			Mail::queue( array( compact( 'to', 'template', 'values' ) ) );
			return;
		}
		Mail::send( $to, "claim-$about", $values );
		if ( $about === 'reserved' ) {
			self::plan_mails( $post, $item, $claim );
		}
	}

	/** The mails before a reservation ends, and when it has. */
	private static function plan_mails( WP_Post $post, array $item, array $claim ): void {
		$to = (string) $claim['giver']['email'];
		if ( $to === '' || ! $claim['expires_at'] || self::spoils_surprise( $claim ) ) {
			return;
		}
		$values = self::values( $post, $item, $claim );
		$end    = (int) strtotime( $claim['expires_at'] );
		$only   = array(
			'claim'   => $claim['id'],
			'expires' => $claim['expires_at'],
		);
		if ( $end - self::REMINDER > time() + DAY_IN_SECONDS ) {
			Mail::send( $to, 'claim-reminder', $values, $end - self::REMINDER, $only + array( 'state' => 'reserved' ) );
		}
		Mail::send( $to, 'claim-expired', $values, $end + MINUTE_IN_SECONDS, $only + array( 'state' => 'expired' ) );
	}

	/** @return array<string, mixed> What a mail says of a gift. */
	private static function values( WP_Post $post, array $item, array $claim, bool $confirms = false ): array {
		return array(
			'registry'   => Registries::title( $post ),
			'gift'       => (string) $item['name'],
			'quantity'   => (int) $claim['quantity'],
			'needed'     => Item::needed( $item ),
			'left'       => Item::remaining( $item ),
			'link'       => self::link( $claim['id'], $confirms ),
			'shop'       => ShopRedirect::of( $item, $post->ID ),
			'expires_at' => $claim['expires_at'],
		);
	}
}
