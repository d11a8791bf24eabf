<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

/**
 * A form whose sender was signed out meanwhile. What was typed waits on their device, sealed and not for long, and stands in
 * the form again when they come back to it.
 */
final class Interrupted {

	private const COOKIE = 'typed';
	private const KEPT   = 30 * MINUTE_IN_SECONDS;

	/** Bytes that a browser surely keeps. */
	private const MOST = 2800;

	private static bool $is_kept = false;

	public static function keep( Form $form ): void {
		$sealed = Sealed::seal(
			array(
				'at'    => self::here(),
				'typed' => $form->typed(),
			)
		);
		if ( strlen( $sealed ) <= self::MOST ) {
			Cookie::set( self::COOKIE, $sealed, self::KEPT );
			self::$is_kept = true;
		}
	}

	/** Whether this request has kept something, so that the page can say so. */
	public static function is_kept(): bool {
		return self::$is_kept;
	}

	/** The form as it was typed, where it was interrupted here; else as it is. */
	public static function resume( Form $fresh ): Form {
		$kept = Sealed::open( Cookie::read( self::COOKIE ) );
		if ( ! is_array( $kept ) || $kept['at'] !== self::here() ) {
			return $fresh;
		}
		Cookie::clear( self::COOKIE );
		return Form::with( $kept['typed'] );
	}

	private static function here(): string {
		return (string) wp_unslash( $_SERVER['REQUEST_URI'] ?? '' );
	}
}
