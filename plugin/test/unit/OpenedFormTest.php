<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Form;
use Trousseau\Platform\OpenedForm;

final class OpenedFormTest extends UnitTestCase {

	private const OPENED = array( 'name' => 'Pan', 'price' => '24.90', 'pay_to' => '' );

	/** Texts that were sent and are stored; the values to take over, and the fields that both have changed. */
	private const CASES = array(
		'nobody changed anything'     => array( self::OPENED, self::OPENED, array(), array() ),
		'I alone changed it'          => array( array( 'name' => 'Pot' ) + self::OPENED, self::OPENED, array(), array() ),
		'the other alone changed it'  => array( self::OPENED, array( 'name' => 'Pot' ) + self::OPENED, array( 'name' => 'Pot' ), array() ),
		'the other emptied it'        => array( self::OPENED, array( 'price' => '' ) + self::OPENED, array( 'price' => '' ), array() ),
		'each changed another field'  => array( array( 'name' => 'Pot' ) + self::OPENED, array( 'price' => '5.00' ) + self::OPENED, array( 'price' => '5.00' ), array() ),
		'both changed it the same'    => array( array( 'name' => 'Pot' ) + self::OPENED, array( 'name' => 'Pot' ) + self::OPENED, array(), array() ),
		'both changed it differently' => array( array( 'name' => 'Pot' ) + self::OPENED, array( 'name' => 'Wok', 'pay_to' => 'cash' ) + self::OPENED, array( 'pay_to' => 'cash' ), array( 'name' ) ),
		'I emptied it'                => array( array( 'name' => '' ) + self::OPENED, array( 'name' => 'Wok' ) + self::OPENED, array(), array( 'name' ) ),
		'a field that was not sent'   => array( array( 'name' => 'Pan' ), array( 'price' => '5.00' ) + self::OPENED, array(), array() ),
		'a field of a later version'  => array( array( 'size' => 'large' ) + self::OPENED, array( 'size' => 'small' ) + self::OPENED, array(), array() ),
	);

	public function test_others_changes_are_taken_over_and_a_field_that_both_changed_is_named(): void {
		foreach ( self::CASES as $name => list( $sent, $present, $theirs, $both ) ) {
			$form = OpenedForm::of( Form::with( array( OpenedForm::FIELD => OpenedForm::stamp( self::OPENED ) ) ) );
			self::assertNotNull( $form );
			self::assertSame( array( $theirs, $both ), $form->compare( $sent, $present ), $name );
		}
	}

	public function test_a_form_has_a_name_of_its_own_and_shows_no_value(): void {
		$stamps = array( OpenedForm::stamp( self::OPENED ), OpenedForm::stamp( self::OPENED ) );
		$forms  = array_map( static fn( string $stamp ): ?OpenedForm => OpenedForm::of( Form::with( array( OpenedForm::FIELD => $stamp ) ) ), $stamps );
		self::assertNotSame( $forms[0]->name, $forms[1]->name );
		self::assertEqualsWithDelta( time(), $forms[0]->at, 30 );
		self::assertStringNotContainsString( 'Pan', $stamps[0] );
	}

	public function test_a_form_that_carries_nothing_readable_is_none(): void {
		foreach ( array( null, '', 'x', '12', '12 short', '12 zzzzzzzzzzzz name:0', array( '1' ) ) as $sent ) {
			self::assertNull( OpenedForm::of( Form::with( array( OpenedForm::FIELD => $sent ) ) ) );
		}
	}
}
