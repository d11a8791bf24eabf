<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftList;
use Trousseau\Registry\Meta;
use Trousseau\Registry\Surprise;
use Trousseau\Service\ItemService;
use Trousseau\Support\Download;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\Language;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;
use WP_Error;

/** The page of the owner that says who gives what, as far as the surprise allows, and who was thanked. */
final class GivenGiftsPage extends Page {

	public function title(): string {
		return __( 'What is given', 'trousseau' );
	}

	public function address(): string {
		return PageAddress::of( 'given', $this->post->ID );
	}

	public function obstacle(): string {
		return $this->unless_owner();
	}

	public function html( Form $form ): string {
		$head = OwnerTabs::html( $this->post, 'given' );
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
		$rows = $this->rows();
		return $head . ( is_wp_error( $rows )
			? FlashMessage::note( __( 'This can’t be shown just now. Please come back in a moment.', 'trousseau' ), 'is-problem' )
			: Template::html(
				'given',
				array(
					'rows'    => $rows,
					'address' => $this->address(),
				)
			) );
	}

	public function handle( Form $form ): ?string {
		if ( $this->is_surprise() ) {
			return $this->address();
		}
		$rows = $this->rows();
		if ( is_wp_error( $rows ) ) {
			$form->fault( '', $this->may_not_change_now( $rows ) );
			return null;
		}
		if ( $form->action === 'save' ) {
			Download::send_table( 'given', array( __( 'Gift', 'trousseau' ), __( 'Pieces', 'trousseau' ), _x( 'From', 'giver of a gift', 'trousseau' ), __( 'Address', 'trousseau' ), __( 'Message', 'trousseau' ), __( 'State', 'trousseau' ), __( 'Thanked', 'trousseau' ) ), array_map( static fn( array $row ): array => array( $row['gift'], $row['quantity'], $row['giver'], $row['email'], $row['message'], $row['state'], $row['thanked'] ? __( 'yes', 'trousseau' ) : __( 'no', 'trousseau' ) ), $rows ) );
		}
		$id = $form->text( 'claim' );
		if ( ! in_array( $id, array_column( $rows, 'id' ), true ) ) {
			return $this->address();
		}
		$done = ItemService::of_site()->update_claim( $id, array( 'thanked' => $form->action === 'thanked' ) );
		if ( ! is_array( $done ) ) {
			$form->fault( '', $this->may_not_change_now( $done ) );
			return null;
		}
		return $this->address() . '#trousseau-claim-' . $id;
	}

	/** @return array<int, array<string, mixed>>|WP_Error */
	private function rows(): array|WP_Error {
		$answer = ItemService::of_site()->registry_claims( $this->post->ID, (int) $this->post->post_author );
		if ( ! is_array( $answer ) ) {
			return is_wp_error( $answer ) ? $answer : new WP_Error( 'api_error', '' );
		}
		$names = array_column( GiftList::of( $this->post )->items ?? array(), 'name', 'id' );
		$rows  = array();
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

	/** For everybody: a page that shows more to an administrator is one glance over a shoulder from the owner. */
	private function is_surprise(): bool {
		return Surprise::is_on( $this->post->ID );
	}
}
