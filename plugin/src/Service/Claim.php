<?php

declare(strict_types=1);

namespace Trousseau\Service;

/** Pieces of an item, or a share of its price, that someone gives, as the service sends it. Users wrote the text in it, so pages escape it. */
final class Claim {

	public readonly string $id;
	public readonly int $registry_id;
	public readonly int $item_id;

	/** Pieces; of a share, minor units of the registry's currency. */
	public readonly int $quantity;

	/** Such as `pending`, `reserved`, `purchased`, `released` or `expired`. */
	public readonly string $state;

	/** The giver's account; 0 without one. */
	public readonly int $user_id;

	public readonly string $name;
	public readonly string $email;
	public readonly string $message;

	/** The time at which its state ends; null: never. */
	public readonly ?string $expires_at;

	public readonly string $created_at;
	public readonly string $updated_at;
	public readonly bool $is_thanked;

	/** Whether the giver of a share buys the gift for all, and where the others are to send theirs. */
	public readonly bool $buys;
	public readonly string $pay_to;

	public function __construct( public readonly array $answer ) {
		$giver             = (array) ( $answer['giver'] ?? array() );
		$this->id          = (string) ( $answer['id'] ?? '' );
		$this->registry_id = (int) ( $answer['registry_id'] ?? 0 );
		$this->item_id     = (int) ( $answer['item_id'] ?? 0 );
		$this->quantity    = (int) ( $answer['quantity'] ?? 0 );
		$this->state       = (string) ( $answer['state'] ?? '' );
		$this->user_id     = (int) ( $giver['user_id'] ?? 0 );
		$this->name        = (string) ( $giver['name'] ?? '' );
		$this->email       = (string) ( $giver['email'] ?? '' );
		$this->message     = (string) ( $answer['message'] ?? '' );
		$this->expires_at  = $answer['expires_at'] ?? null;
		$this->created_at  = (string) ( $answer['created_at'] ?? '' );
		$this->updated_at  = (string) ( $answer['updated_at'] ?? '' );
		$this->is_thanked  = isset( $answer['thanked_at'] );
		$this->buys        = ! empty( $answer['buys'] );
		$this->pay_to      = (string) ( $answer['pay_to'] ?? '' );
	}

	/** Whether its giver has confirmed it, and has not taken it back. */
	public function is_given(): bool {
		return in_array( $this->state, array( 'reserved', 'purchased' ), true );
	}

	/** Whether it holds its pieces, perhaps still unconfirmed. */
	public function is_open(): bool {
		return $this->state === 'pending' || $this->is_given();
	}

	/** Whether it is a share of a group gift, which has more fields. */
	public function is_share(): bool {
		return array_key_exists( 'buys', $this->answer );
	}

	/** The time at which its state ends; 0: never. */
	public function ends_at(): int {
		return (int) strtotime( (string) $this->expires_at );
	}

	/** Whether the answer says what has become of the item, though it may be off its list. */
	public function knows_item(): bool {
		return array_key_exists( 'item', $this->answer );
	}

	/** The item that came along; null: it is off its list. */
	public function item(): ?Item {
		return isset( $this->answer['item'] ) ? new Item( $this->answer['item'] ) : null;
	}

	public function with( array $fields ): self {
		return new self( $fields + $this->answer );
	}
}
