<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

/** Strangers to registries that aren't public ask at every address that WordPress has for posts, and by every number. */
final class StrangersTest extends WordPressTestCase {

	/** Words of those registries; one of them is only searched for, since a page may repeat it. */
	private const SECRET = 'Thistledown|zmarigold|zgossamer|insider@example';
	private const SLUG   = 'zhearthside';
	private const SOUGHT = 'quicksilver';

	/** @var array<string, int> Numbers of registries in every state, of a revision, an autosave and pictures. */
	private array $ids = array();

	private array $slugs = array();

	protected function setUp(): void {
		parent::setUp();
		// These numbers stand nowhere else in a page.
		wp_delete_post( self::post( array( 'import_id' => 7_654_321, 'post_title' => 'First' ) ), true );
		$this->ids = $this->in_request( 'alice', static fn(): array => self::call( 'strangers.make', 'Thistledown', self::SLUG, self::SOUGHT . ' zmarigold', 'insider@example', 'zgossamer' ) );
		foreach ( array( 'closed', 'draft', 'future', 'trash' ) as $state ) {
			$this->slugs[] = get_post( $this->ids[ $state ] )->post_name;
		}
		$this->registry( 'alice', array( 'title' => 'Open to all', 'status' => 'publish', 'content' => 'An open story' ) );
	}

	/** Fails where an answer tells one of the words. */
	private function ask( ?string $login, string $path, string $hidden ): void {
		$answer = str_starts_with( $path, '/wp-json' ) ? $this->rest( $login, 'GET', substr( $path, strlen( '/wp-json' ) ) ) : $this->page( $login, $path );
		self::assertLessThan( 500, $answer->status, $path );
		self::assertDoesNotMatchRegularExpression( "#$hidden#i", $answer->location() . ' ' . wp_json_encode( $answer->headers['link'] ?? '' ) . " $answer->text", "$login $path" );
	}

	public function strangers(): array {
		return array( 'nobody' => array( null ), 'a subscriber' => array( 'carol' ) );
	}

	private static function embed( string $path ): string {
		return '/wp-json/oembed/1.0/embed?url=' . rawurlencode( home_url( $path ) );
	}

	/** @dataProvider strangers */
	public function test_find_nothing_by_any_number_in_an_address( ?string $login ): void {
		foreach ( self::most_telling( 3, array_intersect_key( $this->ids, array( 'closed' => 0, 'picture' => 0, 'locked' => 0 ) ) + $this->ids ) as $id ) {
			$paths = array( "/?p=$id&post_type[]=registry&post_type[]=post", "/?p=$id&post_type=registry&preview=true", "/?trousseau_go=1&registry=$id", self::embed( "/?p=$id" ), self::embed( "/?p=$id&post_type=registry" ) );
			foreach ( array( 'p', 'page_id', 'attachment_id', 'registry' ) as $name ) {
				foreach ( array( '', '&preview=true', '&embed=1', '&feed=rss2' ) as $more ) {
					$paths[] = "/?$name=$id$more";
				}
			}
			foreach ( array( '-', '%2B', '%20' ) as $sign ) {
				$paths[] = "/?p=$sign$id&post_type=registry";
			}
			foreach ( array( 'any', 'registry', 'attachment', 'revision' ) as $type ) {
				$paths[] = "/?p=$id&post_type=$type";
			}
			foreach ( array( 'gifts', 'guests', 'given', 'details', 'give' ) as $name ) {
				$paths[] = "/registries/$id/$name/";
			}
			foreach ( $paths as $path ) {
				$this->ask( $login, $path, self::SECRET . '|' . self::SLUG );
			}
		}
	}

	/** @dataProvider strangers */
	public function test_find_nothing_in_any_list_feed_or_sitemap( ?string $login ): void {
		$alice = self::user( 'alice' );
		$paths = array( '/registry/', '/registry/feed/', '/comments/feed/', '/author/alice/' );
		foreach ( self::most_telling( 2, array( '', '&feed=rss2', '&feed=atom', '&feed=comments-rss2' ) ) as $more ) {
			foreach ( array( 'any', 'registry', 'attachment', 'revision' ) as $type ) {
				foreach ( array( 's=' . self::SOUGHT, "author=$alice", 'm=' . gmdate( 'Y' ), 'order=asc' ) as $query ) {
					$paths[] = "/?$query&post_type=$type$more";
				}
			}
			array_push( $paths, '/?s=' . self::SOUGHT . $more, '/?s=' . self::SOUGHT . "&post_type[]=registry&post_type[]=post$more", "/?post_type[]=registry&post_type[]=attachment$more" );
		}
		foreach ( $paths as $path ) {
			$this->ask( $login, $path, self::SECRET . '|' . self::SLUG );
		}
		foreach ( $this->in_request( $login, array( RegistriesTest::class, 'sitemaps' ) ) as $map => $answer ) {
			self::assertDoesNotMatchRegularExpression( '#' . self::SECRET . '|' . self::SLUG . '#i', $answer->text, $map );
		}
		self::assertStringContainsString( 'Open to all', $this->page( $login, '/?order=asc&post_type=registry' )->text );
	}

	/** @dataProvider strangers */
	public function test_find_nothing_by_any_name_in_an_address( ?string $login ): void {
		foreach ( $this->slugs as $name ) {
			$paths = array( "/$name/", self::embed( "/registry/$name/" ) );
			foreach ( array( '', 'feed/', 'embed/', 'page/2/', '?preview=true' ) as $more ) {
				$paths[] = "/registry/$name/$more";
			}
			foreach ( array( 'registry=', 'post_type=registry&name=', 'name=', 'pagename=', 'attachment=' ) as $query ) {
				$paths[] = "/?$query$name";
			}
			foreach ( array( substr( $name, 0, -2 ), substr( $name, 0, 8 ) ) as $part ) {
				$paths[] = "/registry/$part/";
			}
			foreach ( $paths as $path ) {
				$this->ask( $login, $path, self::SECRET );
			}
		}
	}

	public function test_whom_it_concerns_finds_it_at_those_addresses_and_programs_such_as_the_service_are_told_whether_there_is_one(): void {
		foreach ( array( "/?p={$this->ids['closed']}&post_type=registry", "/?registry={$this->slugs[0]}", "/registry/{$this->slugs[0]}/" ) as $path ) {
			self::assertStringContainsString( 'Thistledown', $this->visit( 'alice', $path )->text, $path );
		}
		foreach ( array( '', '&post_type=registry' ) as $type ) {
			self::assertStringEndsWith( '/' . self::SLUG . '-locked/', $this->page( 'alice', "/?p={$this->ids['locked']}$type" )->location() );
		}
		$statuses = array_map( fn( int $id ): int => $this->rest( 'carol', 'GET', "/wp/v2/registry/$id" )->status, array( $this->ids['closed'], 87_654_321 ) );
		self::assertSame( array( 403, 404 ), $statuses );
	}

	/** @return array{0: string, 1: string, 2?: array<string, mixed>}[] Requests with a number: method, path and body. */
	private static function questions( int $id ): array {
		$rest  = "/wp-json/wp/v2/registry/$id";
		$asked = array(
			...array( array( 'POST', $rest, array( 'title' => 'x' ) ), array( 'DELETE', "$rest?force=1" ), array( 'POST', "$rest/autosaves", array( 'title' => 'x' ) ), array( 'OPTIONS', $rest ) ),
			array( 'POST', '/wp-json/wp/v2/comments', array( 'post' => $id, 'content' => 'x', 'author_name' => 'x', 'author_email' => 'x@example.test' ) ),
			array( 'POST', "/wp-json/trousseau/v1/registries/$id/changed", array( 'x' => '1' ) ),
			array( 'POST', "/wp-json/trousseau/v1/registries/$id/look", array( 'x' => '1' ) ),
		);
		$read  = array(
			...array( $rest, "$rest?context=edit", "$rest?_embed=1", "$rest/revisions", "$rest/revisions/1", "$rest/autosaves", "$rest/autosaves/1" ),
			...array( "/wp-json/wp/v2/posts/$id", "/wp-json/wp/v2/media/$id", "/wp-json/wp/v2/media?parent=$id", "/wp-json/wp/v2/comments?post=$id" ),
			...array( "/wp-json/wp/v2/block-renderer/core/archives?post_id=$id&context=edit", self::embed( "/?p=$id" ) ),
			...array( "/?p=$id", "/?registry=$id", "/?p=$id&post_type=registry", "/?attachment_id=$id", "/?page_id=$id" ),
			...array_map( static fn( string $name ): string => "/registries/$id/$name/", array( 'gifts', 'guests', 'given', 'details', 'give' ) ),
		);
		return array( ...$asked, ...array_map( static fn( string $path ): array => array( 'GET', $path ), $read ) );
	}

	/** @return mixed[] An answer without the number itself, and without values that change with each answer. */
	private function answer_about( int $id, ?string $login, string $method, string $path, ?array $body = null ): array {
		$answer = str_starts_with( $path, '/wp-json' ) ? $this->rest( $login, $method, substr( $path, strlen( '/wp-json' ) ), $body, by_browser: true ) : $this->page( $login, $path );
		$plain  = static fn( string $text ): string => (string) preg_replace( array( "/$id/", '/[0-9a-f]{10}\b|[\w-]+\.[\w-]{22}|-\d+\b|(?<=aria-label=") \d+/', '/"(since|key|_wpnonce)" value="[^"]*"/' ), array( 'ID', '', '' ), $text );
		return array( $answer->status, $plain( $answer->location() ), $answer->headers['allow'] ?? '', $plain( $answer->text ) );
	}

	/** @dataProvider strangers */
	public function test_no_number_tells_whether_there_is_such_a_registry_or_file( ?string $login ): void {
		// WordPress prints some scripts with the first page of a process only.
		$this->page( $login, '/nowhere/' );
		$missing = 87_654_321;
		$none    = array_map( fn( array $question ): array => $this->answer_about( $missing, $login, ...$question ), self::questions( $missing ) );
		foreach ( self::most_telling( 3, array( 'closed', 'picture', 'locked', 'draft', 'trash' ) ) as $name ) {
			foreach ( self::questions( $this->ids[ $name ] ) as $place => $question ) {
				self::assertSame( $none[ $place ], $this->answer_about( $this->ids[ $name ], $login, ...$question ), "$name: $question[0] $question[1]" );
			}
		}
	}

	public function test_get_an_answer_at_every_link_of_a_mail_and_are_told_nothing_of_a_registry_with_a_password_but_at_its_address(): void {
		foreach ( array( 'gift/', 'gift/?of=abc.def', 'invitation/?for=MTIz.abc', 'no-mail/?of=x', 'my-gifts/?of=a.b' ) as $path ) {
			self::assertContains( $this->page( null, "/registries/$path" )->status, array( 200, 403 ), $path );
		}
		self::assertStringContainsString( 'post-password-form', $this->page( null, get_permalink( $this->ids['locked'] ) )->text );
		$this->ask( null, self::embed( '/registry/' . self::SLUG . '-locked/' ), self::SECRET );
		foreach ( array( 'sample-permalink' => 'samplepermalink', 'get-permalink' => 'getpermalink' ) as $action => $nonce ) {
			self::assertSame( 403, $this->ajax( 'carol', $action, array( 'post_id' => (string) $this->ids['locked'], "{$nonce}nonce" => $this->nonce_for( 'carol', $nonce ) ) )->status, $action );
		}
		// Without permalinks its address is its number.
		$found = fn(): int => $this->in_request( null, fn(): int => count( ( new \WP_Query( array( 'post_type' => 'registry', 'p' => $this->ids['locked'] ) ) )->posts ) );
		self::assertSame( 0, $found() );
		update_option( 'permalink_structure', '' );
		self::assertSame( 1, $found() );
	}
}
