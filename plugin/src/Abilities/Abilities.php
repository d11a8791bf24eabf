<?php

declare(strict_types=1);

namespace Trousseau\Abilities;

use Trousseau\Lists\Access;
use Trousseau\Lists\PostType;
use WP_Post;

/**
 * Gift lists in WordPress's Abilities API, where its MCP adapter and other programs find them. Each acts for the person who is signed
 * in, by the pages' own forms and rules.
 */
final class Abilities {

	public function __construct( private readonly GuestAbilities $guest_abilities, private readonly OwnerAbilities $owner_abilities ) {
	}

	public function register_category(): void {
		wp_register_ability_category(
			Ability::CATEGORY,
			array(
				'label'       => __( 'Gift lists', 'trousseau' ),
				'description' => __( 'Gift lists, the gifts on them and who gives what.', 'trousseau' ),
			)
		);
	}

	public function register(): void {
		foreach ( $this->owner_abilities->all() as $name => $ability ) {
			self::add( $name, $ability, static fn( WP_Post $post ): bool => current_user_can( 'edit_post', $post->ID ) );
		}
		foreach ( $this->guest_abilities->all() as $name => $ability ) {
			self::add( $name, $ability, static fn( WP_Post $post ): bool => true );
		}
	}

	/** @param callable(WP_Post): bool $may Decides about a list that the person may read. */
	private static function add( string $name, Ability $ability, callable $may ): void {
		$is_allowed = static function ( mixed $input ) use ( $may ): bool {
			// An empty text is an object to WordPress.
			foreach ( array_intersect_key( (array) $input, array( 'list_id' => 0, 'to_list_id' => 0 ) ) as $id ) {
				// A number that is no list's may be another one's slug.
				$post = PostType::find( (int) $id );
				if ( ! $post || ! Access::opens( $post ) || ! $may( $post ) ) {
					return false;
				}
			}
			return is_user_logged_in();
		};
		wp_register_ability( Ability::CATEGORY . "/$name", $ability->arguments( $is_allowed ) );
	}
}
