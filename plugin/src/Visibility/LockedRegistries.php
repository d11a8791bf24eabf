<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\Access;
use Trousseau\Registry\PostType;
use WP_Error;
use WP_Post;
use WP_Query;
use WP_REST_Comments_Controller;
use WP_REST_Request;

/**
 * Who sees a registry: only its people, unless its owner says in words that everybody may. Where WordPress asks nothing, a
 * registry that was never published becomes private; one that is public is in no list while it has a password.
 */
final class LockedRegistries {

	/** The answer to the question on the screen without blocks. */
	private const ANSWER = 'trousseau_visibility';

	/** A query that lists registries with a password, too: of people's own, and for what the site does behind them. */
	public const WITH_LOCKED = 'trousseau_with_locked';

	private const UNPUBLISHED = array( 'auto-draft', 'draft', 'pending' );

	/** Seen by everybody, now or some day by itself. */
	private const PUBLISHED = array( 'publish', 'future' );

	/** What a program stores without saying who may see it. */
	public static function status_unless_said( mixed $status ): string {
		return is_string( $status ) && $status !== '' ? $status : 'private';
	}

	/**
	 * The same by XML-RPC.
	 *
	 * @param array<string, mixed> $post
	 * @param array<string, mixed> $sent
	 * @return array<string, mixed>
	 */
	public static function start_private_by_xmlrpc( array $post, array $sent ): array {
		if ( ( $post['post_type'] ?? '' ) === PostType::NAME && empty( $sent['ID'] ) ) {
			$post['post_status'] = self::status_unless_said( $sent['post_status'] ?? '' );
		}
		return $post;
	}

	/** The screen without blocks asks in the place of WordPress's own words, which say “public” before anybody has chosen. */
	public static function ask( WP_Post $post ): void {
		if ( $post->post_type !== PostType::NAME || ! in_array( $post->post_status, self::UNPUBLISHED, true ) ) {
			return;
		}
		$choice = static fn( string $value, string $words, bool $chosen ): string => sprintf(
			'<label><input type="radio" name="%s" value="%s"%s> %s</label>',
			esc_attr( self::ANSWER ),
			esc_attr( $value ),
			checked( $chosen, true, false ),
			esc_html( $words )
		);
		printf(
			'<style>#visibility{display:none}</style><fieldset class="misc-pub-section"><legend>%s</legend>%s<br>%s</fieldset>',
			esc_html__( 'Who can see this registry?', 'trousseau' ),
			$choice( 'private', __( 'Only you and the guests you name', 'trousseau' ), $post->post_password === '' ),
			$choice( 'public', __( 'Everybody', 'trousseau' ), $post->post_password !== '' )
		);
	}

	/**
	 * What was answered there, or wasn't asked.
	 *
	 * @param array<string, mixed> $data
	 * @param array<string, mixed> $sent
	 * @return array<string, mixed>
	 */
	public static function heed( array $data, array $sent ): array {
		if ( $data['post_type'] === PostType::NAME && in_array( $data['post_status'], self::PUBLISHED, true ) && self::stays_private( (int) ( $sent['ID'] ?? 0 ) ) ) {
			$data['post_status']   = 'private';
			$data['post_password'] = '';
		}
		return $data;
	}

	/**
	 * Whether a registry that a form of WordPress's publishes is private all the same: it was answered so, or the form is Quick
	 * Edit or Bulk Edit, whose “Published” says nothing of who sees it. They leave public what is public, and make nothing so.
	 */
	public static function stays_private( int $id ): bool {
		// WordPress has verified the form that it is about to store.
		$form     = $_REQUEST;
		$answered = (int) ( $form['post_ID'] ?? 0 ) === $id && ( $form[ self::ANSWER ] ?? '' ) === 'private';
		$in_list  = is_admin() && ( isset( $form['bulk_edit'] ) || ( $form['action'] ?? '' ) === 'inline-save' );
		return $id && ( $answered || ( $in_list && ! in_array( get_post_status( $id ), self::PUBLISHED, true ) ) );
	}

	/**
	 * Whoever locks a registry with a password wants it found by nobody: it is in no list on the site, in no sitemap, and in
	 * no list of the REST API but those in which its owner and administrators edit.
	 */
	public static function leave_out_locked( WP_Query $query ): void {
		$is_list = (array) $query->get( 'post_type' ) === array( PostType::NAME ) && ! $query->is_singular();
		if ( $is_list && ! is_admin() && ! $query->get( self::WITH_LOCKED ) ) {
			$query->set( 'has_password', false );
		}
	}

	/** Nor is it what WordPress guesses of half an address; nor is any other registry. */
	public static function guess_no_registry( mixed $guessed ): mixed {
		$asked = get_query_var( 'post_type' );
		$among = (array) ( $asked ?: get_post_types( array( 'public' => true ) ) );
		$types = array_diff( $among, array( PostType::NAME ) );
		if ( $guessed !== null || $types === $among ) {
			return $guessed;
		}
		// WordPress guesses among those that were asked for.
		set_query_var( 'post_type', $types );
		$guessed = $types ? redirect_guess_404_permalink() : false;
		set_query_var( 'post_type', $asked );
		return $guessed;
	}

	/** Nor is it the next one after another, or the one before. */
	public static function pass_locked( string $where ): string {
		return "$where AND ( p.post_type <> '" . PostType::NAME . "' OR p.post_password = '' )";
	}

	/**
	 * The lists in which they edit.
	 *
	 * @param array<string, mixed> $query
	 * @return array<string, mixed>
	 */
	public static function keep_locked_to_edit( array $query, WP_REST_Request $request ): array {
		$edit = is_user_logged_in() && $request['context'] === 'edit' && ! empty( $query[ QueryFilter::OWN ] );
		return $edit ? array( self::WITH_LOCKED => true ) + $query : $query;
	}

	/**
	 * Strangers can guess numbers. The REST API answers the same for a number that leads nowhere and for a registry that the
	 * visitor may not see. Programs with an application password learn which it is: the item service needs to know.
	 *
	 * @param array<string, mixed> $handler
	 */
	public static function tell_nothing( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		if ( did_action( 'application_password_did_authenticate' ) || ! preg_match( '#^/(?:wp/v2/' . PostType::NAME . '|trousseau/v1/registries)/(\d+)(?:/|$)#', $request->get_route(), $found ) ) {
			return $answer;
		}
		$status = is_wp_error( $answer ) ? ( $answer->get_error_data()['status'] ?? 0 ) : 0;
		if ( ! in_array( $status, array( 401, 403, 404, 410 ), true ) || Access::looks_after_all() || self::is_known( (int) $found[1] ) ) {
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

	/** Whether the visitor knows a registry of this number. */
	private static function is_known( int $id ): bool {
		$post = get_post( $id );
		return $post && $post->post_type === PostType::NAME && ( $post->post_status === 'publish' || current_user_can( 'read_post', $id ) );
	}

	/**
	 * Comments are asked for by the numbers of posts, and WordPress refuses those of a post that somebody may not read: of a
	 * registry it finds none.
	 *
	 * @param array<string, mixed> $handler
	 */
	public static function ask_no_comments( mixed $answer, array $handler, WP_REST_Request $request ): mixed {
		$is_asked = is_array( $handler['callback'] ?? null ) && $handler['callback'][0] instanceof WP_REST_Comments_Controller;
		if ( $is_asked && $request['post'] && ! Access::looks_after_all() ) {
			$known = static function ( mixed $id ): mixed {
				$post      = get_post( (int) $id );
				$is_hidden = $post && ( $post->post_type === PostType::NAME ? ! self::is_known( $post->ID ) : ! Attachments::may_see( $post ) );
				return $is_hidden ? PHP_INT_MAX : $id;
			};
			$request->set_param( 'post', is_array( $request['post'] ) ? array_map( $known, $request['post'] ) : $known( $request['post'] ) );
		}
		return $answer;
	}
}
