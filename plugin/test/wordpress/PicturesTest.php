<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use ReflectionMethod;
use Trousseau\Admin\Uninstall;
use Trousseau\Platform\PictureFile;
use Trousseau\Plugin;
use WP_Comment_Query;

/** The pictures of a private registry are in no list, page, block or comment for people who don't see the registry. */
final class PicturesTest extends WordPressTestCase {

	private object $closed;

	private object $secret;

	private object $control;

	protected function setUp(): void {
		parent::setUp();
		foreach ( array( 'edith' => 'editor', 'arthur' => 'author', 'conrad' => 'contributor' ) as $login => $role ) {
			self::user( $login, $role );
		}
		$this->closed  = $this->registry( 'alice', array( 'title' => 'Numbat party', 'status' => 'private', 'meta' => array( 'registry_invitees' => '["bob"]' ) ) );
		$this->secret  = self::picture( 'alice', 'secretpicture', $this->closed->id, array( 'post_content' => 'quagga', 'post_excerpt' => 'secretpicture caption' ) );
		$this->control = self::picture( 'admin', 'controlpicture', 0, array( 'post_content' => 'quagga', 'post_excerpt' => 'controlpicture caption' ) );
	}

	protected function tearDown(): void {
		$blocks = \WP_Block_Type_Registry::get_instance();
		$blocks->is_registered( 'other/picture' ) && $blocks->unregister( 'other/picture' );
		parent::tearDown();
	}

	private static function shows( string $text, object $picture ): bool {
		return str_contains( $text, basename( $picture->file, '.png' ) );
	}

	public function test_are_in_lists_and_answers_of_the_rest_api_for_the_people_of_a_private_registry_only(): void {
		$path = "/wp/v2/media/{$this->secret->id}";
		$read = function ( ?string $login ) use ( $path ): array {
			$list     = $this->rest( $login, 'GET', '/wp/v2/media?search=quagga' );
			$children = $this->rest( $login, 'GET', "/wp/v2/media?parent={$this->closed->id}" );
			return array( $list->total(), self::shows( $list->text, $this->secret ), $this->rest( $login, 'GET', $path )->status, $children->total() );
		};
		self::assert_each( array( 1, false, 404, 0 ), array( null, 'carol', 'conrad', 'arthur', 'edith' ), $read );
		self::assert_each( array( 2, true, 200, 1 ), array( 'alice', 'bob', 'admin' ), $read );
		self::assertSame( 404, $this->rest( 'edith', 'GET', "$path?context=edit" )->status );
		self::assertSame( 404, $this->rest( 'edith', 'POST', $path, array( 'title' => 'Seen' ) )->status );
		self::assertSame( 404, $this->rest( 'edith', 'DELETE', "$path?force=true" )->status );
		foreach ( array( 'read', 'edit', 'delete' ) as $may ) {
			foreach ( array( "{$may}_post", "{$may}_page" ) as $right ) {
				$rights = array(
					user_can( self::user( 'edith' ), $right, $this->secret->id ),
					user_can( self::user( 'alice' ), 'read_post', $this->secret->id ),
					user_can( self::user( 'admin' ), $right, $this->secret->id ),
				);
				self::assertSame( array( false, true, true ), $rights, $right );
			}
		}
		self::assertSame( 200, $this->rest( 'admin', 'GET', "$path?context=edit" )->status );
	}

	public function test_of_a_registry_with_a_password_are_in_no_list_and_their_page_asks_for_the_password(): void {
		update_option( 'wp_attachment_pages_enabled', '1' );
		$open    = $this->registry( 'alice', array( 'title' => 'Ajar', 'status' => 'publish' ) );
		$locked  = $this->registry( 'alice', array( 'title' => 'Bolted down', 'status' => 'publish', 'password' => 'knock', 'content' => '[gallery]' ) );
		$picture = static fn( int $at ): int => self::picture( 'alice', "zpicture$at", $at, array( 'post_excerpt' => "zcaption$at" ) )->id;
		$shown   = $picture( $open->id );
		$hidden  = $picture( $locked->id );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$locked->id", array( 'featured_media' => $hidden ) )->status );
		$tells = static fn( Answer $answer ): bool => preg_match( "/zpicture$locked->id|zcaption$locked->id|Bolted down|$locked->slug/", $answer->location() . preg_replace( '/"(href|search|canonical)":"[^"]*"/', '', $answer->text ) ) === 1;
		$own   = "/registry/$locked->slug/zpicture$locked->id/";
		foreach ( array( null, 'carol', 'arthur', 'edith' ) as $login ) {
			foreach ( array( '', "&include=$shown,$hidden", '&search=zpicture', "&parent=$open->id,$locked->id" ) as $also ) {
				$list = $this->rest( $login, 'GET', "/wp/v2/media?per_page=100$also" );
				self::assertSame( array( true, false ), array( str_contains( $list->text, "zpicture$open->id" ), $tells( $list ) ), "$login $also" );
			}
			foreach ( array( $own, "/?attachment_id=$hidden", "/?p=$hidden", "/?attachment_id=$hidden&feed=rss2" ) as $path ) {
				$page = $this->page( $login, $path );
				self::assertSame( array( str_contains( $path, 'feed=' ) ? 200 : 404, '' ), array( $page->status, $page->location() ), $path );
				self::assertSame( array( false, false ), array( $path !== $own && $tells( $page ), str_contains( $page->text, 'zcaption' ) ), $path );
			}
			$embed = static fn( string $address ): string => '/oembed/1.0/embed?url=' . rawurlencode( home_url( $address ) );
			foreach ( array( "/wp/v2/media/$hidden", $embed( $own ), $embed( "/?p=$hidden" ) ) as $path ) {
				$answer = $this->rest( $login, 'GET', $path );
				self::assertSame( array( 404, false, '' ), array( $answer->status, $tells( $answer ), str_starts_with( $path, '/wp' ) ? $answer->headers['allow'] ?? '' : '' ), $path );
			}
			foreach ( array( 'GET /wp/v2/MEDIA', 'OPTIONS /wp/v2/media' ) as $way ) {
				list( $method, $path ) = explode( ' ', $way );
				self::assertSame( '', $this->rest( $login, $method, "$path/$hidden" )->headers['allow'] ?? '', $way );
			}
			if ( $login ) {
				self::assertFalse( user_can( self::user( $login ), 'edit_post', $hidden ), 'by which XML-RPC tells it' );
			}
			self::assertSame( array( 200, 200 ), array( $this->page( $login, "/registry/$open->slug/zpicture$open->id/" )->status, $this->rest( $login, 'GET', "/wp/v2/media/$shown" )->status ) );
		}
		require_once ABSPATH . WPINC . '/class-phpass.php';
		$password = array( 'wp-postpass_' . COOKIEHASH => ( new \PasswordHash( 8, true ) )->HashPassword( 'knock' ) );
		self::assertStringNotContainsString( "zpicture$locked->id", $this->page( null, $locked->link )->text );
		self::assertStringContainsString( "zpicture$locked->id", $this->page( null, $locked->link, $password )->text, 'past the password its story shows them' );
		foreach ( array( array( null, $password ), array( 'alice', array() ), array( 'admin', array() ) ) as list( $login, $cookies ) ) {
			self::assertSame( 200, $this->page( $login, $own, $cookies )->status );
		}
		self::assert_each( 200, array( 'alice', 'admin' ), fn( string $login ): int => $this->rest( $login, 'GET', "/wp/v2/media/$hidden" )->status );
	}

	public function test_stand_on_no_screen_of_the_media_library_and_in_no_list_of_xmlrpc_and_are_counted_nowhere(): void {
		wp_update_post( array( 'ID' => $this->secret->id, 'post_date' => '2031-04-05 06:07:08' ) );
		$library = static function (): array {
			set_current_screen( 'upload' );
			ob_start();
			$list = _get_list_table( 'WP_Media_List_Table', array( 'screen' => 'upload' ) );
			$list->prepare_items();
			$list->views();
			$list->display();
			$months = array_column( (array) apply_filters( 'media_library_months_with_files', null ), 'year' );
			return array( (string) ob_get_clean(), (int) wp_count_attachments( 'image' )->{'image/png'}, in_array( '2031', $months, true ) );
		};
		foreach ( array( 'arthur' => 1, 'edith' => 1, 'admin' => 2 ) as $login => $files ) {
			$is_seen                         = $files === 2;
			list( $list, $count, $is_month ) = $this->in_request( $login, $library, 'GET', '/wp-admin/upload.php?mode=list&s=quagga' );
			self::assertSame( array( $is_seen, true, $files ), array( self::shows( $list, $this->secret ), self::shows( $list, $this->control ), $count ), $login );
			self::assertSame( array( $is_seen, $is_seen ), array( str_contains( $list, 'April 2031' ), str_contains( $list, 'Numbat' ) ), $login );
			self::assertTrue( $is_seen || ! $is_month, $login );
			$found = $this->ajax( $login, 'query-attachments', array( 'query' => array( 's' => 'quagga' ) ) )->text;
			self::assertSame( array( $is_seen, true, $is_seen ), array( self::shows( $found, $this->secret ), self::shows( $found, $this->control ), str_contains( $found, 'Numbat' ) ), $login );
			self::assertSame( $is_seen, $this->ajax( $login, 'get-attachment', array( 'id' => (string) $this->secret->id ) )->json['success'] ?? false, $login );
		}

		foreach ( array( 'arthur', 'edith' ) as $login ) {
			foreach ( array( array( 'wp.getMediaItem', $this->secret->id ), array( 'wp.getMediaLibrary', array() ), array( 'wp.getPost', $this->secret->id ) ) as $call ) {
				self::assertFalse( self::shows( serialize( $this->xmlrpc( $login, ...$call ) ), $this->secret ), $call[0] );
			}
			foreach ( array( array( 'wp.getMediaItem', $this->control->id ), array( 'wp.getMediaLibrary', array() ) ) as $call ) {
				self::assertTrue( self::shows( serialize( $this->xmlrpc( $login, ...$call ) ), $this->control ), $call[0] );
			}
		}
		self::assertTrue( self::shows( serialize( $this->xmlrpc( 'admin', 'wp.getMediaItem', $this->secret->id ) ), $this->secret ) );
	}

	public function test_become_nobody_elses_featured_image_and_stand_in_no_other_story(): void {
		$open     = $this->registry( 'carol', array( 'title' => 'Taken', 'status' => 'publish', 'content' => "[gallery ids=\"{$this->secret->id},{$this->control->id}\"]" ) );
		$path     = "/wp/v2/registry/$open->id";
		$featured = static fn(): int => (int) get_post_meta( $open->id, '_thumbnail_id', true );

		$refused = $this->rest( 'carol', 'POST', $path, array( 'featured_media' => $this->secret->id ) );
		self::assertSame( array( 400, 'rest_invalid_featured_media' ), array( $refused->status, $refused->code() ) );
		$this->xmlrpc( 'carol', 'wp.editPost', $open->id, array( 'post_thumbnail' => $this->secret->id ) );
		$this->in_request( 'carol', fn() => edit_post( array( 'post_ID' => $open->id, 'post_type' => 'registry', '_thumbnail_id' => (string) $this->secret->id ) ), 'POST', '/wp-admin/post.php' );
		self::assertSame( 0, $featured() );
		self::assertSame( 400, $this->rest( 'carol', 'POST', '/wp/v2/registry', array( 'title' => 'New', 'featured_media' => $this->secret->id ) )->status );

		self::assertSame( 200, $this->rest( 'carol', 'POST', $path, array( 'featured_media' => $this->control->id ) )->status );
		self::assertSame( $this->control->id, $featured() );
		self::assertStringContainsString( 'controlpicture', $this->page( null, $open->link )->text );
		$own = $this->registry( 'alice', array( 'title' => 'Alices', 'status' => 'publish' ) );
		self::assertSame( 200, $this->rest( 'alice', 'POST', "/wp/v2/registry/$own->id", array( 'featured_media' => $this->secret->id ) )->status );
		self::assertStringContainsString( 'secretpicture', $this->page( null, $own->link )->text, 'its owner publishes it' );

		self::call( 'store_meta', $open->id, '_thumbnail_id', $this->secret->id );
		foreach ( array( null, 'carol', 'edith' ) as $login ) {
			foreach ( array( $open->link, "$open->link?preview=true&_thumbnail_id={$this->secret->id}" ) as $address ) {
				self::assertFalse( self::shows( $this->page( $login, $address )->text, $this->secret ), $address );
			}
		}
		self::assertSame( 0, $this->rest( null, 'GET', $path )->json['featured_media'] );
	}

	public function stories(): array {
		$image = static fn( int|string $id ): string => "<!-- wp:image {\"id\":$id,\"lightbox\":{\"enabled\":true}} --><figure class=\"wp-block-image\"><img src=\"https://x.example/a.png\" alt=\"\"/></figure><!-- /wp:image -->";
		return array(
			'image'                   => array( $image ),
			'image by a text'         => array( static fn( int $id ): string => $image( "\" {$id}x\"" ) ),
			'gallery'                 => array( static fn( int $id ): string => "<!-- wp:gallery {\"ids\":[$id]} --><figure class=\"wp-block-gallery has-nested-images\">{$image( $id )}</figure><!-- /wp:gallery -->" ),
			'cover'                   => array( static fn( int $id ): string => "<!-- wp:cover {\"url\":\"https://x.example/a.png\",\"id\":$id} --><div class=\"wp-block-cover\"><div class=\"wp-block-cover__inner-container\">{$image( $id )}</div></div><!-- /wp:cover -->" ),
			'media and text'          => array( static fn( int $id ): string => "<!-- wp:media-text {\"mediaId\":$id,\"mediaType\":\"image\"} --><div class=\"wp-block-media-text\"><figure class=\"wp-block-media-text__media\"><img src=\"https://x.example/a.png\" alt=\"\" class=\"wp-image-$id\"/></figure><div class=\"wp-block-media-text__content\"></div></div><!-- /wp:media-text -->" ),
			'file'                    => array( static fn( int $id ): string => "<!-- wp:file {\"id\":$id,\"href\":\"https://x.example/a.pdf\"} --><div class=\"wp-block-file\"><a href=\"https://x.example/a.pdf\">A</a></div><!-- /wp:file -->" ),
			'video'                   => array( static fn( int $id ): string => "<!-- wp:video {\"id\":$id} --><figure class=\"wp-block-video\"><video controls src=\"https://x.example/a.mp4\"></video></figure><!-- /wp:video -->" ),
			'playlist'                => array( static fn( int $id ): string => "<!-- wp:playlist --><figure class=\"wp-block-playlist\"><!-- wp:playlist-track {\"id\":$id} /--></figure><!-- /wp:playlist -->[playlist type=\"video\" ids=\"$id\"]" ),
			'a list of the owner’s'   => array( static fn( int $id ): string => '<!-- wp:query {"query":{"perPage":50,"postType":"registry","author":"' . self::user( 'alice' ) . "\",\"inherit\":false}} --><div class=\"wp-block-query\"><!-- wp:post-template -->{$image( $id )}<!-- /wp:post-template --></div><!-- /wp:query -->" ),
		);
	}

	/**
	 * @dataProvider stories
	 * @param callable(int): string $story
	 */
	public function test_have_their_address_given_by_no_block_wherever_their_number_stands( callable $story ): void {
		$this->registry( 'alice', array( 'title' => 'Open to be listed', 'status' => 'publish' ) );
		$made = $this->registry( 'carol', array( 'title' => 'Blocks', 'status' => 'publish', 'content' => $story( $this->secret->id ) ) );
		self::assert_each( false, array( null, 'carol', 'edith' ), fn( ?string $login ): bool => self::shows( $this->page( $login, $made->link )->text, $this->secret ) );
		self::assertFalse( self::shows( $this->rest( null, 'GET', "/wp/v2/registry/$made->id" )->text, $this->secret ) );
		$this->rest( 'carol', 'POST', "/wp/v2/registry/$made->id", array( 'content' => $story( $this->control->id ) ) );
		if ( str_contains( $story( 0 ), 'lightbox' ) ) {
			$has_lightbox = version_compare( get_bloginfo( 'version' ), '6.4', '>=' );
			self::assertSame( $has_lightbox, self::shows( $this->page( null, $made->link )->text, $this->control ), 'of everybody’s' );
		}
	}

	public function test_have_their_address_given_by_no_plugins_block_in_a_post_whatever_its_attribute_is_called(): void {
		$has = array(
			'attributes'      => array( 'whatever' => array( 'type' => 'number' ) ),
			'render_callback' => static fn( $has ) => wp_get_attachment_image( $has['whatever'], 'full' ) . wp_get_attachment_url( $has['whatever'] ) . wp_json_encode( wp_get_attachment_metadata( $has['whatever'] ) ) . get_attachment_link( $has['whatever'] ),
		);
		register_block_type( 'other/picture', $has );
		$made = fn( int $id ): string => $this->rest( 'edith', 'POST', '/wp/v2/posts', array( 'title' => 'Post', 'status' => 'publish', 'content' => "<!-- wp:other/picture {\"whatever\":$id} /-->" ) )->json['link'];
		self::assertTrue( self::shows( $this->page( null, $made( $this->control->id ) )->text, $this->control ) );
		self::assertFalse( self::shows( $this->page( null, $made( $this->secret->id ) )->text, $this->secret ) );
		self::assertTrue( self::shows( $this->page( 'alice', $made( $this->secret->id ) )->text, $this->secret ), 'its owner sees it' );
		$gallery = fn( int $id ): string => $this->page( null, $this->rest( 'edith', 'POST', '/wp/v2/posts', array( 'title' => 'Post', 'status' => 'publish', 'content' => "[gallery ids=\"$id\"]" ) )->json['link'] )->text;
		self::assertSame( array( true, false ), array( self::shows( $gallery( $this->control->id ), $this->control ), self::shows( $gallery( $this->secret->id ), $this->secret ) ) );
	}

	public function test_have_comments_that_are_in_no_list_feed_or_count(): void {
		$say      = static fn( int $id, string $words ): int => wp_insert_comment( array( 'comment_post_ID' => $id, 'comment_author' => 'Zbob', 'user_id' => self::user( 'bob' ), 'comment_content' => $words, 'comment_date' => '2020-01-01 00:00:00', 'comment_approved' => 1 ) );
		$approved = fn( string $login ): int => $this->in_request( $login, static fn(): int => (int) wp_count_comments()->approved );
		$counted  = $approved( 'edith' );
		$say( $this->secret->id, 'zwhispered marvellous' );
		$say( $this->control->id, 'zspoken marvellous' );
		self::assertSame( array( 1, 2 ), array( $approved( 'edith' ) - $counted, $approved( 'admin' ) - $counted ) );
		foreach ( array( null, 'carol', 'arthur', 'edith' ) as $login ) {
			foreach ( array( '/comments/feed/', '/comments/feed/atom/', '/?feed=comments-rss2', '/?s=controlpicture&post_type=attachment&feed=comments-rss2&withcomments=1' ) as $path ) {
				$text = $this->page( $login, $path )->text;
				self::assertDoesNotMatchRegularExpression( '/zwhispered|secretpicture/', $text, "$login $path" );
				if ( ! str_contains( $path, '?s=' ) ) {
					self::assertStringContainsString( 'zspoken', $text, "$login $path" );
				}
			}
			$all = $this->rest( $login, 'GET', '/wp/v2/comments' )->text;
			self::assertStringContainsString( 'zspoken', $all );
			self::assertDoesNotMatchRegularExpression( '/zwhispered|secretpicture/', $all );
			if ( $login === 'edith' ) {
				$screens = array(
					$this->printed( $login, static function (): void {
						set_current_screen( 'edit-comments' );
						$list = _get_list_table( 'WP_Comments_List_Table', array( 'screen' => 'edit-comments' ) );
						$list->prepare_items();
						$list->display();
					}, '/wp-admin/edit-comments.php' ),
					$this->printed( $login, static fn() => array( set_current_screen( 'dashboard' ), wp_dashboard_recent_comments() ), '/wp-admin/index.php' ),
				);
				self::assertCount( 2, preg_grep( '/zspoken/', $screens ) );
				self::assertDoesNotMatchRegularExpression( '/zwhispered|secretpicture/', implode( $screens ) );
			}
			foreach ( array( 'zwhispered' => 0, 'zspoken' => 1, 'marvellous' => 1 ) as $word => $total ) {
				self::assertSame( $total, $this->rest( $login, 'GET', "/wp/v2/comments?search=$word" )->total(), "$login $word" );
			}
		}
		// The cache keys must be the same in each request, or no cached entry would be found.
		$kept_as = fn(): string => $this->in_request(
			'carol',
			static function (): string {
				wp_cache_set( 'last_changed', '1', 'posts' );
				return ( new WP_Comment_Query( array( 'number' => 1 ) ) )->query_vars['cache_domain'];
			}
		);
		self::assertSame( $kept_as(), $kept_as() );
		// One after the other, each with the cache of the one before.
		$seen = array();
		foreach ( array( 'alice', 'carol', 'admin', 'edith' ) as $login ) {
			wp_set_current_user( self::user( $login ) );
			$seen[ $login ] = array( count( get_comments( array( 'search' => 'zwhispered' ) ) ), (int) wp_count_comments()->approved - $counted );
		}
		self::assertSame( array( 'alice' => array( 1, 2 ), 'carol' => array( 0, 1 ), 'admin' => array( 1, 2 ), 'edith' => array( 0, 1 ) ), $seen );
		foreach ( array( 'alice', 'bob', 'admin' ) as $login ) {
			self::assertStringContainsString( 'marvellous', $this->rest( $login, 'GET', '/wp/v2/comments?search=zwhispered' )->text );
		}
		foreach ( array( array( $this->secret, false ), array( $this->control, true ) ) as list( $picture, $is_open ) ) {
			$form   = array( 'comment' => "Said now of $picture->file", 'comment_post_ID' => (string) $picture->id );
			$answer = $this->in_request( 'bob', static fn(): mixed => wp_handle_comment_submission( $form ), 'POST', '/wp-comments-post.php' );
			self::assertSame( $is_open, ! is_wp_error( $answer ) );
		}
	}

	public function test_a_picture_in_another_format_that_the_site_chose_is_put_and_one_in_the_trash_goes_with_the_plugins_data(): void {
		list( $from, $to ) = array( wp_tempnam(), wp_tempnam() );
		imageavif( imagecreatetruecolor( 60, 60 ), $from );
		self::assertTrue( PictureFile::put( $from, $to ) );
		self::assertFileEquals( $from, $to );

		$list = $this->registry( 'alice', array( 'title' => 'Ann', 'status' => 'publish' ) );
		$file = self::picture( 'alice', 'gift-0123456789abcdef', $list->id );
		wp_update_post( array( 'ID' => $file->id, 'post_status' => 'trash' ) );
		$this->in_request( 'admin', static fn() => ( new ReflectionMethod( Uninstall::class, 'drop_registries' ) )->invoke( Plugin::get( Uninstall::class ) ) );
		self::assertNull( get_post( $file->id ) );
	}
}
