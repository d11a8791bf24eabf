<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\PostType;
use Trousseau\Lists\SharedPages;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\ResponseHeaders;
use WP_Post;

/**
 * The page of a public list, which is the same for everyone who isn't signed in, so that any cache may keep it; a known device then
 * asks for its own part by a POST, which no cache keeps.
 */
final class SharedListPage extends SharedPages {

	public function __construct( ResponseHeaders $response_headers, private readonly PageCache $page_cache ) {
		parent::__construct( $response_headers );
	}

	public function is_shared( WP_Post $post ): bool {
		return PostType::is_public( $post ) && ! is_user_logged_in();
	}

	public function settings( WP_Post $post ): array {
		return array(
			'registry' => $post->ID,
			// The address is relative: the visitor may have come by another origin than the site's own.
			'address'  => wp_make_link_relative( add_query_arg( PageAddress::VISITOR, $post->ID, home_url( '/' ) ) ),
			'cookie'   => VisitorMarks::cookie(),
			'isShared' => $this->is_shared( $post ),
			'mine'     => __( 'You’re giving this', 'trousseau' ),
			'waiting'  => __( 'Please confirm', 'trousseau' ),
			/* translators: 1: words of a button or link, which must stay first, 2: the gift or person that it is about */
			'label'    => __( '%1$s: %2$s', 'trousseau' ),
			'myGifts'  => PageAddress::of( 'my-gifts' ),
		);
	}

	public function note( int $registry ): void {
		$this->page_cache->note_page( $registry );
	}

	public function send_headers(): void {
		$this->page_cache->send_headers();
	}
}
