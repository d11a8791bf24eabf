<?php

declare(strict_types=1);

namespace Trousseau\Owners;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListPage;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Lists\Page;
use Trousseau\Plugin;

// WordPress's own screens: the owner stays, and can be found.
add_filter( 'wp_dropdown_users_args', array( Owner::class, 'offer_everybody' ), 10, 2 );
add_filter( 'rest_user_query', array( Owner::class, 'offer_everybody_in_rest' ), 10, 2 );
add_filter( 'wp_insert_post_data', Plugin::hook( Owner::class, 'leave_owner' ), 10, 2 );

// What was an owner's alone ends with the ownership.
add_action( 'updated_post_meta', Plugin::hook( FormerOwners::class, 'follow_meta' ), 10, 3 );
add_action( 'deleted_post_meta', Plugin::hook( FormerOwners::class, 'follow_meta' ), 10, 3 );
add_action( 'post_updated', Plugin::hook( FormerOwners::class, 'follow_post' ), 10, 3 );
add_action( 'delete_user', Plugin::hook( FormerOwners::class, 'leaves' ) );
add_action( 'remove_user_from_blog', Plugin::hook( FormerOwners::class, 'leaves' ) );
add_action( 'shutdown', Plugin::hook_if_made( FormerOwners::class, 'end_request' ) );
Plugin::add( OwnersOwn::class, array( 'handover' => Handover::class ) );

// An owner who leaves a list by any way loses the link in their email.
add_action( 'update_post_meta', static fn( $id, $post, $key, $value ) => $key === Meta::OWNERS && Plugin::get( OwnerLink::class )->forget_removed( (int) $post, $value ), 10, 4 );
add_action( 'delete_post_meta', static fn( $ids, $post, $key ) => $key === Meta::OWNERS && Plugin::get( OwnerLink::class )->forget_removed( (int) $post, '' ), 10, 3 );

// Deleting an account says what becomes of its lists.
add_action( 'delete_user_form', array( Owner::class, 'explain_deletion' ), 10, 2 );

Plugin::add( Page::class, array( 'owner' => OwnerLinkPage::class ) );
Plugin::add( ListPage::class, array( 'people' => PeoplePage::class ) );
