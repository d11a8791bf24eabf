<?php
/**
 * Plugin Name:       Trousseau
 * Description:       Gift registries: private or public, with their items kept by the Trousseau item service.
 * Version:           0.2.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * Author:            The Trousseau contributors
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       trousseau
 * Domain Path:       /languages
 *
 * Every hook of the plugin is on this page.
 */

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\Commands;
use Trousseau\Admin\Handlers;
use Trousseau\Admin\JobsScreen;
use Trousseau\Admin\MenuPages;
use Trousseau\Admin\PermalinkFields;
use Trousseau\Admin\SettingsPage;
use Trousseau\Admin\SetupNotice;
use Trousseau\Admin\SiteHealth;
use Trousseau\Affiliate\AffiliateRegistry;
use Trousseau\Affiliate\AffiliateScreen;
use Trousseau\Connections\ConnectionPanel;
use Trousseau\Connections\ConnectionsScreen;
use Trousseau\Connections\ConnectionState;
use Trousseau\Connections\ConnectionTest;
use Trousseau\Connections\ExtensionAnswer;
use Trousseau\Connections\JoinForm;
use Trousseau\Connections\Joining;
use Trousseau\Connections\NetworkJoin;
use Trousseau\Connections\NetworkScreen;
use Trousseau\Connections\ServiceAccount;
use Trousseau\Connections\ServiceAccountButton;
use Trousseau\Connections\ServiceAccountGuard;
use Trousseau\Connections\SiteProof;
use Trousseau\Gifts\FromShop;
use Trousseau\Gifts\PictureFetch;
use Trousseau\Gifts\ShopLink;
use Trousseau\Gifts\ShopRedirect;
use Trousseau\Gifts\UnusedPictures;
use Trousseau\Giving\ClaimMails;
use Trousseau\Giving\GoneLists;
use Trousseau\Giving\UninvitedScreen;
use Trousseau\GroupGifts\BuyerWatch;
use Trousseau\GroupGifts\SharedGift;
use Trousseau\Guests\GuestAccess;
use Trousseau\Guests\Invitations;
use Trousseau\Guests\ListLink;
use Trousseau\Lists\Approval;
use Trousseau\Lists\ApprovalMails;
use Trousseau\Lists\ApprovalQueue;
use Trousseau\Lists\Blocks;
use Trousseau\Lists\Capabilities;
use Trousseau\Lists\ChangeNotice;
use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\CurrencyRules;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\IdentityGuard;
use Trousseau\Lists\Limits;
use Trousseau\Lists\MailDelivery;
use Trousseau\Lists\Meta;
use Trousseau\Lists\MetaRules;
use Trousseau\Lists\OpenQuestions;
use Trousseau\Lists\OwnAccount;
use Trousseau\Lists\Patterns;
use Trousseau\Lists\PostType;
use Trousseau\Lists\PrivateByDefault;
use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryDraft;
use Trousseau\Lists\RightsReport;
use Trousseau\Lists\RolesReport;
use Trousseau\Lists\Router;
use Trousseau\Lists\Slug;
use Trousseau\Lists\Story;
use Trousseau\Lists\Surprise;
use Trousseau\Owners\FormerOwners;
use Trousseau\Owners\Handover;
use Trousseau\Owners\LastChanges;
use Trousseau\Owners\Owner;
use Trousseau\Owners\OwnerLink;
use Trousseau\PageCaching\CacheProbe;
use Trousseau\PageCaching\PageCache;
use Trousseau\PageCaching\VisitorAnswer;
use Trousseau\PageCaching\VisitorMarks;
use Trousseau\PageCaching\VisitorPart;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\FormerAddress;
use Trousseau\Platform\FormerOptions;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Language;
use Trousseau\Platform\Network;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PublicWeb;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Slugs;
use Trousseau\Platform\Tables;
use Trousseau\Privacy\DeletionReport;
use Trousseau\Privacy\PersonalData;
use Trousseau\Service\HttpClient;
use Trousseau\Service\Sample;
use Trousseau\Visibility\AdminScreens;
use Trousseau\Visibility\Attachments;
use Trousseau\Visibility\BlockAttachments;
use Trousseau\Visibility\CommentFilter;
use Trousseau\Visibility\FeaturedImage;
use Trousseau\Visibility\ListCounts;
use Trousseau\Visibility\LockedRegistries;
use Trousseau\Visibility\QueryFilter;
use Trousseau\Visibility\RegistryFiles;
use Trousseau\Visibility\RegistryRestController;
use Trousseau\Visibility\RestAnswers;

const VERSION     = '0.2.0';
const PLUGIN_FILE = __FILE__;

require __DIR__ . '/autoload.php';

// Activation and deactivation: the next request writes the rewrite rules anew and makes missing tables; no event stays behind.
register_activation_hook( __FILE__, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => delete_option( 'rewrite_rules' ) ) );
register_activation_hook( __FILE__, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, Plugin::hook( ServiceAccount::class, 'add_role' ) ) );
register_activation_hook( __FILE__, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => delete_option( Tables::SCHEMA ) ) );
register_deactivation_hook( __FILE__, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => delete_option( 'rewrite_rules' ) ) );
register_deactivation_hook( __FILE__, static fn( bool $everywhere ) => Plugin::get( Network::class )->on_sites( $everywhere, static fn() => wp_unschedule_hook( JobQueue::HOOK ) ) );

// Translations in the reader's language load before anything uses a name.
add_filter( 'option_' . Settings::APP_PASSWORD, array( Settings::class, 'open_password' ) );
add_filter( 'sanitize_option_' . Settings::APP_PASSWORD, array( Settings::class, 'seal_password' ), PHP_INT_MAX );
add_action( 'add_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );
add_action( 'update_option_' . Settings::APP_PASSWORD, Plugin::hook( ServiceAccount::class, 'load_password_alone' ) );
add_action( 'init', Plugin::hook( Language::class, 'load' ), 1 );
add_filter( 'load_textdomain_mofile', array( Language::class, 'nearest' ), 10, 2 );

// Registries: the post type, its meta and the rights to it.
// This runs early, so that themes can ask for the addresses of registries on `init`.
add_action( 'init', static fn() => Plugin::get( PostType::class )->register( RegistryRestController::class ), 5 );
add_action( 'init', Plugin::hook( MetaRules::class, 'register' ) );
add_action( 'rest_api_init', array( Surprise::class, 'register_field' ) );
add_filter( 'is_protected_meta', array( MetaRules::class, 'protect' ), 10, 2 );
add_filter( 'user_has_cap', Plugin::hook( Capabilities::class, 'grant' ), 10, 4 );
add_filter( 'map_meta_cap', array( Capabilities::class, 'let_in' ), 10, 4 );
add_filter( 'map_meta_cap', Plugin::hook( GuestAccess::class, 'let_read' ), 10, 4 );
add_filter( 'map_meta_cap', array( Limits::class, 'refuse_unknown_meta' ), 10, 4 );
add_filter( 'wp_insert_post_empty_content', array( Limits::class, 'refuse_in_wordpress' ), 10, 2 );
add_filter( 'wp_revisions_to_keep', array( Limits::class, 'revisions' ), 10, 2 );
add_filter( 'wp_insert_post_data', array( Slug::class, 'hide_unpublished' ), 10, 2 );
add_filter( 'pre_wp_unique_post_slug', Plugin::hook( Slug::class, 'choose' ), 10, 5 );
add_filter( 'old_slug_redirect_post_id', array( Slug::class, 'redirect_readers' ) );
add_filter( 'registration_errors', array( IdentityGuard::class, 'refuse_foreign_name' ), 10, 3 );
add_action( 'user_register', Plugin::hook( IdentityGuard::class, 'drop_old_invitations' ) );
add_filter( 'rest_request_before_callbacks', array( IdentityGuard::class, 'refuse_unconfirmed_address' ), 10, 3 );

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
add_filter( 'render_block_data', Plugin::hook( BlockAttachments::class, 'enter_block' ), PHP_INT_MAX, 3 );
add_filter( 'render_block', Plugin::hook( BlockAttachments::class, 'leave_block' ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_url', Plugin::hook( BlockAttachments::class, 'hide_details' ), PHP_INT_MAX, 2 );
add_filter( 'wp_get_attachment_image_src', Plugin::hook( BlockAttachments::class, 'hide_details' ), PHP_INT_MAX, 2 );
add_filter( 'attachment_link', Plugin::hook( BlockAttachments::class, 'hide_page' ), PHP_INT_MAX, 2 );
add_action( 'before_delete_post', Plugin::hook( RegistryFiles::class, 'delete' ), 10, 2 );
add_filter( 'wp_insert_post_parent', Plugin::hook( Attachments::class, 'refuse_attaching' ), 10, 3 );

// WordPress's own screens: the owner stays, and can be found.
add_filter( 'wp_dropdown_users_args', array( Owner::class, 'offer_everybody' ), 10, 2 );
add_filter( 'rest_user_query', array( Owner::class, 'offer_everybody_in_rest' ), 10, 2 );
add_filter( 'wp_insert_post_data', Plugin::hook( Owner::class, 'leave_owner' ), 10, 2 );
add_filter( 'wp_insert_post_data', array( CoOwnerRules::class, 'keep_author' ), 20, 2 );
add_action( 'admin_init', Plugin::hook( CoOwnerRules::class, 'send_no_author' ) );
add_action( 'updated_post_meta', Plugin::hook( Handover::class, 'follow_owners' ), 10, 3 );
add_action( 'deleted_post_meta', Plugin::hook( Handover::class, 'follow_owners' ), 10, 3 );
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", Plugin::hook( LastChanges::class, 'follow_meta' ), 10, 3 );
}
add_action( 'wp_insert_post', Plugin::hook( LastChanges::class, 'follow_new' ), 10, 3 );
add_action( 'post_updated', Plugin::hook( LastChanges::class, 'follow_post' ), 10, 3 );
add_action( 'shutdown', Plugin::hook_if_made( LastChanges::class, 'note_details' ) );
// What was an owner's alone ends with the ownership.
add_action( 'updated_post_meta', Plugin::hook( FormerOwners::class, 'follow_meta' ), 10, 3 );
add_action( 'deleted_post_meta', Plugin::hook( FormerOwners::class, 'follow_meta' ), 10, 3 );
add_action( 'post_updated', Plugin::hook( FormerOwners::class, 'follow_post' ), 10, 3 );
add_action( 'delete_user', Plugin::hook( FormerOwners::class, 'leaves' ) );
add_action( 'remove_user_from_blog', Plugin::hook( FormerOwners::class, 'leaves' ) );
add_action( 'shutdown', Plugin::hook_if_made( FormerOwners::class, 'end_request' ) );
// An owner who leaves a list by any way loses the link in their mail.
add_action( 'update_post_meta', static fn( $id, $post, $key, $value ) => $key === Meta::OWNERS && Plugin::get( OwnerLink::class )->forget_removed( (int) $post, $value ), 10, 4 );
add_action( 'delete_post_meta', static fn( $ids, $post, $key ) => $key === Meta::OWNERS && Plugin::get( OwnerLink::class )->forget_removed( (int) $post, '' ), 10, 3 );

// A list keeps its currency while shares are amounts in it.
add_filter( 'update_post_metadata', static fn( $done, $id, $key, $value ) => $key === Meta::CURRENCY ? Plugin::get( CurrencyRules::class )->keep( $done, (int) $id, $value ) : $done, 10, 4 );
add_filter( 'delete_post_metadata', static fn( $done, $id, $key ) => $key === Meta::CURRENCY && $id ? Plugin::get( CurrencyRules::class )->keep( $done, (int) $id, '' ) : $done, 10, 3 );

// Registries start private, and are public by a choice in words.
add_filter( 'xmlrpc_wp_insert_post_data', array( PrivateByDefault::class, 'start_private_by_xmlrpc' ), 10, 2 );
add_action( 'post_submitbox_misc_actions', array( PrivateByDefault::class, 'ask' ) );
add_filter( 'wp_insert_post_data', Plugin::hook( PrivateByDefault::class, 'apply_answer' ), 10, 2 );

// Public lists wait for approval, where the settings say so.
add_filter( 'wp_insert_post_data', Plugin::hook( Approval::class, 'hold' ), 30, 2 );
add_action( 'save_post_registry', Plugin::hook( Approval::class, 'note' ), 1, 2 );
add_action( 'rest_after_insert_registry', Plugin::hook( Approval::class, 'follow_rest' ), 10, 2 );
add_action( 'trousseau_waits_for_approval', Plugin::hook( ApprovalMails::class, 'ask' ) );
add_action( 'admin_menu', Plugin::hook( ApprovalQueue::class, 'count_in_menu' ), PHP_INT_MAX );
add_filter( 'display_post_states', array( ApprovalQueue::class, 'mark' ), 10, 2 );
add_filter( 'post_row_actions', array( ApprovalQueue::class, 'link' ), 10, 2 );

// Lists, links, guesses and answers of the REST API give no registry away.
add_action( 'pre_get_posts', array( LockedRegistries::class, 'leave_out_locked' ) );
add_filter( 'pre_redirect_guess_404_permalink', Plugin::hook( LockedRegistries::class, 'guess_no_registry' ) );
add_filter( 'get_previous_post_where', array( LockedRegistries::class, 'skip_locked' ) );
add_filter( 'get_next_post_where', array( LockedRegistries::class, 'skip_locked' ) );
add_filter( 'rest_registry_query', array( LockedRegistries::class, 'keep_locked_to_edit' ), 20, 2 );
add_filter( 'rest_request_after_callbacks', array( RestAnswers::class, 'hide_existence' ), PHP_INT_MAX, 3 );
add_filter( 'rest_request_before_callbacks', Plugin::hook( RestAnswers::class, 'hide_comments' ), 1, 3 );

// Stories hold text, pictures and their own gifts, whatever blocks and shortcodes the site has.
add_filter( 'content_pagination', Plugin::hook( Story::class, 'pages' ), PHP_INT_MAX, 2 );
add_filter( 'get_the_excerpt', Plugin::hook( Story::class, 'excerpt' ), 1, 2 );
add_filter( 'rest_request_before_callbacks', array( Story::class, 'refuse_block' ), 10, 3 );
add_filter( 'allowed_block_types_all', array( Story::class, 'offer_blocks' ), PHP_INT_MAX, 2 );
add_filter( 'embed_cache_oembed_types', array( Story::class, 'without_embeds' ), PHP_INT_MAX );
add_action( 'wp_ajax_parse-embed', Plugin::hook( Story::class, 'refuse_preview' ), 0 );
add_action( 'wp_ajax_parse-media-shortcode', Plugin::hook( Story::class, 'refuse_preview' ), 0 );

// Pages for guests: templates, blocks, shortcodes, the query parameter, links to shops.
add_filter( 'single_template_hierarchy', array( PostType::class, 'show_as_page' ) );
add_action( 'init', Plugin::hook( Blocks::class, 'register' ) );
add_action( 'init', Plugin::hook( Patterns::class, 'register' ) );
add_action( 'enqueue_block_editor_assets', Plugin::hook( Blocks::class, 'enqueue_editor' ) );
add_action( 'wp_enqueue_scripts', Plugin::hook( Blocks::class, 'enqueue' ) );
add_action( 'wp_head', Plugin::hook( Blocks::class, 'describe' ) );
add_filter( 'the_content', Plugin::hook( Blocks::class, 'begin_content' ), 1 );
add_filter( 'the_content', Plugin::hook( Blocks::class, 'complete' ), 20 );
add_filter( 'the_content', Plugin::hook( Story::class, 'end' ), PHP_INT_MAX );
add_action( 'template_redirect', static fn() => add_filter( 'private_title_format', array( Blocks::class, 'plain_title' ), 10, 2 ) );
add_filter( 'query_vars', static fn( array $names ): array => array( ...$names, 'registry', ShopLink::PARAMETER, VisitorPart::PARAMETER, PageAddress::PARAMETER ) );
add_filter( 'request', array( Registries::class, 'open_from_query' ) );
add_action( 'parse_request', Plugin::hook( ShopRedirect::class, 'follow' ) );
add_action( 'parse_request', Plugin::hook( VisitorAnswer::class, 'answer' ) );
add_action( 'parse_request', Plugin::hook( CacheProbe::class, 'answer' ) );
add_action( 'parse_request', Plugin::hook( FromShop::class, 'serve_manifest' ) );
add_action( 'parse_request', Plugin::hook( ExtensionAnswer::class, 'answer' ) );
add_action( 'wp_head', array( FromShop::class, 'link_manifest' ) );

// Pages on which owners and guests do everything.
add_action( 'init', Plugin::hook( Router::class, 'register' ) );
add_action( 'parse_request', Plugin::hook( FormerAddress::class, 'lead_on' ), 1 );
add_action( 'parse_request', Plugin::hook( Router::class, 'choose' ) );
add_filter( 'posts_pre_query', Plugin::hook( Router::class, 'posts' ), 10, 2 );
add_action( 'template_redirect', Plugin::hook( Router::class, 'run' ), 1 );
add_action( 'template_redirect', static fn() => Plugin::get( Router::class )->replace_not_found( $GLOBALS['wp_query'], $GLOBALS['wp'] ), PHP_INT_MAX );
add_filter( 'the_content', Plugin::hook( Router::class, 'content' ), PHP_INT_MAX );
add_filter( 'render_block_core/comments', Plugin::hook( Router::class, 'without_comments' ) );
add_action( 'pre_get_posts', Plugin::hook( GuestAccess::class, 'open' ) );
add_action( 'transition_post_status', Plugin::hook( ListLink::class, 'end' ), 10, 3 );
// A guest who leaves a list by any way loses their link.
add_action( 'update_post_meta', static fn( $id, $post, $key, $value ) => $key === Meta::INVITEES && Plugin::get( Invitations::class )->forget_removed( (int) $post, $value ), 10, 4 );
add_action( 'delete_post_meta', static fn( $ids, $post, $key ) => $key === Meta::INVITEES && Plugin::get( Invitations::class )->forget_removed( (int) $post, '' ), 10, 3 );

// Cookies by which devices are remembered, and headers for caches, search engines and other sites.
add_action( 'init', Plugin::hook( Cookie::class, 'take_over' ), 1 );
add_action( 'trousseau_cookie_set', static fn() => Plugin::get( VisitorMarks::class )->write() );
add_action( 'set_logged_in_cookie', static fn() => Plugin::get( VisitorMarks::class )->write( true ) );
add_action( 'clear_auth_cookie', static fn() => Plugin::get( VisitorMarks::class )->write( false ) );
add_filter( 'litespeed_vary_cookies', array( Cookie::class, 'add_names' ) );
add_filter( 'litespeed_vary_curr_cookies', array( Cookie::class, 'add_names' ) );
add_filter( 'nocache_headers', Plugin::hook( ResponseHeaders::class, 'against_caches' ), PHP_INT_MAX );
add_filter( 'wp_robots', Plugin::hook( ResponseHeaders::class, 'robots' ) );
add_filter( 'rest_post_dispatch', Plugin::hook( RestAnswers::class, 'keep_out_of_caches' ), 10, 3 );

// Fetching from shops connects only to the address that was checked.
add_action( 'http_api_curl', array( PublicWeb::class, 'connect_there' ), 10, 2 );

// Lists that were begun before there was an account.
add_action( 'user_register', Plugin::hook( RegistryDraft::class, 'attach' ) );
add_filter( 'login_redirect', Plugin::hook( RegistryDraft::class, 'back' ), 10, 3 );
add_action( 'after_password_reset', Plugin::hook( OwnAccount::class, 'note_password' ) );

// Work behind the pages: one event for all of it, and the tables that hold it.
add_action( 'init', Plugin::hook( FormerOptions::class, 'move_if_needed' ), 0 );
add_filter( 'wpmu_drop_tables', Plugin::hook( Tables::class, 'drop_with_site' ), 10, 2 );
wp_cache_add_non_persistent_groups( array( KeptValues::GROUP ) );
add_action( 'init', Plugin::hook( JobQueue::class, 'keep_going' ) );
add_action( JobQueue::HOOK, Plugin::hook( Handlers::class, 'run' ) );

// Mails.
add_action( 'shutdown', Plugin::hook_if_made( MailDelivery::class, 'note_results' ) );
add_action( 'phpmailer_init', Plugin::hook( MailDelivery::class, 'complete' ), PHP_INT_MAX );
add_action( 'wp_mail_failed', Plugin::hook( MailDelivery::class, 'note_trouble' ) );
add_action( 'trousseau_claim_made', Plugin::hook( ClaimMails::class, 'made' ), 10, 4 );
add_action( 'trousseau_claim_changed', Plugin::hook( ClaimMails::class, 'changed' ), 10, 2 );
add_action( 'trousseau_gift_removed', Plugin::hook( ClaimMails::class, 'removed' ), 10, 3 );
add_action( 'trousseau_got_elsewhere', Plugin::hook( ClaimMails::class, 'got_elsewhere' ), 10, 3 );
add_action( 'wp_trash_post', Plugin::hook( GoneLists::class, 'goes' ) );
add_action( 'before_delete_post', Plugin::hook( GoneLists::class, 'goes' ) );
add_action( 'trousseau_claim_changed', Plugin::hook( SharedGift::class, 'changed' ), 10, 2 );
add_action( 'trousseau_claim_made', Plugin::hook( BuyerWatch::class, 'made' ), 10, 3 );
add_action( 'trousseau_claim_changed', Plugin::hook( BuyerWatch::class, 'changed' ), 10, 2 );
add_action( 'trousseau_change_reported', Plugin::hook( BuyerWatch::class, 'look' ) );
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", static fn( $meta, $id, $key ) => $key === Meta::PAY_TO && Plugin::get( BuyerWatch::class )->look( (int) $id ), 10, 3 );
}
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( SharedGift::class )->forget( (int) $id ), 10, 2 );

// The gifts as the site keeps them.
add_action( 'http_api_curl', array( HttpClient::class, 'keep_to_the_time' ), 10, 2 );
add_action( 'trousseau_written', Plugin::hook( GiftLists::class, 'renew' ) );
add_action( 'trousseau_gifts_received', static fn() => Plugin::get( ConnectionState::class )->succeeded() );
add_action( 'trousseau_gifts_received', Plugin::hook( AffiliateRegistry::class, 'expect' ), 10, 2 );
add_action( 'trousseau_gifts_received', Plugin::hook( PictureFetch::class, 'expect' ), 10, 2 );
add_action( 'rest_api_init', Plugin::hook( ChangeNotice::class, 'register_route' ) );

// A preview in WordPress Playground has sample gifts instead of a service, and says so.
add_action( 'wp_body_open', Plugin::hook( Sample::class, 'mark' ) );
add_action( 'in_admin_header', Plugin::hook( Sample::class, 'mark' ) );

// Cached pages are cleared when strangers would be shown something else.
add_action( 'save_post_registry', Plugin::hook( PageCache::class, 'touch_post' ) );
add_action( 'added_post_meta', Plugin::hook( PageCache::class, 'touch_meta' ), 10, 2 );
add_action( 'updated_post_meta', Plugin::hook( PageCache::class, 'touch_meta' ), 10, 2 );
add_action( 'deleted_post_meta', Plugin::hook( PageCache::class, 'touch_meta' ), 10, 2 );
add_action( 'deleted_post', Plugin::hook( PageCache::class, 'forget_post' ), 10, 2 );
add_action( 'add_option_' . Settings::ANONYMOUS_GIVING, Plugin::hook( PageCache::class, 'look_at_all' ) );
add_action( 'update_option_' . Settings::ANONYMOUS_GIVING, Plugin::hook( PageCache::class, 'look_at_all' ) );
add_action( 'trousseau_gifts_changed', Plugin::hook( PageCache::class, 'look' ) );
add_action( 'trousseau_gifts_changed', Plugin::hook( UnusedPictures::class, 'expect' ) );
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( UnusedPictures::class )->forget( (int) $id ), 10, 2 );
add_action( 'trousseau_list_closed', Plugin::hook( PageCache::class, 'look' ) );
add_action( 'trousseau_change_reported', Plugin::hook( PageCache::class, 'look_again' ) );
add_action( 'trousseau_pictures_fetched', Plugin::hook( PageCache::class, 'look_at_all' ) );
add_action( 'shutdown', Plugin::hook_if_made( PageCache::class, 'look_at_touched' ), 0 );
add_filter( 'breeze_collect_urls_for_cache_purge', Plugin::hook( PageCache::class, 'add_urls' ), 10, 2 );

// Affiliate links, by shop.
add_action( 'admin_menu', Plugin::hook( AffiliateScreen::class, 'add_page' ) );
add_action( 'admin_enqueue_scripts', Plugin::hook( AffiliateScreen::class, 'enqueue' ) );
add_action( 'admin_post_' . AffiliateScreen::ACTION, Plugin::hook( AffiliateScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . AffiliateScreen::ACTION, Plugin::hook( AffiliateScreen::class, 'handle' ) );

// The service learns of registries that this site deletes.
add_action( 'deleted_post', Plugin::hook( DeletionReport::class, 'note' ), 10, 2 );
add_action( 'shutdown', Plugin::hook_if_made( DeletionReport::class, 'tell_behind_the_answer' ) );
add_action( 'rest_api_init', Plugin::hook( OpenQuestions::class, 'register_routes' ) );

// The service learns of other owners, a surprise and a status that have changed.
add_action( 'post_updated', Plugin::hook( RightsReport::class, 'follow_post' ), 10, 3 );
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", Plugin::hook( RightsReport::class, 'follow_meta' ), 10, 3 );
}

// The service learns of people who may look after registries, or may not any more.
add_action( 'profile_update', Plugin::hook( RolesReport::class, 'follow_email' ), 10, 2 );
add_action( 'deleted_user', static fn( $id ) => Plugin::get( RolesReport::class )->report( (int) $id ) );
add_action( 'remove_user_from_blog', static fn( $id ) => Plugin::get( RolesReport::class )->note( (int) $id, get_userdata( (int) $id )->roles ?? array() ) );
add_action( 'set_user_role', static fn( $id, $role, $roles ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role, ...$roles ) ), 10, 3 );
add_action( 'add_user_role', static fn( $id, $role ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role ) ), 10, 2 );
add_action( 'remove_user_role', static fn( $id, $role ) => Plugin::get( RolesReport::class )->note( (int) $id, array( $role ) ), 10, 2 );

// People's data: exported, erased, and forgotten in time.
add_filter( 'wp_privacy_personal_data_exporters', Plugin::hook( PersonalData::class, 'add_exporter' ) );
add_filter( 'wp_privacy_personal_data_erasers', Plugin::hook( PersonalData::class, 'add_eraser' ) );
add_action( 'admin_init', Plugin::hook( PersonalData::class, 'suggest_policy' ) );
add_action( 'delete_user_form', array( Owner::class, 'explain_deletion' ), 10, 2 );

// For the site's keeper: Site Health and the command line.
add_filter( 'site_status_tests', Plugin::hook( SiteHealth::class, 'add_tests' ) );
add_filter( 'debug_information', Plugin::hook( SiteHealth::class, 'add_facts' ) );
add_action( 'rest_api_init', Plugin::hook( SiteHealth::class, 'register_route' ) );
add_action( 'cli_init', static fn() => \WP_CLI::add_command( 'trousseau', Plugin::get( Commands::class ) ) );

add_action( 'admin_menu', Plugin::hook( JobsScreen::class, 'add_page' ) );
add_action( 'admin_post_' . JobsScreen::ACTION, Plugin::hook( JobsScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . JobsScreen::ACTION, Plugin::hook( JobsScreen::class, 'handle' ) );

// Settings and the connection test.
add_action( 'admin_notices', Plugin::hook( SetupNotice::class, 'remind' ) );
add_filter( 'show_admin_bar', Plugin::hook( SetupNotice::class, 'show_admin_bar' ) );
add_action( 'admin_init', Plugin::hook( SettingsPage::class, 'register' ) );
add_action( 'admin_menu', Plugin::hook( SettingsPage::class, 'add_page' ) );
add_action( 'load-options-permalink.php', Plugin::hook( PermalinkFields::class, 'show_and_save' ) );
add_action( 'shutdown', Plugin::hook_if_made( Slugs::class, 'renew_rules' ) );
add_filter( 'plugin_action_links_' . plugin_basename( __FILE__ ), array( SettingsPage::class, 'add_link' ) );
add_action( 'admin_post_' . ConnectionPanel::ACTION, Plugin::hook( ConnectionPanel::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ConnectionPanel::ACTION, Plugin::hook( ConnectionPanel::class, 'handle' ) );
add_action( 'admin_post_' . ConnectionsScreen::ACTION, Plugin::hook( ConnectionsScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ConnectionsScreen::ACTION, Plugin::hook( ConnectionsScreen::class, 'handle' ) );
add_action( 'admin_post_' . ServiceAccountButton::ACTION, Plugin::hook( ServiceAccountButton::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . ServiceAccountButton::ACTION, Plugin::hook( ServiceAccountButton::class, 'handle' ) );
add_action( 'admin_post_' . MenuPages::ACTION, Plugin::hook( MenuPages::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . MenuPages::ACTION, Plugin::hook( MenuPages::class, 'handle' ) );
add_action( 'admin_post_' . UninvitedScreen::ACTION, Plugin::hook( UninvitedScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . UninvitedScreen::ACTION, Plugin::hook( UninvitedScreen::class, 'handle' ) );
add_action( 'rest_api_init', Plugin::hook( ConnectionTest::class, 'register_probe' ) );

// A service for many sites: this site joins it, or each site of a network does by itself.
add_action( 'rest_api_init', Plugin::hook( SiteProof::class, 'register_route' ) );
add_action( 'admin_post_' . JoinForm::ACTION, Plugin::hook( JoinForm::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . JoinForm::ACTION, Plugin::hook( JoinForm::class, 'handle' ) );
add_action( 'admin_post_' . JoinForm::LEAVE, Plugin::hook( JoinForm::class, 'handle_leaving' ) );
add_action( 'admin_post_nopriv_' . JoinForm::LEAVE, Plugin::hook( JoinForm::class, 'handle_leaving' ) );
add_action( 'network_admin_menu', Plugin::hook( NetworkScreen::class, 'add_page' ) );
add_action( 'network_admin_notices', Plugin::hook( NetworkScreen::class, 'remind' ) );
add_filter( 'network_admin_plugin_action_links_' . plugin_basename( __FILE__ ), array( NetworkScreen::class, 'add_link' ) );
add_action( 'admin_post_' . NetworkScreen::ACTION, Plugin::hook( NetworkScreen::class, 'handle' ) );
add_action( 'admin_post_nopriv_' . NetworkScreen::ACTION, Plugin::hook( NetworkScreen::class, 'handle' ) );
add_action( 'init', static fn() => is_multisite() && Plugin::get( NetworkJoin::class )->plan(), 20 );
add_action( 'trousseau_join_network', Plugin::hook( Joining::class, 'join_network' ) );
add_action( 'wp_initialize_site', static fn( $site ) => Plugin::get( NetworkJoin::class )->expect( (int) $site->blog_id ), 200 );
add_action( 'shutdown', Plugin::hook_if_made( NetworkJoin::class, 'visit' ) );

// The plugin's own account: nobody who has one of its passwords changes its profile or makes others.
add_filter( 'map_meta_cap', array( ServiceAccountGuard::class, 'keep_as_it_is' ), PHP_INT_MAX, 4 );
add_filter( 'rest_request_before_callbacks', array( ServiceAccountGuard::class, 'refuse_change' ), 10, 3 );
add_filter( 'allow_password_reset', array( ServiceAccountGuard::class, 'refuse_reset' ), PHP_INT_MAX, 2 );
