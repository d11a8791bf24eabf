<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Post;
use WP_REST_Posts_Controller;

/**
 * The REST controller of registries: WordPress's own, but an invitee may read a whole registry (`context=edit`) and
 * change nothing, and meta that can't be used is refused before anything is stored.
 */
final class RegistryController extends WP_REST_Posts_Controller {

	public function get_item_permissions_check( $request ) {
		$post = $this->get_post( $request['id'] );
		if ( $post instanceof WP_Post && $request['context'] === 'edit' && Access::belongs_to( $post, get_current_user_id() ) ) {
			return true;
		}
		return parent::get_item_permissions_check( $request );
	}

	public function get_item( $request ) {
		$response = parent::get_item( $request );
		if ( ! is_wp_error( $response ) && ! current_user_can( 'edit_post', $request['id'] ) ) {
			$data = $response->get_data();
			unset( $data['password'] );
			$response->set_data( $data );
		}
		return $response;
	}

	/** Without gifts in the content: they come from the service, and the service is who reads a registry here. */
	public function prepare_item_for_response( $item, $request ) {
		return View::without_gifts( fn() => parent::prepare_item_for_response( $item, $request ) );
	}

	protected function prepare_item_for_database( $request ) {
		return Meta::refuse( $request['meta'] ) ?? parent::prepare_item_for_database( $request );
	}
}
