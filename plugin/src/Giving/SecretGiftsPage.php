<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Guests\Guest;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Closing;
use Trousseau\Lists\ListPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\Template;

/** The page on which a list's guests tell each other what they give that isn't on the list. */
final class SecretGiftsPage extends ListPage {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Givers $givers,
		private readonly Guest $guest,
		private readonly SecretGifts $secret_gifts,
	) {
	}

	public function title(): string {
		return __( 'Gifts not on the list', 'trousseau' );
	}

	public function obstacle(): string {
		if ( $this->guest->listed_as( $this->post ) === '' ) {
			return $this->sign_in( __( 'Log in or open the link in your invitation: this page is for guests.', 'trousseau' ), may_be_guest: true );
		}
		return SecretGifts::are_on( $this->post->ID ) ? '' : FlashMessage::note( __( 'The owners haven’t turned this on for their list.', 'trousseau' ), 'is-problem' );
	}

	public function form(): Form {
		return new Form( array( 'giver' => $this->givers->of_visitor( $this->post )->name ) );
	}

	public function html( Form $form ): string {
		return Template::html(
			'secret',
			array(
				'form'     => $form,
				'address'  => $this->address(),
				'registry' => Language::isolate( Registries::title( $this->post ) ),
				'back'     => (string) get_permalink( $this->post ),
				'closed'   => Closing::is_over( $this->post ),
				'until'    => Surprise::words( $this->post->ID ),
				'gifts'    => array_map( fn( array $gift ): array => $gift + array( 'is_own' => SecretGifts::is_by( $gift, $this->guest->listed_as( $this->post ) ) ), SecretGifts::of( $this->post ) ),
				'named'    => is_user_logged_in(),
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( $form->action === 'remove' ) {
			$this->secret_gifts->remove( $this->post, $this->guest->listed_as( $this->post ), $form->text( 'gift' ) );
			$this->flash_message->keep( __( 'Removed.', 'trousseau' ) );
			return $this->address();
		}
		if ( Closing::is_over( $this->post ) ) {
			return $this->address();
		}
		$text  = $form->needs( 'text', SecretGifts::LONGEST_TEXT, __( 'Say what you’re giving.', 'trousseau' ) );
		$giver = $this->givers->of_form( $this->post, $form );
		$giver->user_id || $form->needs( 'giver', Accounts::LONGEST_NAME, __( 'Enter your name, so the others know who it’s from.', 'trousseau' ) );
		if ( ! $form->is_sound() ) {
			return null;
		}
		if ( ! $this->secret_gifts->add( $this->post, $this->guest->listed_as( $this->post ), $giver->name, $text ) ) {
			$form->fault( '', __( 'You can’t add any more gifts here.', 'trousseau' ) );
			return null;
		}
		$this->givers->remember( $giver );
		$this->flash_message->keep( __( 'The other guests can see it now.', 'trousseau' ) );
		return $this->address();
	}
}
