<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListField;
use Trousseau\Platform\Form;

/** The owners' choice whether guests may tell each other of gifts that aren't on the list. */
final class SecretGiftsField extends ListField {

	public const PART = 'privacy';

	public function __construct( private readonly SecretGifts $secret_gifts ) {
	}

	public static function label(): string {
		return __( 'May guests tell each other about gifts that aren’t on the list?', 'trousseau' );
	}

	public static function html( Form $form ): string {
		return $form->choice(
			'extras',
			self::label(),
			array(
				'no'  => array( __( 'No', 'trousseau' ) ),
				'yes' => array( __( 'Yes', 'trousseau' ) ),
			),
			'is-row',
			__( 'Invited guests see them, so nobody gives the same thing. You’ll see them once you can see who gives what.', 'trousseau' )
		);
	}

	public static function value( int $post_id ): string {
		return SecretGifts::are_on( $post_id ) ? 'yes' : 'no';
	}

	public function store( int $post_id, string $value ): void {
		$this->secret_gifts->set( $post_id, $value === 'yes' );
	}
}
