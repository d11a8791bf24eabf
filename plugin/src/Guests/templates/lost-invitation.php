<?php
/**
 * The form by which guests ask for their invitations once more.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $address
 * @var bool                    $is_sent Whether the page says that the email was sent.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Template;

echo Template::html(
	'mail-request',
	compact( 'form', 'address', 'is_sent' ) + array(
		'action'     => 'send',
		'hint'       => __( 'We’ll email you the links to all the lists to which this address is invited.', 'trousseau' ),
		'button'     => __( 'Send my invitation again', 'trousseau' ),
		'if_nothing' => __( 'Still nothing? They may have invited another address of yours. Try that one, or ask the people who invited you for the link.', 'trousseau' ),
	)
);
