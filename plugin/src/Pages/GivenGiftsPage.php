<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Registry\Meta;
use Trousseau\Registry\Surprise;
use Trousseau\Service\ItemService;
use Trousseau\Support\Download;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;

/** The page of the owner that says who gives what, as far as the surprise allows, and who was thanked. */
final class GivenGiftsPage extends OwnerPage {

	protected const NAME = 'given';

	public function __construct(
		private readonly Download $download,
		private readonly GiftLists $gift_lists,
		private readonly ItemService $item_service,
	) {
	}

	public function title(): string {
		return __( 'Gifts given', 'trousseau' );
	}

	public function html( Form $form ): string {
		$head = $this->head();
		if ( $this->is_surprise() ) {
			$until = Meta::surprise_until( $this->post->ID );
			return $head . Template::html(
				'surprise',
				array(
					'until'   => $until === 'always' ? '' : Language::day( (int) strtotime( "$until UTC" ), new \DateTimeZone( 'UTC' ) ),
					'details' => PageAddress::of( 'details', $this->post->ID ),
				)
			);
		}
		return $head . Template::html(
			'given',
			array(
				'rows'    => $this->rows(),
				'address' => $this->address(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( $this->is_surprise() ) {
			return $this->address();
		}
		$rows = $this->rows();
		if ( $form->action === 'save' ) {
			$head  = array( __( 'Gift', 'trousseau' ), __( 'Pieces', 'trousseau' ), _x( 'From', 'giver of a gift', 'trousseau' ), __( 'Address', 'trousseau' ), __( 'Message', 'trousseau' ), __( 'State', 'trousseau' ), __( 'Thanked', 'trousseau' ) );
			$cells = static fn( array $row ): array => array( $row['gift'], $row['quantity'], $row['giver'], $row['email'], $row['message'], $row['state'], $row['thanked'] ? __( 'yes', 'trousseau' ) : __( 'no', 'trousseau' ) );
			$this->download->send( 'given.csv', Download::CSV, $this->download->table( $head, array_map( $cells, $rows ) ) );
		}
		$id = $form->text( 'claim' );
		if ( ! in_array( $id, array_column( $rows, 'id' ), true ) ) {
			return $this->address();
		}
		$this->item_service->update_claim( $id, array( 'thanked' => $form->action === 'thanked' ) );
		return $this->address() . '#trousseau-claim-' . $id;
	}

	/** @return array<int, array<string, mixed>> */
	private function rows(): array {
		$answer = $this->item_service->registry_claims( $this->post->ID, (int) $this->post->post_author );
		$names  = array_column( $this->gift_lists->of( $this->post )->items ?? array(), 'name', 'id' );
		$rows   = array();
		foreach ( $answer['claims'] as $claim ) {
			if ( in_array( $claim['state'], array( 'reserved', 'purchased' ), true ) ) {
				$rows[] = array(
					'id'       => $claim['id'],
					'gift'     => $names[ $claim['item_id'] ] ?? __( 'a gift that is no longer on your list', 'trousseau' ),
					'quantity' => $claim['quantity'],
					'giver'    => $claim['giver']['name'] !== '' ? $claim['giver']['name'] : __( 'somebody', 'trousseau' ),
					'email'    => (string) $claim['giver']['email'],
					'message'  => (string) $claim['message'],
					'state'    => $claim['state'] === 'purchased' ? __( 'bought', 'trousseau' ) : __( 'will be bought', 'trousseau' ),
					'thanked'  => $claim['thanked_at'] !== null,
				);
			}
		}
		return $rows;
	}

	/** Applies to everybody: the owner could see over an administrator's shoulder. */
	private function is_surprise(): bool {
		return Surprise::is_on( $this->post->ID );
	}
}
