<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Pages\PageCache;
use Trousseau\Registry\Limits;
use Trousseau\Service\Item;
use Trousseau\Support\Encryption;
use Trousseau\Support\Lock;
use Trousseau\Support\PublicWeb;
use WP_Error;
use WP_Post;

/**
 * Pictures. A guest's browser is never sent to a shop's server just by looking: the site fetches a shop's picture once,
 * behind the page, makes it small and keeps it under a name that nobody can guess.
 */
final class PictureFetch {

	/** An event that fetches those that pages have asked for: one for all, since WordPress reads its events with every page. */
	public const FETCH = 'trousseau_fetch_pictures';

	/** Addresses of pictures that are asked for, each in a row of its own. */
	private const WANTED = 'trousseau_picture_';

	/** Seconds for fetching some, and how many at most; a shop may take its time with the last one. */
	private const PIECE = 20;
	private const BATCH = 20;
	private const TURN  = self::PIECE + 40;

	public const FOLDER     = 'trousseau';
	private const MAX_BYTES = 8 * MB_IN_BYTES;

	/**
	 * The largest photographs of telephones, which PHP can decode within WordPress's 256 MB; and the largest other pictures,
	 * which no camera makes. A picture of one colour has a few kilobytes, and takes as long to decode as any other.
	 */
	private const MAX_PIXELS       = 51_000_000;
	private const MAX_PIXELS_OTHER = 26_000_000;

	/** More pieces than any program writes into a file of that size, unless to keep its readers busy. */
	private const MAX_PIECES = 100_000;

	private const WIDTH = 900;
	private const RETRY = DAY_IN_SECONDS;

	/** Redirects that are followed to a shop's picture. */
	private const REDIRECTS = 3;

	private const KINDS = array(
		'image/jpeg' => 'jpg',
		'image/png'  => 'png',
		'image/webp' => 'webp',
		'image/gif'  => 'gif',
	);

	/** Where a gift's picture is on this site; nothing while it isn't. */
	public static function address( mixed $url ): string {
		$url = Item::web_address( $url );
		return $url === '' || self::is_own( $url ) ? $url : self::kept( $url );
	}

	/**
	 * Has the pictures of items fetched that aren't on this site yet; one that can't be had is tried again the next day.
	 *
	 * @param array<string, mixed>[] $items
	 */
	public static function expect( array $items ): void {
		foreach ( $items as $item ) {
			$url = Item::web_address( $item['image_url'] ?? '' );
			if ( $url !== '' && ! self::is_own( $url ) && self::kept( $url ) === '' && Lock::take( 'picture-' . self::name( $url ), self::RETRY ) ) {
				add_option( self::WANTED . self::name( $url ), Encryption::seal( $url ), '', false );
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
				$found = $found || self::kept( $url ) !== '';
			}
		}
		// Several lists may show the same picture.
		$found && PageCache::look_at_all();
		Lock::forget( 'pictures' );
		if ( $wpdb->get_var( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s LIMIT 1", $like ) ) ) {
			wp_schedule_single_event( time(), self::FETCH );
		}
	}

	/** Fetches a shop's picture. */
	public static function fetch( string $url ): void {
		if ( self::kept( $url ) !== '' ) {
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
				'limit_response_size' => self::MAX_BYTES,
				'headers'             => array( 'Accept' => 'image/*' ),
			),
			self::REDIRECTS
		);
		if ( ! is_wp_error( $response ) && wp_remote_retrieve_response_code( $response ) === 200 ) {
			self::shrink( $temporary, self::folder() . '/' . self::name( $url ) );
		}
		wp_delete_file( $temporary );
	}

	/** Whether the visitor may send pictures of their own. */
	public static function may_upload(): bool {
		return is_user_logged_in() && (bool) wp_image_editor_supports( array( 'methods' => array( 'resize', 'save' ) ) );
	}

	/** A picture that was sent with a form, in the site's media and belonging to the registry; null when none was. */
	public static function upload( string $field, WP_Post $post ): int|WP_Error|null {
		$file = $_FILES[ $field ] ?? null;
		if ( ! is_array( $file ) || is_array( $file['error'] ) || $file['error'] === UPLOAD_ERR_NO_FILE ) {
			return null;
		}
		$too_large = in_array( $file['error'], array( UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE ), true ) || $file['size'] > self::MAX_BYTES;
		if ( $too_large ) {
			/* translators: %s: a size such as 8 MB */
			return new WP_Error( 'picture', sprintf( __( 'That picture is too large: at most %s, please.', 'trousseau' ), size_format( self::MAX_BYTES ) ) );
		}
		return $file['error'] === UPLOAD_ERR_OK ? self::keep( $file['tmp_name'], $post ) : self::is_none();
	}

	/** A registry's picture as text that another site takes in again; nothing where it has none. */
	public static function bytes( int $attachment ): string {
		$file = $attachment ? (string) get_attached_file( $attachment ) : '';
		return $file !== '' && is_file( $file ) && filesize( $file ) <= self::MAX_BYTES && self::is_picture( $file ) ? base64_encode( (string) file_get_contents( $file ) ) : '';
	}

	/** Makes it the registry's picture; what is none is left out. */
	public static function take_in( mixed $bytes, WP_Post $post ): void {
		$picture = is_string( $bytes ) && strlen( $bytes ) < 2 * self::MAX_BYTES ? base64_decode( $bytes, true ) : false;
		if ( ! $picture || strlen( $picture ) > self::MAX_BYTES ) {
			return;
		}
		require_once ABSPATH . 'wp-admin/includes/file.php';
		$file = wp_tempnam();
		file_put_contents( $file, $picture );
		$kept = self::keep( $file, $post );
		is_int( $kept ) && set_post_thumbnail( $post, $kept );
		wp_delete_file( $file );
	}

	private static function is_none(): WP_Error {
		return new WP_Error( 'picture', __( 'That picture could not be used. Try a JPEG, PNG or WebP.', 'trousseau' ) );
	}

	/** In the site's media. */
	private static function keep( string $file, WP_Post $post ): int|WP_Error {
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$pixels = self::pixels( $file );
		if ( ! $pixels ) {
			return self::is_none();
		}
		// One limit for all ways by which somebody sends pictures, before any of the work.
		if ( get_current_user_id() && ! ( Limits::allows( Limits::PICTURES ) && Limits::allows( Limits::MEGAPIXELS, (int) ceil( $pixels / 1e6 ) ) ) ) {
			return new WP_Error( 'picture', __( 'Those were many pictures in a short time. Please send this one in an hour.', 'trousseau' ) );
		}
		if ( ! self::shrink( $file, $file, 1600 ) ) {
			return self::is_none();
		}
		$kind   = (string) wp_get_image_mime( $file );
		$result = media_handle_sideload(
			array(
				'name'     => 'gift-' . bin2hex( random_bytes( 8 ) ) . '.' . self::KINDS[ $kind ],
				'tmp_name' => $file,
			),
			$post->ID
		);
		return is_wp_error( $result ) ? new WP_Error( 'picture', __( 'That picture could not be stored just now.', 'trousseau' ) ) : $result;
	}

	private static function is_picture( string $file ): bool {
		return self::pixels( $file ) > 0;
	}

	/** How many pixels would have to be decoded, as the file's header says; 0 where it is no picture, or too large. */
	private static function pixels( string $file ): int {
		$size = wp_getimagesize( $file );
		if ( ! $size || ! isset( self::KINDS[ $size['mime'] ] ) ) {
			return 0;
		}
		$most   = $size['mime'] === 'image/jpeg' ? self::MAX_PIXELS : self::MAX_PIXELS_OTHER;
		$pixels = $size[0] * $size[1];
		// Some programs decode all frames of an animation to use the first.
		if ( $pixels <= $most && in_array( $size['mime'], array( 'image/gif', 'image/webp' ), true ) ) {
			$bytes   = (string) file_get_contents( $file, false, null, 0, self::MAX_BYTES );
			$pixels *= max( 1, $size['mime'] === 'image/gif' ? self::frames_of_gif( $bytes ) : self::frames_of_webp( $bytes ) );
		}
		return $pixels <= $most ? $pixels : 0;
	}

	private static function frames_of_gif( string $bytes ): int {
		$end    = strlen( $bytes );
		$byte   = static fn( int $at ): int => $at < $end ? ord( $bytes[ $at ] ) : 0;
		$table  = static fn( int $flags ): int => $flags & 0x80 ? 3 << ( ( $flags & 7 ) + 1 ) : 0;
		$at     = 13 + $table( $byte( 10 ) );
		$frames = 0;
		$pieces = 0;
		while ( $at < $end && in_array( $byte( $at ), array( 0x21, 0x2c ), true ) ) {
			if ( $byte( $at ) === 0x2c ) {
				++$frames;
				$at += 11 + $table( $byte( $at + 9 ) );
			} else {
				$at += 2;
			}
			while ( $byte( $at ) > 0 && ++$pieces < self::MAX_PIECES ) {
				$at += 1 + $byte( $at );
			}
			++$at;
		}
		return $pieces < self::MAX_PIECES ? $frames : self::MAX_PIXELS;
	}

	private static function frames_of_webp( string $bytes ): int {
		$end    = strlen( $bytes );
		$frames = 0;
		for ( $at = 12, $pieces = 0; $at + 8 <= $end; ++$pieces ) {
			if ( $pieces > self::MAX_PIECES ) {
				return self::MAX_PIXELS;
			}
			$frames += substr( $bytes, $at, 4 ) === 'ANMF' ? 1 : 0;
			$length  = unpack( 'V', $bytes, $at + 4 )[1];
			$at     += 8 + $length + $length % 2;
		}
		return $frames;
	}

	/** Whether it could be written anew as a small picture: whatever else was in the file is gone. */
	private static function shrink( string $from, string $to, int $width = self::WIDTH ): bool {
		$editor = self::is_picture( $from ) ? wp_get_image_editor( $from ) : null;
		if ( ! $editor || is_wp_error( $editor ) ) {
			return false;
		}
		$editor->resize( $width, $width );
		// The small one is turned: both of the large ones at once are more than fits into memory.
		$editor->maybe_exif_rotate();
		wp_mkdir_p( dirname( $to ) );
		$kind  = $to === $from ? (string) wp_get_image_mime( $from ) : 'image/jpeg';
		$saved = $editor->save( wp_tempnam(), $kind );
		if ( is_wp_error( $saved ) ) {
			return false;
		}
		$copied = copy( $saved['path'], $to );
		wp_delete_file( $saved['path'] );
		return $copied;
	}

	private static function is_own( string $url ): bool {
		// A browser would follow “..” to anywhere on this site.
		return str_starts_with( $url, (string) wp_upload_dir( null, false )['baseurl'] . '/' ) && ! preg_match( '/(\.|%2e){2}|[?\\\\]/i', $url );
	}

	private static function name( string $url ): string {
		return Encryption::hash( 'picture', $url ) . '.jpg';
	}

	private static function folder(): string {
		return wp_upload_dir( null, false )['basedir'] . '/' . self::FOLDER;
	}

	private static function kept( string $url ): string {
		$name = self::name( $url );
		return is_file( self::folder() . "/$name" ) ? wp_upload_dir( null, false )['baseurl'] . '/' . self::FOLDER . "/$name" : '';
	}
}
