<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\RateLimiter;
use WP_Error;
use WP_Post;

/** Limits per account, so that nobody fills the database or keeps the site busy. Those who manage all registries have none. */
final class Limits {

	public const LISTS      = 'lists';
	public const AN_HOUR    = 'lists_an_hour';
	public const IMPORTS    = 'imports_an_hour';
	public const PICTURES   = 'pictures_an_hour';
	public const MEGAPIXELS = 'megapixels_an_hour';
	public const STORY      = 'bytes_of_a_story';
	public const REVISIONS  = 'revisions_of_a_story';

	/** The error code of a refusal by these limits: the service passes its words on. */
	public const CODE = 'trousseau_limit';

	private const MOST = array(
		self::LISTS      => 50,
		self::AN_HOUR    => 60,
		self::IMPORTS    => 10,
		self::PICTURES   => 60,
		self::MEGAPIXELS => 500,
		self::STORY      => 125_000,
		self::REVISIONS  => 10,
	);

	public function __construct( private readonly Meta $meta, private readonly RateLimiter $rate_limiter ) {
	}

	public static function of( string $name ): int {
		/** Filters the limits of one account, a number by name. */
		return (int) ( ( (array) apply_filters( 'trousseau_limits', self::MOST ) )[ $name ] ?? self::MOST[ $name ] );
	}

	/** Whether the current user may do something `$by` times more in this hour; counts it if so. */
	public function allows( string $name, int $by = 1 ): bool {
		return Access::looks_after_all() || $this->rate_limiter->allows( $name, (string) get_current_user_id(), self::of( $name ), HOUR_IN_SECONDS, $by );
	}

	/** Whether an account may have one more registry. Registries in the trash count, since they may be put back. */
	public function has_room( int $user ): bool {
		return count( $this->meta->made_by( $user ) ) < self::of( self::LISTS );
	}

	/** Why the current user may not have another list, or null if they may. */
	public function refuse_another(): ?WP_Error {
		if ( ! ListMakers::includes( wp_get_current_user() ) ) {
			return new WP_Error( self::CODE, self::no_maker(), array( 'status' => 403 ) );
		}
		if ( ! Access::looks_after_all() && ! $this->has_room( get_current_user_id() ) ) {
			/* translators: %s: number of lists */
			$words = sprintf( __( 'You have %s lists, the most an account can have. To create another one, delete a list you don’t need.', 'trousseau' ), number_format_i18n( self::of( self::LISTS ) ) );
			return new WP_Error( self::CODE, $words, array( 'status' => 403 ) );
		}
		return null;
	}

	public static function no_maker(): string {
		return __( 'Your account can’t create lists on this site. Ask the people who run it.', 'trousseau' );
	}

	/** Why the current user can't create another list right now, or null. Counts this one. */
	public function refuse_list(): ?WP_Error {
		$full = $this->refuse_another();
		return $full || $this->allows( self::AN_HOUR ) ? $full : self::too_fast( __( 'Too many lists were created in a short time. Please come back in an hour.', 'trousseau' ) );
	}

	/** Why the current user can't import another file right now, or null. Counts this one. */
	public function refuse_import(): ?WP_Error {
		return $this->allows( self::IMPORTS ) ? $this->refuse_list() : self::too_fast( __( 'Too many files were uploaded in a short time. Please come back in an hour.', 'trousseau' ) );
	}

	/** Why a story can't be stored, or null if it can. */
	public static function refuse_story( string $story ): ?WP_Error {
		if ( ( strlen( $story ) <= self::of( self::STORY ) && ! Story::is_too_large( $story ) ) || Access::looks_after_all() || current_user_can( 'edit_posts' ) ) {
			return null;
		}
		/* translators: 1: a size such as 122 KB, 2: number of blocks, 3: number of pictures */
		$words = sprintf( __( 'This story is too long. Use at most %1$s, %2$s blocks and %3$s pictures.', 'trousseau' ), size_format( self::of( self::STORY ) ), number_format_i18n( Story::MAX_BLOCKS ), number_format_i18n( Story::MAX_IMAGES ) );
		return new WP_Error( self::CODE, $words, array( 'status' => 403 ) );
	}

	/** Applies the same limit to stories that come by XML-RPC or the screen without blocks, and to drafts that WordPress saves by itself. */
	public static function refuse_in_wordpress( bool $is_empty, array $post ): bool {
		$type  = $post['post_type'] ?? '';
		$type  = $type === 'revision' ? get_post_type( (int) ( $post['post_parent'] ?? 0 ) ) : $type;
		$story = wp_unslash( (string) ( $post['post_content'] ?? '' ) );
		return $is_empty || ( $type === PostType::NAME && is_user_logged_in() && $story !== get_post_field( 'post_content', (int) ( $post['ID'] ?? 0 ), 'raw' )
			&& self::refuse_story( $story . wp_unslash( (string) ( $post['post_excerpt'] ?? '' ) ) ) );
	}

	/** Limits the revisions of a story, all of which WordPress would keep. */
	public static function revisions( int $most, WP_Post $post ): int {
		$own = self::of( self::REVISIONS );
		return $post->post_type !== PostType::NAME ? $most : ( $most < 0 ? $own : min( $most, $own ) );
	}

	/** WordPress lets everyone who edits a post store any custom fields with it: a registry's owner may store only registered ones. */
	public static function refuse_unknown_meta( array $caps, string $cap, int $user_id, array $args ): array {
		if ( ! in_array( $cap, array( 'add_post_meta', 'edit_post_meta' ), true ) || ! isset( $args[0], $args[1] ) || get_post_type( (int) $args[0] ) !== PostType::NAME ) {
			return $caps;
		}
		$is_known = registered_meta_key_exists( 'post', (string) $args[1], PostType::NAME ) || registered_meta_key_exists( 'post', (string) $args[1] );
		return $is_known ? $caps : array( ...$caps, 'edit_others_registries' );
	}

	private static function too_fast( string $words ): WP_Error {
		return new WP_Error( self::CODE, $words, array( 'status' => 429 ) );
	}
}
