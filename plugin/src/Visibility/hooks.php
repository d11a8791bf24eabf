<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Plugin;
use WP_REST_Posts_Controller;

// Private registries and their pictures are missing from WordPress's own lists, searches, counts and screens.
add_filter( 'rest_registry_query', array( QueryFilter::class, 'restrict_rest_list' ), 10, 2 );
add_action( 'pre_get_posts', array( QueryFilter::class, 'restrict_main_query' ) );
add_action( 'pre_get_posts', Plugin::hook( QueryFilter::class, 'keep_filters' ), PHP_INT_MAX );
add_filter( 'posts_clauses_request', Plugin::hook( QueryFilter::class, 'narrow' ), PHP_INT_MAX, 2 );
add_filter( 'posts_results', Plugin::hook( QueryFilter::class, 'refuse_locked' ), PHP_INT_MAX, 2 );
add_filter( 'wp_count_posts', Plugin::hook( ListCounts::class, 'count_registries' ), 10, 2 );
add_filter( 'wp_count_attachments', Plugin::hook( ListCounts::class, 'count_files' ) );
add_filter( 'disable_months_dropdown', Plugin::hook( ListCounts::class, 'drop_months' ), 10, 2 );
add_filter( 'pre_months_dropdown_query', Plugin::hook( ListCounts::class, 'months_of_files' ), 10, 2 );
add_filter( 'media_library_months_with_files', Plugin::hook( ListCounts::class, 'months_of_files' ) );
add_filter( 'comments_clauses', Plugin::hook( CommentFilter::class, 'narrow' ), PHP_INT_MAX );
add_filter( 'comment_feed_where', Plugin::hook( CommentFilter::class, 'narrow_feed' ), PHP_INT_MAX );
add_action( 'pre_get_comments', Plugin::hook( CommentFilter::class, 'keep_caches_apart' ), PHP_INT_MAX );
add_filter( 'wp_count_comments', Plugin::hook( CommentFilter::class, 'count' ), 10, 2 );
add_action( 'admin_init', Plugin::hook( AdminScreens::class, 'guard' ) );
add_filter( 'map_meta_cap', array( Attachments::class, 'map_capability' ), 10, 4 );
add_filter( 'comments_open', array( Attachments::class, 'close_comments' ), PHP_INT_MAX, 2 );
add_filter( 'pings_open', array( Attachments::class, 'close_comments' ), PHP_INT_MAX, 2 );
add_filter( 'wp_prepare_attachment_for_js', Plugin::hook( Attachments::class, 'hide_from_dialog' ), PHP_INT_MAX, 2 );
add_filter( 'xmlrpc_prepare_media_item', Plugin::hook( Attachments::class, 'hide_from_xmlrpc' ), PHP_INT_MAX, 2 );
add_filter( 'rest_request_before_callbacks', Plugin::hook( Attachments::class, 'hide_from_rest' ), 10, 3 );
add_filter( 'redirect_canonical', Plugin::hook( Attachments::class, 'hide_address' ), PHP_INT_MAX );
add_filter( 'add_post_metadata', array( FeaturedImage::class, 'refuse' ), 10, 4 );
add_filter( 'update_post_metadata', array( FeaturedImage::class, 'refuse' ), 10, 4 );
add_filter( 'post_thumbnail_id', array( FeaturedImage::class, 'hide' ), 10, 2 );
add_filter( 'post_thumbnail_id', Plugin::hook( BlockAttachments::class, 'note_featured' ), PHP_INT_MAX );
add_filter( 'wp_get_attachment_metadata', Plugin::hook( BlockAttachments::class, 'hide_details' ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_url', Plugin::hook( BlockAttachments::class, 'hide_details' ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_image_src', Plugin::hook( BlockAttachments::class, 'hide_details' ), PHP_INT_MAX, 2 );
add_filter( 'attachment_link', Plugin::hook( BlockAttachments::class, 'hide_page' ), PHP_INT_MAX, 2 );
add_action( 'before_delete_post', Plugin::hook( RegistryFiles::class, 'delete' ), 10, 2 );
add_filter( 'wp_insert_post_parent', Plugin::hook( Attachments::class, 'refuse_attaching' ), 10, 3 );

// Lists, links, guesses and answers of the REST API give no registry away.
add_action( 'pre_get_posts', array( LockedRegistries::class, 'leave_out_locked' ) );
add_filter( 'pre_redirect_guess_404_permalink', Plugin::hook( LockedRegistries::class, 'guess_no_registry' ) );
add_filter( 'get_previous_post_where', array( LockedRegistries::class, 'skip_locked' ) );
add_filter( 'get_next_post_where', array( LockedRegistries::class, 'skip_locked' ) );
add_filter( 'rest_registry_query', array( LockedRegistries::class, 'keep_locked_to_edit' ), 20, 2 );
add_filter( 'rest_request_after_callbacks', array( RestAnswers::class, 'hide_existence' ), PHP_INT_MAX, 3 );
add_filter( 'rest_request_before_callbacks', Plugin::hook( RestAnswers::class, 'hide_comments' ), 1, 3 );

// Caches keep no answer about a private registry.
add_filter( 'rest_post_dispatch', Plugin::hook( RestAnswers::class, 'keep_out_of_caches' ), 10, 3 );

// Registries in the REST API.
Plugin::add( WP_REST_Posts_Controller::class, array( 'registry' => RegistryRestController::class ) );
