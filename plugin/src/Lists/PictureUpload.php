<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\PictureFile;
use WP_Error;
use WP_Post;

/** Pictures that people send for their registries, kept in the site's media. */
final class PictureUpload {

	private const WIDTH = 1600;

	public function __construct( private readonly Limits $limits, private readonly PictureFile $picture_file ) {
	}

	public static function may_upload(): bool {
		return is_user_logged_in() && (bool) wp_image_editor_supports( array( 'methods' => array( 'resize', 'save' ) ) );
	}

	/** Stores a picture sent with a form in the site's media, as the registry's. Null if there was none. */
	public function upload( string $field, WP_Post $post ): int|WP_Error|null {
		$file = $this->receive( $field );
		return is_string( $file ) ? $this->store( $file, $post ) : $file;
	}

	/** The file of a picture sent with a form, if this person may send one of that size now. Null if there was none. */
	public function receive( string $field ): string|WP_Error|null {
		$file = $_FILES[ $field ] ?? null;
		if ( ! is_array( $file ) || is_array( $file['error'] ) || $file['error'] === UPLOAD_ERR_NO_FILE ) {
			return null;
		}
		$too_large = in_array( $file['error'], array( UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE ), true ) || $file['size'] > PictureFile::MAX_BYTES;
		if ( $too_large ) {
			return new WP_Error( 'picture', self::too_large() );
		}
		return $file['error'] === UPLOAD_ERR_OK ? $this->refusal( $file['tmp_name'] ) ?? $file['tmp_name'] : self::unusable();
	}

	/** What to do about a file or form that is too large for PHP, whose limits may be lower than ours. */
	public static function too_large(): string {
		// WordPress's own number includes a network's limit, which doesn't hold here.
		$settings = array( ini_get( 'upload_max_filesize' ), ini_get( 'post_max_size' ) );
		$bytes    = array_map( static fn( $text ): int => wp_convert_hr_to_bytes( (string) $text ), $settings );
		// 0 is no limit.
		$most = min( array( PictureFile::MAX_BYTES, ...array_filter( $bytes ) ) );
		/* translators: %s: a size such as 8 MB */
		return sprintf( __( 'Choose a smaller picture (%s at most).', 'trousseau' ), size_format( $most ) );
	}

	/** All ways to send pictures share one limit, which comes before any of the work. */
	private function refusal( string $file ): ?WP_Error {
		$pixels = PictureFile::pixels( $file );
		if ( ! $pixels ) {
			return self::unusable();
		}
		$may = ! get_current_user_id() || ( $this->limits->allows( Limits::PICTURES ) && $this->limits->allows( Limits::MEGAPIXELS, (int) ceil( $pixels / 1e6 ) ) );
		return $may ? null : new WP_Error( 'picture', __( 'You’ve uploaded many pictures in a short time. Try this one again in an hour.', 'trousseau' ) );
	}

	/** A registry's picture as text that another site can import. Empty if it has none. */
	public function bytes( int $attachment ): string {
		$file = $attachment ? (string) get_attached_file( $attachment ) : '';
		return $file !== '' && is_file( $file ) && filesize( $file ) <= PictureFile::MAX_BYTES && PictureFile::is_picture( $file ) ? base64_encode( (string) file_get_contents( $file ) ) : '';
	}

	/** Makes an imported file the registry's picture, if it is a picture. */
	public function take_in( mixed $bytes, WP_Post $post ): void {
		$picture = is_string( $bytes ) && strlen( $bytes ) < 2 * PictureFile::MAX_BYTES ? base64_decode( $bytes, true ) : false;
		if ( ! $picture || strlen( $picture ) > PictureFile::MAX_BYTES ) {
			return;
		}
		require_once ABSPATH . 'wp-admin/includes/file.php';
		$file = wp_tempnam();
		file_put_contents( $file, $picture );
		$kept = $this->refusal( $file ) ?? $this->store( $file, $post );
		is_int( $kept ) && set_post_thumbnail( $post, $kept );
		wp_delete_file( $file );
	}

	public static function unusable(): WP_Error {
		return new WP_Error( 'picture', __( 'This picture couldn’t be used. Try a JPEG, PNG or WebP.', 'trousseau' ) );
	}

	private function store( string $file, WP_Post $post ): int|WP_Error {
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		if ( ! $this->picture_file->shrink( $file, $file, self::WIDTH ) ) {
			return self::unusable();
		}
		$result = media_handle_sideload(
			array( 'name' => 'gift-' . bin2hex( random_bytes( 8 ) ) . '.' . PictureFile::ending( $file ), 'tmp_name' => $file ),
			$post->ID
		);
		return is_wp_error( $result ) ? new WP_Error( 'picture', __( 'This picture couldn’t be saved right now. Please try again.', 'trousseau' ) ) : $result;
	}
}
