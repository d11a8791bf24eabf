<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

use Trousseau\Display\RegistryView;
use Trousseau\Giving\Claims;
use Trousseau\Giving\Givers;
use Trousseau\Giving\RememberedGifts;
use Trousseau\Lists\Access;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use WP;
use WP_Post;

/** The answer to the POST by which a known device asks for its own part of a registry's page. No cache stores it. */
final class VisitorAnswer {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly Givers $givers,
		private readonly RegistryView $registry_view,
		private readonly RememberedGifts $remembered_gifts,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
		private readonly VisitorMarks $visitor_marks,
	) {
	}

	public function answer( WP $wp ): void {
		$id = $wp->query_vars[ PageAddress::VISITOR ];
		$this->response_headers->keep_secret();
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'POST' || ! $this->request->is_from_here() ) {
			wp_send_json( null, 403 );
		}
		$post = is_scalar( $id ) && ctype_digit( (string) $id ) ? Registries::find( (int) $id ) : null;
		if ( ! $post || $post->ID !== (int) $id ) {
			wp_send_json( null, 404 );
		}
		$this->flash_message->take();
		$this->visitor_marks->write();
		wp_send_json( $this->part( $post ) );
	}

	private function part( WP_Post $post ): array {
		$item = Access::owns( $post, get_current_user_id() ) ? null : $this->flash_message->item();
		$mine = $this->remembered_gifts->at( $post );
		return array(
			'head'    => $this->registry_view->visitor( $post ),
			'mine'    => (object) array_map( static fn( array $gift ): string => Claims::link( $gift['id'] ), $mine ),
			'waiting' => array_keys( array_filter( $mine, static fn( array $gift ): bool => $gift['waits'] ) ),
			'giving'  => $this->givers->is_allowed( $post ),
			'needs'   => (object) ( Surprise::is_for_viewer( $post )
				? $this->registry_view->needs( $post )
				: array() ),
			'answer'  => $item === null ? null : array(
				'item' => $item,
				'html' => $this->flash_message->html( $item ),
			),
		);
	}
}
