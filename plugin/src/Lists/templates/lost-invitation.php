<?php
/** The form by which guests ask for their invitations once more. */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

echo Template::html(
	'mail-request',
	compact( 'form', 'address', 'is_sent' ) + array(
		'action'     => 'send',
		'hint'       => __( 'We’ll email you the links to all the lists this email is invited to.', 'trousseau' ),
		'button'     => __( 'Resend my invitation', 'trousseau' ),
		'if_nothing' => __( 'Still nothing? They may have invited you at another email. Try that one, or ask them for the link.', 'trousseau' ),
	)
);
