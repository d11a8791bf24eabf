<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Lock;
use Trousseau\Platform\MailRequest;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\RateLimiter;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;
use Trousseau\Service\IdempotencyKey;

/** The page that makes a new registry; visitors without an account fill it in first. */
final class NewRegistryPage extends Page {

	/** The most lists that the site keeps for all strangers together in a day. */
	private const DRAFTS = 2000;

	private const FIELDS = array( 'host', 'title', 'occasion', 'other', 'date', 'story', 'currency', 'status', 'surprise', 'until', 'reserved' );

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Lock $lock,
		private readonly MailRequest $mail_request,
		private readonly PictureUpload $picture_upload,
		private readonly RateLimiter $rate_limiter,
		private readonly RegistryDraft $registry_draft,
		private readonly RegistryForm $registry_form,
		private readonly Request $request,
	) {
	}

	public function title(): string {
		return __( 'Create your list', 'trousseau' );
	}

	public function obstacle(): string {
		$may = ! is_user_logged_in() || ( current_user_can( 'publish_registries' ) && ListMakers::includes( wp_get_current_user() ) );
		return $may ? '' : FlashMessage::note( Limits::no_maker(), 'is-problem' );
	}

	public function form(): Form {
		return new Form( $this->registry_draft->of_visitor() ?? array( 'occasion' => 'wedding', 'currency' => RegistryForm::usual_currency(), 'status' => 'private', 'surprise' => 'usual' ) );
	}

	public function html( Form $form ): string {
		$draft = $this->registry_draft->of_visitor();
		if ( $draft && ! is_user_logged_in() ) {
			return Template::html(
				'draft-kept',
				array(
					'form'       => $form,
					'title'      => (string) $draft['title'],
					'login'      => wp_login_url( $this->address() ),
					'is_offered' => OwnAccount::is_offered(),
					'address'    => $this->address(),
					'is_sent'    => $this->flash_message->has_kind( FlashMessage::SENT ),
				)
			);
		}
		return Template::html(
			'start',
			array(
				'form'      => $form,
				'fields'    => RegistryForm::fields( $form ) + array( 'asks_name' => ! is_user_logged_in() || Accounts::own_name( wp_get_current_user() ) === '' ),
				'address'   => $this->address(),
				'key'       => IdempotencyKey::field( 'new', $form->text( 'key' ) ),
				'is_known'  => is_user_logged_in(),
				'login'     => is_user_logged_in() || OwnAccount::is_offered() ? '' : wp_login_url( $this->address() ),
				'was_begun' => $draft !== null,
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( $form->action === 'forget' ) {
			$this->registry_draft->forget();
			return $this->address();
		}
		if ( $form->action === 'send' ) {
			return $this->send( $form );
		}
		if ( ! is_user_logged_in() ) {
			return $this->keep( $form );
		}
		$press = IdempotencyKey::of_form( $form, 'new' );
		// A database that takes no writes refuses the lock, too, and no press has made a list.
		if ( ! $this->lock->take( $press, MINUTE_IN_SECONDS ) && $GLOBALS['wpdb']->last_error === '' ) {
			// The list of another press of this form is on that page.
			return PageAddress::of( 'mine' );
		}
		$id = $this->registry_form->make( $form );
		if ( ! $id ) {
			$this->lock->release( $press );
			return null;
		}
		$this->registry_draft->forget();
		$picture = $this->picture_upload->upload( RegistryForm::UPLOAD, get_post( $id ) );
		if ( is_int( $picture ) ) {
			set_post_thumbnail( $id, $picture );
		}
		$this->flash_message->keep( is_wp_error( $picture ) ? $picture->get_error_message() : __( 'Your list is ready.', 'trousseau' ), is_wp_error( $picture ) ? 'is-problem' : 'is-answer' );
		return PageAddress::of( 'home', $id );
	}

	/** Keeps the list of someone without an account. */
	private function keep( Form $form ): ?string {
		RegistryForm::check( $form );
		if ( ! $form->is_sound() ) {
			return null;
		}
		if ( ! $this->rate_limiter->allows( 'draft', $this->request->visitor(), 20, HOUR_IN_SECONDS ) || ! $this->rate_limiter->allows( 'drafts', '', self::DRAFTS, DAY_IN_SECONDS ) ) {
			$form->fault( '', __( 'Too many lists were created in a short time. Please come back in an hour.', 'trousseau' ) );
			return null;
		}
		$this->registry_draft->keep( array_combine( self::FIELDS, array_map( static fn( string $field ): string => mb_substr( $form->lines( $field ), 0, RegistryForm::MAX_STORY ), self::FIELDS ) ) );
		return $this->address();
	}

	/** Sends the email by which its reader finishes the list that is kept, with a new account. */
	private function send( Form $form ): ?string {
		if ( ! $this->registry_draft->of_visitor() || ! OwnAccount::is_offered() ) {
			return null;
		}
		$values  = fn( string $email ): array => array( 'link' => FinishListPage::link( $this->registry_draft->token(), $email ) );
		$missing = __( 'Enter your email, so only you can change your list.', 'trousseau' );
		/* translators: %s: email address */
		$said = __( 'Check your inbox and your spam folder: we’ve sent a link to %s. Open it to finish your list.', 'trousseau' );
		return $this->mail_request->send( $form, 'finish-list', $values, array(), $missing, $said ) ? $this->address() : null;
	}
}
