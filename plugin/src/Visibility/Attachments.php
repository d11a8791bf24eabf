<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Guest;
use Trousseau\Registry\Access;
use Trousseau\Registry\PostType;
use WP_Error;
use WP_Post;
use WP_REST_Attachments_Controller;
use WP_REST_Request;

/**
 * Files that are attached to a registry which isn't public belong to that registry's people. WordPress asks for the rights
 * to posts and media instead, which every author has; its lists are narrowed in QueryFilter.
 */
final class Attachments {

	private const FEATURED = '_thumbnail_id';

	/** Nouns before “id” in the names of a block's attributes that are no files: terms, people, forms, the block itself. */
	private const NO_FILES = '/^(categor\w*|cats?|tag\w*|tax\w*|terms?|users?|authors?|form\w*|block\w*|client|unique|instance|element|anchor|menu|comments?)$/';

	/** Words that end in “id” and name no number, such as “grid”. */
	private const NO_IDS = '/(gr|val|inval|flu|sol|hybr|rap|vo|gu|uu|hum|ov|br|k|m|b|h|pa|sa|la|av|ac|ra)id$/';

	/** Names under which a number is a file's without “id”. */
	private const FILES = '/^(images?|img|imgs|media|medias|pictures?|pics?|photos?|gallery|galleries|attachments?|files?|thumbnails?|thumbs?|posters?|logos?|icons?|avatars?|backgrounds?|bg|covers?|videos?|audios?|slides?|banners?|portraits?|documents?|downloads?)$/';

	/** The blocks that are being rendered, innermost last. @var string[] */
	private static array $rendered = array();

	/** Whether the current user may see a file with its words. */
	public static function may_see( WP_Post $file ): bool {
		$registry = self::registry_of( $file );
		return ! $registry || ( $registry->post_status === 'publish' ? self::opens( $registry ) : current_user_can( 'read_post', $registry->ID ) );
	}

	/** Whether the current user is past the password of a registry. */
	private static function opens( WP_Post $registry ): bool {
		return ! post_password_required( $registry ) || Access::belongs_to( $registry, get_current_user_id() ) || Guest::of( $registry ) !== '';
	}

	/**
	 * People who may read the registry see its files, and people who may change the registry may change them.
	 *
	 * @param string[] $caps
	 * @param mixed[]  $args
	 * @return string[]
	 */
	public static function map_capability( array $caps, string $cap, int $user_id, array $args ): array {
		// WordPress asks for either of anything: who may delete a page deletes any file.
		if ( ! preg_match( '/^(read|edit|delete)_(post|page)$/D', $cap, $right ) || ! isset( $args[0] ) ) {
			return $caps;
		}
		$file     = get_post( $args[0] );
		$registry = $file ? self::registry_of( $file ) : null;
		if ( ! $registry || $registry->post_status === 'publish' ) {
			return $caps;
		}
		if ( $right[1] === 'read' ) {
			return map_meta_cap( 'read_post', $user_id, $registry->ID );
		}
		return array_values( array_unique( array( ...$caps, ...map_meta_cap( 'edit_post', $user_id, $registry->ID ) ) ) );
	}

	/**
	 * Attachment URLs contain the parent's slug, so only editors of a registry may attach files to it.
	 *
	 * @param array<string, mixed> $post
	 */
	public static function refuse_attaching( int $parent, int $post_id, array $post ): int {
		if ( ! $parent || get_post_type( $parent ) !== PostType::NAME || $post['post_type'] === 'revision' || ! Access::is_restricted() ) {
			return $parent;
		}
		$may = $post['post_type'] === 'attachment' && current_user_can( 'edit_post', $parent );
		return $may || (int) get_post_field( 'post_parent', $post_id ) === $parent ? $parent : 0;
	}

	/** The dialog for choosing files knows nothing of a file without an answer. */
	public static function hide_from_dialog( mixed $answer, WP_Post $file ): mixed {
		return self::may_see( $file ) ? $answer : null;
	}

	public static function hide_from_xmlrpc( mixed $answer, WP_Post $file ): mixed {
		return self::may_see( $file ) ? $answer : array();
	}

	/**
	 * Answers as if there were no such file. WordPress would show one whose registry has a password, and admit that any other
	 * exists.
	 *
	 * @param array<string, mixed> $handler
	 */
	public static function hide_from_rest( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$asked = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Attachments_Controller;
		$file  = $asked && $request['id'] ? get_post( (int) $request['id'] ) : null;
		return $file && ! self::may_see( $file ) ? new WP_Error( 'rest_post_invalid_id', translate( 'Invalid post ID.' ), array( 'status' => 404 ) ) : $answer;
	}

	/** WordPress redirects even from a number that it answers with 404: the address stays hidden. */
	public static function hide_address( mixed $address ): mixed {
		$file = is_404() ? get_post( (int) max( get_query_var( 'p' ), get_query_var( 'page_id' ), get_query_var( 'attachment_id' ) ) ) : null;
		return $file && ! self::may_see( $file ) ? false : $address;
	}

	/** Files that only some people see take no comments: WordPress would show those to everybody. */
	public static function close_comments( bool $open, int $post_id ): bool {
		$file = $open ? get_post( $post_id ) : null;
		return $open && ! ( $file && self::registry_of( $file ) );
	}

	/** A featured image is published with its words, so only people who may publish a file can make it one. */
	public static function refuse_as_featured( mixed $done, int $post_id, string $key, mixed $value ): mixed {
		$post = $key === self::FEATURED ? get_post( $post_id ) : null;
		return $post && ! self::may_be_featured( (int) $value, $post->ID, (int) $post->post_author ) ? false : $done;
	}

	/**
	 * Hides a featured image that was set before its registry became private, or in a way that nobody watches. On a page the
	 * picture of a registry waits for the password, as its story does.
	 */
	public static function hide_as_featured( mixed $file_id, ?WP_Post $post ): mixed {
		if ( ! $post || ! $file_id ) {
			return $file_id;
		}
		$waits = $post->post_type === PostType::NAME && did_action( 'template_redirect' ) && post_password_required( $post );
		return $waits || ! self::may_be_featured( (int) $file_id, $post->ID, (int) $post->post_author ) ? 0 : $file_id;
	}

	/**
	 * A block tells the address of any file whose number stands in it to everybody who reads the story. The author of the story
	 * doesn't matter: a block may stand in a list of somebody else's posts. A block comes with all the blocks in it, before
	 * anything reads them.
	 *
	 * @param array<string, mixed> $block
	 * @return array<string, mixed>
	 */
	public static function hide_from_block( array $block, mixed $source, mixed $parent = null ): array {
		self::$rendered[] = (string) ( $block['blockName'] ?? '' );
		return $parent ? $block : self::without_hidden( $block, '' );
	}

	/** @param array<string, mixed> $block */
	public static function leave_block( string $html, array $block ): string {
		if ( end( self::$rendered ) === (string) ( $block['blockName'] ?? '' ) ) {
			array_pop( self::$rendered );
		}
		return $html;
	}

	/**
	 * @param mixed[] $values
	 * @return mixed[]
	 */
	private static function without_hidden( array $values, string $name ): array {
		$is_list = array_is_list( $values );
		foreach ( $values as $key => $value ) {
			$called  = is_int( $key ) ? '' : $key;
			$written = is_string( $value ) && preg_match( '/^\s*[\[{]/', $value ) ? json_decode( $value, true ) : null;
			if ( is_array( $value ) ) {
				$values[ $key ] = self::without_hidden( $value, $called === '' ? $name : $called );
			} elseif ( is_array( $written ) ) {
				$left = self::without_hidden( $written, $called === '' ? $name : $called );
				// Written anew only where something was taken out.
				$values[ $key ] = $left === $written ? $value : wp_json_encode( $left );
			} elseif ( self::names_file( $called, $name ) && ( is_int( $value ) || is_string( $value ) ) && array_filter( wp_parse_id_list( (string) $value ), array( self::class, 'is_hidden' ) ) ) {
				unset( $values[ $key ] );
			}
		}
		return $is_list ? array_values( $values ) : $values;
	}

	/**
	 * Whether a number under this name is a file's: `id`, `mediaIds` and `author_image_id` say so, and `images` does, while
	 * `authorId` and `mediaWidth` are something else.
	 *
	 * @param string $within What holds it: `id` in `category` is a category's.
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

	/** Another plugin's block learns nothing of a file that the visitor may not see, whatever its attribute is called. */
	public static function hide_details( mixed $told, mixed $file_id = 0 ): mixed {
		return $told && self::is_withheld( (int) $file_id ) ? false : $told;
	}

	/** The address of a file's page contains the registry's. */
	public static function hide_page( mixed $link, mixed $file_id = 0 ): mixed {
		return self::is_withheld( (int) $file_id ) ? home_url( '/' ) : $link;
	}

	/** Not in WordPress's own blocks: the names above cover them, and one of them shows a featured image that its owner may publish. */
	private static function is_withheld( int $file_id ): bool {
		$block = (string) end( self::$rendered );
		return $block !== '' && ! preg_match( '#^(core|trousseau)/#', $block ) && Access::is_restricted() && self::is_hidden( $file_id );
	}

	private static function is_hidden( int $id ): bool {
		$file = $id ? get_post( $id ) : null;
		return $file && ! self::may_see( $file );
	}

	/**
	 * Files of a registry that wasn't public go with it: WordPress keeps them, attached to nothing and so everybody's. Those
	 * that its owner shows elsewhere become that registry's.
	 */
	public static function delete_with_registry( int $post_id, WP_Post $post ): void {
		$status = $post->post_status === 'trash' ? get_post_meta( $post_id, '_wp_trash_meta_status', true ) : $post->post_status;
		if ( $post->post_type !== PostType::NAME || ( $status === 'publish' && $post->post_password === '' ) ) {
			return;
		}
		$files = get_posts(
			array(
				'post_type'   => 'attachment',
				'post_status' => 'any',
				'post_parent' => $post_id,
				'numberposts' => -1,
			)
		);
		foreach ( $files as $file ) {
			$shown = self::shown_by( $file->ID, $post_id );
			if ( $shown ) {
				wp_update_post( array( 'ID' => $file->ID, 'post_parent' => $shown ) );
			} else {
				wp_delete_attachment( $file->ID, true );
			}
		}
	}

	/** The number of another post of which the file is the featured image; 0 where there is none. */
	public static function shown_by( int $file_id, int $but ): int {
		$found = get_posts(
			array(
				'post_type'   => 'any',
				'post_status' => 'any',
				'meta_key'    => self::FEATURED,
				'meta_value'  => (string) $file_id,
				'exclude'     => array( $but ),
				'numberposts' => 1,
				'fields'      => 'ids',
			)
		);
		return (int) ( $found[0] ?? 0 );
	}

	/** Whether a post may show a file as its featured image: it is the file's own registry, or its author may change that registry. */
	public static function may_be_featured( int $file_id, int $post_id, int $author ): bool {
		$file     = $file_id > 0 ? get_post( $file_id ) : null;
		$registry = $file ? self::registry_of( $file ) : null;
		return ! $registry || $registry->ID === $post_id || user_can( $author, 'edit_post', $registry->ID );
	}

	/** The registry that a file belongs to, unless it is open to everybody: then its files are as public as others. */
	private static function registry_of( WP_Post $file ): ?WP_Post {
		$parent = $file->post_type === 'attachment' && $file->post_parent ? get_post( $file->post_parent ) : null;
		return $parent && $parent->post_type === PostType::NAME && ( $parent->post_status !== 'publish' || $parent->post_password !== '' ) ? $parent : null;
	}
}
