<?php

declare(strict_types=1);

namespace Trousseau\Test;

use Trousseau\Giving\GivingPolicy;
use Trousseau\Lists\Meta;
use Trousseau\Platform\Encryption;
use Trousseau\Platform\Settings;
use Trousseau\Platform\SignedToken;
use Trousseau\Plugin;
use WP_Post;

final class GivingPolicyTest extends UnitTestCase {

	private const OWNER = 1;

	/** Whether the current visitor may give from a registry. */
	private static function allows( string $status = 'publish' ): bool {
		return Plugin::get( GivingPolicy::class )->is_allowed( new WP_Post( post_author: (string) self::OWNER, post_status: $status ) );
	}

	public function test_signed_in_readers_may_give_even_where_others_may_not(): void {
		$GLOBALS['stored'][ Settings::ANONYMOUS_GIVING ] = '';
		$GLOBALS['user']                                 = 2;
		self::assertTrue( self::allows() );
		self::assertFalse( self::allows( 'private' ) );
		$GLOBALS['rights'] = array( 'read_post' );
		self::assertTrue( self::allows( 'private' ) );
	}

	public function test_other_visitors_may_give_from_public_registries_where_the_site_allows_it(): void {
		self::assertTrue( self::allows() );
		self::assertFalse( self::allows( 'private' ) );
		$GLOBALS['stored'][ Settings::ANONYMOUS_GIVING ] = '';
		self::assertFalse( self::allows() );
	}

	public function test_nobody_gives_from_a_page_whose_password_they_lack(): void {
		$GLOBALS['stored']['password'] = true;
		self::assertFalse( self::allows() );
		$GLOBALS['user'] = 2;
		self::assertFalse( self::allows() );
	}

	public function test_an_owner_gives_unless_they_are_to_be_surprised(): void {
		$GLOBALS['user'] = self::OWNER;
		self::assertTrue( self::allows() );
		$GLOBALS['stored'][ Meta::SURPRISE_UNTIL ] = 'always';
		self::assertFalse( self::allows() );
		$GLOBALS['user'] = 2;
		self::assertTrue( self::allows() );
	}

	public function test_a_guest_s_device_may_give_while_the_guest_is_on_the_list(): void {
		$_COOKIE['trousseau_guest'] = SignedToken::sign( 'cookie guest', '1 abc' );
		$GLOBALS['stored']          = array(
			Settings::ANONYMOUS_GIVING => '',
			Meta::INVITEES             => '["Ann"]',
			'_trousseau_guests'        => Encryption::seal( array( 'ann' => array( 'id' => 'abc' ) ) ),
			'post 1'                   => new WP_Post(),
		);
		self::assertTrue( self::allows() );
		$GLOBALS['stored'][ Meta::INVITEES ] = '["Bob"]';
		self::assertFalse( self::allows() );
		$GLOBALS['stored'][ Meta::INVITEES ] = '["Ann"]';
		$_COOKIE['trousseau_guest']          = SignedToken::sign( 'cookie draft', '1 abc' );
		self::assertFalse( self::allows(), 'signed for another purpose' );
	}
}
