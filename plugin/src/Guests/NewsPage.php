<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListPage;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/** The page on which guests turn emails about new gifts on or off. */
final class NewsPage extends ListPage {

	public function __construct( private readonly Guest $guest, private readonly ListNews $list_news ) {
	}

	public function title(): string {
		return __( 'Emails about new gifts', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->guest->listed_as( $this->post ) !== '' ? '' : $this->sign_in( __( 'Log in or open the link in your invitation: these emails are for guests.', 'trousseau' ), may_be_guest: true );
	}

	public function html( Form $form ): string {
		return Template::html(
			'news',
			array(
				'address'  => $this->address(),
				'registry' => Language::isolate( Registries::title( $this->post ) ),
				'back'     => (string) get_permalink( $this->post ),
				'follows'  => in_array( $this->guest->listed_as( $this->post ), Invitations::followers( $this->post ), true ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$this->list_news->follow( $this->post, $this->guest->listed_as( $this->post ), $form->action === 'begin' );
		return $this->address();
	}
}
