<?php
/**
 * The form by which someone asks for an email. Once it’s sent, the form stands folded below the words that say so.
 *
 * @var string $if_nothing What else to do where no email comes.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;

if ( $is_sent ) {
	printf( '<details class="trousseau-more"><summary>%s</summary><p>%s</p>', esc_html__( 'No email yet?', 'trousseau' ), esc_html( __( 'It can take a few minutes.', 'trousseau' ) . ' ' . $if_nothing ) );
}
echo Form::open( $address, $action );
echo $form->input( 'email', __( 'Your email', 'trousseau' ), array( 'type' => 'email', 'required' => true, 'autocomplete' => 'email' ), $hint );
echo Form::guard() . '<p>' . Form::submit( $button ) . '</p></form>' . ( $is_sent ? '</details>' : '' );
