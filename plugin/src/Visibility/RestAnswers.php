<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Lists\Access;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Cookie;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use WP_Error;
use WP_Post;
use WP_REST_Request;
use WP_REST_Server;

/** Keeps answers of the REST API from revealing which numbers are registries, and out of caches for anyone else. */
final class RestAnswers {

	public function __construct(
		private readonly Attachments $attachments,
		private readonly Cookie $cookie,
		private readonly ResponseHeaders $response_headers,
	) {
	}

	/**
	 * Strangers can guess numbers. The REST API answers the same for a number that leads nowhere and for a registry that the
	 * visitor may not see. Programs with an application password learn which it is: the item service needs to know.
	 */
	public function hide_existence( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		if ( Request::is_by_program() || ! preg_match( '#^/(?:wp/v2/' . PostType::NAME . '|trousseau/v1/registries)/(\d+)(?:/|$)#i', $request->get_route(), $found ) ) {
			return $answer;
		}
		$status = is_wp_error( $answer ) ? ( $answer->get_error_data()['status'] ?? 0 ) : 0;
		if ( ! in_array( $status, array( 401, 403, 404, 410 ), true ) || Access::looks_after_all() ) {
			return $answer;
		}
		$post = PostType::find( (int) $found[1] );
		if ( $post && $this->attachments->may_see( $post ) ) {
			return $answer;
		}
		$code = match ( true ) {
			$request->get_method() === 'DELETE' => 'rest_cannot_delete',
			$request->get_method() !== 'GET'    => 'rest_cannot_edit',
			$request['context'] === 'edit'      => 'rest_forbidden_context',
			default                             => 'rest_forbidden',
		};
		return new WP_Error( $code, __( 'Sorry, you are not allowed to do that.', 'trousseau' ), array( 'status' => rest_authorization_required_code() ) );
	}

	/**
	 * Comments are requested by the numbers of posts, and WordPress refuses those of a post that the user may not read: for a
	 * registry the answer is an empty list.
	 */
	public function hide_comments( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		if ( $request['post'] && ! Access::looks_after_all() ) {
			$known = function ( mixed $id ): mixed {
				$post = get_post( (int) $id );
				return $post && ! $this->attachments->may_see( $post ) ? PHP_INT_MAX : $id;
			};
			$request->set_param( 'post', is_array( $request['post'] ) ? array_map( $known, $request['post'] ) : $known( $request['post'] ) );
		}
		return $answer;
	}

	/**
	 * Keeps answers out of caches: WordPress does so only for people who have signed in. Guests are known by their
	 * cookie, and a kept refusal would reach others who may read.
	 */
	public function keep_out_of_caches( mixed $answer, WP_REST_Server $server, WP_REST_Request $request ): mixed {
		$is_alike = ! is_user_logged_in() && $answer->get_status() < 400;
		if ( $this->cookie->is_known_device() || ( self::is_ours( $request ) && ! $is_alike ) ) {
			$this->response_headers->keep_out_of_caches();
		}
		return $answer;
	}

	/** Drops the Allow header about a hidden file: WordPress sends none about a number that leads nowhere. */
	public function allow_nothing( mixed $answer, WP_REST_Server $server, WP_REST_Request $request ): mixed {
		$file = preg_match( '#^/wp/v2/media/(\d+)#i', $request->get_route(), $found ) ? get_post( (int) $found[1] ) : null;
		if ( $file && ! Access::looks_after_all() && ! $this->attachments->may_see( $file ) ) {
			$answer->set_headers( array_diff_key( $answer->get_headers(), array( 'Allow' => '' ) ) );
		}
		return $answer;
	}

	/** Gives other sites no title, author and picture of a registry with a password, nor of a file that belongs to one. */
	public static function embed_no_locked( mixed $data, WP_Post $post ): mixed {
		return ( $post->post_type === PostType::NAME && $post->post_password !== '' ) || Attachments::registry_of( $post ) ? false : $data;
	}

	/** Whether a request is for registries, or at one of the plugin's own addresses, which WordPress finds in any capitals. */
	public static function is_ours( WP_REST_Request $request ): bool {
		return (bool) preg_match( '#^/(?:wp/v2/' . PostType::NAME . '|trousseau)(?:/|$)#i', $request->get_route() );
	}
}
