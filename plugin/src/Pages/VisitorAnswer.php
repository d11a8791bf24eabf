<?php

declare(strict_types=1);

namespace Trousseau\Pages;

defined( 'ABSPATH' ) || exit;

use Trousseau\Claims\Claim;
use Trousseau\Claims\GivingPolicy;
use Trousseau\Registry\Registries;
use Trousseau\Registry\Surprise;
use Trousseau\Support\FlashMessage;
use Trousseau\Support\Request;
use Trousseau\Support\ResponseHeaders;
use WP;
use WP_Post;

/** The answer to the POST by which a known device asks for its own part of a registry's page. No cache keeps it. */
final class VisitorAnswer {

	public static function answer( WP $wp ): void {
		$id = $wp->query_vars[ VisitorPart::PARAMETER ] ?? '';
		if ( $id === '' ) {
			return;
		}
		ResponseHeaders::keep_secret();
		if ( ( $_SERVER['REQUEST_METHOD'] ?? '' ) !== 'POST' || ! Request::is_from_here() ) {
			wp_send_json( null, 403 );
		}
		$post = is_scalar( $id ) && ctype_digit( (string) $id ) ? Registries::find( (int) $id ) : null;
		if ( ! $post || $post->ID !== (int) $id ) {
			wp_send_json( null, 404 );
		}
		FlashMessage::take();
		VisitorMarks::write();
		wp_send_json( self::part( $post ) );
	}

	private static function part( WP_Post $post ): array {
		$item = VisitorPart::is_owner( $post ) ? null : FlashMessage::item();
		$mine = VisitorPart::gifts( $post );
		return array(
			'head'    => VisitorPart::head( $post ),
			'mine'    => (object) array_map( static fn( array $gift ): string => Claim::link( $gift['id'] ), $mine ),
			'waiting' => array_keys( array_filter( $mine, static fn( array $gift ): bool => $gift['waits'] ) ),
			'giving'  => GivingPolicy::is_allowed( $post ),
			'needs'   => (object) ( Surprise::is_for_viewer( $post ) ? RegistryView::needs( $post ) : array() ),
			'answer'  => $item === null ? null : array(
				'item' => $item,
				'html' => FlashMessage::html( $item ),
			),
		);
	}
}
