<?php

declare(strict_types=1);

namespace Trousseau\PageCaching;

defined( 'ABSPATH' ) || exit;

use Trousseau\Display\RegistryView;
use Trousseau\Giving\Claims;
use Trousseau\Giving\GivingPolicy;
use Trousseau\Giving\VisitorPart;
use Trousseau\Lists\Registries;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use WP;
use WP_Post;

/** The answer to the POST by which a known device asks for its own part of a registry's page. No cache stores it. */
final class VisitorAnswer {

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly GivingPolicy $giving_policy,
		private readonly RegistryView $registry_view,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
		private readonly VisitorMarks $visitor_marks,
		private readonly VisitorPart $visitor_part,
	) {
	}

	public function answer( WP $wp ): void {
		$id = $wp->query_vars[ SharedListPage::PARAMETER ] ?? '';
		if ( $id === '' ) {
			return;
		}
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
		$item = VisitorPart::is_owner( $post ) ? null : $this->flash_message->item();
		$mine = $this->visitor_part->gifts( $post );
		return array(
			'head'    => $this->visitor_part->head( $post ),
			'mine'    => (object) array_map( static fn( array $gift ): string => Claims::link( $gift['id'] ), $mine ),
			'waiting' => array_keys( array_filter( $mine, static fn( array $gift ): bool => $gift['waits'] ) ),
			'giving'  => $this->giving_policy->is_allowed( $post ),
			'needs'   => (object) ( Surprise::hides_numbers( $post ) ? $this->registry_view->needs( $post ) : array() ),
			'answer'  => $item === null ? null : array(
				'item' => $item,
				'html' => $this->flash_message->html( $item ),
			),
		);
	}
}
