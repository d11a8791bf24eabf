<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use WP_Block_Supports;

/**
 * Hides files that the visitor may not see from blocks: a block shows the address of any file whose number it contains to everyone who reads
 * it, whoever wrote it.
 */
final class BlockAttachments {

	/** Files that this page may show as featured images. @var array<int, true> */
	private array $featured = array();

	public function __construct( private readonly Access $access, private readonly Attachments $attachments ) {
	}

	/** Notes a featured image that FeaturedImage has let pass: its owner publishes it. */
	public function note_featured( mixed $file_id ): mixed {
		$this->featured[ (int) $file_id ] = true;
		return $file_id;
	}

	/** Hides a file's address or its details. */
	public function hide_details( mixed $told, mixed $file_id = 0 ): mixed {
		return $told && $this->is_hidden( (int) $file_id ) ? false : $told;
	}

	/** Hides the address of a file's page, which contains the registry's address. */
	public function hide_page( mixed $link, mixed $file_id = 0 ): mixed {
		return $this->is_hidden( (int) $file_id ) ? home_url( '/' ) : $link;
	}

	/** Whether to hide a file in a block or a shortcode; the plugin's own show what their readers may see. */
	private function is_hidden( int $file_id ): bool {
		$block = (string) ( WP_Block_Supports::$block_to_render['blockName'] ?? '' );
		if ( ( $block === '' && ! doing_filter( 'the_content' ) ) || str_starts_with( $block, 'trousseau/' ) || isset( $this->featured[ $file_id ] ) || ! $this->access->is_restricted() ) {
			return false;
		}
		$file = get_post( $file_id );
		return $file && ! $this->attachments->may_see( $file );
	}
}
