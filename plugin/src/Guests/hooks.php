<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListPage;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\MailOutcome;
use Trousseau\Lists\Meta;
use Trousseau\Lists\Page;
use Trousseau\Lists\PostType;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// Who has a list's link reads it: after the rights of accounts, and after queries have been narrowed.
add_filter( 'map_meta_cap', static fn( $caps, $cap, $user, $args ) => $cap === 'read_post' ? Plugin::get( Guest::class )->let_read( $caps, (int) $user, $args ) : $caps, 11, 4 );
add_action( 'pre_get_posts', Plugin::hook_if( Guest::class, 'find', static fn( $query ) => $query->is_main_query() && $query->get( 'post_type' ) === PostType::NAME ), 11 );

// A guest who leaves a list by any way loses their link.
add_action( 'update_post_meta', static fn( $id, $post, $key, $value ) => $key === Meta::INVITEES && Plugin::get( Invitations::class )->forget_removed( (int) $post, $value ), 10, 4 );
add_action( 'delete_post_meta', static fn( $ids, $post, $key ) => $key === Meta::INVITEES && Plugin::get( Invitations::class )->forget_removed( (int) $post, '' ), 10, 3 );

Plugin::add( Page::class, array( 'invitation' => InvitationPage::class, 'lost-invitation' => LostInvitationPage::class, 'link' => ListLinkPage::class ) );
Plugin::add( ListPage::class, array( 'guests' => GuestsPage::class, 'cards' => CardsPage::class, 'news' => NewsPage::class ) );

Plugin::add( JobHandler::class, array( 'news' => ListNews::class ) );

Plugin::add( MailFacts::class, array_fill_keys( array( 'registry', 'invited' ), Invitations::class ) );
Plugin::add( MailOutcome::class, array( 'registry' => Invitations::class ) );
