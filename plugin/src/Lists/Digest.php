<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Plugin;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\ServiceError;
use WP_Post;

/** The daily emails to owners: about new gifts, if they may know, and after the event about guests they haven't thanked. */
final class Digest extends JobHandler {

	public const EVERY = DAY_IN_SECONDS;

	/** Seconds for which one process alone makes these emails. */
	public const LEASE = HOUR_IN_SECONDS;

	private const META  = '_trousseau_digest_since';
	private const THANK = '_trousseau_thanks_reminded';

	/** The gifts the owner was told about, as the first characters of their claims' ids. */
	private const TOLD = '_trousseau_digest_told';

	public function __construct( private readonly ItemService $item_service, private readonly Mail $mail ) {
	}

	/**
	 * Records that something was given; the owner gets one email for any number of gifts. The record changes with each gift, so that one
	 * that arrives while the email is being made is in the next email.
	 */
	public function note( WP_Post $post ): void {
		update_post_meta( $post->ID, self::META, bin2hex( random_bytes( 8 ) ) );
	}

	public static function words(): string {
		return __( 'Daily emails to owners', 'trousseau' );
	}

	public function run( Job $job ): void {
		$noted = Registries::with_meta( array( 'key' => self::META ) );
		// The notes are read before the service is asked.
		$notes = array_map( static fn( WP_Post $post ): string => (string) get_post_meta( $post->ID, self::META, true ), array_column( $noted, null, 'ID' ) );
		foreach ( $this->given_at( $noted ) as $post => $claims ) {
			if ( $this->tell( $post, $claims ) ) {
				delete_post_meta( $post->ID, self::META, $notes[ $post->ID ] );
			}
		}
		isset( Plugin::parts( ListPage::class )['given'] ) && $this->remind_to_thank();
	}

	/** Emails the owner about the gifts that they weren't told of yet. Returns whether nothing is left to tell. */
	private function tell( WP_Post $post, array $claims ): bool {
		$told  = array_flip( explode( ',', (string) get_post_meta( $post->ID, self::TOLD, true ) ) );
		$known = array();
		$new   = array();
		foreach ( $claims as $claim ) {
			$id       = substr( $claim->id, 0, 10 );
			$was_told = isset( $told[ $id ] );
			if ( $claim->is_given() || $was_told ) {
				$known[] = $id;
				// All shares of a gift count as one gift.
				$new += $was_told ? array() : array( $claim->is_share() ? $claim->item_id : $id => true );
			}
		}
		if ( ! $this->mail( $post, 'digest', count( $new ) ) ) {
			return false;
		}
		update_post_meta( $post->ID, self::TOLD, implode( ',', $known ) );
		return true;
	}

	private function remind_to_thank(): void {
		$days     = array( gmdate( 'Y-m-d', time() - 30 * DAY_IN_SECONDS ), gmdate( 'Y-m-d', time() - 3 * DAY_IN_SECONDS ) );
		$was_held = array( 'key' => Meta::EVENT_DATE, 'compare' => 'BETWEEN', 'value' => $days );
		// A list may be used again for the next year's day.
		$reminded = static fn( WP_Post $post ): string => (string) get_post_meta( $post->ID, self::THANK, true );
		$is_new   = static fn( WP_Post $post ): bool => $reminded( $post ) !== Meta::event_date( $post->ID );
		$posts    = array_filter( Registries::with_meta( $was_held ), $is_new );
		foreach ( $this->given_at( $posts ) as $post => $claims ) {
			$given = array_filter( $claims, static fn( Claim $claim ): bool => $claim->is_given() && ! $claim->is_thanked );
			// Those that are only reserved are still to come: another day tells.
			$count   = count( array_filter( $given, static fn( Claim $claim ): bool => $claim->state === 'purchased' ) );
			$is_done = ( $count || ! $given ) && $this->mail( $post, 'thanks', $count );
			$is_done && update_post_meta( $post->ID, self::THANK, Meta::event_date( $post->ID ) );
		}
	}

	/**
	 * The claims of each registry without a surprise: its owners hear of everything after it. Stops while the service is away, since each
	 * further request would wait for the timeout.
	 *
	 * @return \Generator<WP_Post, Claim[]>
	 */
	private function given_at( array $posts ): \Generator {
		foreach ( array_filter( $posts, static fn( WP_Post $post ): bool => ! Surprise::is_on( $post->ID ) ) as $post ) {
			try {
				yield $post => $this->item_service->claims_at( $post );
			} catch ( ServiceError $error ) {
				if ( $error->is_for_all() ) {
					throw $error;
				}
			}
		}
	}

	/** Whether the registry is done: its email is on the way, or nobody should get one. */
	private function mail( WP_Post $post, string $template, int $count ): bool {
		$owners = array_filter( array_map( 'get_userdata', CoOwners::all_of( $post ) ) );
		$to     = array_filter( array_unique( array_column( $owners, 'user_email' ) ), fn( string $address ): bool => ! $this->mail->is_refused( $address ) );
		if ( ! $count || ! $to ) {
			return true;
		}
		$values = array(
			'registry' => Registries::title( $post ),
			'count'    => $count,
			'link'     => PageAddress::of( isset( Plugin::parts( ListPage::class )['given'] ) ? 'given' : 'gifts', $post->ID ),
		);
		// One queued email is enough: a retry would email that owner again.
		return (bool) array_filter( array_map( fn( string $address ): bool => $this->mail->send( $address, $template, $values, list: $post->ID ), $to ) );
	}
}
