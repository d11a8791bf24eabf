<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Jobs\RegistryImport;
use Trousseau\Registry\Access;
use Trousseau\Registry\Meta;
use Trousseau\Registry\PostType;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Form;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;
use Trousseau\Visibility\LockedRegistries;
use WP_Post;

/** Somebody's own registries, those they are invited to, and bringing one along from another site. */
final class MyRegistriesPage extends Page {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly RegistryImport $registry_import,
	) {
	}

	public function title(): string {
		return __( 'My registries', 'trousseau' );
	}

	public function address(): string {
		return PageAddress::of( 'mine' );
	}

	public function obstacle(): string {
		return is_user_logged_in() ? '' : $this->sign_in( __( 'Log in to see your lists.', 'trousseau' ) );
	}

	public function html( Form $form ): string {
		$user = wp_get_current_user();
		return Template::html(
			'mine',
			array(
				'form'     => $form,
				'own'      => get_posts(
					array(
						'post_type'   => PostType::NAME,
						'post_status' => array( 'publish', 'private', 'draft', 'pending' ),
						'author'      => $user->ID,
						'numberposts' => 100,
						LockedRegistries::WITH_LOCKED => true,
					)
				),
				'invited'  => self::invited(),
				'address'  => $this->address(),
				'new'      => PageAddress::of( 'new' ),
				'my_gifts' => PageAddress::of( 'my-gifts' ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		if ( $form->action !== 'import' || ! current_user_can( 'publish_registries' ) ) {
			return null;
		}
		$made = $this->registry_import->of_upload( $_FILES['file'] ?? null );
		if ( is_wp_error( $made ) ) {
			$form->fault( 'file', $made->get_error_message() );
			return null;
		}
		if ( ! RegistryImport::state( get_post( $made ) ) ) {
			$this->flash_message->keep( __( 'Your list is here, with all its gifts.', 'trousseau' ) );
		}
		return PageAddress::of( 'gifts', $made );
	}

	/** @return WP_Post[] */
	private static function invited(): array {
		$user = wp_get_current_user();
		$like = static fn( string $name ): array => array(
			'key'     => Meta::INVITEES,
			'value'   => (string) wp_json_encode( $name ),
			'compare' => 'LIKE',
		);
		// A search in text finds too much: each list is looked at once more.
		$found = get_posts(
			array(
				'post_type'   => PostType::NAME,
				'post_status' => array( 'publish', 'private' ),
				'numberposts' => 100,
				LockedRegistries::WITH_LOCKED => true,
				'meta_query'  => array( 'relation' => 'OR' ) + array( $like( $user->user_login ), $like( $user->user_email ) ),
			)
		);
		return array_values( array_filter( $found, static fn( WP_Post $post ): bool => (int) $post->post_author !== $user->ID && Access::is_invitee( $post, $user->ID ) ) );
	}
}
