<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\ClaimKind;
use Trousseau\Lists\ListField;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Meta;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// The watch follows all shares of a list, and its day.
add_action( 'trousseau_claim_made', static fn( $post, $item, $claim ) => $claim->is_share() && Plugin::get( BuyerWatch::class )->look( $post->ID ), 10, 3 );
add_action( 'trousseau_claim_changed', static fn( $before, $after ) => $after->is_share() && Plugin::get( BuyerWatch::class )->look( $after->registry_id ), 10, 2 );
add_action( 'added_post_meta', Plugin::hook_if( BuyerWatch::class, 'look_at_day', static fn( $id, $post_id, $key ) => $key === Meta::EVENT_DATE ), 10, 3 );
add_action( 'updated_post_meta', Plugin::hook_if( BuyerWatch::class, 'look_at_day', static fn( $id, $post_id, $key ) => $key === Meta::EVENT_DATE ), 10, 3 );
add_action( 'trousseau_change_reported', Plugin::hook( BuyerWatch::class, 'look' ) );
// This site isn't told of what it has written itself, such as another goal.
add_action( 'trousseau_written', static fn( $id ) => Plugin::get( BuyerWatch::class )->look_at_day( 0, $id ) );
add_action( 'trousseau_gift_moved', Plugin::hook( BuyerWatch::class, 'moved' ), 10, 3 );

// Claims on money.
Plugin::add( ClaimKind::class, array( 'shares' => Shares::class ) );

// The place of shares, in a list's details.
Plugin::add( ListField::class, array( 'pay_to' => PayToField::class ) );

Plugin::add( JobHandler::class, array( 'buyer' => BuyerWatch::class ) );

// Emails about shares, which are sent only while they are true.
Plugin::add( MailFacts::class, array_fill_keys( array( 'share', 'shares' ), ShareMails::class ) );
