<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

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
		$file = $_FILES[ $field ] ?? null;
		if ( ! is_array( $file ) || is_array( $file['error'] ) || $file['error'] === UPLOAD_ERR_NO_FILE ) {
			return null;
		}
		$too_large = in_array( $file['error'], array( UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE ), true ) || $file['size'] > PictureFile::MAX_BYTES;
		if ( $too_large ) {
			/* translators: %s: a size such as 8 MB */
			return new WP_Error( 'picture', sprintf( __( 'Choose a smaller picture (%s at most).', 'trousseau' ), size_format( PictureFile::MAX_BYTES ) ) );
		}
		return $file['error'] === UPLOAD_ERR_OK ? $this->store( $file['tmp_name'], $post ) : self::is_none();
	}

	/** Gives the picture of a gift that has moved to its new registry: the old one's are deleted with it. */
	public function hand_over( string $url, WP_Post $from, WP_Post $to ): void {
		$files = $url === '' ? array() : get_posts( array( 'post_type' => 'attachment', 'post_status' => 'any', 'post_parent' => $from->ID, 'numberposts' => -1 ) );
		foreach ( $files as $file ) {
			if ( wp_get_attachment_image_url( $file->ID, 'large' ) === $url ) {
				wp_update_post( array( 'ID' => $file->ID, 'post_parent' => $to->ID ) );
			}
		}
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
		$kept = $this->store( $file, $post );
		is_int( $kept ) && set_post_thumbnail( $post, $kept );
		wp_delete_file( $file );
	}

	private static function is_none(): WP_Error {
		return new WP_Error( 'picture', __( 'This picture couldn’t be used. Try a JPEG, PNG or WebP.', 'trousseau' ) );
	}

	/** Stores a picture in the site's media, as one of the registry. */
	private function store( string $file, WP_Post $post ): int|WP_Error {
		require_once ABSPATH . 'wp-admin/includes/media.php';
		require_once ABSPATH . 'wp-admin/includes/file.php';
		require_once ABSPATH . 'wp-admin/includes/image.php';
		$pixels = PictureFile::pixels( $file );
		if ( ! $pixels ) {
			return self::is_none();
		}
		// All ways to send pictures share one limit, which comes before any of the work.
		if ( get_current_user_id() && ! ( $this->limits->allows( Limits::PICTURES ) && $this->limits->allows( Limits::MEGAPIXELS, (int) ceil( $pixels / 1e6 ) ) ) ) {
			return new WP_Error( 'picture', __( 'You’ve uploaded many pictures in a short time. Try this one again in an hour.', 'trousseau' ) );
		}
		if ( ! $this->picture_file->shrink( $file, $file, self::WIDTH ) ) {
			return self::is_none();
		}
		$result = media_handle_sideload(
			array(
				'name'     => 'gift-' . bin2hex( random_bytes( 8 ) ) . '.' . PictureFile::ending( $file ),
				'tmp_name' => $file,
			),
			$post->ID
		);
		return is_wp_error( $result ) ? new WP_Error( 'picture', __( 'This picture couldn’t be saved right now. Please try again.', 'trousseau' ) ) : $result;
	}
}
