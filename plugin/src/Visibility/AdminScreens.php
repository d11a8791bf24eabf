<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

/** WordPress's screens that show the title, address or file of any post whose number they are given. */
final class AdminScreens {

	/** The parameters that name a post, by screen or by action of admin-ajax.php. */
	private const NAMED_BY = array(
		'edit-comments.php'        => array( 'p' ),
		'async-upload.php'         => array( 'attachment_id' ),
		'media-upload.php'         => array( 'attachment_id' ),
		'sample-permalink'         => array( 'post_id' ),
		'get-permalink'            => array( 'post_id' ),
		'send-attachment-to-editor' => array( 'attachment', 'id' ),
		'get-post-thumbnail-html'  => array( 'thumbnail_id' ),
	);

	public function __construct( private readonly Attachments $attachments ) {
	}

	public function guard(): void {
		// This code only reads numbers, and refuses.
		$request = $_REQUEST;
		$screen  = wp_doing_ajax() ? (string) ( is_scalar( $request['action'] ?? null ) ? $request['action'] : '' ) : (string) $GLOBALS['pagenow'];
		$value   = isset( self::NAMED_BY[ $screen ] ) ? $request : null;
		foreach ( self::NAMED_BY[ $screen ] ?? array() as $name ) {
			$value = is_array( $value ) ? $value[ $name ] ?? null : null;
		}
		// Those screens read it so, too: some take a negative number for a positive one.
		$id   = absint( $value );
		$post = $id ? get_post( $id ) : null;
		$post = $post?->post_type === 'revision' ? get_post( $post->post_parent ) : $post;
		if ( $post && ! $this->attachments->may_see( $post ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'trousseau' ), '', array( 'response' => 403 ) );
		}
	}
}
