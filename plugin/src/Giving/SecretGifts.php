<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\MetaList;
use WP_Post;

/**
 * Gifts that aren't on the list, about which its guests tell each other so that nobody gives the same thing. Owners choose whether guests
 * may, and see them once the surprise is over. The service knows nothing of them.
 */
final class SecretGifts extends ListField {

	public const PART = 'privacy';

	/** The most characters of one. */
	public const LONGEST_TEXT = 200;

	/** The most of a list, and of one guest. */
	private const MOST        = 200;
	private const MOST_OF_ONE = 10;

	private const META = '_trousseau_secret_gifts';
	private const ON   = '_trousseau_secret_gifts_on';

	public function __construct( private readonly MetaList $meta_list ) {
	}

	/** Whether guests may add some. */
	public static function are_on( int $post_id ): bool {
		return (bool) get_post_meta( $post_id, self::ON, true );
	}

	public static function label(): string {
		return __( 'May guests tell each other about gifts that aren’t on the list?', 'trousseau' );
	}

	public static function html( Form $form ): string {
		return $form->choice(
			'extras',
			self::label(),
			array( 'no' => array( __( 'No', 'trousseau' ) ), 'yes' => array( __( 'Yes', 'trousseau' ) ) ),
			'is-row',
			__( 'Invited guests see them, so nothing is given twice. You see them once you see who gives what.', 'trousseau' )
		);
	}

	public static function value( int $post_id ): string {
		return self::are_on( $post_id ) ? 'yes' : 'no';
	}

	public function store( int $post_id, string $value ): void {
		$value === 'yes' ? update_post_meta( $post_id, self::ON, '1' ) : delete_post_meta( $post_id, self::ON );
	}

	/** @return array<string, array{by: string, name: string, text: string, thanked?: int}> Those of guests who are still on the list of guests, by their ids. */
	public static function of( WP_Post $post ): array {
		return self::of_guests( $post, MetaList::read( $post->ID, self::META ) );
	}

	/**
	 * Adds a guest's gift, under their entry in the list of guests and the name that the others read. The same text by the same guest is
	 * stored once. Returns whether there was room for it.
	 */
	public function add( WP_Post $post, string $by, string $name, string $text ): bool {
		$gift   = array( 'by' => Meta::invitee_key( $by ), 'name' => $name, 'text' => $text, 'at' => time() );
		$id     = bin2hex( random_bytes( 8 ) );
		$stored = $this->meta_list->change(
			$post->ID,
			self::META,
			static function ( array $gifts ) use ( $post, $gift, $id ): array {
				$gifts = self::of_guests( $post, $gifts );
				$own   = array_filter( $gifts, static fn( array $other ): bool => $other['by'] === $gift['by'] );
				$fits  = count( $gifts ) < self::MOST && count( $own ) < self::MOST_OF_ONE;
				return in_array( $gift['text'], array_column( $own, 'text' ), true ) || ! $fits ? $gifts : $gifts + array( $id => $gift );
			}
		);
		return (bool) array_filter( $stored, static fn( array $other ): bool => $other['by'] === $gift['by'] && $other['text'] === $gift['text'] );
	}

	/** Marks one whose giver the owners have thanked, or removes the mark. */
	public function thank( WP_Post $post, string $id, bool $is_thanked ): void {
		$this->meta_list->change(
			$post->ID,
			self::META,
			static function ( array $gifts ) use ( $id, $is_thanked ): array {
				if ( isset( $gifts[ $id ] ) ) {
					$gifts[ $id ] = array_diff_key( $gifts[ $id ], array( 'thanked' => 0 ) ) + ( $is_thanked ? array( 'thanked' => time() ) : array() );
				}
				return $gifts;
			}
		);
	}

	/** Removes a guest's own entry. */
	public function remove( WP_Post $post, string $by, string $id ): void {
		$this->meta_list->change(
			$post->ID,
			self::META,
			static fn( array $gifts ): array => array_filter( self::of_guests( $post, $gifts ), static fn( array $gift, string $key ): bool => $key !== $id || $gift['by'] !== Meta::invitee_key( $by ), ARRAY_FILTER_USE_BOTH )
		);
	}

	/** @return array<int, string[]> What someone has written, by the lists' numbers: also on lists to which they are no longer invited, and in the trash. */
	public static function written_by( array $names ): array {
		$all = array();
		foreach ( Registries::ever_with_meta( self::META ) as $post ) {
			$own              = array_filter( MetaList::read( $post->ID, self::META ), static fn( array $gift ): bool => self::is_by( $gift, ...$names ) );
			$all[ $post->ID ] = array_column( $own, 'text' );
		}
		return array_filter( $all );
	}

	/** Deletes all of that. Returns on how many lists. */
	public function forget_person( array $names ): int {
		$lists = array_keys( self::written_by( $names ) );
		foreach ( $lists as $id ) {
			$this->meta_list->change( $id, self::META, static fn( array $gifts ): array => array_filter( $gifts, static fn( array $gift ): bool => ! self::is_by( $gift, ...$names ) ) );
		}
		return count( $lists );
	}

	/** Deletes gifts that were added more than `$seconds` ago. A text that can't be decrypted stays. */
	public function forget_old( int $post_id, int $seconds ): void {
		// Gifts from older versions have no time: theirs counts from the list's day, or else from now.
		$default = (int) strtotime( Meta::event_date( $post_id ) ) ?: time();
		$dated   = static fn( array $gift ): array => $gift + array( 'at' => $default );
		$is_new  = static fn( array $gift ): bool => $gift['at'] > time() - $seconds;
		$recent  = static fn( array $gifts ): array => array_filter( array_map( $dated, $gifts ), $is_new );
		$gifts   = MetaList::read( $post_id, self::META );
		$recent( $gifts ) === $gifts || $this->meta_list->change( $post_id, self::META, $recent );
	}

	/** Whether a guest of one of these names has added it. */
	public static function is_by( array $gift, string ...$names ): bool {
		return in_array( $gift['by'], array_map( array( Meta::class, 'invitee_key' ), $names ), true );
	}

	private static function of_guests( WP_Post $post, array $gifts ): array {
		return array_filter( $gifts, static fn( array $gift ): bool => Meta::invitee( $post->ID, $gift['by'] ) !== '' );
	}
}
