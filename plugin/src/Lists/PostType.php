<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Slugs;
use Trousseau\Plugin;
use WP_Post;
use WP_REST_Posts_Controller;

/**
 * The post type `registry`: title = name, content = story, author = owner, status = public or private. Its name, the rights that WordPress
 * makes of it, the parameter `registry` and the meta `registry_*` lack the plugin's prefix because the contract of the item service fixes
 * them: the service and other hosts know registries by these names. Everything else begins with `trousseau`.
 */
final class PostType {

	public const NAME = 'registry';

	/** The right to make a registry. No role has it: Capabilities grant it while the account has room for one more. */
	public const MAKE = 'create_registries';

	/** The states of a live registry: its guests may open it. */
	public const LIVE = array( 'publish', 'private' );

	/** Narrows a query further, to the current user's own registries. */
	public const OWN = 'trousseau_own';

	/** Narrows a query to registries that these users own, alone or with others. */
	public const OWNED_BY = 'trousseau_owned_by';

	public static function is_public( ?WP_Post $post ): bool {
		return $post?->post_status === 'publish' && $post->post_password === '';
	}

	/** Marks a query that includes registries with a password: for people's own lists and for background work. */
	public const WITH_LOCKED = 'trousseau_with_locked';

	public static function is_live( WP_Post $post ): bool {
		return $post->post_type === self::NAME && in_array( $post->post_status, self::LIVE, true );
	}

	public static function live( int $id ): ?WP_Post {
		$post = self::find( $id );
		return $post && self::is_live( $post ) ? $post : null;
	}

	/** The registry with this number, in whatever state. WordPress itself takes 0 for the post of the page that it shows. */
	public static function find( int $id ): ?WP_Post {
		$post = $id ? get_post( $id ) : null;
		return $post?->post_type === self::NAME ? $post : null;
	}

	/** A theme without a template for registries shows them like pages: its template for posts would name an author and a day of publication. */
	public static function show_as_page( array $templates ): array {
		$place = get_post_type( get_queried_object_id() ) === self::NAME ? array_search( 'single.php', $templates, true ) : false;
		if ( $place !== false ) {
			array_splice( $templates, $place, 0, 'page.php' );
		}
		return $templates;
	}

	/** The address of all public registries. */
	public static function archive(): string {
		return get_post_type_archive_link( self::NAME ) ?: add_query_arg( 'post_type', self::NAME, home_url( '/' ) );
	}

	public static function register(): void {
		register_post_type(
			self::NAME,
			array(
				'labels'                => array(
					'name'               => __( 'Gift lists', 'trousseau' ),
					'singular_name'      => __( 'Gift list', 'trousseau' ),
					'add_new'            => __( 'Add New Gift List', 'trousseau' ),
					'add_new_item'       => __( 'Add New Gift List', 'trousseau' ),
					'edit_item'          => __( 'Edit Gift List', 'trousseau' ),
					'new_item'           => __( 'New Gift List', 'trousseau' ),
					'view_item'          => __( 'View Gift List', 'trousseau' ),
					'view_items'         => __( 'View Gift Lists', 'trousseau' ),
					'search_items'       => __( 'Search Gift Lists', 'trousseau' ),
					'not_found'          => __( 'No gift lists found.', 'trousseau' ),
					'not_found_in_trash' => __( 'No gift lists found in Trash.', 'trousseau' ),
					'all_items'          => __( 'All Gift Lists', 'trousseau' ),
				),
				'public'                => true,
				'menu_icon'             => 'dashicons-heart',
				'has_archive'           => true,
				// The parameter `registry` is the plugin's own: it takes a number as well as a slug.
				'query_var'             => false,
				'rewrite'               => array( 'slug' => Slugs::of( Slugs::LISTS ) ),
				'show_in_rest'          => true,
				'rest_base'             => self::NAME,
				'rest_controller_class' => array_values( Plugin::parts( WP_REST_Posts_Controller::class ) )[0] ?? WP_REST_Posts_Controller::class,
				'capability_type'       => array( 'registry', 'registries' ),
				'capabilities'          => array( 'create_posts' => self::MAKE ),
				'map_meta_cap'          => true,
				// An administrator may delete a user “with all content”: no guests' addresses should stay by accident.
				'delete_with_user'      => true,
				// The REST API carries meta only with 'custom-fields'; MetaRules::protect() keeps it out of the editor's box.
				'supports'              => array( 'title', 'editor', 'author', 'thumbnail', 'revisions', 'custom-fields' ),
			)
		);
	}
}
