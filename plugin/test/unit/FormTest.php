<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Form;
use Trousseau\Platform\Request;
use Trousseau\Plugin;

final class FormTest extends UnitTestCase {

	public function test_a_value_is_a_line_a_text_a_whole_number_or_a_list_of_texts_and_the_action_a_text(): void {
		$form = Form::with( array( 'a' => " Pan\r\n\tand\0 pot ", 'b' => array( 'x' ), 'c' => "\xff", 'd' => 5 ) );
		self::assertSame( 'Pan and pot', $form->text( 'a' ) );
		self::assertSame( "Pan\n\tand pot", $form->lines( 'a' ) );
		self::assertSame( array( '', '', '5', '' ), array_map( array( $form, 'text' ), array( 'b', 'c', 'd', 'missing' ) ) );
		$form = Form::with( array( 'a' => ' 12 ', 'b' => '1.5', 'c' => 'many', 'd' => '-3' ) );
		self::assertSame( array( 12, 0, 0, -3, 0 ), array_map( array( $form, 'number' ), array( 'a', 'b', 'c', 'd', 'e' ) ) );
		$form = Form::with( array( 'a' => array( 'x', array( 'y' ), 5, 'z' ), 'b' => 'x' ) );
		self::assertSame( array( 'x', 'z' ), $form->list( 'a' ) );
		self::assertSame( array(), $form->list( 'b' ) );
		self::assertSame( 'add', Form::with( array( 'do' => 'add' ) )->action );
		self::assertSame( '', Form::with( array( 'do' => array( 'add' ) ) )->action );
	}

	public function test_a_missing_text_is_asked_for_and_the_first_fault_of_a_field_is_said_at_the_top_and_at_the_field(): void {
		$form = Form::with( array( 'name' => ' ' ) );
		self::assertSame( '', $form->needs( 'name', 10, 'Give it a name.' ) );
		self::assertStringContainsString( 'Give it a name.', $form->summary() );
		self::assertSame( '', Form::with( array() )->summary() );
		$form = Form::with( array( 'name' => str_repeat( 'ä', 11 ) ) );
		self::assertTrue( $form->is_sound() );
		$form->needs( 'name', 10, 'Give it a name.' );
		$form->fault( 'name', 'A second fault.' );
		self::assertFalse( $form->is_sound() );
		self::assertSame( array( 'name' ), array_keys( $form->faults() ) );
		$summary = $form->summary();
		self::assertStringContainsString( '<a href="#trousseau-name">Use 10 characters at most.</a>', $summary );
		self::assertStringNotContainsString( 'second', $summary );
		$form->fault( 'other', 'A fault of another field.' );
		$input = $form->input( 'name', 'Name', array( 'required' => true ), 'As guests see it' );
		self::assertStringContainsString( '<span class="trousseau-fault" id="trousseau-name-fault">Use 10 characters at most', $input );
		self::assertStringContainsString( 'Use 10 characters at most', $form->summary() );
		self::assertStringContainsString( 'aria-invalid="true" aria-describedby="trousseau-name-fault trousseau-name-hint"', $input );
		self::assertStringContainsString( ' required', $input );
	}

	public function test_a_single_fault_is_said_once_at_its_field_which_has_the_focus(): void {
		$form = Form::with( array() );
		$form->fault( 'name', 'Give it a name.' );
		$form->input( 'other', 'Other' );
		self::assertStringContainsString( 'Give it a name.', $form->summary(), 'the page does not show the field' );
		foreach ( array( $form->input( 'name', 'Name' ), $form->choice( 'name', 'Name', array( 'a' => array( 'A' ) ) ), $form->checkbox( 'name', 'Name', 'Hint' ) ) as $field ) {
			self::assertStringContainsString( '<span class="trousseau-fault" id="trousseau-name-fault" role="alert" tabindex="-1" autofocus>Give it a name.</span>', $field );
		}
		self::assertSame( '', $form->summary() );
	}

	public function test_typed_text_is_escaped_wherever_a_field_shows_it(): void {
		$evil  = '"><script>';
		$form  = Form::with( array( 'f' => $evil ) );
		$shown = $form->input( 'f', $evil, array( 'placeholder' => $evil ), $evil ) . $form->textarea( 'f', $evil ) . $form->select( 'f', $evil, array( $evil => $evil ) ) . $form->choice( 'f', $evil, array( $evil => array( $evil, $evil ) ) )
			. Form::open( $evil, $evil, array( $evil => $evil ), $evil ) . Form::button( $evil, $evil, $evil, array(), $evil );
		self::assertStringNotContainsString( '<script>', $shown );
		self::assertStringNotContainsString( '""', $shown );
		self::assertStringContainsString( "selected='selected'", $shown );
		self::assertStringContainsString( "checked='checked'", $shown );
	}

	public function test_a_disputed_field_keeps_its_text_and_shows_both_texts_in_words(): void {
		$form = Form::with( array( 'name' => 'Pot & pan', 'status' => 'link', 'note' => '' ) );
		$form->dispute( 'name', 'Name', '<b>Wok</b>' );
		$form->dispute( 'status', 'Owners', 'private' );
		$form->dispute( 'note', 'Note', 'Red' );
		self::assertFalse( $form->is_sound() );
		self::assertStringContainsString( '<a href="#trousseau-name">“Name”: someone else changed this, too.</a>', $form->summary() );
		$html = $form->input( 'name', 'Name' );
		self::assertStringContainsString( '<b>Now:</b> <bdi>&lt;b&gt;Wok&lt;/b&gt;</bdi>', $html );
		self::assertStringContainsString( '<b>Yours:</b> <bdi>Pot &amp; pan</bdi>', $html );
		self::assertStringContainsString( 'value="Pot &amp; pan"', $html );
		$options = array( 'private' => array( 'Only guests' ), 'link' => array( 'Anyone' ) );
		self::assertStringContainsString( '<b>Now:</b> <bdi>Only guests</bdi></span><span><b>Yours:</b> <bdi>Anyone</bdi>', $form->choice( 'status', 'Owners', $options ) );
		self::assertStringContainsString( '<b>Now:</b> <bdi>Only guests</bdi>', $form->select( 'status', 'Owners', array_map( 'current', $options ) ) );
		self::assertStringContainsString( '<b>Now:</b> <bdi>Red</bdi></span><span><b>Yours:</b> <bdi>(empty)</bdi>', $form->textarea( 'note', 'Note' ) );
		self::assertStringNotContainsString( 'Now:', $form->input( 'other', 'Other' ) );
	}

	protected function tearDown(): void {
		unset( $_SERVER['HTTP_SEC_FETCH_SITE'], $_SERVER['HTTP_ORIGIN'], $_SERVER['HTTP_REFERER'], $_SERVER['REMOTE_ADDR'] );
	}

	public function test_a_form_comes_from_this_site_or_from_another_where_the_browser_says_so(): void {
		$sent = array(
			// Headers, whether they are of a page of this site, and of another's.
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-origin' ), true, false ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-site', 'HTTP_ORIGIN' => 'https://site.example' ), false, true ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'none' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example' ), true, false ),
			array( array( 'HTTP_REFERER' => 'https://site.example/shop/registries/new/' ), true, false ),
			array( array( 'HTTP_REFERER' => 'https://elsewhere.example/' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'https://behind.a.proxy', 'HTTP_SEC_FETCH_SITE' => 'same-origin' ), true, false ),
			array( array( 'HTTP_ORIGIN' => 'http://site.example' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example:8443' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'https://site.example.evil.example' ), false, true ),
			array( array( 'HTTP_ORIGIN' => 'null' ), false, true ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'same-origin', 'HTTP_ORIGIN' => 'https://site.example' ), true, false ),
			array( array( 'HTTP_SEC_FETCH_SITE' => 'none', 'HTTP_ORIGIN' => 'chrome-extension://abcdefghijklmnop' ), false, false ),
			array( array( 'HTTP_ORIGIN' => 'moz-extension://01234567' ), false, false ),
			array( array(), false, false ),
		);
		foreach ( $sent as list( $headers, $is_from_here, $is_from_elsewhere ) ) {
			$this->tearDown();
			$_SERVER = $headers + $_SERVER;
			$request = Plugin::get( Request::class );
			self::assertSame( array( $is_from_here, $is_from_elsewhere ), array( $request->is_from_here(), $request->is_from_elsewhere() ), json_encode( $headers ) );
		}
	}

	public function test_a_visitor_is_counted_by_address_or_by_the_network_of_a_household(): void {
		$visitors = array(
			'198.51.100.7'          => '198.51.100.7',
			'2001:db8:1:2:3:4:5:6'  => '20010db800010002',
			'2001:db8:1:2::1'       => '20010db800010002',
			'::ffff:198.51.100.7'   => '::ffff:198.51.100.7',
			''                      => '',
		);
		foreach ( $visitors as $address => $name ) {
			$_SERVER['REMOTE_ADDR'] = $address;
			self::assertSame( $name, Plugin::get( Request::class )->visitor() );
		}
	}
}
