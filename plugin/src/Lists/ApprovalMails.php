<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use WP_Post;

/** Tells the site's administrator by email that a list waits for approval. */
final class ApprovalMails {

	public function __construct( private readonly Mail $mail ) {
	}

	public function ask( WP_Post $post ): void {
		$owner  = get_userdata( (int) $post->post_author );
		$values = array(
			'registry' => Registries::title( $post ),
			'owner'    => $owner ? Accounts::display_name( $owner ) : '',
			'link'     => PageAddress::of( 'details', $post->ID ),
		);
		$this->mail->send( (string) get_option( 'admin_email' ), 'approval', $values );
	}
}
