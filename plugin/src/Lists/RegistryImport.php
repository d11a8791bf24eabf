<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\Tables;
use Trousseau\Plugin;
use Trousseau\Service\Conflict;
use Trousseau\Service\Forbidden;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Invalid;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Error;
use WP_Post;

/**
 * Imports a registry that another site has saved (`RegistryExport`). Its gifts are stored piece by piece, at first while the page waits and then
 * by the queue's job. Each has a random key of its own, so that one that is tried again is stored once.
 */
final class RegistryImport extends JobHandler {

	/** The job that holds the file's gifts until all are stored, and the meta with its progress. */
	public const JOB    = 'import';
	private const STATE = '_trousseau_import';

	/** A piece waits for the service no longer than this. */
	public const LEASE = MINUTE_IN_SECONDS;

	private const MAX_BYTES = 16 * MB_IN_BYTES;

	/** Seconds that a page spends on it, and until the next attempt while the service is away. */
	private const PATIENCE = 4;
	public const AWAY      = MINUTE_IN_SECONDS;

	public function __construct(
		private readonly Closing $closing,
		private readonly Tables $tables,
		private readonly GiftLists $gift_lists,
		private readonly GiftNotes $gift_notes,
		private readonly ItemService $item_service,
		private readonly JobQueue $job_queue,
		private readonly Limits $limits,
		private readonly PictureUpload $picture_upload,
		private readonly RegistryExport $registry_export,
	) {
	}

	/** Imports an uploaded file as a registry of the user's. */
	public function of_upload( mixed $file ): int|WP_Error {
		if ( ! is_array( $file ) || $file['error'] !== UPLOAD_ERR_OK || $file['size'] > self::MAX_BYTES ) {
			return self::refusal( __( 'Choose the file you saved on the other site.', 'trousseau' ) );
		}
		return $this->limits->refuse_import() ?? $this->begin( (string) file_get_contents( $file['tmp_name'] ), get_current_user_id() );
	}

	/** Copies a registry with these gifts for the current user: all but its guests, its day, and the surprise that ends after it. */
	public function copy( WP_Post $post, array $items ): int|WP_Error {
		$data = json_decode( $this->registry_export->written( $post, $items, 'json' ), true );
		/* translators: %s: name of a list */
		$data['title'] = sprintf( __( 'Copy of %s', 'trousseau' ), $data['title'] );
		unset( $data['closes'] );
		$data['meta'] = array_diff_key( $data['meta'], array_flip( array( Meta::INVITEES, Meta::EVENT_DATE, Meta::SURPRISE_UNTIL ) ) );
		return $this->limits->refuse_import() ?? $this->begin( (string) wp_json_encode( $data ), get_current_user_id() );
	}

	/** @return int|WP_Error The new registry's number. It is private, even if it was public. */
	public function begin( string $json, int $owner ): int|WP_Error {
		$data = self::read( $json );
		if ( is_wp_error( $data ) ) {
			return $data;
		}
		$given = is_array( $data['meta'] ?? null ) ? $data['meta'] : array();
		$meta  = array_intersect_key( $given, array_flip( array( Meta::EVENT_TYPE, Meta::EVENT_DATE, Meta::CURRENCY, Meta::SURPRISE_UNTIL, Meta::SURPRISE_KEEPS, Meta::RESERVED_FOR ) ) );
		if ( is_string( $given[ Meta::PAY_TO ] ?? null ) ) {
			// Files hold plain text.
			$meta[ Meta::PAY_TO ] = PlainText::to_html( $given[ Meta::PAY_TO ] );
		}
		// A user name means someone else on another site.
		$is_ours = ( $data['site'] ?? '' ) === home_url();
		$guests  = array_values( Meta::people_in( $given[ Meta::INVITEES ] ?? '' ) );
		$invited = $is_ours ? $guests : array_values( array_filter( $guests, 'is_email' ) );
		$id      = wp_insert_post(
			wp_slash(
				array(
					'post_type'    => PostType::NAME,
					'post_author'  => $owner,
					'post_status'  => 'private',
					// The title is plain text, also where WordPress lets its owner write HTML.
					'post_title'   => PlainText::to_html( mb_substr( trim( (string) preg_replace( '/\s+/u', ' ', $data['title'] ) ), 0, 200 ) ),
					'post_content' => wp_kses_post( is_string( $data['story'] ?? null ) ? $data['story'] : '' ),
					'meta_input'   => $meta + array( Meta::INVITEES => wp_json_encode( $invited ) ),
				)
			),
			true
		);
		if ( is_wp_error( $id ) ) {
			return self::not_now();
		}
		foreach ( ListField::copied() as $name => $field ) {
			Plugin::get( $field )->store( $id, is_string( $data[ $name ] ?? null ) ? mb_substr( trim( $data[ $name ] ), 0, $field::LONGEST ) : '' );
		}
		$this->closing->set( $id, Meta::clean_event_date( $data['closes'] ?? '' ) );
		// In the file, the link of a gift without a shop is the address of the site that saved it (RegistryExport).
		$from = is_string( $data['site'] ?? null ) ? "{$data['site']}/" : '';
		$own  = array( 'url' => (string) get_post_permalink( $id, false, true ) );
		$link = static fn( array $gift ): array => ( $gift['url'] ?? '' ) === $from ? $own : array();
		// Other fields of the file aren't stored.
		$kept  = Item::FIELDS + array( 'most_wanted' => null );
		$gifts = array_map(
			static fn( array $gift ): array => array( 'section' => self::section( $gift ) )
				+ $link( $gift ) + array_intersect_key( $gift, $kept ),
			$data['items']
		);
		$this->note(
			$id,
			array(
				'key'     => IdempotencyKey::make( "import-$id" ),
				'done'    => 0,
				'total'   => count( $data['items'] ),
				'refused' => array(),
				'guests'  => array_values( array_diff( $guests, $invited ) ),
			)
		);
		if ( ! $this->job_queue->add( self::JOB, $gifts, 0, (string) $id ) ) {
			wp_delete_post( $id, true );
			return self::not_now();
		}
		// A large picture may end this request, so it comes last: the gifts' job is stored by now.
		$this->picture_upload->take_in( $data['picture'] ?? '', get_post( $id ) );
		$this->advance( $id, self::PATIENCE );
		return $id;
	}

	/** Stores the next gifts now, unless another process does. */
	public function advance( int $id, float $seconds ): void {
		( new JobRunner( $this->tables, $this->job_queue, array( self::JOB => $this ) ) )->run_one( self::JOB, (string) $id, $seconds );
	}

	public static function words(): string {
		return __( 'Gifts of an imported list', 'trousseau' );
	}

	public function run( Job $job ): void {
		$wpdb             = $GLOBALS['wpdb'];
		$wpdb->last_error = '';
		$gifts            = $job->payload;
		$post             = get_post( (int) $job->key );
		$state            = $post ? self::state( $post ) : null;
		if ( $wpdb->last_error !== '' ) {
			// To WordPress, a failed query looks like a post that doesn't exist.
			throw new Postponed( self::AWAY );
		}
		if ( ! $state || ! is_array( $gifts ) ) {
			return;
		}
		$this->gift_lists->renew_after( fn() => $this->store( $post, $gifts, $state, $job->until ) );
		if ( ( self::state( $post )['done'] ?? count( $gifts ) ) < count( $gifts ) ) {
			throw new Postponed( 0 );
		}
		// The order is the file's; other gifts that are on the list by now come after it.
		$this->item_service->get_registry( $post->ID );
	}

	/**
	 * The import's progress, with the gifts that could not be stored and the guests whose user names are someone else's here.
	 *
	 * @return array{done: int, total: int, refused: string[], guests: string[]}|null Null where there is nothing to say.
	 */
	public static function state( WP_Post $post ): ?array {
		$state = Encryption::open( get_post_meta( $post->ID, self::STATE, true ) );
		return is_array( $state ) && ( $state['done'] < $state['total'] || $state['refused'] || $state['guests'] ) ? $state : null;
	}

	/** Forgets the gifts and guests that were left out, once the owner has read about them. */
	public function forget_rest( WP_Post $post ): void {
		$state = self::state( $post );
		$state && $this->note( $post->ID, array_merge( $state, array( 'refused' => array(), 'guests' => array() ) ) );
	}

	private function store( WP_Post $post, array $gifts, array $state, float $until ): void {
		while ( $state['done'] < $state['total'] && microtime( true ) < $until ) {
			$done = $state['done'];
			$gift = $gifts[ $done ];
			try {
				$stored = $this->item_service->create_item( array( 'registry_id' => $post->ID ) + array_intersect_key( $gift, Item::FIELDS ), "{$state['key']}-$done" );
				$id     = Item::stored( $stored )->id;
				$this->gift_notes->put( $post, $id, self::section( $gift ), ( $gift['most_wanted'] ?? false ) === true, GiftNotes::most_wanted( $post ), all: $state['total'] );
			} catch ( Conflict | Invalid ) {
				$state['refused'][] = $gift['name'];
			} catch ( Forbidden | NotFound | Unavailable | TooMany $error ) {
				throw new Postponed( self::AWAY, $error->getMessage() );
			}
			$state['done'] = $done + 1;
			$this->note( $post->ID, $state );
		}
	}

	private function note( int $id, array $state ): void {
		update_post_meta( $id, self::STATE, Encryption::seal( $state ) );
	}

	/** @return array<string, mixed>|WP_Error The content of the file, if it is whole. */
	public static function read( string $json ): array|WP_Error {
		// Some editors put a mark before the text.
		$data = json_decode( (string) preg_replace( '/^\xEF\xBB\xBF/', '', $json ), true );
		if ( ! is_array( $data ) || ( $data['format'] ?? '' ) !== RegistryExport::FORMAT || ! is_string( $data['title'] ?? null ) || ! preg_match( '/[^\s\0]/u', $data['title'] ) || ! is_array( $data['items'] ?? null ) || ! array_is_list( $data['items'] ) || count( $data['items'] ) > Item::MAX_ON_LIST ) {
			return self::refusal( __( 'This file isn’t a list saved by a site like this one.', 'trousseau' ) );
		}
		$refusal = Limits::refuse_story( is_string( $data['story'] ?? null ) ? $data['story'] : '' );
		if ( $refusal ) {
			return $refusal;
		}
		foreach ( $data['items'] as $number => $item ) {
			if ( ! self::is_gift( $item ) ) {
				/* translators: %s: number of a gift in the file */
				return self::refusal( sprintf( __( 'Gift %s in the file is incomplete, so nothing was imported.', 'trousseau' ), number_format_i18n( $number + 1 ) ) );
			}
		}
		return $data;
	}

	private static function is_gift( mixed $item ): bool {
		if ( ! is_array( $item ) ) {
			return false;
		}
		$is_text = static fn( string $field, int $least, int $most ): bool => isset( $item[ $field ] )
			? is_string( $item[ $field ] ) && mb_strlen( $item[ $field ] ) >= $least && mb_strlen( $item[ $field ] ) <= $most
			: $least === 0;
		$price   = $item['price'] ?? null;
		$needed  = $item['quantity_needed'] ?? 1;
		$unit    = $item['unit'] ?? null;
		$texts   = array_filter( Item::FIELDS );
		return ! array_filter( array_keys( $texts ), static fn( string $field ): bool => ! $is_text( $field, ...$texts[ $field ] ) )
			&& in_array( $unit, array( null, 'money' ), true ) && ( ! $unit || $price === null )
			&& ( $price === null || ( ( is_int( $price ) || is_float( $price ) ) && $price > 0 && is_finite( $price ) ) ) && is_int( $needed ) && $needed > 0;
	}

	private static function section( array $gift ): string {
		return is_string( $gift['section'] ?? null ) ? mb_substr( trim( $gift['section'] ), 0, Sections::MAX_NAME ) : '';
	}

	private static function not_now(): WP_Error {
		return self::refusal( __( 'We couldn’t create your list right now. Please try again in a minute.', 'trousseau' ) );
	}

	private static function refusal( string $why ): WP_Error {
		return new WP_Error( 'import', $why );
	}
}
