<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Download;
use Trousseau\Plugin;

final class DownloadTest extends UnitTestCase {

	public function test_a_table_is_read_by_spreadsheets_as_it_was_written_and_what_looks_like_a_formula_is_text(): void {
		$table = Plugin::get( Download::class )->table( array( 'Gift', 'From' ), array( array( 'Pan, "large"', "Ann\nBob" ), array( 'Töpfe', '' ) ) );
		self::assertSame( "\u{feff}Gift,From\n\"Pan, \"\"large\"\"\",\"Ann\nBob\"\nTöpfe,\n", $table );
		$cells = array(
			'=1+1'          => "'=1+1",
			'+49 30'        => "'+49 30",
			'@SUM(A1)'      => "'@SUM(A1)",
			'＝1'            => "'＝1",
			'" =1'          => "\" '=1",
			'a;=1'          => "a;'=1",
			"a\n-1+2"       => "a\n'-1+2",
			"a\t@SUM(1)"    => "a\t'@SUM(1)",
			' -1+1'         => " '-1+1",
			'-5'            => '-5',
			'24.90'         => '24.90',
			'a=1'           => 'a=1',
		);
		foreach ( $cells as $typed => $safe ) {
			$lines = Plugin::get( Download::class )->table( array(), array( array( (string) $typed ) ) );
			self::assertSame( $safe, str_getcsv( substr( $lines, strlen( "\u{feff}\n" ) ), ',', '"', '' )[0] );
		}
	}
}
