<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Closure;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Cookie;
use Trousseau\Plugin;
use WP_REST_Attachments_Controller;
use WP_REST_Comments_Controller;
use WP_REST_Posts_Controller;

$trousseau_are_commented = static fn( $found, $query = null ) => ReadablePosts::are_commented( $query ?? $found );
$trousseau_is_file       = static fn( $told, $file = 0 ) => (int) $file > 0 && get_post_type( (int) $file ) === 'attachment' && Attachments::registry_of( get_post( (int) $file ) );
$trousseau_answers       = static fn( string $controller ): Closure => static fn( $answer, $handler ) => is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof $controller;

// Files that only some people see take no comments: WordPress would show those to everyone.
add_filter( 'comments_open', static fn( $open, $id ) => $open && ! $trousseau_is_file( null, $id ), PHP_INT_MAX, 2 );
add_filter( 'pings_open', static fn( $open, $id ) => $open && ! $trousseau_is_file( null, $id ), PHP_INT_MAX, 2 );

// Private registries and their pictures are missing from WordPress's own lists, searches, counts and screens.
add_filter( 'rest_registry_query', array( QueryFilter::class, 'restrict_rest_list' ), 10, 2 );
add_action( 'pre_get_posts', static fn( $query ) => in_array( PostType::NAME, (array) $query->get( 'post_type' ), true ) && QueryFilter::restrict( $query ) );
add_action( 'pre_get_posts', Plugin::hook_if( QueryFilter::class, 'keep_filters', static fn( $query ) => $query->get( 'suppress_filters' ) && ( ! $query->get( 'post_type' ) || ReadablePosts::are_queried( $query ) ) ), PHP_INT_MAX );
add_filter( 'posts_clauses_request', static fn( $clauses, $query ) => ReadablePosts::are_queried( $query ) || ReadablePosts::are_let_in( $clauses['where'] ) ? Plugin::get( QueryFilter::class )->narrow( $clauses, $query ) : $clauses, PHP_INT_MAX, 2 );
add_filter( 'posts_results', static fn( $found, $query ) => ReadablePosts::are_queried( $query ) ? Plugin::get( QueryFilter::class )->refuse_locked( $found, $query ) : $found, PHP_INT_MAX, 2 );
add_filter( 'wp_count_posts', Plugin::hook( ListCounts::class, 'count_registries' ), 10, 2 );
add_filter( 'wp_count_attachments', Plugin::hook( ListCounts::class, 'count_files' ) );
add_filter( 'disable_months_dropdown', Plugin::hook( ListCounts::class, 'drop_months' ), 10, 2 );
add_filter( 'pre_months_dropdown_query', Plugin::hook( ListCounts::class, 'months_of_files' ), 10, 2 );
add_filter( 'media_library_months_with_files', Plugin::hook( ListCounts::class, 'months_of_files' ) );
add_filter( 'comments_clauses', Plugin::hook_if( CommentFilter::class, 'narrow', $trousseau_are_commented ), PHP_INT_MAX, 2 );
add_filter( 'comment_feed_where', Plugin::hook( CommentFilter::class, 'narrow_feed' ), PHP_INT_MAX );
add_action( 'pre_get_comments', Plugin::hook_if( CommentFilter::class, 'keep_caches_apart', $trousseau_are_commented ), PHP_INT_MAX );
add_filter( 'wp_count_comments', Plugin::hook( CommentFilter::class, 'count' ), 10, 2 );
add_action( 'admin_init', Plugin::hook( AdminScreens::class, 'guard' ) );
add_filter( 'map_meta_cap', static fn( $caps, $cap, $user, $args ) => $args ? Attachments::map_capability( $caps, (string) $cap, (int) $user, $args ) : $caps, 10, 4 );
add_filter( 'wp_prepare_attachment_for_js', static fn( $answer, $file ) => Plugin::get( Attachments::class )->may_see( $file ) ? $answer : null, PHP_INT_MAX, 2 );
add_filter( 'xmlrpc_prepare_media_item', static fn( $answer, $file ) => Plugin::get( Attachments::class )->may_see( $file ) ? $answer : array(), PHP_INT_MAX, 2 );
add_filter( 'rest_request_before_callbacks', Plugin::hook_if( Attachments::class, 'hide_from_rest', $trousseau_answers( WP_REST_Attachments_Controller::class ) ), 10, 3 );
add_filter( 'redirect_canonical', Plugin::hook_if( Attachments::class, 'hide_address', static fn() => is_404() || get_query_var( 'attachment_id' ) ), PHP_INT_MAX );
add_filter( 'wp_redirect', Plugin::hook_if( Attachments::class, 'hide_address', static fn() => did_action( 'wp' ) && get_query_var( 'tb' ) ), PHP_INT_MAX );
add_filter( 'add_post_metadata', array( FeaturedImage::class, 'refuse' ), 10, 4 );
add_filter( 'update_post_metadata', array( FeaturedImage::class, 'refuse' ), 10, 4 );
add_filter( 'post_thumbnail_id', static fn( $file, $post ) => $file && $post ? FeaturedImage::hide( $file, $post ) : $file, 10, 2 );
add_filter( 'post_thumbnail_id', Plugin::hook_if( Attachments::class, 'note_featured', static fn( $file ) => $trousseau_is_file( null, $file ) ), PHP_INT_MAX );
add_filter( 'wp_get_attachment_metadata', Plugin::hook_if( Attachments::class, 'hide_details', $trousseau_is_file ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_url', Plugin::hook_if( Attachments::class, 'hide_details', $trousseau_is_file ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_image_src', Plugin::hook_if( Attachments::class, 'hide_details', $trousseau_is_file ), PHP_INT_MAX, 2 );
add_filter( 'attachment_link', Plugin::hook_if( Attachments::class, 'hide_page', $trousseau_is_file ), PHP_INT_MAX, 2 );
add_action( 'before_delete_post', Plugin::hook( Attachments::class, 'delete_with' ), 10, 2 );
add_filter( 'wp_insert_post_parent', Plugin::hook( Attachments::class, 'refuse_attaching' ), 10, 3 );

// Owners are no authors: WordPress would tell strangers the user names of all who have published a list.
$trousseau_authors_only = static function ( array $query ): array {
	$types = $query['has_published_posts'] ?? null;
	if ( is_array( $types ) && ! current_user_can( 'list_users' ) ) {
		// Without any type, WordPress names everyone.
		$query['has_published_posts'] = array_diff( $types, array( PostType::NAME ) ) ?: array( '' );
	}
	return $query;
};
add_filter( 'wp_sitemaps_users_query_args', $trousseau_authors_only );
add_filter( 'rest_user_query', $trousseau_authors_only );
add_filter(
	'get_usernumposts',
	static fn( $count, $user, $types ) => is_array( $types ) && in_array( PostType::NAME, $types, true )
		&& ! current_user_can( 'list_users' )
		? count_user_posts( (int) $user, array_diff( $types, array( PostType::NAME ) ) )
		: $count,
	10,
	3
);

// Lists, links, guesses and answers of the REST API give no registry away.
add_filter( 'pre_redirect_guess_404_permalink', Plugin::hook( QueryFilter::class, 'guess_no_registry' ) );
add_filter( 'get_previous_post_where', array( QueryFilter::class, 'skip_locked' ) );
add_filter( 'get_next_post_where', array( QueryFilter::class, 'skip_locked' ) );
add_filter( 'rest_request_after_callbacks', Plugin::hook_if( RestAnswers::class, 'hide_existence', static fn( $answer, $handler, $request ) => RestAnswers::is_ours( $request ) ), PHP_INT_MAX, 3 );
add_filter( 'rest_post_dispatch', Plugin::hook_if( RestAnswers::class, 'allow_nothing', static fn( $answer, $server, $request ) => stripos( $request->get_route(), '/wp/v2/media/' ) === 0 ), 11, 3 );
add_filter( 'oembed_response_data', array( RestAnswers::class, 'embed_no_locked' ), PHP_INT_MAX, 2 );
add_filter( 'rest_request_before_callbacks', Plugin::hook_if( RestAnswers::class, 'hide_comments', $trousseau_answers( WP_REST_Comments_Controller::class ) ), 1, 3 );

// Caches keep no answer about a private registry.
add_filter( 'rest_post_dispatch', Plugin::hook_if( RestAnswers::class, 'keep_out_of_caches', static fn( $answer, $server, $request ) => Cookie::are_among( $_COOKIE ) || RestAnswers::is_ours( $request ) ), 10, 3 );

Plugin::add( WP_REST_Posts_Controller::class, array( 'registry' => RegistryRestController::class ) );
