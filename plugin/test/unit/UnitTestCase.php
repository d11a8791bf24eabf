<?php

declare(strict_types=1);

namespace Trousseau\Test;

use PHPUnit\Framework\TestCase;

/** Each test begins in English and signed out, with nothing stored and nothing done. */
abstract class UnitTestCase extends TestCase {

	protected function setUp(): void {
		$GLOBALS['locale'] = 'en_US';
		$GLOBALS['zone']   = 'UTC';
		$GLOBALS['stored'] = array( 'trousseau_key' => 'the key that the site itself has made' );
		$GLOBALS['done']   = array();
		$GLOBALS['user']   = 0;
		$GLOBALS['rights'] = array();
		$_COOKIE           = array();
	}
}
