<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Lists\ListPage;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Page;
use Trousseau\Lists\PostType;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

add_action( 'trousseau_claim_made', Plugin::hook( ClaimMails::class, 'made' ), 10, 4 );
add_action( 'trousseau_claim_changed', Plugin::hook( ClaimMails::class, 'changed' ), 10, 2 );
add_action( 'trousseau_gift_removed', Plugin::hook( ClaimMails::class, 'removed' ), 10, 3 );
add_action( 'trousseau_got_elsewhere', Plugin::hook( ClaimMails::class, 'got_elsewhere' ), 10, 2 );
add_filter( 'trousseau_list_goes', Plugin::hook( GoneLists::class, 'may_go_at_once' ), 10, 2 );
add_action( 'transition_post_status', Plugin::hook_if( GoneLists::class, 'put_back', static fn( $after, $before, $post ) => $before === 'trash' && $after !== 'trash' && $post->post_type === PostType::NAME ), 10, 3 );
add_action( 'wp_trash_post', Plugin::hook( GoneLists::class, 'goes' ) );
add_action( 'before_delete_post', Plugin::hook( GoneLists::class, 'goes' ) );

Plugin::add( Page::class, array( 'gift' => MyGiftPage::class, 'my-gifts' => MyGiftsPage::class ) );
Plugin::add( ListPage::class, array( 'give' => GivePage::class, 'secret' => SecretGiftsPage::class ) );
Plugin::add( ListField::class, array( 'extras' => SecretGifts::class ) );

// The kind of all claims that no other feature takes.
Plugin::add( ClaimKind::class, array( 'pieces' => Pieces::class ) );

Plugin::add( JobHandler::class, array( 'gift-lost' => ClaimMails::class, 'list-gone' => GoneLists::class ) );

// Emails about gifts, which are sent only while they are true.
Plugin::add( MailFacts::class, array( 'released' => ClaimMails::class, 'gone' => GoneLists::class, 'claim' => ClaimMails::class ) );

Plugin::add( AdminAction::class, array( 'trousseau_release' => UninvitedScreen::class ) );
