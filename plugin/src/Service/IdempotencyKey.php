<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Trousseau\Platform\Encryption;
use Trousseau\Platform\Form;
use Trousseau\Platform\SignedToken;

/**
 * Keys under which the service does something once, however often it is asked. All of them come from the plugin's single
 * account, so they carry a purpose and a user, and nobody can guess the key of someone else.
 */
final class IdempotencyKey {

	public static function make( string $purpose ): string {
		return self::named( $purpose, bin2hex( random_bytes( 16 ) ) );
	}

	/** The hidden field of a form. A value that this site signed for the same purpose stays when the form is shown again. */
	public static function field( string $purpose, string $sent = '' ): string {
		return SignedToken::read( "key $purpose", $sent ) === '' ? SignedToken::sign( "key $purpose", bin2hex( random_bytes( 16 ) ) ) : $sent;
	}

	/** The key of a form that was sent; a new one where this site did not sign the field for this purpose. */
	public static function of_form( Form $form, string $purpose ): string {
		$token = SignedToken::read( "key $purpose", $form->text( 'key' ) );
		return $token === '' ? self::make( $purpose ) : self::named( $purpose, $token );
	}

	private static function named( string $purpose, string $token ): string {
		$user = get_current_user_id();
		return "$purpose-$user-" . Encryption::hash( 'idempotency key', "$purpose $user $token" );
	}
}
