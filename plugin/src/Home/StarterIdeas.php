<?php

declare(strict_types=1);

namespace Trousseau\Home;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Meta;
use WP_Post;

/** Ten gifts that many people would like, by occasion, as a start for an empty list. */
final class StarterIdeas {

	/** @return array<string, string> Name of an idea in the form → its words. */
	public static function of( WP_Post $post ): array {
		return match ( Meta::event_type( $post->ID ) ) {
			'Baby', 'Christening' => array(
				'pram'      => __( 'Pram', 'trousseau' ),
				'carrier'   => __( 'Baby carrier', 'trousseau' ),
				'cot'       => __( 'Cot', 'trousseau' ),
				'mobile'    => __( 'Cot mobile', 'trousseau' ),
				'blanket'   => __( 'Soft blanket', 'trousseau' ),
				'monitor'   => __( 'Baby monitor', 'trousseau' ),
				'highchair' => __( 'High chair', 'trousseau' ),
				'books'     => __( 'First picture books', 'trousseau' ),
				'clothes'   => __( 'Clothes for the first months', 'trousseau' ),
				'meals'     => __( 'Home-cooked meals', 'trousseau' ),
			),
			'New home' => array(
				'drill'     => __( 'Cordless drill', 'trousseau' ),
				'lamp'      => __( 'Floor lamp', 'trousseau' ),
				'plant'     => __( 'House plant', 'trousseau' ),
				'towels'    => __( 'Bath towels', 'trousseau' ),
				'pan'       => __( 'A good frying pan', 'trousseau' ),
				'knives'    => __( 'Kitchen knives', 'trousseau' ),
				'doormat'   => __( 'Doormat', 'trousseau' ),
				'vacuum'    => __( 'Vacuum cleaner', 'trousseau' ),
				'picture'   => __( 'A picture for the wall', 'trousseau' ),
				'help'      => __( 'A day of help with moving', 'trousseau' ),
			),
			'Wedding', '' => array(
				'cutlery'   => __( 'Cutlery', 'trousseau' ),
				'plates'    => __( 'Dinner plates', 'trousseau' ),
				'glasses'   => __( 'Wine glasses', 'trousseau' ),
				'linen'     => __( 'Bed linen', 'trousseau' ),
				'towels'    => __( 'Bath towels', 'trousseau' ),
				'pan'       => __( 'A good frying pan', 'trousseau' ),
				'mixer'     => __( 'Stand mixer', 'trousseau' ),
				'coffee'    => __( 'Coffee machine', 'trousseau' ),
				'suitcase'  => __( 'Suitcase for the honeymoon', 'trousseau' ),
				'dinner'    => __( 'Dinner for two', 'trousseau' ),
			),
			default => array(
				'book'      => __( 'A favourite book', 'trousseau' ),
				'game'      => __( 'Board game', 'trousseau' ),
				'tickets'   => __( 'Concert tickets', 'trousseau' ),
				'dinner'    => __( 'Dinner for two', 'trousseau' ),
				'flowers'   => __( 'Flowers', 'trousseau' ),
				'headphones' => __( 'Headphones', 'trousseau' ),
				'backpack'  => __( 'Backpack', 'trousseau' ),
				'plant'     => __( 'House plant', 'trousseau' ),
				'class'     => __( 'A cooking class', 'trousseau' ),
				'day'       => __( 'A day out together', 'trousseau' ),
			),
		};
	}
}
