<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Cookie;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Plugin;

// Registries: the post type, its meta and the rights to it.
// This runs early, so that themes can ask for the addresses of registries on `init`.
add_action( 'init', array( PostType::class, 'register' ), 5 );
add_action( 'init', array( MetaRules::class, 'register' ) );
add_action( 'rest_api_init', array( Surprise::class, 'register_field' ) );
add_filter( 'is_protected_meta', array( MetaRules::class, 'protect' ), 10, 2 );
// A page asks for dozens of rights that are about no post.
add_filter( 'user_has_cap', static fn( $granted, $caps, $args, $user ) => $user->exists() ? Plugin::get( Capabilities::class )->grant( $granted, $caps, $args, $user ) : $granted, 10, 4 );
add_filter( 'map_meta_cap', static fn( $caps, $cap, $user, $args ) => $args ? Capabilities::let_in( $caps, (string) $cap, (int) $user, $args ) : $caps, 10, 4 );
add_filter( 'map_meta_cap', static fn( $caps, $cap, $user, $args ) => $args && str_ends_with( (string) $cap, '_post_meta' ) ? Limits::refuse_unknown_meta( $caps, (string) $cap, (int) $user, $args ) : $caps, 10, 4 );
add_filter( 'wp_insert_post_empty_content', array( Limits::class, 'refuse_in_wordpress' ), 10, 2 );
add_filter( 'wp_revisions_to_keep', array( Limits::class, 'revisions' ), 10, 2 );
add_filter( 'wp_insert_post_data', array( Slug::class, 'hide_unpublished' ), 10, 2 );
add_filter( 'pre_wp_unique_post_slug', Plugin::hook( Slug::class, 'choose' ), 10, 5 );
add_filter( 'old_slug_redirect_post_id', array( Slug::class, 'redirect_readers' ) );
add_action( 'post_updated', Plugin::hook( Slug::class, 'store_former' ), 10, 3 );
// A restored list keeps its status: a draft has no guests, and its link ends when its details are saved.
add_filter(
	'wp_untrash_post_status',
	static fn( $new, $id, $before ) => $before && get_post_type( $id ) === PostType::NAME ? $before : $new,
	10,
	3
);
add_filter( 'registration_errors', array( IdentityGuard::class, 'refuse_foreign_name' ), 10, 3 );
add_action( 'user_register', Plugin::hook( IdentityGuard::class, 'drop_old_invitations' ) );
add_filter( 'rest_request_before_callbacks', array( IdentityGuard::class, 'refuse_unconfirmed_address' ), 10, 3 );

// WordPress's own screens keep the owner.
add_filter( 'wp_insert_post_data', array( CoOwnerRules::class, 'keep_author' ), 20, 2 );
add_action( 'admin_init', Plugin::hook( CoOwnerRules::class, 'send_no_author' ) );

// A list keeps its currency while shares are amounts in it.
add_filter( 'update_post_metadata', static fn( $done, $id, $key, $value ) => $key === Meta::CURRENCY ? Plugin::get( CurrencyRules::class )->keep( $done, (int) $id, $value ) : $done, 10, 4 );
add_filter( 'delete_post_metadata', static fn( $done, $id, $key ) => $key === Meta::CURRENCY && $id ? Plugin::get( CurrencyRules::class )->keep( $done, (int) $id, '' ) : $done, 10, 3 );

// Registries start private, and are public by a choice in words.
add_filter( 'xmlrpc_wp_insert_post_data', array( PrivateByDefault::class, 'start_private_by_xmlrpc' ), 10, 2 );
add_action( 'post_submitbox_misc_actions', array( PrivateByDefault::class, 'ask' ) );
add_filter( 'wp_insert_post_data', Plugin::hook( PrivateByDefault::class, 'apply_answer' ), 10, 2 );

// A list that becomes public no longer needs its link.
add_action( 'transition_post_status', Plugin::hook( ListLink::class, 'end' ), 10, 3 );

// Public lists wait for approval, where the settings say so.
add_filter( 'wp_insert_post_data', Plugin::hook( Approval::class, 'hold' ), 30, 2 );
add_action( 'save_post_registry', Plugin::hook( Approval::class, 'note' ), 1, 2 );
add_action( 'rest_after_insert_registry', Plugin::hook( Approval::class, 'follow_rest' ), 10, 2 );
add_action( 'trousseau_waits_for_approval', Plugin::hook( Approval::class, 'ask' ) );
add_action( 'admin_menu', Plugin::hook( Approval::class, 'count_in_menu' ), PHP_INT_MAX );
add_filter( 'display_post_states', array( Approval::class, 'mark' ), 10, 2 );
add_filter( 'post_row_actions', array( Approval::class, 'link' ), 10, 2 );

// Stories hold text, pictures and their own gifts, whatever blocks and shortcodes the site has: they are cleaned when they are saved.
$trousseau_is_story = static fn( string $type ): bool => in_array( $type, array( PostType::NAME, 'revision' ), true );
add_filter( 'wp_insert_post_data', static fn( $data, $given ) => $trousseau_is_story( $data['post_type'] ) ? Story::clean( $data, $given ) : $data, PHP_INT_MAX, 2 );
add_filter( 'the_content', static fn( $content ) => $trousseau_is_story( (string) get_post_type() ) ? Story::before_blocks( (string) $content ) : $content, 1 );
add_filter( 'rest_request_before_callbacks', array( Story::class, 'refuse_block' ), 10, 3 );
add_filter( 'allowed_block_types_all', array( Story::class, 'offer_blocks' ), PHP_INT_MAX, 2 );
add_filter( 'embed_cache_oembed_types', static fn( $types ) => array_values( array_diff( $types, array( PostType::NAME ) ) ), PHP_INT_MAX );
add_action( 'wp_ajax_parse-embed', array( Story::class, 'refuse_preview' ), 0 );
add_action( 'wp_ajax_parse-media-shortcode', array( Story::class, 'refuse_preview' ), 0 );

// Pages for guests: templates, blocks, shortcodes, the query parameter.
add_filter( 'the_password_form', Plugin::hook( PasswordForm::class, 'explain' ), 10, 2 );
add_filter( 'the_password_form_incorrect_password', array( PasswordForm::class, 'words' ), 10, 2 );
add_filter( 'single_template_hierarchy', array( PostType::class, 'show_as_page' ) );
add_action( 'template_redirect', array( Router::class, 'ask_no_other_site' ) );
add_filter( 'emoji_svg_url', static fn( $url ) => did_action( 'template_redirect' ) && Router::shows_ours() ? false : $url );
// Our pages are no posts that the toolbar could offer to edit.
add_action( 'admin_bar_menu', static fn( $bar ) => PageAddress::is_open() && $bar->remove_node( 'edit' ), 81 );
add_filter( 'query_vars', static fn( array $names ): array => array( ...$names, 'registry' ) );
// No slug has a full stop: it is the address by which page caches are tested.
add_filter( 'request', static fn( $query ) => array_keys( $query ) === array( 'registry' ) && is_scalar( $query['registry'] ) && ! str_contains( (string) $query['registry'], '.' ) ? Registries::open_from_query( (string) $query['registry'] ) : $query );

// Pages on which owners and guests do everything. Features add theirs.
Plugin::add(
	Page::class,
	array(
		'new'     => NewRegistryPage::class,
		'finish'  => FinishListPage::class,
		'mine'    => MyRegistriesPage::class,
		'find'    => FindListPage::class,
		'no-mail' => UnsubscribePage::class,
	)
);
Plugin::add( ListPage::class, array( 'details' => DetailsPage::class ) );
Plugin::add( ListField::class, array( 'goodbye' => ClosingWords::class ) );
add_action( 'init', static fn() => Router::register( Plugin::hook( Router::class, 'renew_rules' ), Plugin::hook( Router::class, 'embedded' ) ) );
// Answers that are no page come first.
add_action( 'parse_request', Plugin::hook_if( Router::class, 'choose', static fn( $wp ) => isset( $wp->query_vars[ PageAddress::PARAMETER ] ) ), 11 );
add_filter( 'posts_pre_query', Plugin::hook_if_made( Router::class, 'posts' ), 10, 2 );
add_action( 'template_redirect', Plugin::hook_if( Router::class, 'run', static fn() => is_user_logged_in() || Cookie::are_among( $_COOKIE ) || Router::shows_ours() ), 1 );
add_action( 'template_redirect', static fn() => is_404() && Plugin::get( Router::class )->replace_not_found( $GLOBALS['wp_query'], $GLOBALS['wp'] ), PHP_INT_MAX );
add_filter( 'the_content', Plugin::hook_if_made( Router::class, 'content' ), PHP_INT_MAX );
add_filter( 'render_block_core/comments', Plugin::hook_if_made( Router::class, 'without_comments' ) );

// Lists that were begun before there was an account.
add_action( 'user_register', Plugin::hook( RegistryDraft::class, 'attach' ) );
add_filter( 'login_redirect', Plugin::hook( RegistryDraft::class, 'back' ), 10, 3 );
add_action( 'after_password_reset', Plugin::hook( OwnAccount::class, 'note_password' ) );

// Emails; their results are noted after what sends some at the end of a request.
add_action( 'shutdown', Plugin::hook_if_made( MailDelivery::class, 'note_results' ), 11 );
add_action( 'phpmailer_init', Plugin::hook( MailDelivery::class, 'complete' ), PHP_INT_MAX );
add_action( 'wp_mail_failed', Plugin::hook( MailDelivery::class, 'note_trouble' ) );

// The gifts as the site keeps them.
add_action( 'trousseau_written', Plugin::hook( GiftLists::class, 'renew' ) );
add_action( 'rest_api_init', static fn() => Request::answer_at( ChangeNotice::ROUTE, '__return_true', Plugin::hook( ChangeNotice::class, 'receive' ), 'POST' ) );

// The service asks whether a registry is gone, who owns it and what its people may.
add_action( 'rest_api_init', static fn() => Request::answer_at( OpenQuestions::ROUTE, Plugin::hook( OpenQuestions::class, 'is_of_service' ), Plugin::hook( OpenQuestions::class, 'take' ), 'POST' ) );

// Owners see who changed what last, and the service learns of other owners and a surprise that has changed.
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", Plugin::hook( LastChanges::class, 'follow_meta' ), 10, 3 );
	add_action( "{$trousseau_change}_post_meta", Plugin::hook( RegistryReport::class, 'follow_meta' ), 10, 3 );
}
add_action( 'wp_insert_post', Plugin::hook( LastChanges::class, 'follow_new' ), 10, 3 );
add_action( 'post_updated', Plugin::hook( LastChanges::class, 'follow_post' ), 10, 3 );
add_action( 'shutdown', Plugin::hook_if_made( LastChanges::class, 'note_details' ) );

// The service learns of another status, and of registries that are deleted.
add_action( 'deleted_post', Plugin::hook( RegistryReport::class, 'follow_deletion' ), 10, 2 );
add_action( 'post_updated', Plugin::hook( RegistryReport::class, 'follow_post' ), 10, 3 );

// The service learns of people who may look after registries, or may not any more.
add_action( 'profile_update', Plugin::hook( RolesReport::class, 'follow_email' ), 10, 2 );
add_action( 'deleted_user', static fn( $id ) => Plugin::get( RolesReport::class )->report( (int) $id ) );
add_action( 'remove_user_from_blog', static fn( $id ) => Plugin::get( RolesReport::class )->note( (int) $id, get_userdata( (int) $id )->roles ?? array() ) );
add_action( 'set_user_role', static fn( $id, $role, $roles ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role, ...$roles ) ), 10, 3 );
add_action( 'add_user_role', static fn( $id, $role ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role ) ), 10, 2 );
add_action( 'remove_user_role', static fn( $id, $role ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role ) ), 10, 2 );

Plugin::add(
	JobHandler::class,
	array(
		'mail'         => MailDelivery::class,
		'import'       => RegistryImport::class,
		'deletion'     => RegistryReport::class,
		'look'         => RegistryReport::class,
		'repair-order' => GiftLists::class,
		'question-key' => OpenQuestions::class,
		'roles'        => RolesReport::class,
		'rights'       => RegistryReport::class,
		'close'        => Closing::class,
		'digest'       => Digest::class,
	)
);

// Who changed a list last is told to its owners.
Plugin::add( OwnersOwn::class, array( 'changes' => LastChanges::class ) );
