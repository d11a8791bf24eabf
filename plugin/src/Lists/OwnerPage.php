<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Owners\Handover;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use Trousseau\Service\ServiceError;

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
			'people'  => __( 'People', 'trousseau' ),
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
				'is_asked'  => static::NAME !== 'people' && Handover::offered_to( $this->post )?->ID === get_current_user_id(),
				'seen_by'   => RegistryForm::status( $this->post ),
				'details'   => PageAddress::of( 'details', $this->post->ID ),
				'closed'    => Closing::is_over( $this->post ),
				'waits'     => Approval::waits( $this->post ),
				'approves'  => Access::looks_after_all(),
			)
		);
	}
}
