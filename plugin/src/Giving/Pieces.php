<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\GotElsewhere;
use Trousseau\Lists\Meta;
use Trousseau\Lists\ReservationTime;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use WP_Post;

/** Claims on pieces: gifts that one guest buys. */
final class Pieces extends ClaimKind {

	public function __construct( private readonly Claims $claims ) {
	}

	public static function takes( Claim $claim ): bool {
		return true;
	}

	public function html( array $view, Claim $claim, ?WP_Post $post, ?Item $item, Form $form ): string {
		$until    = $post && $item && $claim->state === 'reserved' ? ReservationTime::longer( $post, $claim->ends_at() ) : 0;
		$delivery = $post && ! $view['is_lost'] && Givers::is_let_in( $post, $claim ) ? Claims::destination( $claim ) : '';
		return Template::html(
			'pieces',
			array(
				'shop'        => $claim->state === 'reserved' ? $view['shop'] : '',
				'form'        => $form->action === 'change' ? $form : new Form( array( 'count' => $claim->quantity, 'message' => $claim->message ) ),
				'most'        => $item ? $item->most( $claim->quantity ) : $claim->quantity,
				'longer'      => $until,
				/* translators: %s: date */
				'keep'        => sprintf( __( 'Keep it reserved until %s', 'trousseau' ), Language::day( $until ) ),
				'delivery'    => $delivery,
				'steps'       => $post && $view['is_new'] && ! $view['is_lost'] && $claim->state === 'reserved' ? array_values( array_filter( self::steps( $view['until'], $delivery !== '', $post->ID ) ) ) : array(),
				'notes'       => match ( true ) {
					! $post || $view['is_lost'] => '',
					$claim->state === 'reserved' && GotElsewhere::has( $post->ID, $claim->item_id )
						=> __( 'They already have this. Choose something else?', 'trousseau' ),
					$claim->state === 'purchased' && ! $view['thanked']
						=> trim( ( $delivery === '' ? self::when_to_give( $post->ID ) . ' ' : '' )
							. Surprise::words( $post->ID ) ),
					default => '',
				},
			) + $view
		);
	}

	/** @return string[] What happens after somebody has said that they'll buy it. */
	private static function steps( string $until, bool $is_sent, int $registry ): array {
		return array(
			/* translators: %s: date */
			sprintf( $is_sent ? __( 'Please buy it by %s and have it sent to:', 'trousseau' ) : __( 'Please buy it by %s.', 'trousseau' ), $until ),
			__( 'Come back to this page and choose “I’ve bought it”.', 'trousseau' ),
			$is_sent ? '' : self::when_to_give( $registry ),
		);
	}

	/** When the giver hands it over. Empty without a day to come. */
	private static function when_to_give( int $registry ): string {
		$day = Meta::event_date( $registry );
		/* translators: %s: date */
		return $day >= wp_date( 'Y-m-d' ) ? sprintf( __( 'Give it to them on %s.', 'trousseau' ), Language::calendar_day( $day ) ) : '';
	}

	public function press( Form $form, Claim $claim, ?WP_Post $post, ?Item $item ): ?Claim {
		$changes = match ( $form->action ) {
			'bought' => array( 'state' => 'purchased' ),
			'change' => self::typed( $form, $claim, $item ),
			'confirm' => $this->claims->is_bought( $claim ) ? array( 'state' => 'purchased' ) : self::common( $form, $claim, $post ),
			default  => self::common( $form, $claim, $post ),
		};
		if ( ! $form->is_sound() ) {
			return null;
		}
		return $changes ? $this->claims->change( $claim, $changes ) : $claim;
	}

	private static function typed( Form $form, Claim $claim, ?Item $item ): array {
		$count = $form->text( 'count' ) === '' ? $claim->quantity : $form->number( 'count' );
		if ( $count < 1 ) {
			$form->fault( 'count', __( 'Enter at least 1. If you’re giving none, choose “Cancel my gift”.', 'trousseau' ) );
		}
		if ( $item && $item->is_any_number() && $count > $item->most( $claim->quantity ) ) {
			/* translators: %s: number of pieces */
			$form->fault( 'count', sprintf( __( 'You can give up to %s.', 'trousseau' ), number_format_i18n( $item->most( $claim->quantity ) ) ) );
		}
		return array( 'quantity' => $count, 'message' => self::message( $form ) );
	}

	public function answer( string $action, Claim $before, Claim $after, ?Item $item ): string {
		$until = Language::day( $after->ends_at() );
		return match ( true ) {
			$action === 'change'            => __( 'Your changes are saved.', 'trousseau' ),
			$after->state === 'purchased' => __( 'Thank you! It’s marked as bought.', 'trousseau' ),
			$after->state === 'released'  => $item && Givers::obstacle( get_post( $after->registry_id ), $item->id ) === '' ? __( 'Your gift is cancelled, so others can give it now.', 'trousseau' ) : __( 'Your gift is cancelled.', 'trousseau' ),
			/* translators: %s: date */
			$action === 'keep'              => sprintf( __( 'Done: it’s now reserved for you until %s.', 'trousseau' ), $until ),
			/* translators: %s: date */
			default                         => sprintf( __( 'Thank you! It’s confirmed, and reserved for you until %s.', 'trousseau' ), $until ),
		};
	}

	public function refusal( Form $form ): array {
		return $form->action === 'change' ? array( 'count', __( 'Fewer are needed now, or someone has changed this gift. Check the number and try again.', 'trousseau' ) ) : array( '', self::has_changed() );
	}
}
