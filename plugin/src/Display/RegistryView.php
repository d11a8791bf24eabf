<?php

declare(strict_types=1);

namespace Trousseau\Display;

use Trousseau\Gifts\BoughtForAll;
use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\GotElsewhere;
use Trousseau\Gifts\ShopLink;
use Trousseau\Giving\Claims;
use Trousseau\Giving\Givers;
use Trousseau\Giving\RememberedGifts;
use Trousseau\Giving\SecretGifts;
use Trousseau\Guests\Guest;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\ClosingWords;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftFilter;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\GiftNotes;
use Trousseau\Lists\ListCards;
use Trousseau\Lists\ListTrouble;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Sections;
use Trousseau\Lists\SharedPages;
use Trousseau\Platform\Currency;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\ResponseHeaders;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Template;
use Trousseau\Service\Item;
use WP_Post;
use const Trousseau\PLUGIN_FILE;

/** The one renderer behind blocks, shortcodes and the registry's own page. Everything is escaped here. */
final class RegistryView {

	/** The most gifts that need no filter. */
	private const FEW = 5;

	public function __construct(
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly Givers $givers,
		private readonly Guest $guest,
		private readonly ListTrouble $list_trouble,
		private readonly RememberedGifts $remembered_gifts,
		private readonly Request $request,
		private readonly ResponseHeaders $response_headers,
		private readonly SharedPages $shared_pages,
	) {
	}

	/** Renders the gifts of a registry. Empty for those who may not read it. */
	public function registry( ?WP_Post $post ): string {
		if ( ! $post || ! Access::can_read( $post ) ) {
			return '';
		}
		$this->guard( $post );
		wp_enqueue_style( 'trousseau' );
		wp_enqueue_script( 'trousseau-pages' );
		$list   = $this->gift_lists->of( $post );
		$filter = GiftFilter::of( $post, $this->request );
		if ( $filter->is_on ) {
			$this->response_headers->keep_out_of_search();
		}
		if ( ! $list->is_current || $list->items === null ) {
			// The page is right again in a moment; a cached copy would stay wrong.
			$this->response_headers->keep_out_of_caches();
		}
		$this->shared_pages->note( $post->ID );
		$shared = $this->shared_pages->is_shared( $post );
		$closed = Closing::is_over( $post );
		$giving = $list->is_current && ! $closed && ( $shared || $this->givers->is_allowed( $post ) );
		$mine   = $shared ? array() : $this->remembered_gifts->at( $post ); // The device's cookie has them: no page asks the service.
		$under  = GiftNotes::sections( $post );
		$marked = array_fill_keys( GiftNotes::most_wanted( $post ), true );
		$items  = array();
		foreach ( $list->items ?? array() as $place => $item ) {
			$is_marked = isset( $marked[ $item->id ] );
			$items[]   = $this->item( $item, $post, $giving, $mine ) + array(
				// The most wanted ones come before all others.
				'place'       => $is_marked ? $place - count( $list->items ) : $place,
				'section'     => $under[ $item->id ] ?? '',
				'most_wanted' => $is_marked,
			);
		}
		$is_given = static fn( array $gift ): bool => $gift['given'] >= $gift['needed'] && $gift['mine'] === '';
		$items    = array_map( static fn( array $gift ): array => array( 'is_hidden' => ! $filter->fits( $gift, $is_given( $gift ) ) ) + $gift, $items );
		$sections = array_map( static fn( array $section ): array => $section + array( 'wanted' => array_filter( $section['items'], static fn( array $gift ): bool => ! $is_given( $gift ) ) ), Sections::arranged( $items ) );
		$asked    = get_query_var( 'registry' );
		$here     = is_singular() ? (string) get_permalink( get_queried_object_id() ) : home_url( '/' );
		return Template::html(
			'registry',
			array(
				'id'       => $post->ID,
				'sections' => $list->items === null ? null : $sections,
				'given'    => wp_list_sort( array_filter( $items, $is_given ), 'place' ),
				'goodbye'  => $closed ? __( 'This list is closed.', 'trousseau' ) . ' ' . ClosingWords::of( $post->ID ) : '',
				'trouble'  => $this->list_trouble->html( $post ),
				'answer'   => $this->flash_message->html(),
				'visitor'  => $shared ? $this->flash_message->without_script() : $this->visitor( $post ),
				'settings' => $this->shared_pages->settings( $post ),
				'shared'   => $shared,
				'filter'   => $filter->is_on || count( $items ) > self::FEW ? $filter : null,
				'address'  => is_string( $asked ) && $asked !== '' && ! is_singular( PostType::NAME ) ? add_query_arg( 'registry', rawurlencode( $asked ), $here ) : $here,
				'disclosure' => implode( '', array_slice( array_filter( array_map( ShopLink::disclosure( ... ), array_column( $items, 'shop' ) ) ), 0, 1 ) ),
			)
		);
	}

	/** The part above the gifts that differs from visitor to visitor: links for an owner to the list's pages, or a guest's own name. */
	public function visitor( WP_Post $post ): string {
		$guest = is_user_logged_in() ? '' : $this->guest->of( $post );
		return Template::html(
			'visitor',
			array(
				'as'     => $guest === '' ? '' : ( Invitations::known( $post, $guest )['name'] ?: $guest ),
				'manage' => Access::owns( $post, get_current_user_id() ) && current_user_can( 'edit_post', $post->ID ) ? PageAddress::of( 'home', $post->ID ) : '',
				'mine'   => PageAddress::of( 'my-gifts' ),
				'secret' => SecretGifts::are_on( $post->ID ) && $this->guest->listed_as( $post ) !== '' ? PageAddress::of( 'secret', $post->ID ) : '',
				'news'   => Closing::is_over( $post ) || $this->guest->listed_as( $post ) === '' ? '' : PageAddress::of( 'news', $post->ID ),
			)
		);
	}

	/** @return array<string, string> Each block, as the editor shows what it is for before someone chooses it. */
	public static function examples(): array {
		$event = ListCards::occasion( __( 'Wedding', 'trousseau' ), wp_date( 'Y-m-d', time() + 90 * DAY_IN_SECONDS ) );
		$gift  = static fn( string $name, float $price, int $needed, int $given ): string => Template::html(
			'item',
			array(
				'name'     => $name,
				'price'    => Currency::amount( $price, Currency::of_site() ),
				'need'     => $needed === 1 ? __( 'Available', 'trousseau' ) : sprintf( GiftAmount::needed_words( false ), number_format_i18n( $needed - $given ) ),
				'needed'   => $needed,
				'given'    => $given,
				'level'    => 3,
				'amount'   => $price,
				'progress' => '',
				'facts'    => array(),
				'give'     => '#',
			) + array_fill_keys( array( 'id', 'place' ), 0 ) + array_fill_keys( array( 'is_money', 'waits', 'closed', 'most_wanted', 'is_hidden' ), false ) + array_fill_keys( array( 'description', 'picture', 'shop', 'mine', 'answer', 'section' ), '' )
		);
		return array(
			'trousseau/registry'   => '<ul class="trousseau-items" role="list">' . $gift( __( 'Copper saucepan', 'trousseau' ), 90, 1, 0 ) . $gift( __( 'Wine glass', 'trousseau' ), 12, 6, 2 ) . '</ul>',
			'trousseau/event'      => $event,
			'trousseau/registries' => sprintf( '<ul class="trousseau-registries" role="list"><li><a href="#">%s</a>%s</li></ul>', esc_html__( 'Ann & Bob', 'trousseau' ), $event ),
			'trousseau/page'       => Template::html( 'find', array( 'address' => '#', 'find' => '', 'posts' => null, 'most' => 0, 'lost' => '#', 'all' => '#' ) ),
		);
	}

	/** Keeps a page with a private list in a block out of caches: it is for this visitor only. */
	public function guard( ?WP_Post $post ): void {
		if ( $post && ( $post->post_status !== 'publish' || $post->post_password !== '' ) ) {
			$this->response_headers->keep_out_of_caches();
		}
	}

	public function registries( int $count ): string {
		$posts = get_posts( array( 'post_type' => PostType::NAME, 'post_status' => 'publish', 'numberposts' => max( 1, min( 100, $count ) ), 'has_password' => false ) );
		$this->shared_pages->note( 0 );
		if ( ! $posts ) {
			return FlashMessage::note( __( 'There are no public gift lists yet.', 'trousseau' ) );
		}
		wp_enqueue_style( 'trousseau' );
		return ListCards::links( $posts );
	}

	/** The values of a gift for its template. Mine are the visitor's own gifts, as their device remembers them. */
	private function item( Item $item, WP_Post $post, bool $giving, array $mine ): array {
		$id        = $item->id;
		$needed    = $item->needed();
		$remaining = $item->remaining();
		$is_known  = $item->given !== null;
		$currency  = GiftAmount::currency( $item, $post->ID );
		$is_over   = Closing::is_over( $post );
		$is_bought = BoughtForAll::takes_no_more( $post, $id );
		$has_it    = GotElsewhere::has( $post->ID, $id );
		return array(
			'id'          => $id,
			'name'        => Language::isolate( $item->name ),
			'description' => $item->description,
			'price'       => GiftAmount::price( $item, $post->ID ),
			'amount'      => ( $item->price ?? 0 ),
			'facts'       => array_map( array( Language::class, 'isolate' ), $item->own_facts() ),
			'picture'     => GiftPicture::address( $item->image_url, $post->ID ),
			'shop'        => $is_over ? '' : ShopLink::of( $item, $post->ID ),
			'need'        => self::need( $item, $post ),
			'progress'    => GiftAmount::given( $item, $currency ),
			'is_money'    => $currency !== '',
			// The service counts more than all pieces of what the owners have got elsewhere.
			'needed'      => $has_it ? 1 : $needed,
			'given'       => match ( true ) {
				! $is_known                  => -1,
				$has_it                      => 1,
				$needed === Item::ANY_NUMBER => -1,
				$is_bought                   => $needed,
				default                      => $needed - $remaining,
			},
			'mine'        => isset( $mine[ $id ] ) ? Claims::link( $mine[ $id ]['id'] ) : '',
			'waits'       => $mine[ $id ]['waits'] ?? false,
			'give'        => $giving && $is_known && $remaining > 0 && ! $is_bought && ! $has_it ? PageAddress::of( 'give', $post->ID, array( 'item' => $id ) ) : '',
			'closed'      => $this->shared_pages->is_shared( $post ) && ! Settings::is_on( Settings::ANONYMOUS_GIVING ),
			'answer'      => $this->flash_message->html( $id ),
		);
	}

	/** The script at the start of a list, which hides it on known devices until their gifts are marked: browsers paint early. */
	public static function hiding_script( string $cookie ): string {
		return wp_get_inline_script_tag( sprintf( 'document.currentScript.parentElement.classList.toggle("is-unmarked",document.cookie.includes(%s))', wp_json_encode( "$cookie=" ) ) );
	}

	/** The script at the end of a list, which marks a known device's own gifts and shows the list. */
	public static function marking_script(): string {
		return wp_get_inline_script_tag( (string) file_get_contents( dirname( PLUGIN_FILE ) . '/assets/known.js' ) );
	}

	/** @return array<int, string> Number of an item → the pieces wished for, in words, as far as the visitor may know. */
	public function needs( WP_Post $post ): array {
		$items = array_column( $this->gift_lists->of( $post )->items ?? array(), null, 'id' );
		return array_map( static fn( Item $item ): string => self::need( $item, $post ), $items );
	}

	private static function need( Item $item, WP_Post $post ): string {
		if ( Closing::is_over( $post ) ) {
			return '';
		}
		if ( GotElsewhere::has( $post->ID, $item->id ) ) {
			return __( 'They already have this', 'trousseau' );
		}
		if ( BoughtForAll::takes_no_more( $post, $item->id ) ) {
			return __( 'A guest has bought it for everyone', 'trousseau' );
		}
		$currency  = GiftAmount::currency( $item, $post->ID );
		$is_one    = $currency === '' && $item->needed() === 1;
		$remaining = $item->remaining();
		$is_known  = $item->given !== null;
		return match ( true ) {
			$item->is_any_number() => __( 'As many as you like', 'trousseau' ),
			$item->has_no_goal()   => __( 'Any amount is welcome', 'trousseau' ),
			$is_one && ( ! $is_known || $remaining === 1 ) => __( 'Available', 'trousseau' ),
			! $is_known      => GiftAmount::wished( $item, $currency ),
			$remaining === 0 => $currency === '' ? __( 'Given', 'trousseau' ) : __( 'Fully funded', 'trousseau' ),
			default          => sprintf( GiftAmount::needed_words( $currency !== '' ), GiftAmount::of( $remaining, $currency ) ),
		};
	}
}
