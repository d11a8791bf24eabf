<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\Limits;
use Trousseau\Lists\Meta;
use Trousseau\Lists\MetaRules;
use Trousseau\Lists\PrivateByDefault;
use Trousseau\Plugin;
use WP_Error;
use WP_Post;
use WP_REST_Posts_Controller;
use WP_REST_Request;
use WP_REST_Response;

/**
 * The REST controller of registries: WordPress's own, but an invitee may read a whole registry (`context=edit`) and
 * change nothing, and meta that can't be used is refused before anything is stored. WordPress makes this object itself, in each request of
 * the REST API.
 */
final class RegistryRestController extends WP_REST_Posts_Controller {

	public function get_item_permissions_check( $request ): bool|WP_Error {
		$post = $this->get_post( $request['id'] );
		if ( $post instanceof WP_Post && $request['context'] === 'edit' && Access::belongs_to( $post, get_current_user_id() ) ) {
			return true;
		}
		$may       = parent::get_item_permissions_check( $request );
		$is_locked = $may === true && $post instanceof WP_Post && ! Plugin::get( Attachments::class )->may_see( $post ) && ! $this->can_access_password_content( $post, $request );
		return $is_locked ? new WP_Error( 'rest_forbidden', __( 'Sorry, you are not allowed to do that.', 'trousseau' ), array( 'status' => rest_authorization_required_code() ) ) : $may;
	}

	public function get_collection_params(): array {
		return parent::get_collection_params() + array(
			'co_owned' => array(
				'description' => __( 'Include lists that the authors co-own.', 'trousseau' ),
				'type'        => 'boolean',
				'default'     => false,
			),
		);
	}

	/** The header says that the site has understood the question. */
	public function get_items( $request ): WP_REST_Response|WP_Error {
		$response = parent::get_items( $request );
		if ( $request['co_owned'] && ! is_wp_error( $response ) ) {
			$response->header( 'X-Trousseau-Co-Owned', '1' );
		}
		return $response;
	}

	/** A co-owner who names themselves as the author would take the registry over. */
	public function update_item_permissions_check( $request ): bool|WP_Error {
		$post    = $this->get_post( $request['id'] );
		$refused = $post instanceof WP_Post && ! empty( $request['author'] ) && (int) $request['author'] !== (int) $post->post_author && CoOwnerRules::is_bound( $post );
		return $refused
			? new WP_Error( 'rest_cannot_edit_others', __( 'Only the first owner can hand this list over.', 'trousseau' ), array( 'status' => 403 ) )
			: parent::update_item_permissions_check( $request );
	}

	/** Explains that an account can't have another list. WordPress calls this often, so nothing is counted here. */
	public function create_item_permissions_check( $request ): bool|WP_Error {
		$mine = empty( $request['author'] ) || (int) $request['author'] === get_current_user_id();
		$full = $mine && current_user_can( 'publish_registries' ) ? Plugin::get( Limits::class )->refuse_another() : null;
		return $full ?? parent::create_item_permissions_check( $request );
	}

	public function create_item( $request ): WP_REST_Response|WP_Error {
		return Plugin::get( Limits::class )->refuse_list() ?? parent::create_item( $request );
	}

	public function prepare_item_for_response( $item, $request ): WP_REST_Response|WP_Error {
		// As WordPress does, since other plugins may answer with an array.
		$response = rest_ensure_response( parent::prepare_item_for_response( $item, $request ) );
		if ( $request['context'] === 'edit' && ! current_user_can( 'edit_post', $item->ID ) ) {
			unset( $response->data['password'] );
			// Invitees read the other meta, too.
			if ( isset( $response->data['meta'][ Meta::PAY_TO ] ) ) {
				$response->data['meta'][ Meta::PAY_TO ] = '';
			}
		}
		return $response;
	}

	protected function prepare_item_for_database( $request ): object {
		$post = Plugin::get( MetaRules::class )->refuse( $request['meta'], (int) $request['id'] ) ?? self::refuse_picture( $request ) ?? self::refuse_story( $request ) ?? parent::prepare_item_for_database( $request );
		if ( ! is_wp_error( $post ) && empty( $request['id'] ) ) {
			$post->post_status = PrivateByDefault::status_unless_said( $post->post_status ?? '' );
		}
		return $post;
	}

	private static function refuse_story( WP_REST_Request $request ): ?WP_Error {
		$text = static fn( string $field ): string => is_array( $request[ $field ] ) ? (string) ( $request[ $field ]['raw'] ?? '' ) : (string) $request[ $field ];
		return Limits::refuse_story( $text( 'content' ) . $text( 'excerpt' ) );
	}

	/** Refuses a picture that can't be set: WordPress would report success without setting it. */
	private static function refuse_picture( WP_REST_Request $request ): ?WP_Error {
		$id     = (int) $request['id'];
		$author = (int) ( $id ? get_post_field( 'post_author', $id ) : get_current_user_id() );
		return FeaturedImage::is_allowed( (int) $request['featured_media'], $id, $author ) ? null : new WP_Error(
			'rest_invalid_featured_media',
			__( 'This picture belongs to someone else’s list.', 'trousseau' ),
			array( 'status' => 400 )
		);
	}
}
