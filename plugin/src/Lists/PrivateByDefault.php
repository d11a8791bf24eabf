<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use WP_Post;

/**
 * A registry is private unless its owner chooses in words that everyone may see it. Where WordPress doesn't ask, a registry
 * that was never published becomes private.
 */
final class PrivateByDefault {

	/** The answer to the question on the screen without blocks. */
	private const ANSWER = 'trousseau_visibility';

	private const UNPUBLISHED = array( 'auto-draft', 'draft', 'pending' );

	/** Statuses that show a registry to everyone, now or at a planned time. */
	public const PUBLISHED = array( 'publish', 'future' );

	/** The status of a registry that a program stores without a visibility. */
	public static function status_unless_said( mixed $status ): string {
		return is_string( $status ) && $status !== '' ? $status : 'private';
	}

	/** Does the same for XML-RPC. */
	public static function start_private_by_xmlrpc( array $post, array $sent ): array {
		if ( ( $post['post_type'] ?? '' ) === PostType::NAME && empty( $sent['ID'] ) ) {
			$post['post_status'] = self::status_unless_said( $sent['post_status'] ?? '' );
		}
		return $post;
	}

	/** Asks on the screen without blocks, in the place of WordPress's own words, which say “public” before anyone has chosen. */
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
			esc_html__( 'Who can see this list', 'trousseau' ),
			$choice( 'private', __( 'Only you and the guests you invite', 'trousseau' ), $post->post_password === '' ),
			$choice( 'public', __( 'Everyone', 'trousseau' ), $post->post_password !== '' )
		);
	}

	/** Stores a registry as private where that is the answer, or where the form didn't ask. */
	public function apply_answer( array $data, array $sent ): array {
		if ( $data['post_type'] === PostType::NAME && in_array( $data['post_status'], self::PUBLISHED, true ) && $this->stays_private( (int) ( $sent['ID'] ?? 0 ) ) ) {
			$data['post_status']   = 'private';
			$data['post_password'] = '';
		}
		return $data;
	}

	/**
	 * Whether a registry that a form of WordPress publishes stays private: its owner answered so, or the form is Quick
	 * Edit or Bulk Edit, whose “Published” doesn't name the visibility. They leave public registries public, and make none public.
	 */
	public function stays_private( int $id ): bool {
		// WordPress has verified the form that it is about to store.
		$form     = $_REQUEST;
		$answered = (int) ( $form['post_ID'] ?? 0 ) === $id && ( $form[ self::ANSWER ] ?? '' ) === 'private';
		$in_list  = is_admin() && ( isset( $form['bulk_edit'] ) || ( $form['action'] ?? '' ) === 'inline-save' );
		return $id && ( $answered || ( $in_list && ! in_array( get_post_status( $id ), self::PUBLISHED, true ) ) );
	}
}
