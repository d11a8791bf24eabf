<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/** Files that a visitor saves. */
final class Download {

	public const CSV = 'text/csv; charset=utf-8';

	public function __construct( private readonly ResponseHeaders $response_headers ) {
	}

	public function send( string $name, string $type, string $body ): never {
		$this->response_headers->keep_out_of_caches();
		header( "Content-Type: $type" );
		header( 'Content-Disposition: attachment; filename="' . sanitize_file_name( $name ) . '"' );
		header( 'X-Content-Type-Options: nosniff' );
		echo $body;
		exit;
	}

	/** Like `send`, for programs that fetch it again and again: those that have the current version get only a 304. */
	public function send_if_new( string $name, string $type, string $body ): never {
		$tag = substr( hash( 'sha256', $body ), 0, 32 );
		header( "ETag: \"$tag\"" );
		// Servers that compress change the tag a little.
		if ( str_contains( (string) ( $_SERVER['HTTP_IF_NONE_MATCH'] ?? '' ), $tag ) ) {
			$this->response_headers->keep_out_of_caches();
			status_header( 304 );
			exit;
		}
		$this->send( $name, $type, $body );
	}

	/** Answers a program in plain text that there is no such file, or none right now. */
	public function send_missing( string $body, int $status = 404 ): never {
		$this->response_headers->keep_out_of_caches();
		status_header( $status );
		header( 'Content-Type: text/plain; charset=utf-8' );
		echo $body, "\n";
		exit;
	}

	/** A table for a spreadsheet, without formulas: text that looks like one stays text, also where semicolons separate cells. */
	public function table( array $head, array $rows ): string {
		$file = fopen( 'php://temp', 'w+' );
		$safe = static fn( $value ): string => is_numeric( $value ) ? (string) $value : (string) preg_replace( '/(^|[;\t\r\n])(["\s]*)(?=[=+\-@＝＋－＠])/u', "$1$2'", (string) $value );
		foreach ( array( $head, ...$rows ) as $row ) {
			fputcsv( $file, array_map( $safe, $row ), ',', '"', '' );
		}
		rewind( $file );
		return "\u{feff}" . stream_get_contents( $file );
	}
}
