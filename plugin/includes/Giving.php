<?php

declare(strict_types=1);

namespace Trousseau;

use WP_Post;

/** The form by which a reader of a registry marks gifts as given: a plain POST, answered by a redirect with a message. */
final class Giving {

	public const ACTION   = 'trousseau_give';
	private const MESSAGE = 'trousseau_given';

	/** Signed-in readers may; other visitors of public registries where the site allows it. */
	public static function is_allowed( WP_Post $post ): bool {
		return Access::can_read( $post ) && ( is_user_logged_in() || Settings::is_on( Settings::ANONYMOUS_GIVING ) );
	}

	public static function handle(): void {
		$number      = static fn( string $field ): int => (int) filter_input( INPUT_POST, $field, FILTER_VALIDATE_INT );
		$registry_id = $number( 'registry' );
		$item_id     = $number( 'item' );
		$post        = Registry::find( $registry_id );
		if ( ! $post || ! self::is_allowed( $post ) ) {
			wp_die( esc_html__( 'Sorry, you are not allowed to do that.', 'trousseau' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( self::ACTION . $item_id );

		$page = remove_query_arg( self::MESSAGE, wp_get_referer() ?: (string) get_permalink( $post ) );
		$back = add_query_arg( self::MESSAGE, self::give( $post, $item_id, $number( 'count' ) ), $page );
		wp_safe_redirect( $back . '#trousseau-registry-' . $post->ID, 303 );
		exit;
	}

	private static function give( WP_Post $post, int $item_id, int $count ): string {
		$item = Registry::item( $post, $item_id );
		if ( is_array( $item ) ) {
			$item = ApiClient::of_site()->purchase( $item_id, $count );
		}
		if ( is_wp_error( $item ) ) {
			return $item->get_error_code() === 'not_enough_left' ? 'taken' : 'failed';
		}
		return is_array( $item ) ? 'thanks' : 'gone';
	}

	/** What came of the form, as the next page says it. */
	public static function message(): string {
		// It chooses one of our own sentences.
		$outcome = $_GET[ self::MESSAGE ] ?? '';
		return match ( $outcome ) {
			'thanks' => __( 'Thank you! Your gift is marked as given.', 'trousseau' ),
			'taken'  => __( 'Not that many are still needed: somebody may have been faster. Nothing was marked.', 'trousseau' ),
			'gone'   => __( 'That gift is no longer on the list. Nothing was marked.', 'trousseau' ),
			'failed' => __( 'Your gift could not be marked just now. Please try again later.', 'trousseau' ),
			default  => '',
		};
	}

	/** @param array<string, mixed> $item */
	public static function form( array $item, WP_Post $post ): string {
		wp_enqueue_script( 'trousseau-giving' );
		$id        = (int) $item['id'];
		$remaining = Item::remaining( $item );
		$field     = 'trousseau-count-' . $id;
		/* translators: %s: name of an item */
		$about = sprintf( __( 'How many of “%s” do you give?', 'trousseau' ), (string) $item['name'] );
		return sprintf( '<form class="trousseau-give" method="post" action="%s">', esc_url( admin_url( 'admin-post.php' ) ) )
			. sprintf( '<input type="hidden" name="action" value="%s">', esc_attr( self::ACTION ) )
			. sprintf( '<input type="hidden" name="registry" value="%d"><input type="hidden" name="item" value="%d">', $post->ID, $id )
			// Not wp_nonce_field(): its id would stand on the page once per gift.
			. sprintf( '<input type="hidden" name="_wpnonce" value="%s">', esc_attr( wp_create_nonce( self::ACTION . $id ) ) ) . wp_referer_field( false )
			. ( $remaining === 1
				? '<input type="hidden" name="count" value="1">'
				: sprintf( '<label class="screen-reader-text" for="%1$s">%2$s</label><input type="number" id="%1$s" name="count" value="1" min="1" max="%3$d" required>', esc_attr( $field ), esc_html( $about ), $remaining ) )
			. sprintf( '<button type="submit" class="wp-element-button">%s<span class="screen-reader-text">: %s</span></button></form>', esc_html__( 'I’m giving this', 'trousseau' ), esc_html( (string) $item['name'] ) );
	}
}
