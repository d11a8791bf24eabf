<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Lock;
use Trousseau\Platform\PictureFile;
use Trousseau\Platform\PublicWeb;

/** Fetches each picture of a shop once for a list, in the background. */
final class PictureFetch extends JobHandler {

	public const JOB = 'picture';

	public const A_RUN = 20;

	private const REDIRECTS = 3;

	public function __construct(
		private readonly GiftPicture $gift_picture,
		private readonly JobQueue $job_queue,
		private readonly Lock $lock,
		private readonly PublicWeb $public_web,
		private readonly UnusedPictures $unused_pictures,
	) {
	}

	/** Adopts the uploads among the pictures that the list lacks, and queues the others; one that can't be had is tried again the next day. */
	public function expect( int $registry, array $items ): void {
		foreach ( $items as $item ) {
			$url = GiftPicture::missing( $item->image_url, $registry );
			$key = Encryption::hex( 'picture', "$registry $url" );
			if ( $url !== '' && $this->lock->take( "picture-$key", DAY_IN_SECONDS ) ) {
				$this->gift_picture->adopt( $url, $registry ) || $this->job_queue->add_once( self::JOB, array( $url, $registry ), time(), $key );
			}
		}
	}

	public static function words(): string {
		return __( 'Picture of a shop', 'trousseau' );
	}

	public function run( Job $job ): void {
		list( $url, $registry ) = $job->payload;
		if ( PostType::find( $registry ) && ! GiftPicture::is_kept( $url, $registry ) ) {
			$this->gift_picture->adopt_from_any( $url, $registry ) || GiftPicture::is_own( $url ) || $this->fetch( $url, $registry );
			GiftPicture::is_kept( $url, $registry ) && do_action( 'trousseau_pictures_fetched', $registry );
			// Its gift may have been removed in the meantime.
			$this->unused_pictures->expect( $registry );
		}
	}

	private function fetch( string $url, int $registry ): void {
		require_once ABSPATH . 'wp-admin/includes/file.php';
		$temporary = wp_tempnam();
		$response  = $this->public_web->get(
			$url,
			array(
				'timeout'             => 8,
				'stream'              => true,
				'filename'            => $temporary,
				'limit_response_size' => PictureFile::MAX_BYTES,
				'headers'             => array( 'Accept' => 'image/*' ),
			),
			self::REDIRECTS
		);
		if ( ! is_wp_error( $response ) && wp_remote_retrieve_response_code( $response ) === 200 ) {
			$this->gift_picture->add( $temporary, GiftPicture::name( $url, $registry ) );
		}
		wp_delete_file( $temporary );
	}
}
