<?php
/**
 * The form by which guests ask for their invitations once more.
 *
 * @var Trousseau\Platform\Form $form
 * @var string                  $address
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

echo Form::open( $address, 'send' );
echo $form->input(
	'email',
	__( 'Your mail address', 'trousseau' ),
	array(
		'type'         => 'email',
		'required'     => true,
		'autocomplete' => 'email',
	),
	__( 'We’ll send you the links to all the lists to which this address is invited.', 'trousseau' )
);
echo Form::guard() . '<p>' . Form::submit( __( 'Send my invitation again', 'trousseau' ) ) . '</p></form>';
