<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\RemovedGifts;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Request;
use Trousseau\Service\Claim;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Post;

/** Emails those who give from a list that is deleted: they may have bought something or sent money, and their pages no longer say so. */
final class GoneLists extends JobHandler implements MailFacts {

	/** Its jobs in the queue, one a list whose givers the service couldn't name at once. */
	public const JOB = 'list-gone';

	/** Seconds for which a list may be put back before its givers hear that it was deleted. */
	private const SECOND_THOUGHTS = 15 * MINUTE_IN_SECONDS;

	/** The last plan of a list's emails: those of an earlier one aren't sent, since the list was put back after it. */
	private const PLAN = 'list_gone_';

	/** Whether the service was away in this request, which may delete many lists. */
	private bool $is_away = false;

	/** The list whose job has just planned the emails. */
	private int $told = 0;

	public function __construct(
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly KeptValues $kept_values,
		private readonly Mail $mail,
	) {
	}

	/** Plans the emails before an owner deletes a list. Returns false, so that it goes to the trash, unless its givers are known. */
	public function may_go_at_once( bool $may, int $id ): bool {
		$this->goes( $id );
		return $may && ! $this->is_away && get_post_status( $id ) !== 'trash';
	}

	/** A list that is put back, in whichever way, isn't deleted later, and emails about its deletion aren't sent. */
	public function put_back( string $after, string $before, WP_Post $post ): void {
		delete_post_meta( $post->ID, Meta::IS_DELETED );
		$this->kept_values->delete( self::PLAN . $post->ID );
	}

	/** Plans the emails before a list goes to the trash or for good: afterwards the service names nobody. */
	public function goes( int $id ): void {
		$post = get_post( $id );
		// Those who give from a list in the trash know, unless its job is still to tell them.
		$is_told = $post?->post_status === 'trash' && ( $id === $this->told || ! $this->job_queue->run_at( self::JOB, (string) $id ) );
		if ( $post?->post_type !== PostType::NAME || $is_told || ! $this->item_service->is_configured() ) {
			return;
		}
		// A program with a password of its own may be the service, which waits for this answer.
		$is_later = $this->is_away || Request::is_by_program();
		try {
			$is_later || $this->plan( $post, $this->item_service->claims_at( $post ) );
		} catch ( NotFound ) {
			// Nobody gives from a list that the service doesn't know.
			return;
		} catch ( ServiceError ) {
			$this->is_away = true;
			$is_later      = true;
		}
		if ( $is_later && doing_action( 'wp_trash_post' ) ) {
			$this->job_queue->add( self::JOB, null, time() + MINUTE_IN_SECONDS, (string) $id );
		}
	}

	public static function words(): string {
		return __( 'Email', 'trousseau' );
	}

	/** The service still names the givers of a list in the trash. */
	public function run( Job $job ): void {
		$post = get_post( (int) $job->key );
		if ( $post?->post_status !== 'trash' ) {
			return;
		}
		try {
			$claims = $this->item_service->claims_at( $post );
		} catch ( NotFound ) {
			$claims = array();
		} catch ( Unavailable | TooMany $error ) {
			throw new Postponed( self::AWAY, $error->getMessage() );
		}
		$this->plan( $post, $claims );
		$this->told = $post->ID;
		get_post_meta( $post->ID, Meta::IS_DELETED, true ) && wp_delete_post( $post->ID, true );
	}

	/** Whether a list is in the trash or deleted for good. */
	public static function is_gone( int $id ): bool {
		return in_array( get_post_status( $id ), array( false, 'trash' ), true );
	}

	/** An email is still true if the list hasn't been put back since, nor put back and deleted again. */
	public function facts( string $about, array $mail ): ?array {
		list( 'gone' => $id, 'plan' => $plan ) = $mail['only'];
		return self::is_gone( $id ) && $plan === $this->kept_values->get( self::PLAN . $id, true ) ? $mail['values'] : null;
	}

	private function plan( WP_Post $post, array $claims ): void {
		$names = array_column( $this->gift_lists->of( $post )->items ?? array(), 'name', 'id' ) + array_map( static fn( array $entry ): string => $entry['name'], RemovedGifts::of( $post ) );
		$more  = array_merge( ...array_map( static fn( ClaimKind $kind ): array => $kind->when_gone( $post, $claims ), ClaimKind::all() ) );
		$gifts = array();
		foreach ( Surprise::without_spoilers( array_filter( $claims, static fn( Claim $claim ): bool => $claim->is_given() ) ) as $claim ) {
			// The reader may have another language, in which the template says it.
			$gifts[ strtolower( $claim->email ) ][] = array(
				'name'     => (string) ( $names[ $claim->item_id ] ?? '' ),
				'quantity' => $claim->quantity,
				'currency' => GiftAmount::currency_of_claim( $claim ),
				'more'     => $more[ $claim->id ] ?? null,
			);
		}
		unset( $gifts[''] );
		if ( ! $gifts ) {
			// Another press may have deleted the list in the meantime, and its emails are still to come.
			return;
		}
		$plan = bin2hex( random_bytes( 8 ) );
		$this->kept_values->set( self::PLAN . $post->ID, $plan, MONTH_IN_SECONDS );
		foreach ( $gifts as $to => $theirs ) {
			$values = array( 'registry' => Registries::title( $post ), 'gifts' => $theirs );
			$this->mail->send( (string) $to, 'list-gone', $values, time() + self::SECOND_THOUGHTS, array( 'gone' => $post->ID, 'plan' => $plan ) );
		}
	}
}
