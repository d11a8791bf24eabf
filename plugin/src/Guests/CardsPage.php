<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;

/** The page that prints a list's QR code with its name: one large card, or eight small ones for the tables. */
final class CardsPage extends OwnerPage {

	private const SEVERAL = 8;

	/** Only the page of guests leads here. */
	public static function tab(): string {
		return GuestsPage::tab();
	}

	public function title(): string {
		return __( 'Cards to print', 'trousseau' );
	}

	public function html( Form $form ): string {
		return $this->head() . Template::html(
			'cards',
			array(
				'post'    => $this->post,
				'name'    => Registries::title( $this->post ),
				'share'   => GuestsPage::shared_address( $this->post ),
				'picture' => (string) get_the_post_thumbnail_url( $this->post, 'large' ),
				'count'   => isset( $_GET['eight'] ) ? self::SEVERAL : 1,
				'one'     => $this->address(),
				'several' => PageAddress::of( 'cards', $this->post->ID, array( 'eight' => 1 ) ),
				'guests'  => PageAddress::of( 'guests', $this->post->ID ),
			)
		);
	}
}
