<?php

declare(strict_types=1);

namespace Trousseau\Home;

use Trousseau\Lists\Meta;
use WP_Post;

/** Ten gifts that many people would like, by occasion, as a start for an empty list. */
final class StarterIdeas {

	public static function of( WP_Post $post ): array {
		return match ( Meta::event_type( $post->ID ) ) {
			'Baby', 'Christening' => array(
				__( 'Pram', 'trousseau' ), __( 'Baby carrier', 'trousseau' ), __( 'Cot', 'trousseau' ),
				__( 'Cot mobile', 'trousseau' ), __( 'Soft blanket', 'trousseau' ), __( 'Baby monitor', 'trousseau' ),
				__( 'High chair', 'trousseau' ), __( 'First picture books', 'trousseau' ),
				__( 'Clothes for the first months', 'trousseau' ), __( 'Home-cooked meals', 'trousseau' ),
			),
			'New home' => array(
				__( 'Cordless drill', 'trousseau' ), __( 'Floor lamp', 'trousseau' ), __( 'House plant', 'trousseau' ),
				__( 'Bath towels', 'trousseau' ), __( 'A good frying pan', 'trousseau' ), __( 'Kitchen knives', 'trousseau' ),
				__( 'Doormat', 'trousseau' ), __( 'Vacuum cleaner', 'trousseau' ), __( 'A picture for the wall', 'trousseau' ),
				__( 'A day of help with moving', 'trousseau' ),
			),
			'Wedding', '' => array(
				__( 'Cutlery', 'trousseau' ), __( 'Dinner plates', 'trousseau' ), __( 'Wine glasses', 'trousseau' ),
				__( 'Bed linen', 'trousseau' ), __( 'Bath towels', 'trousseau' ), __( 'A good frying pan', 'trousseau' ),
				__( 'Stand mixer', 'trousseau' ), __( 'Coffee machine', 'trousseau' ),
				__( 'Suitcase for the honeymoon', 'trousseau' ), __( 'Dinner for two', 'trousseau' ),
			),
			default => array(
				__( 'A favourite book', 'trousseau' ), __( 'Board game', 'trousseau' ), __( 'Concert tickets', 'trousseau' ),
				__( 'Dinner for two', 'trousseau' ), __( 'Flowers', 'trousseau' ), __( 'Headphones', 'trousseau' ),
				__( 'Backpack', 'trousseau' ), __( 'House plant', 'trousseau' ), __( 'A cooking class', 'trousseau' ),
				__( 'A day out together', 'trousseau' ),
			),
		};
	}
}
