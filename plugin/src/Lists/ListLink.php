<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\MetaList;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\SignedToken;
use WP_Post;

/** The link that opens a private registry for anyone who has it. Its secret is stored with the registry; a new one ends the old link. */
final class ListLink {

	private const META = '_trousseau_link';

	public function __construct( private readonly MetaList $meta_list ) {
	}

	public static function is_on( WP_Post $post ): bool {
		return $post->post_status === 'private' && self::secret( $post ) !== '';
	}

	/** Turns the registry's link on or off. A link that is already on stays the same. */
	public function set( WP_Post $post, bool $is_on ): void {
		if ( $is_on !== ( self::secret( $post ) !== '' ) ) {
			$is_on ? $this->renew( $post ) : $this->meta_list->change( $post->ID, self::META, static fn(): array => array() );
		}
	}

	public function renew( WP_Post $post ): void {
		$this->meta_list->change( $post->ID, self::META, static fn(): array => array( 'secret' => bin2hex( random_bytes( 16 ) ) ) );
	}

	/** Removes the link of a registry that becomes public, so that it doesn't work again once the registry is private. */
	public function end( string $status, string $before, WP_Post $post ): void {
		if ( $post->post_type === PostType::NAME && $status !== $before && $status === 'publish' ) {
			$this->set( $post, false );
		}
	}

	public static function address( WP_Post $post ): string {
		return PageAddress::of( 'link', 0, array( 'to' => SignedToken::sign( 'list link', self::mark( $post ) ) ) );
	}

	/** The registry that a link opens. */
	public static function of_address( mixed $signed ): ?WP_Post {
		return self::behind( SignedToken::read( 'list link', $signed ) );
	}

	/** The text by which a device remembers a registry's link: “registry secret”. */
	public static function mark( WP_Post $post ): string {
		return "$post->ID " . self::secret( $post );
	}

	/** The registry that such a text opens, if its link is still on. */
	public static function behind( string $mark ): ?WP_Post {
		$post = PostType::live( (int) $mark );
		return $post && self::is_on( $post ) && hash_equals( self::mark( $post ), $mark ) ? $post : null;
	}

	private static function secret( WP_Post $post ): string {
		return (string) ( MetaList::read( $post->ID, self::META )['secret'] ?? '' );
	}
}
