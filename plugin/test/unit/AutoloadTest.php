<?php

declare(strict_types=1);

namespace Trousseau\Test;

use PHPUnit\Framework\TestCase;
use ReflectionClass;

final class AutoloadTest extends TestCase {

	/** Other plugins call these, and templates that a theme has replaced use them. */
	private const PROMISED = array( 'ApiClient', 'FromShop', 'PageRouter', 'Registry', 'Form', 'GiftParts', 'Item', 'Language', 'Message', 'Sections', 'Template' );

	/** The calls in templates of earlier versions, which a theme may have taken over. */
	private const CALLED = array(
		'Currency'    => array( 'price' ),
		'Form'        => array( 'button', 'guard', 'open', 'submit' ),
		'Interrupted' => array( 'is_kept' ),
		'Item'        => array( 'needed', 'remaining', 'still_needed' ),
		'Language'    => array( 'day', 'isolate', 'list', 'moment', 'times' ),
		'Message'     => array( 'note' ),
		'PageRouter'  => array( 'address' ),
		'Picture'     => array( 'address' ),
		'Registry'    => array( 'find', 'flatten', 'title' ),
		'Sections'    => array( 'words' ),
		'Template'    => array( 'html' ),
		'View'        => array( 'event', 'hiding_script', 'marking_script' ),
	);

	/**
	 * Runs in a process of its own, where no class is loaded yet.
	 *
	 * @runInSeparateProcess
	 * @preserveGlobalState disabled
	 */
	public function test_other_plugins_themes_and_templates_find_classes_by_the_names_without_a_feature(): void {
		preg_match_all( "/^\t+'(\w+)' +=> '(\w+\\\\\w+)',$/m", file_get_contents( dirname( __DIR__, 2 ) . '/autoload.php' ), $aliases, PREG_SET_ORDER );
		self::assertSame( array(), array_diff( self::PROMISED, array_column( $aliases, 1 ) ) );
		foreach ( $aliases as $place => list( , $old, $new ) ) {
			// Every second class is asked for by its old name first.
			class_exists( 'Trousseau\\' . ( $place % 2 ? $old : $new ) );
			self::assertTrue( class_exists( "Trousseau\\$old", false ), $old );
			self::assertSame( "Trousseau\\$new", ( new ReflectionClass( "Trousseau\\$old" ) )->getName() );
		}
	}

	public function test_calls_in_templates_of_earlier_versions_reach_a_public_method(): void {
		foreach ( self::CALLED as $class => $methods ) {
			foreach ( $methods as $method ) {
				self::assertTrue( is_callable( array( "Trousseau\\$class", $method ) ), "$class::$method" );
			}
		}
		foreach ( array( 'GiftForm::MAX_NAME', 'GiftParts::LONG', 'GiftParts::SIZE', 'Sections::MAX_NAME' ) as $constant ) {
			self::assertTrue( defined( "Trousseau\\$constant" ), $constant );
		}
	}
}
