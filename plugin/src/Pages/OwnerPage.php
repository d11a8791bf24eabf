<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Registries;
use Trousseau\Service\ServiceError;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\PageAddress;
use Trousseau\Support\Template;

/** A page for a registry's owner. Its head has the registry's name, and the way between its pages. */
abstract class OwnerPage extends Page {

	/** The page's name in its address. */
	protected const NAME = '';

	public function address(): string {
		return PageAddress::of( static::NAME, $this->post->ID );
	}

	public function obstacle(): string {
		if ( $this->post && current_user_can( 'edit_post', $this->post->ID ) ) {
			return '';
		}
		return is_user_logged_in()
			? FlashMessage::note( __( 'Only the people whose list it is can change it.', 'trousseau' ), 'is-problem' )
			: $this->sign_in( __( 'Log in to look after your list.', 'trousseau' ) );
	}

	public function trouble( ServiceError $error ): string {
		return $this->head() . parent::trouble( $error );
	}

	protected function head(): string {
		$pages = array(
			'gifts'   => __( 'Gifts', 'trousseau' ),
			'guests'  => __( 'Guests', 'trousseau' ),
			'given'   => __( 'Gifts given', 'trousseau' ),
			'details' => __( 'Details', 'trousseau' ),
		);
		return Template::html(
			'owner',
			array(
				'name'      => Registries::title( $this->post ),
				'permalink' => (string) get_permalink( $this->post ),
				'pages'     => array_map( fn( string $name ): string => PageAddress::of( $name, $this->post->ID ), array_flip( $pages ) ),
				'current'   => $pages[ static::NAME ],
				'is_public' => $this->post->post_status === 'publish',
			)
		);
	}
}
