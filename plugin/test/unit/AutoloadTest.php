<?php

declare(strict_types=1);

namespace Trousseau\Test;

use PHPUnit\Framework\TestCase;
use ReflectionClass;

final class AutoloadTest extends TestCase {

	/** SPEC.md promises these to other plugins, and templates that a theme has replaced use them. */
	private const PROMISED = array( 'ApiClient', 'FromShop', 'PageRouter', 'Registry', 'Form', 'GiftParts', 'Item', 'Language', 'Message', 'Sections', 'Template' );

	/**
	 * In a process of its own, where no class is loaded yet.
	 *
	 * @runInSeparateProcess
	 * @preserveGlobalState disabled
	 */
	public function test_other_plugins_themes_and_templates_find_classes_by_the_names_without_a_room(): void {
		preg_match_all( "/^\t+'(\w+)' +=> '(\w+\\\\\w+)',$/m", file_get_contents( dirname( __DIR__, 2 ) . '/autoload.php' ), $aliases, PREG_SET_ORDER );
		self::assertSame( array(), array_diff( self::PROMISED, array_column( $aliases, 1 ) ) );
		foreach ( $aliases as $place => list( , $old, $new ) ) {
			// Every second class is asked for by its old name first.
			class_exists( 'Trousseau\\' . ( $place % 2 ? $old : $new ) );
			self::assertTrue( class_exists( "Trousseau\\$old", false ), $old );
			self::assertSame( "Trousseau\\$new", ( new ReflectionClass( "Trousseau\\$old" ) )->getName() );
		}
	}
}
