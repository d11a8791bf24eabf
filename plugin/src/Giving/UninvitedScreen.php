<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Template;

/** The part of the settings page that shows accounts which take many gifts without an invitation, and takes their gifts back. */
final class UninvitedScreen implements AdminAction {

	public const ACTION = 'trousseau_release';

	private const PLACE = 'trousseau-uninvited';

	public function __construct( private readonly AdminForm $admin_form, private readonly Mail $mail, private readonly UninvitedGifts $uninvited_gifts ) {
	}

	public static function url(): string {
		return Settings::url() . '#' . self::PLACE;
	}

	public function show(): void {
		$accounts = array();
		foreach ( $this->uninvited_gifts->found( UninvitedLimits::limits(), Surprise::is_for_viewer( ... ) ) as $user => $taken ) {
			$accounts[ $user ] = array(
				'name'  => self::name( $user ),
				'edit'  => (string) get_edit_user_link( $user ),
				'count' => self::count( $taken ),
				'lists' => array_map(
					static fn( int $id ): array => array( 'title' => Registries::title( get_post( $id ) ), 'url' => (string) get_permalink( $id ) ),
					$taken['registries']
				),
			);
		}
		echo Template::html( 'uninvited', array( 'place' => self::PLACE, 'accounts' => $accounts, 'action' => self::ACTION ) );
	}

	public function handle(): void {
		$user = (int) filter_var( $_POST['user'] ?? '', FILTER_VALIDATE_INT );
		$this->admin_form->check( self::ACTION, Settings::url(), array( 'manage_options' ) );
		list( $done, $left ) = $this->uninvited_gifts->release( $user );
		$giver               = $done ? get_userdata( $user ) : false;
		$giver && $this->mail->send( $giver->user_email, 'claims-undone', array( 'link' => PageAddress::of( 'my-gifts' ) ) );
		/* translators: 1: number of gifts, 2: name of an account */
		$words = sprintf( _n( '%1$s gift that %2$s reserved is available again.', '%1$s gifts that %2$s reserved are available again.', $done, 'trousseau' ), number_format_i18n( $done ), self::name( $user ) );
		if ( $left ) {
			/* translators: %s: number of gifts */
			$words .= ' ' . sprintf( _n( '%s couldn’t be made available right now. Try again in a minute.', '%s couldn’t be made available right now. Try again in a minute.', $left, 'trousseau' ), number_format_i18n( $left ) );
		}
		add_settings_error( self::ACTION, self::ACTION, $words, $left ? 'error' : 'success' );
		$this->admin_form->lead_on( Settings::url() );
	}

	/** @param array{gifts: int, pieces: int, registries: int[]} $taken */
	public static function count( array $taken ): string {
		/* translators: %s: number of gifts */
		$gifts = sprintf( _n( '%s gift', '%s gifts', $taken['gifts'], 'trousseau' ), number_format_i18n( $taken['gifts'] ) );
		/* translators: %s: number of pieces */
		$pieces = sprintf( _n( '%s piece', '%s pieces', $taken['pieces'], 'trousseau' ), number_format_i18n( $taken['pieces'] ) );
		return "$gifts, $pieces";
	}

	public static function name( int $user ): string {
		$found = get_userdata( $user );
		/* translators: %s: number of an account */
		return $found ? $found->user_login : sprintf( __( 'a deleted account (number %s)', 'trousseau' ), (string) $user );
	}
}
