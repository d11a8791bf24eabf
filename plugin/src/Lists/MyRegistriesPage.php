<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Lock;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use Trousseau\Service\IdempotencyKey;
use WP_Post;

/** A person's own registries and those they are invited to. Also imports one from another site. */
final class MyRegistriesPage extends Page {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Lock $lock,
		private readonly OwnAccount $own_account,
		private readonly Registries $registries,
		private readonly RegistryImport $registry_import,
	) {
	}

	public function title(): string {
		return __( 'My lists', 'trousseau' );
	}

	public function obstacle(): string {
		return is_user_logged_in() ? '' : $this->sign_in( __( 'Log in to see your lists.', 'trousseau' ), true );
	}

	public function html( Form $form ): string {
		$user = wp_get_current_user();
		$all  = array( 'publish', 'private', 'future', 'draft', 'pending' );
		$own  = self::by_day( Registries::owned_by( $user->ID, $all ) );
		return Template::html(
			'mine',
			array(
				'form'     => $form,
				'own'      => array_filter( $own, static fn( WP_Post $post ): bool => ! Closing::is_over( $post ) ),
				'closed'   => array_filter( $own, array( Closing::class, 'is_over' ) ),
				'invited'  => self::by_day( $this->registries->inviting( Accounts::invited_as( $user ), $user->ID ) ),
				'address'  => $this->address(),
				'new'      => ListMakers::includes( $user ) ? PageAddress::of( 'new' ) : '',
				'my_gifts' => PageAddress::of( 'my-gifts' ),
				'shortest' => OwnAccount::lacks_password( $user->ID ) ? OwnAccount::SHORTEST_PASSWORD : 0,
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( $form->action === 'password' && OwnAccount::lacks_password( get_current_user_id() ) ) {
			$password = OwnAccount::typed_password( $form );
			if ( ! $form->is_sound() ) {
				return null;
			}
			$this->own_account->choose_password( $password );
			$this->flash_message->keep( __( 'Your password is saved. Use it with your email to log in on any device.', 'trousseau' ) );
			return $this->address();
		}
		if ( $form->action !== 'import' || ! current_user_can( 'publish_registries' ) ) {
			return null;
		}
		$sent  = $_FILES['file']['tmp_name'] ?? '';
		$press = IdempotencyKey::of_form( $form, 'import' ) . ( is_string( $sent ) && is_file( $sent ) ? md5_file( $sent ) : '' );
		if ( ! $this->lock->take( $press, HOUR_IN_SECONDS ) ) {
			// The list of another press with this file is on this page.
			return $this->address();
		}
		$made = $this->registry_import->of_upload( $_FILES['file'] ?? null );
		if ( is_wp_error( $made ) ) {
			$this->lock->release( $press );
			$form->fault( 'file', $made->get_error_message() );
			return null;
		}
		if ( ! RegistryImport::state( get_post( $made ) ) ) {
			$this->flash_message->keep( __( 'Your list is here, with all its gifts.', 'trousseau' ) );
		}
		return PageAddress::of( 'gifts', $made );
	}

	/** @return WP_Post[] The soonest day first, then lists without a day, then days that are over, the latest of them first. */
	private static function by_day( array $posts ): array {
		$today = wp_date( 'Y-m-d' );
		$place = static function ( WP_Post $post ) use ( $today ): array {
			$day    = Meta::event_date( $post->ID );
			$number = (int) str_replace( '-', '', $day );
			return match ( true ) {
				$day === ''    => array( 1, 0 ),
				$day >= $today => array( 0, $number ),
				default        => array( 2, -$number ),
			};
		};
		usort( $posts, static fn( WP_Post $one, WP_Post $other ): int => $place( $one ) <=> $place( $other ) );
		return $posts;
	}
}
