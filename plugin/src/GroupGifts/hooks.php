<?php

declare(strict_types=1);

namespace Trousseau\GroupGifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\ClaimKind;
use Trousseau\Lists\ListField;
use Trousseau\Lists\MailFacts;
use Trousseau\Lists\Meta;
use Trousseau\Lists\PostType;
use Trousseau\Platform\JobHandler;
use Trousseau\Plugin;

// Notes follow their share, and the watch follows all shares of a list.
add_action( 'trousseau_claim_changed', Plugin::hook( ShareNotes::class, 'changed' ), 10, 2 );
add_action( 'trousseau_claim_made', Plugin::hook( BuyerWatch::class, 'made' ), 10, 3 );
add_action( 'trousseau_claim_changed', Plugin::hook( BuyerWatch::class, 'changed' ), 10, 2 );
add_action( 'trousseau_change_reported', Plugin::hook( BuyerWatch::class, 'look' ) );
foreach ( array( 'added', 'updated', 'deleted' ) as $trousseau_change ) {
	add_action( "{$trousseau_change}_post_meta", static fn( $meta, $id, $key ) => $key === Meta::PAY_TO && Plugin::get( BuyerWatch::class )->look( (int) $id ), 10, 3 );
}
add_action( 'deleted_post', static fn( $id, $post ) => $post->post_type === PostType::NAME && Plugin::get( ShareNotes::class )->forget( (int) $id ), 10, 2 );

// They all follow a gift to another list.
add_action( 'trousseau_gift_moved', Plugin::hook( ShareNotes::class, 'move' ), 10, 4 );
add_action( 'trousseau_gift_moved', Plugin::hook( BuyerWatch::class, 'move' ), 10, 3 );

// Claims on money.
Plugin::add( ClaimKind::class, array( 'shares' => Shares::class ) );

// The place of shares, in a list's details.
Plugin::add( ListField::class, array( 'pay_to' => PayToField::class ) );

// Jobs.
Plugin::add(
	JobHandler::class,
	array(
		'buyer'  => BuyerWatch::class,
		'shares' => ShareMails::class,
	)
);

// Emails about shares, which are sent only while they are true.
Plugin::add( MailFacts::class, array_fill_keys( array( 'share', 'shares' ), ShareMails::class ) );
