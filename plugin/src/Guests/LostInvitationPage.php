<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Page;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\MailRequest;

/** The page on which guests ask for their invitations once more. It answers the same whether an address is invited or not. */
final class LostInvitationPage extends Page {

	public function __construct( private readonly FlashMessage $flash_message, private readonly MailRequest $mail_request ) {
	}

	public function title(): string {
		return __( 'Lost your invitation?', 'trousseau' );
	}

	public function html( Form $form ): string {
		return self::lost_invitation( $form, $this->flash_message->has_kind( FlashMessage::SENT ) );
	}

	public function handle( Form $form ): ?string {
		$missing = __( 'Enter the email your invitation was sent to.', 'trousseau' );
		/* translators: %s: email address */
		$said = __( 'If %s is invited to a list, we’ve just emailed the link. Check your inbox and your spam folder.', 'trousseau' );
		return $this->mail_request->send( $form, 'invitations', static fn(): array => array(), array( 'invited' => true ), $missing, $said ) ? $this->address() : null;
	}
}
