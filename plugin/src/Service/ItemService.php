<?php

declare(strict_types=1);

namespace Trousseau\Service;

use Trousseau\Platform\Settings;
use WP_Post;
use WP_User;

/** The calls of the item service. Each returns a value or throws a `ServiceError`. */
final class ItemService {

	/** Claims in one request, and the most requests for one page of the site. */
	private const AT_ONCE    = 100;
	private const MOST_PAGES = 10;

	/** Seconds for a request in which the service waits for the receiver of a message, which has 15. */
	private const RECEIVER = 20;

	/** @param HttpClient|null $http The connection; the site's own, as the settings are at each call, where there is none. */
	public function __construct( private readonly ?HttpClient $http = null ) {
	}

	private function http(): HttpClient {
		return $this->http ?? ( Sample::is_on() ? ( new Sample() )->connection() : new HttpClient( ...Settings::connection() ) );
	}

	public function is_configured(): bool {
		return $this->http()->is_configured();
	}

	public function welcome(): array {
		return self::map( $this->http()->ask( 'GET', '/', signed: false ) );
	}

	public function health(): array {
		return self::map( $this->http()->ask( 'GET', '/health', signed: false ) );
	}

	/** @return array<string, mixed> The service's facts about itself: its version, its clock, who may use items, when reservations ended last. */
	public function status(): array {
		return self::map( $this->http()->ask( 'GET', '/status' ) );
	}

	/** @return Item[] */
	public function list_items( int $skip = 0, int $limit = 100 ): array {
		return self::items( $this->http()->ask( 'GET', "/items?skip=$skip&limit=$limit" ) );
	}

	public function get_item( int $id ): Item {
		return new Item( self::with( 'id', self::data_of( self::map( $this->http()->ask_in_haste( 'GET', "/items/$id" ) ) ) ) );
	}

	/** Null: it is off its list. */
	public function find_item( int $id ): ?Item {
		try {
			return $this->get_item( $id );
		} catch ( NotFound ) {
			return null;
		}
	}

	/** @param array<string, mixed> $fields `name` and `url`, and by the service `registry_id`, are required. */
	public function create_item( array $fields, string $key = '' ): array {
		return $this->write_item( 'POST', '/items', $fields, self::header( 'Idempotency-Key', $key ) );
	}

	/**
	 * @param array<string, mixed> $changes      Only these keys change.
	 * @param bool                 $hides_claims Whether the change is that of an owner who must not learn that anyone gives the item.
	 */
	public function update_item( int $id, array $changes, string $if_match = '', bool $hides_claims = false ): array {
		return $this->write_item( 'PUT', "/items/$id", $changes, self::header( 'Prefer', $hides_claims ? 'claims=hidden' : '' ) + self::header( 'If-Match', $if_match ), in_haste: true );
	}

	public function delete_item( int $id ): array {
		return $this->write_item( 'DELETE', "/items/$id" );
	}

	/** Moves an item with its claims to another registry. The service refuses a registry that conceals them less. */
	public function move_item( int $id, int $from, int $to ): array {
		try {
			return $this->write_item( 'POST', "/items/$id/move", array( 'registry_id' => $to ) );
		} finally {
			// A lost answer may have moved it.
			do_action( 'trousseau_written', $from );
			do_action( 'trousseau_written', $to );
		}
	}

	/**
	 * The facts that a shop's page tells about the thing it sells; nothing is stored. A page that cannot be had is an answer
	 * too: `problem` says why.
	 */
	public function lookup( string $url ): array {
		// The plugin's account asks for many people: the service tells them apart by this word, and lets them take turns.
		$person = substr( wp_hash( 'lookups ' . get_current_user_id() ), 0, 20 );
		return self::with( 'url', $this->http()->ask( 'POST', '/lookups', array( 'url' => $url ), array( 'Trousseau-For' => $person ) ) );
	}

	public function list_registries( int $skip = 0, int $limit = 100 ): array {
		return self::map( $this->http()->ask( 'GET', "/registries?skip=$skip&limit=$limit" ) );
	}

	public function get_registry( int $id ): array {
		return self::map( $this->http()->ask( 'GET', "/registries/$id" ) );
	}

	public function create_registry( array $fields ): array {
		return $this->write( 'POST', '/registries', $fields );
	}

	public function update_registry( int $id, array $changes ): array {
		return $this->write( 'PATCH', "/registries/$id", $changes );
	}

	public function delete_registry( int $id ): void {
		$this->remove( "/registries/$id" );
	}

	/** Reports that this site no longer has a registry. Returns whether the service confirmed within this many seconds. */
	public function tell_deleted( int $id, float $seconds ): bool {
		return $this->tell( 'DELETE', "/registries/$id", null, $seconds );
	}

	/**
	 * Reports a user's current roles and names on this site, or that there is no such user. Returns whether the service confirmed within
	 * this many seconds.
	 */
	public function tell_roles( int $user_id, ?WP_User $user, float $seconds ): bool {
		$facts = $user
			? array( 'roles' => array_values( $user->roles ), 'username' => $user->user_login, 'email' => $user->user_email )
			: array( 'roles' => array(), 'gone' => true );
		return $this->tell( 'PUT', "/users/$user_id/roles", $facts, $seconds );
	}

	/** Reports who owns a registry on this site now. Returns whether the service confirmed within this many seconds. */
	public function tell_rights( int $id, array $rights, float $seconds ): bool {
		return $this->tell( 'PUT', "/registries/$id/rights", $rights, $seconds );
	}

	private function tell( string $method, string $path, ?array $facts, float $seconds ): bool {
		try {
			$this->http()->ask_in_haste( $method, $path, $facts, seconds: $seconds );
			return true;
		} catch ( NotFound | Conflict ) {
			// The service has no such thing, or an older one no use for it; or its host still has the registry, since this site is a copy: it looks by itself.
			return true;
		} catch ( ServiceError ) {
			return false;
		}
	}

	/** The key that the service sends along with its questions to this site: '' where it is older and has none, null where it doesn't answer. */
	public function question_key( float $seconds ): ?string {
		try {
			return (string) ( self::map( $this->http()->ask_in_haste( 'GET', '/question-key', seconds: $seconds ) )['key'] ?? '' );
		} catch ( NotFound ) {
			return '';
		} catch ( ServiceError ) {
			return null;
		}
	}

	/** @return Item[] All active items of a registry, in its order, by one request. */
	public function registry_items( int $id ): array {
		return self::items( $this->http()->ask( 'GET', "/registries/$id/items" ) );
	}

	/**
	 * The same for a page that waits: in so many seconds, in any order, and without the service asking this site anything
	 * in the meantime. The request is repeated in time if the service doesn't know our account yet.
	 *
	 * @param string $etag The ETag of the list that the caller has kept; '' for none.
	 * @return array{items: array<string, mixed>[], etag: string}|null Null where the kept list still holds.
	 */
	public function registry_items_soon( int $id, float $seconds, bool $again, string $etag = '' ): ?array {
		$answer = $this->http()->ask_unless_known( "/registries/$id/items", $etag, $seconds, $again );
		return $answer ? array( 'items' => self::map( $answer['body'] ), 'etag' => $answer['etag'] ) : null;
	}

	public function create_registry_item( int $id, array $fields, string $key = '' ): array {
		return $this->write_item( 'POST', "/registries/$id/items", $fields, self::header( 'Idempotency-Key', $key ) );
	}

	public function delete_registry_item( int $id, int $item_id ): void {
		$this->remove( "/registries/$id/items/$item_id" );
	}

	public function invitees( int $id ): array {
		return self::map( $this->http()->ask( 'GET', "/registries/$id/invitees" ) );
	}

	public function add_invitees( int $id, array $invitees ): array {
		return self::with( 'invitees', $this->write( 'POST', "/registries/$id/invitees", array( 'invitees' => array_values( $invitees ) ) ) );
	}

	public function remove_invitee( int $id, string $invitee ): array {
		return self::with( 'invitees', $this->write( 'DELETE', "/registries/$id/invitees/" . self::segment( $invitee ) ) );
	}

	public function affiliate( int $id, int $item_id ): array {
		return self::map( $this->http()->ask( 'GET', "/registries/$id/items/$item_id/affiliate" ) );
	}

	public function set_affiliate( int $id, int $item_id, string $url, string $status = 'active' ): array {
		return $this->write( 'PUT', "/registries/$id/items/$item_id/affiliate", array( 'affiliate_url' => $url, 'affiliate_status' => $status ) );
	}

	public function clear_affiliate( int $id, int $item_id ): void {
		$this->remove( "/registries/$id/items/$item_id/affiliate" );
	}

	/**
	 * Takes pieces of an item. A key that was made before, with the form for instance, makes one claim, however often
	 * it is sent. The service needn't ask this site anything when it is told the registry's owner.
	 */
	public function create_claim( int $id, int $item_id, array $body, string $key = '', int $owner = 0 ): Claim {
		return self::claim( $this->write( 'POST', "/registries/$id/items/$item_id/claims", $body, self::header( 'Idempotency-Key', $key ) + self::header( 'Trousseau-Owner', (string) $owner ), true ) );
	}

	/**
	 * All claims of a registry, as the client for other plugins passes them on: `claims` and `concealed_until`.
	 *
	 * @param float|null $seconds How long the caller waits; the usual time when absent.
	 * @return array{claims: array<string, mixed>[], concealed_until: string|null}
	 */
	public function registry_claims( int $id, int $owner = 0, ?float $seconds = null ): array {
		return self::with( 'claims', $this->http()->ask_in_haste( 'GET', "/registries/$id/claims", headers: self::header( 'Trousseau-Owner', (string) $owner ), seconds: $seconds ) );
	}

	/** @return Claim[] All claims of a registry of this site. */
	public function claims_at( WP_Post $post, ?float $seconds = null ): array {
		return self::claims( $this->registry_claims( $post->ID, (int) $post->post_author, $seconds )['claims'] );
	}

	/** @return Claim[] The gifts of a giver over all registries: by their address, and by their account where they have one. */
	public function claims_of( string $email, int $skip = 0, int $limit = 100, int $user_id = 0 ): array {
		return self::claims( $this->http()->ask( 'GET', '/claims?' . self::person( $email, $user_id ) . "&skip=$skip&limit=$limit" ) );
	}

	/** @return Claim[] The gifts of one person over all registries, as above, each with its `item`: null where that is no longer on its list. */
	public function gifts_of( string $email, int $user_id = 0 ): array {
		$found = array();
		for ( $page = 0; $page < self::MOST_PAGES; ++$page ) {
			$path = '/claims?' . self::person( $email, $user_id ) . '&with=item&limit=' . self::AT_ONCE . '&skip=' . $page * self::AT_ONCE;
			$more = self::claims( $this->http()->ask_in_haste( 'GET', $path ) );
			array_push( $found, ...$more );
			if ( count( $more ) < self::AT_ONCE ) {
				break;
			}
		}
		return $found;
	}

	/** @return Claim[] Claims by their ids, each with its `item`, as above; missing ones are left out. */
	public function gifts( array $ids ): array {
		$found = array();
		// One malformed id would make the service refuse all.
		$ids = array_filter( $ids, static fn( string $id ): bool => (bool) preg_match( '/^[\w-]{22}$/D', $id ) );
		foreach ( array_chunk( $ids, self::AT_ONCE ) as $some ) {
			array_push( $found, ...self::claims( $this->http()->ask_in_haste( 'GET', '/claims?ids=' . implode( ',', $some ) . '&with=item' ) ) );
		}
		return $found;
	}

	public function get_claim( string $id ): Claim {
		return self::claim( $this->http()->ask_in_haste( 'GET', '/claims/' . self::segment( $id ) ) );
	}

	public function update_claim( string $id, array $changes, string $if_match = '' ): Claim {
		return self::claim( $this->write( 'PATCH', '/claims/' . self::segment( $id ), $changes, self::header( 'If-Match', $if_match ), true ) );
	}

	public function release_claim( string $id, string $if_match = '' ): void {
		$this->remove( '/claims/' . self::segment( $id ), self::header( 'If-Match', $if_match ), true );
	}

	/** @return array{erased: int} Erases a giver from all their gifts. */
	public function erase_giver( string $email, int $user_id = 0 ): array {
		return self::with( 'erased', $this->http()->ask( 'DELETE', '/claims?' . self::person( $email, $user_id ) ) );
	}

	/** @return array{erased: int} Erases the givers of a registry from all gifts that haven't changed for so many seconds. */
	public function forget_givers( int $registry_id, int $seconds ): array {
		return self::with( 'erased', $this->http()->ask( 'DELETE', "/claims?registry_id=$registry_id&unchanged_for=$seconds" ) );
	}

	/** @return array<string, mixed>[] The addresses to which the service sends what happens on the whole site, oldest first. */
	public function webhooks(): array {
		return self::map( $this->http()->ask( 'GET', '/webhooks' ) );
	}

	/**
	 * @param string[] $types Types of events or families of them, such as `claim.*`; none: all.
	 * @return array<string, mixed> With its `secret`, which no other answer has.
	 */
	public function create_webhook( string $url, array $types, string $key ): array {
		return self::map( $this->http()->ask_in_haste( 'POST', '/webhooks', compact( 'url', 'types' ), self::header( 'Idempotency-Key', $key ) ) );
	}

	public function delete_webhook( string $id ): void {
		$this->http()->ask( 'DELETE', '/webhooks/' . self::segment( $id ) );
	}

	/** @return array{status: int|null, ms: int, problem: array{code: string, detail: string}|null} The answer of the address to a message that is sent now. */
	public function test_webhook( string $id ): array {
		return self::map( $this->http()->ask( 'POST', '/webhooks/' . self::segment( $id ) . '/test', timeout: self::RECEIVER ) );
	}

	/** @return array{event_id: string, attempt: int, status: int|null, next_attempt_at: string|null}[] The last messages, newest first. */
	public function webhook_deliveries( string $id ): array {
		return self::map( $this->http()->ask( 'GET', '/webhooks/' . self::segment( $id ) . '/deliveries' ) );
	}

	private function write( string $method, string $path, ?array $body = null, array $headers = array(), bool $in_haste = false ): array {
		$answer = self::map( $in_haste ? $this->http()->ask_in_haste( $method, $path, $body, $headers ) : $this->http()->ask( $method, $path, $body, $headers ) );
		$this->announce( $path, self::data_of( $answer ) );
		return $answer;
	}

	/** Does the same for an item, and makes sure that the service has answered. */
	private function write_item( mixed ...$request ): array {
		$answer = $this->write( ...$request );
		self::with( 'id', self::data_of( $answer ) );
		return $answer;
	}

	private function remove( string $path, array $headers = array(), bool $in_haste = false ): void {
		$answer = $in_haste ? $this->http()->ask_in_haste( 'DELETE', $path, null, $headers ) : $this->http()->ask( 'DELETE', $path, null, $headers );
		$this->announce( $path, $answer === true ? array() : self::with( 'id', $answer ) );
	}

	/** Fires the action by which the next page shows what this site has written. */
	private function announce( string $path, array $answer ): void {
		$registry = preg_match( '#^/registries/(\d+)#', $path, $found ) ? $found[1] : $answer['registry_id'] ?? 0;
		if ( $registry ) {
			/** Fires after a registry was changed through the service. Passes the registry's number. */
			do_action( 'trousseau_written', (int) $registry );
		}
	}

	/** One header, unless it is empty. */
	private static function header( string $name, string $value ): array {
		return $value === '' ? array() : array( $name => $value );
	}

	private static function person( string $email, int $user_id ): string {
		return 'email=' . rawurlencode( $email ) . ( $user_id ? "&user_id=$user_id" : '' );
	}

	private static function data_of( array $answer ): array {
		return is_array( $answer['data'] ?? null ) ? $answer['data'] : $answer;
	}

	private static function claim( mixed $answer ): Claim {
		return isset( $answer['id'], $answer['state'], $answer['item_id'] ) ? new Claim( $answer ) : throw self::foreign();
	}

	/** @return Claim[] */
	private static function claims( mixed $answer ): array {
		return array_map( self::claim( ... ), self::map( $answer ) );
	}

	/** @return Item[] */
	private static function items( mixed $answer ): array {
		return Item::all( array_map( static fn( mixed $one ): array => self::with( 'id', $one ), self::map( $answer ) ) );
	}

	private static function map( mixed $answer ): array {
		return is_array( $answer ) ? $answer : throw self::foreign();
	}

	/** An answer that has this key, as the service's own has. */
	private static function with( string $key, mixed $answer ): array {
		return isset( $answer[ $key ] ) ? self::map( $answer ) : throw self::foreign();
	}

	private static function foreign(): Unavailable {
		return new Unavailable( __( 'Something other than the item service answers at its address.', 'trousseau' ), 200 );
	}

	/** A segment of a path. On the way, “..” would lead to another path, even encoded. */
	private static function segment( string $text ): string {
		return in_array( $text, array( '', '.', '..' ), true ) ? throw new NotFound( 'No path has such a segment.', 404 ) : rawurlencode( $text );
	}
}
