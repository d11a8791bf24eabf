<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Error;
use WP_Post;

/** Gifts that somebody gives, as the site's pages make, show and change them, and the mails about them. */
final class Claim {

	private const COOKIE = 'gifts';
	private const KEPT   = 400 * DAY_IN_SECONDS;
	private const MOST   = 60;

	/** Seconds before the end of a reservation at which its giver is reminded. */
	private const REMINDER = 2 * DAY_IN_SECONDS;

	/**
	 * Takes pieces for a giver. The key was made with the form: however often it is sent, it is one gift.
	 *
	 * @return array<string, mixed>|WP_Error|null
	 */
	public static function make( WP_Post $post, array $item, Giver $giver, string $state, int $quantity, string $message, string $key ): array|WP_Error|null {
		$body  = array(
			'quantity' => $quantity,
			'state'    => $giver->is_known ? $state : 'pending',
			'giver'    => $giver->for_service(),
		) + ( $message === '' ? array() : array( 'message' => $message ) );
		$claim = ApiClient::of_site()->create_claim( $post->ID, (int) $item['id'], $body, $key );
		if ( is_array( $claim ) ) {
			self::remember( $claim );
			$giver->remember();
			// The same form sent twice is one gift and one mail.
			if ( Turn::take( 'mailed-' . $claim['id'], HOUR_IN_SECONDS ) ) {
				self::mail( $giver->is_known ? $claim['state'] : 'confirm', $post, $item, $claim );
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
		$changed = ApiClient::of_site()->update_claim( $claim['id'], $changes );
		if ( is_array( $changed ) && $changed['state'] !== $claim['state'] ) {
			GiftList::renew( (int) $claim['registry_id'] );
			$post = get_post( (int) $claim['registry_id'] );
			$item = ApiClient::of_site()->get_item( (int) $claim['item_id'] );
			if ( $post && is_array( $item ) ) {
				self::mail( $changed['state'], $post, $item, $changed );
				$changed['state'] !== 'released' && $claim['state'] === 'pending' && Digest::note( $post );
			}
		}
		return $changed;
	}

	/** The link by which a giver comes back to their gift. */
	public static function link( string $id ): string {
		return PageRouter::address( 'gift', 0, array( 'of' => Link::sign( 'gift', $id ) ) );
	}

	/**
	 * What this visitor gives: their account's, and what this device remembers.
	 *
	 * @return array<string, mixed>[]|WP_Error
	 */
	public static function of_visitor(): array|WP_Error {
		$service = ApiClient::of_site();
		$claims  = array();
		$user    = wp_get_current_user();
		$found   = $user->ID && $user->user_email !== '' ? $service->claims_of( $user->user_email ) : array();
		if ( is_wp_error( $found ) ) {
			return $found;
		}
		foreach ( self::without_surprises( (array) $found ) as $claim ) {
			$claims[ $claim['id'] ] = $claim;
		}
		foreach ( array_diff( self::remembered(), array_keys( $claims ) ) as $id ) {
			$claim = $service->get_claim( $id );
			if ( is_wp_error( $claim ) ) {
				return $claim;
			}
			if ( $claim ) {
				$claims[ $id ] = $claim;
			}
		}
		return array_values( $claims );
	}

	/** @return string[] The gifts that this device remembers. */
	private static function remembered(): array {
		return array_map( static fn( string $entry ): string => substr( (string) strrchr( $entry, ':' ), 1 ), self::entries() );
	}

	/** @return string[] Registry, item and claim. */
	private static function entries(): array {
		return array_filter( explode( ',', Cookie::read( self::COOKIE ) ) );
	}

	/** This device has the gift from now on, or not any more. */
	public static function remember( array $claim ): void {
		$entries = array_filter( self::entries(), static fn( string $entry ): bool => ! str_ends_with( $entry, ':' . $claim['id'] ) );
		if ( in_array( $claim['state'], array( 'pending', 'reserved', 'purchased' ), true ) ) {
			array_unshift( $entries, $claim['registry_id'] . ':' . $claim['item_id'] . ':' . $claim['id'] );
		}
		Cookie::set( self::COOKIE, implode( ',', array_slice( $entries, 0, self::MOST ) ), self::KEPT );
	}

	/** @return array<int, string> What this device gives at a registry: number of an item → claim. */
	public static function remembered_at( int $registry ): array {
		$found = array();
		foreach ( self::entries() as $entry ) {
			list( $at, $item, $id ) = explode( ':', $entry ) + array( '', '', '' );
			if ( (int) $at === $registry ) {
				$found[ (int) $item ] = $id;
			}
		}
		return $found;
	}

	/** A gift was taken off its list: whoever gives it has to know. An address that nobody confirmed gets no words of strangers. */
	public static function tell_givers( WP_Post $post, array $item ): void {
		$claims = ApiClient::of_site()->registry_claims( $post->ID );
		foreach ( $claims['claims'] ?? array() as $claim ) {
			if ( $claim['item_id'] === $item['id'] && in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) ) {
				self::mail( 'removed', $post, $item, $claim );
			}
		}
	}

	/**
	 * What a mail is about, if what it says is still true when its time comes; an error while nobody knows.
	 *
	 * @return array<string, mixed>|WP_Error|null
	 */
	public static function still( string $id, string $state, ?string $expires_at ): array|WP_Error|null {
		$service = ApiClient::of_site();
		$claim   = $service->get_claim( $id );
		if ( ! is_array( $claim ) ) {
			return is_wp_error( $claim ) ? $claim : null;
		}
		if ( $claim['state'] !== $state || ( $state !== 'expired' && $claim['expires_at'] !== $expires_at ) ) {
			return null;
		}
		// Whoever gives what was taken off its list knows that already.
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
		$owner = $post && Meta::is_surprise( $post->ID ) ? get_userdata( (int) $post->post_author ) : false;
		return $owner && ( $claim['giver']['user_id'] === $owner->ID || strcasecmp( (string) $claim['giver']['email'], $owner->user_email ) === 0 );
	}

	/** @param string $about `confirm`, a state, or `removed`. */
	private static function mail( string $about, WP_Post $post, array $item, array $claim ): void {
		$to = (string) $claim['giver']['email'];
		if ( $to === '' || self::spoils_surprise( $claim ) ) {
			return;
		}
		$values = array(
			'registry'   => Registry::title( $post ),
			'gift'       => (string) $item['name'],
			'quantity'   => (int) $claim['quantity'],
			'link'       => self::link( $claim['id'] ),
			'shop'       => ShopLink::of( $item, $post->ID ),
			'expires_at' => $claim['expires_at'],
		);
		// A stranger's address gets no words of strangers: not even the names on the list.
		Mail::send( $to, "claim-$about", $about === 'confirm' ? array_intersect_key( $values, array_flip( array( 'link', 'expires_at' ) ) ) : $values );
		if ( $about === 'reserved' && $claim['expires_at'] ) {
			$end  = (int) strtotime( $claim['expires_at'] );
			$only = array(
				'claim'   => $claim['id'],
				'expires' => $claim['expires_at'],
			);
			if ( $end - self::REMINDER > time() + DAY_IN_SECONDS ) {
				Mail::send( $to, 'claim-reminder', $values, $end - self::REMINDER, $only + array( 'state' => 'reserved' ) );
			}
			Mail::send( $to, 'claim-expired', $values, $end + MINUTE_IN_SECONDS, $only + array( 'state' => 'expired' ) );
		}
	}
}
