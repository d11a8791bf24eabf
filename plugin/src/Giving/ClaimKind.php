<?php

declare(strict_types=1);

namespace Trousseau\Giving;

use Trousseau\Lists\ReservationTime;
use Trousseau\Platform\Form;
use Trousseau\Plugin;
use Trousseau\Service\Claim;
use Trousseau\Service\Item;
use WP_Post;

/** A kind of claims, such as shares of a group gift: its page, its buttons and its words. Features add theirs; pieces are the kind of all others. */
abstract class ClaimKind {

	/** The most characters of a giver’s message. */
	public const MAX_MESSAGE = 500;

	public static function of( Claim $claim ): self {
		$kinds = array_filter( Plugin::parts( self::class ), static fn( string $kind ): bool => $kind::takes( $claim ) );
		// Pieces, which take every claim, were added first.
		return Plugin::get( end( $kinds ) );
	}

	/** @return self[] Those that features have added. */
	public static function all(): array {
		return array_map( array( Plugin::class, 'get' ), array_values( Plugin::parts( self::class ) ) );
	}

	abstract public static function takes( Claim $claim ): bool;

	/** A claim’s state and buttons on its giver’s page, as HTML. The view is what the page knows of every claim; a gift off its list is null. */
	abstract public function html( array $view, Claim $claim, ?WP_Post $post, ?Item $item, Form $form ): string;

	/** Handles a press on that page. Returns the changed claim, or null and an error on the form if it isn’t possible. */
	abstract public function press( Form $form, Claim $claim, ?WP_Post $post, ?Item $item ): ?Claim;

	/** What the giver reads after a press. */
	abstract public function answer( string $action, Claim $before, Claim $after, ?Item $item ): string;

	/** Why the service refused a press that the page allowed. @return array{0: string, 1: string} The field, and words. */
	abstract public function refusal( Form $form ): array;

	/** Whether one press may undo the cancelling of an open claim. */
	public function may_undo( Claim $claim ): bool {
		return true;
	}

	/** How far its claims are, in words for the owners. @return array<string, string> By the ids of claims. */
	public function stages( WP_Post $post, array $claims ): array {
		return array();
	}

	/**
	 * What givers read when their list is deleted, besides their gifts.
	 *
	 * @param Claim[] $claims All claims of the list.
	 * @return array<string, array{0: string, 1: array<string, mixed>}> Template and values, by the ids of claims.
	 */
	public function when_gone( WP_Post $post, array $claims ): array {
		return array();
	}

	/** @return array{0: string, 1: string}[] Label and value of what it knows about a claim’s giver. */
	public function personal( Claim $claim ): array {
		return array();
	}

	/** What an administrator should know who erases the giver of these claims. @return string[] */
	public function warnings( array $claims ): array {
		return array();
	}

	/** What a giver reads whose press came too late. */
	public static function has_changed(): string {
		return __( 'You can’t do this any more, because your gift has changed. Here’s where things stand now.', 'trousseau' );
	}

	/** The changes of the buttons that every kind has: to confirm, to cancel and to keep a claim. */
	protected static function common( Form $form, Claim $claim, ?WP_Post $post ): array {
		switch ( $form->action ) {
			case 'confirm':
				return array( 'state' => 'reserved' ) + ( $post && $claim->state === 'pending' ? ReservationTime::for_service( $post ) : array() );
			case 'release':
				return array( 'state' => 'released' );
			case 'keep':
				// The time is the one on the button, however often it is pressed.
				$ends  = $claim->ends_at();
				$until = $post ? min( $form->number( 'until' ), ReservationTime::longer( $post, $ends ) ) : 0;
				return $claim->state !== 'reserved' || $until > $ends ? array( 'expires_in' => max( MINUTE_IN_SECONDS, $until - time() ) ) : array();
		}
		return array();
	}

	protected static function message( Form $form ): ?string {
		$message = $form->needs( 'message', self::MAX_MESSAGE );
		return $message === '' ? null : $message;
	}
}
