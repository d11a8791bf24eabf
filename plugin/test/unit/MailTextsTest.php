<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Platform\Template;

/** The first line of a mail is its subject; an address below a line of words becomes a button. */
final class MailTextsTest extends UnitTestCase {

	private const VALUES = array(
		'registry'   => 'Ann & Bob',
		'gift'       => 'Pan',
		'owner'      => 'Ann',
		'note'       => 'Do come',
		'link'       => 'https://site.example/link',
		'shop'       => 'https://shop.example/pan',
		'expires_at' => '2027-06-12T10:00:00Z',
		'needed'     => 3,
		'left'       => 1,
		'count'      => 2,
		'day'        => '2027-06-12',
		'is_member'  => false,
		'address'    => 'ann@example.org',
		'buys'       => false,
		'buyer'      => 'Ann',
		'unsent'     => true,
		'is_fund'    => false,
		'holds'      => 5000,
		'shares'     => array( array( 'quantity' => 5000, 'currency' => 'EUR', 'link' => 'https://site.example/link' ) ),
		'gifts'      => array(
			array(
				'name'     => 'Pram',
				'quantity' => 5000,
				'currency' => 'EUR',
				'more'     => array( 'mail/parts/share-gone', array( 'owed' => array( array( 'name' => 'Leo', 'units' => 2000, 'currency' => 'EUR' ), array( 'name' => 'Someone', 'units' => 100, 'currency' => 'EUR' ) ) ) ),
			),
		),
		'lists'      => array(
			array( 'registry' => 'Ann & Bob', 'owner' => 'Ann', 'link' => 'https://site.example/link', 'is_member' => false ),
			array( 'registry' => 'New home', 'owner' => '', 'link' => 'https://site.example/link', 'is_member' => true ),
		),
	);

	protected function setUp(): void {
		parent::setUp();
		$GLOBALS['stored']['date_format'] = 'Y-m-d';
		$GLOBALS['stored']['time_format'] = 'H:i';
	}

	public function test_every_mail_has_a_subject_paragraphs_and_buttons_that_lead_to_its_link(): void {
		$files = preg_grep( '#/(html|plain)\.php$#', glob( dirname( __DIR__, 2 ) . '/src/*/templates/mail/*.php' ), PREG_GREP_INVERT );
		self::assertGreaterThan( 10, count( $files ) );
		foreach ( $files as $file ) {
			$name  = basename( $file, '.php' );
			$parts = explode( "\n\n", Template::html( "mail/$name", self::VALUES ) );
			self::assertDoesNotMatchRegularExpression( '/\n|^$|https?:/', $parts[0], $name );
			self::assertGreaterThan( 1, count( $parts ), $name );
			foreach ( array_slice( $parts, 1 ) as $part ) {
				self::assertDoesNotMatchRegularExpression( '#https?:(?!//(site\.example/link|shop\.example/pan)$)#', $part, $name );
				self::assertSame( (int) str_contains( $part, 'https:' ), substr_count( $part, "\n" ), $name );
			}
			self::assertStringNotContainsString( '%', implode( '', $parts ), $name );
		}
	}

	/** `TROUSSEAU_WRITE=1 npm test -- plugin/test/unit.test.ts` draws the table anew. */
	public function test_the_document_shows_every_email(): void {
		$rows = array();
		foreach ( glob( dirname( __DIR__, 2 ) . '/src/*/templates/mail/*.php' ) as $file ) {
			$name = basename( $file, '.php' );
			if ( $name === 'html' || $name === 'plain' ) {
				continue;
			}
			preg_match( '~^(?:/\*| )\*+ (.+?)\.(?: |$)~m', file_get_contents( $file ), $found );
			$readers = array( $found[1] => self::VALUES );
			if ( $name === 'claim-confirm' ) {
				$readers['The same, to a guest without an account']           = array_diff_key( self::VALUES, array( 'gift' => 0 ) );
				$readers['The same, where the list isn’t public or approved'] = array_diff_key( self::VALUES, array( 'gift' => 0, 'registry' => 0 ) );
			}
			foreach ( $readers as $whom => $values ) {
				$parts   = explode( "\n\n", Template::html( "mail/$name", $values ) );
				$subject = array_shift( $parts );
				$text    = preg_replace( array( '#^(.+)\nhttps://site\..*$#', '#^(.+)\nhttps:.*$#' ), array( '**$1**', '[$1]' ), array_filter( array_map( 'trim', $parts ) ) );
				$rows[]  = "| `$name` | $whom | $subject | " . implode( '<br>', $text ) . ' |';
			}
		}
		$file  = dirname( __DIR__, 3 ) . '/docs/emails.md';
		$drawn = preg_replace_callback( '/(?<=\n\| --- \| --- \| --- \| --- \|\n).*$/s', static fn(): string => implode( "\n", $rows ) . "\n", file_get_contents( $file ) );
		if ( getenv( 'TROUSSEAU_WRITE' ) ) {
			file_put_contents( $file, $drawn );
		}
		self::assertSame( $drawn, file_get_contents( $file ), 'TROUSSEAU_WRITE=1 draws it' );
	}

	public function test_a_mail_leaves_out_what_it_does_not_know_and_all_that_a_stranger_wrote(): void {
		$text = Template::html( 'mail/claim-confirm', array( 'link' => 'https://site.example/link', 'expires_at' => '2027-06-12T10:00:00Z' ) );
		self::assertStringContainsString( 'You’ve chosen a gift from a gift list.', $text );
		self::assertStringStartsWith( "You’re invited to “Ann & Bob”\n\n", Template::html( 'mail/invitation', array( 'owner' => '' ) + self::VALUES ) );
		self::assertStringNotContainsString( 'This link is just for you', Template::html( 'mail/invitation', array( 'is_member' => true ) + self::VALUES ) );
		self::assertStringNotContainsString( '“”', Template::html( 'mail/invitation', array( 'note' => '' ) + self::VALUES ) );
		foreach ( array( 'confirm', 'reserved', 'reminder', 'expired' ) as $about ) {
			foreach ( array( array(), array( 'buys' => true ) ) as $also ) {
				self::assertStringNotContainsString( 'is reserved', Template::html( "mail/claim-$about", $also + array( 'currency' => 'EUR' ) + self::VALUES ), 'nobody reserves money' );
			}
		}
		self::assertStringContainsString( 'Nobody else will give it now.', Template::html( 'mail/claim-purchased', array( 'needed' => 1, 'left' => 0 ) + self::VALUES ) );
		self::assertStringNotContainsString( 'shop', Template::html( 'mail/claim-reserved', array( 'shop' => '' ) + self::VALUES ) );
	}
}
