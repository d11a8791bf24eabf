<?php

declare(strict_types=1);

namespace Trousseau\Page;

defined( 'ABSPATH' ) || exit;

use Trousseau\ApiClient;
use Trousseau\Claim;
use Trousseau\Form;
use Trousseau\Language;
use Trousseau\Link;
use Trousseau\Message;
use Trousseau\Page;
use Trousseau\PageRouter;
use Trousseau\ShopLink;
use Trousseau\Template;

/** One gift of a giver's: confirming it, saying that it is bought, changing one's mind. */
final class Gift extends Page {

	public function title(): string {
		return __( 'Your gift', 'trousseau' );
	}

	public function address(): string {
		$of = $_GET['of'] ?? '';
		return PageRouter::address( 'gift', 0, array( 'of' => is_string( $of ) ? $of : '' ) );
	}

	public function obstacle(): string {
		return $this->id() !== '' ? '' : Message::note( __( 'This link is incomplete. Open it from the mail again.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		$claim = ApiClient::of_site()->get_claim( $this->id() );
		if ( ! is_array( $claim ) ) {
			return Message::note( is_wp_error( $claim ) ? __( 'Your gift can’t be shown just now. Please come back in a moment.', 'trousseau' ) : __( 'This gift is not there any more.', 'trousseau' ), 'is-problem' );
		}
		return Template::html( 'gift', self::shown( $claim ) + array( 'address' => $this->address() ) );
	}

	public function handle( Form $form ): ?string {
		$claim = ApiClient::of_site()->get_claim( $this->id() );
		$state = array(
			'confirm' => 'reserved',
			'bought'  => 'purchased',
			'release' => 'released',
		)[ $form->action ] ?? '';
		$done  = is_array( $claim ) && $state !== '' ? Claim::change( $claim, array( 'state' => $state ) ) : $claim;
		if ( ! is_array( $done ) ) {
			$form->fault( '', ApiClient::status_of( $done ) === 409 ? __( 'That can’t be done any more: look at what became of it below.', 'trousseau' ) : $this->may_not_change_now( $done ) );
			return null;
		}
		// Whoever comes by the mail's link has the gift on this device from now on.
		Claim::remember( $done );
		Message::keep(
			match ( $done['state'] ) {
				'purchased' => __( 'Thank you! It is marked as bought.', 'trousseau' ),
				'released'  => __( 'It is free for others again.', 'trousseau' ),
				default     => __( 'Thank you! It is confirmed, and reserved for you.', 'trousseau' ),
			}
		);
		return $this->address();
	}

	/**
	 * A gift as its giver sees it.
	 *
	 * @return array<string, mixed>
	 */
	public static function shown( array $claim ): array {
		$item = ApiClient::of_site()->get_item( (int) $claim['item_id'] );
		$post = get_post( (int) $claim['registry_id'] );
		$item = is_array( $item ) ? $item : null;
		return array(
			'state'     => $claim['state'],
			'quantity'  => (int) $claim['quantity'],
			'gift'      => $item ? (string) $item['name'] : __( 'a gift that is no longer on the list', 'trousseau' ),
			'registry'  => $post ? \Trousseau\Registry::title( $post ) : '',
			'permalink' => $post ? (string) get_permalink( $post ) : '',
			'shop'      => $item && $post ? ShopLink::of( $item, $post->ID ) : '',
			'until'     => match ( true ) {
				! $claim['expires_at']         => '',
				$claim['state'] === 'pending' => Language::moment( (int) strtotime( $claim['expires_at'] ) ),
				default                        => Language::day( (int) strtotime( $claim['expires_at'] ) ),
			},
			'message'   => (string) $claim['message'],
			'thanked'   => $claim['thanked_at'] !== null,
			'link'      => Claim::link( $claim['id'] ),
		);
	}

	private function id(): string {
		return Link::read( 'gift', $_GET['of'] ?? '' );
	}
}
