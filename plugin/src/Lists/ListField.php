<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Form;
use Trousseau\Plugin;
use Trousseau\Service\Claim;

/** A field that a feature adds to a list's details. Its key is its name in the form. */
abstract class ListField {

	/** The page of a list's details that has it: a key of `RegistryForm::PARTS`. */
	public const PART = 'delivery';

	/** Whether it has several lines. */
	public const HAS_LINES = false;

	/** Whether a copy of the list and its file have it, too. */
	public const IS_COPIED = false;

	/** The most characters of its value. */
	public const LONGEST = 500;

	/** @return array<string, class-string<self>> */
	public static function copied(): array {
		return array_filter( Plugin::parts( self::class ), static fn( string $field ): bool => $field::IS_COPIED );
	}

	abstract public static function label(): string;

	abstract public static function html( Form $form ): string;

	/** Returns the stored value, as the form shows it. */
	abstract public static function value( int $post_id ): string;

	/** What it tells the giver of this claim, such as where to send the gift. Empty while they may not know. */
	public static function for_giver( Claim $claim ): string {
		return '';
	}

	/** Notes faults on the form. */
	public static function check( Form $form, string $stored ): void {
	}

	/** Its label in an export of personal data. Empty if it holds none. */
	public static function personal(): string {
		return '';
	}

	/** Deletes what a former owner of the list has entered. */
	public function forget( int $post_id ): void {
	}

	abstract public function store( int $post_id, string $value ): void;
}
