<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;

/** Removes files that the visitor may not see from blocks. */
final class BlockAttachments {

	/** Nouns before “id” in the names of a block's attributes that are no files: terms, people, forms, the block itself. */
	private const NO_FILES = '/^(categor\w*|cats?|tag\w*|tax\w*|terms?|users?|authors?|form\w*|block\w*|client|unique|instance|element|anchor|menu|comments?)$/';

	/** Words that end in “id” and name no number, such as “grid”. */
	private const NO_IDS = '/(gr|val|inval|flu|sol|hybr|rap|vo|gu|uu|hum|ov|br|k|m|b|h|pa|sa|la|av|ac|ra)id$/';

	/** Names under which a number is a file's without “id”. */
	private const FILES = '/^(images?|img|imgs|media|medias|pictures?|pics?|photos?|gallery|galleries|attachments?|files?|thumbnails?|thumbs?|posters?|logos?|icons?|avatars?|backgrounds?|bg|covers?|videos?|audios?|slides?|banners?|portraits?|documents?|downloads?)$/';

	/** The blocks that are being rendered, innermost last. @var string[] */
	private array $rendered = array();

	public function __construct( private readonly Access $access, private readonly Attachments $attachments ) {
	}

	/**
	 * A block shows the URL of any file whose number it contains to everyone who reads the story, whoever wrote it: a block may be in a
	 * list of someone else's posts. WordPress passes a block, with all blocks in it, before anything reads them.
	 */
	public function enter_block( array $block, mixed $source, mixed $parent = null ): array {
		$this->rendered[] = (string) ( $block['blockName'] ?? '' );
		return $parent ? $block : $this->without_hidden( $block, '' );
	}

	public function leave_block( string $html, array $block ): string {
		if ( end( $this->rendered ) === (string) ( $block['blockName'] ?? '' ) ) {
			array_pop( $this->rendered );
		}
		return $html;
	}

	private function without_hidden( array $values, string $name ): array {
		$is_list = array_is_list( $values );
		foreach ( $values as $key => $value ) {
			$called  = is_int( $key ) ? '' : $key;
			$written = is_string( $value ) && preg_match( '/^\s*[\[{]/', $value ) ? json_decode( $value, true ) : null;
			if ( is_array( $value ) ) {
				$values[ $key ] = $this->without_hidden( $value, $called === '' ? $name : $called );
			} elseif ( is_array( $written ) ) {
				$left = $this->without_hidden( $written, $called === '' ? $name : $called );
				// The JSON is written anew only if a number was removed.
				$values[ $key ] = $left === $written ? $value : wp_json_encode( $left );
			} elseif ( self::names_file( $called, $name ) && ( is_int( $value ) || is_string( $value ) ) && array_filter( wp_parse_id_list( (string) $value ), array( $this, 'is_hidden' ) ) ) {
				unset( $values[ $key ] );
			}
		}
		return $is_list ? array_values( $values ) : $values;
	}

	/**
	 * Whether a number under this name is a file's: `id`, `mediaIds` and `author_image_id` say so, and `images` does, while
	 * `authorId` and `mediaWidth` are something else.
	 *
	 * @param string $within The name of the object around it: `id` in `category` is a category's.
	 */
	private static function names_file( string $name, string $within ): bool {
		$words = static fn( string $text ): array => preg_match_all( '/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/', $text, $found ) ? array_map( 'strtolower', $found[0] ) : array();
		$own   = $words( $name );
		$last  = array_pop( $own ) ?? '';
		$holds = $words( $within );
		$outer = array_pop( $holds ) ?? '';
		if ( $last === '' ) {
			return $outer !== '' && $outer !== $name && self::names_file( $within, '' );
		}
		if ( preg_match( '/^(.*?)ids?$/D', $last, $found ) && ! preg_match( self::NO_IDS, $last ) ) {
			$noun = $found[1] !== '' ? $found[1] : ( array_pop( $own ) ?? $outer );
			return ! preg_match( self::NO_FILES, $noun );
		}
		return (bool) preg_match( self::FILES, $last );
	}

	/** Hides a file that the visitor may not see from another plugin's block, whatever its attribute is called. */
	public function hide_details( mixed $told, mixed $file_id = 0 ): mixed {
		return $told && $this->is_withheld( (int) $file_id ) ? false : $told;
	}

	/** Hides the address of a file's page, which contains the registry's address. */
	public function hide_page( mixed $link, mixed $file_id = 0 ): mixed {
		return $this->is_withheld( (int) $file_id ) ? home_url( '/' ) : $link;
	}

	/** Whether to hide a file; never in WordPress's own blocks: the names above cover them, and one shows a featured image that its owner may publish. */
	private function is_withheld( int $file_id ): bool {
		$block = (string) end( $this->rendered );
		return $block !== '' && ! preg_match( '#^(core|trousseau)/#', $block ) && $this->access->is_restricted() && $this->is_hidden( $file_id );
	}

	private function is_hidden( int $id ): bool {
		$file = $id ? get_post( $id ) : null;
		return $file && ! $this->attachments->may_see( $file );
	}
}
