<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\PictureFile;
use Trousseau\Registry\ShopPicture;
use Trousseau\Support\Encryption;
use Trousseau\Support\Lock;
use Trousseau\Support\PublicWeb;

/** Fetches the pictures of shops in the background, each once. */
final class PictureFetch {

	/** An event that fetches the pictures that pages have asked for: one for all, since WordPress reads its events with every page. */
	public const FETCH = 'trousseau_fetch_pictures';

	/** Addresses of pictures that are asked for, each in a row of its own. */
	private const WANTED = 'trousseau_picture_';

	/** Seconds for fetching some, and how many at most; a shop may take its time with the last one. */
	private const PIECE = 20;
	private const BATCH = 20;
	private const TURN  = self::PIECE + 40;

	private const RETRY = DAY_IN_SECONDS;

	/** Redirects that are followed to a shop's picture. */
	private const REDIRECTS = 3;

	/**
	 * Has the pictures of items fetched that aren't on this site yet; one that can't be had is tried again the next day.
	 *
	 * @param array<string, mixed>[] $items
	 */
	public static function expect( array $items ): void {
		foreach ( $items as $item ) {
			$url = ShopPicture::missing( $item['image_url'] ?? '' );
			if ( $url !== '' && Lock::take( 'picture-' . ShopPicture::name( $url ), self::RETRY ) ) {
				add_option( self::WANTED . ShopPicture::name( $url ), Encryption::seal( $url ), '', false );
				wp_next_scheduled( self::FETCH ) || wp_schedule_single_event( time(), self::FETCH );
			}
		}
	}

	/** Fetches some of those that are wanted; mails and all else that the site's clock does come between them and the rest. */
	public static function fetch_some(): void {
		if ( ! Lock::take( 'pictures', self::TURN ) ) {
			wp_schedule_single_event( time() + self::TURN, self::FETCH );
			return;
		}
		$wpdb  = $GLOBALS['wpdb'];
		$like  = $wpdb->esc_like( self::WANTED ) . '%';
		$until = microtime( true ) + self::PIECE;
		$found = false;
		// In any order, so that no list with a slow shop keeps others from theirs.
		foreach ( $wpdb->get_results( $wpdb->prepare( "SELECT option_name, option_value FROM $wpdb->options WHERE option_name LIKE %s ORDER BY RAND() LIMIT %d", $like, self::BATCH ) ) as $row ) {
			if ( microtime( true ) > $until ) {
				break;
			}
			$url = delete_option( $row->option_name ) ? Encryption::open( $row->option_value ) : null;
			if ( is_string( $url ) ) {
				self::fetch( $url );
				$found = $found || ShopPicture::is_kept( $url );
			}
		}
		// Several lists may show the same picture.
		$found && do_action( 'trousseau_pictures_fetched' );
		Lock::forget( 'pictures' );
		if ( $wpdb->get_var( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s LIMIT 1", $like ) ) ) {
			wp_schedule_single_event( time(), self::FETCH );
		}
	}

	/** Fetches a shop's picture. */
	public static function fetch( string $url ): void {
		if ( ShopPicture::is_kept( $url ) ) {
			return;
		}
		require_once ABSPATH . 'wp-admin/includes/file.php';
		$temporary = wp_tempnam();
		$response  = PublicWeb::get(
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
			ShopPicture::store( $url, $temporary );
		}
		wp_delete_file( $temporary );
	}
}
