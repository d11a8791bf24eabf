<?php

declare(strict_types=1);

namespace Trousseau\Registry;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/**
 * Only its people see a registry, unless its owner says in words that everybody may. Where WordPress asks nothing, a registry
 * that was never published becomes private.
 */
final class PrivateByDefault {

	/** The answer to the question on the screen without blocks. */
	private const ANSWER = 'trousseau_visibility';

	private const UNPUBLISHED = array( 'auto-draft', 'draft', 'pending' );

	/** Seen by everybody, now or some day by itself. */
	private const PUBLISHED = array( 'publish', 'future' );

	/** The status of a registry that a program stores without saying who may see it. */
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
	 * Stores a registry as private where that is the answer, or where nobody was asked.
	 *
	 * @param array<string, mixed> $data
	 * @param array<string, mixed> $sent
	 * @return array<string, mixed>
	 */
	public static function apply_answer( array $data, array $sent ): array {
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
}
