<?php

declare(strict_types=1);

namespace Trousseau\Home;

defined( 'ABSPATH' ) || exit;

use DateTimeImmutable;
use Trousseau\Gifts\GiftPicture;
use Trousseau\Gifts\RemovedGifts;
use Trousseau\Guests\Invitations;
use Trousseau\Lists\Accounts;
use Trousseau\Lists\Closing;
use Trousseau\Lists\DetailsPage;
use Trousseau\Lists\GiftAmount;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LastChanges;
use Trousseau\Lists\ListPage;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnerPage;
use Trousseau\Lists\Registries;
use Trousseau\Lists\RegistryForm;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Template;
use Trousseau\Plugin;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Item;
use Trousseau\Service\ItemService;

/** The first page that owners see of their list: its progress, what is new, and the one next step. */
final class HomePage extends OwnerPage {

	protected const TAB = 0;

	private const MOST_NEWS = 5;

	public function __construct(
		private readonly Accounts $accounts,
		private readonly FlashMessage $flash_message,
		private readonly GiftLists $gift_lists,
		private readonly Invitations $invitations,
		private readonly ItemService $item_service,
		private readonly LastChanges $last_changes,
	) {
	}

	public static function tab(): string {
		return __( 'Home', 'trousseau' );
	}

	/** The list's name, or that of the page where it is offered for a menu or a page of the site. */
	public function title(): string {
		return $this->post ? PlainText::to_html( Registries::title( $this->post ) ) : self::tab();
	}

	/** The page's title is the list's name. */
	protected function link_words(): string {
		return __( 'See your list as guests do', 'trousseau' );
	}

	public function html( Form $form ): string {
		$until  = Surprise::is_on( $this->post->ID ) ? Meta::surprise_until( $this->post->ID ) : '';
		$gifts  = Meta::item_ids( $this->post->ID );
		$notes  = $this->invitations->notes_of( $this->post, Meta::invitees( $this->post->ID ) );
		$list   = $gifts ? $this->gift_lists->of( $this->post ) : null;
		$items  = array_column( $list->items ?? array(), null, 'id' );
		$claims = Surprise::given_soon( $this->item_service, $this->post );
		$opened = $this->who_opened( $notes, $claims ?? array() );
		return $this->head() . Template::html(
			'home',
			array(
				'address' => $this->address(),
				'post'    => $this->post,
				'cover'   => (string) get_the_post_thumbnail_url( $this->post, 'large' ),
				'days'    => self::days( Meta::event_date( $this->post->ID ) ),
				'gifts'   => count( $gifts ),
				// Guests who give have opened it, too.
				'opened'  => $claims === null && count( $opened ) < count( $notes ) ? '' : self::opened( count( $notes ), count( $opened ) ),
				'next'    => $this->next( (bool) $gifts, (bool) $notes ),
				'news'    => $this->news( $claims ?? array(), $items, ! $gifts || ( $list->items !== null && $list->is_current ), $notes ),
				// Of a list without gifts nobody can give anything yet.
				'is_cut'  => $claims === null && $gifts,
				'until'   => in_array( $until, array( '', 'always' ), true ) ? $until : Language::calendar_day( $until ),
				'ideas'   => $this->ideas( count( $gifts ), array_column( $items, 'name' ) ),
				'key'     => IdempotencyKey::field( $this->key_purpose(), $form->text( 'key' ) ),
			)
		);
	}

	public function handle( Form $form ): ?string {
		$name = $form->lines( 'idea' );
		if ( $form->action === 'idea' && in_array( $name, StarterIdeas::of( $this->post ), true ) ) {
			// A gift without a shop has its list's own address.
			$gift = array( 'name' => $name, 'url' => (string) get_permalink( $this->post ), 'quantity_needed' => 1 );
			$made = $this->item_service->create_registry_item( $this->post->ID, $gift, IdempotencyKey::of_form( $form, $this->key_purpose() ) . '-' . md5( $name ) );
			$this->last_changes->note( $this->post, Item::stored( $made )->id );
			/* translators: %s: name of a gift */
			$this->flash_message->keep( sprintf( __( '“%s” is on your list.', 'trousseau' ), Language::isolate( $name ) ) );
		}
		return $this->address();
	}

	private function key_purpose(): string {
		return "idea-{$this->post->ID}";
	}

	/** @return string[] The ideas offered to a list that is empty, or has nothing but such ideas. */
	private function ideas( int $gifts, array $names ): array {
		$ideas = StarterIdeas::of( $this->post );
		return count( array_intersect( $names, $ideas ) ) === $gifts ? array_diff( $ideas, $names ) : array();
	}

	/**
	 * The newest first: gifts that are given, guests who have opened the list, and emails that couldn't be delivered.
	 *
	 * @param array<int, Item>       $items  Gifts by their numbers.
	 * @param bool                   $is_all Whether a gift that isn't among them is no longer on the list.
	 * @param array<string, mixed>[] $notes  Invitations by their guests.
	 */
	private function news( array $claims, array $items, bool $is_all, array $notes ): array {
		$news = array();
		foreach ( $claims as $claim ) {
			$item   = $items[ $claim->item_id ] ?? RemovedGifts::item( $this->post, $claim->item_id );
			$news[] = array(
				'at'      => (int) strtotime( $claim->created_at ),
				'words'   => GiftAmount::named( $claim->quantity, $item->name, GiftAmount::currency_of_claim( $claim ) ),
				'by'      => Language::facts(
					array(
						/* translators: %s: name of a giver */
						sprintf( _x( 'From %s', 'giver of a gift', 'trousseau' ), $claim->name === '' ? __( 'someone', 'trousseau' ) : Language::isolate( $claim->name ) ),
						GiftAmount::stage( $claim ),
						$is_all && ! isset( $items[ $claim->item_id ] ) ? __( 'No longer on your list', 'trousseau' ) : '',
					)
				),
				'picture' => GiftPicture::address( $item->image_url, $this->post->ID ),
				'guest'   => '',
			);
		}
		foreach ( $notes as $guest => $note ) {
			$name = ( $note['name'] ?? '' ) !== '' ? $note['name'] : (string) $guest;
			$new  = array( 'by' => '', 'picture' => '', 'guest' => $name );
			if ( $note['opened'] ) {
				/* translators: %s: name of a guest */
				$news[] = array( 'at' => (int) $note['opened'], 'words' => sprintf( __( '%s opened your list', 'trousseau' ), Language::isolate( $name ) ) ) + $new;
			} elseif ( $note['mail'] === Invitations::FAILED ) {
				/* translators: %s: name of a guest */
				$news[] = array( 'at' => (int) $note['at'], 'words' => sprintf( __( 'We couldn’t deliver the email to %s', 'trousseau' ), Language::isolate( $name ) ) ) + $new;
			}
		}
		return array_slice( wp_list_sort( $news, 'at', 'DESC' ), 0, self::MOST_NEWS );
	}

	/** Returns the invitations of guests who have opened the list. Anyone who gives has opened it, perhaps without their invitation. */
	private function who_opened( array $notes, array $claims ): array {
		$givers    = array_flip( array_map( 'mb_strtolower', array_column( $claims, 'email' ) ) );
		$guests    = array_map( 'strval', array_keys( $notes ) );
		$addresses = Accounts::addresses( $guests, $this->accounts->with_user_names( $guests ) );
		return array_filter( $notes, static fn( array $note, int|string $guest ): bool => $note['opened'] || isset( $givers[ mb_strtolower( $addresses[ $guest ] ) ] ), ARRAY_FILTER_USE_BOTH );
	}

	/** How many of the invited guests have opened the list, as people say it. */
	private static function opened( int $guests, int $opened ): string {
		return match ( true ) {
			$guests === 0       => '',
			$opened === 0       => _n( 'your guest hasn’t opened it yet', 'none of your guests has opened it yet', $guests, 'trousseau' ),
			$opened === $guests => _n( 'your guest has opened it', 'all your guests have opened it', $guests, 'trousseau' ),
			/* translators: 1: number of guests who opened a list, 2: number of invited guests, at least 2 */
			default             => sprintf( _n( '%1$s of %2$s guests has opened it', '%1$s of %2$s guests have opened it', $opened, 'trousseau' ), number_format_i18n( $opened ), number_format_i18n( $guests ) ),
		};
	}

	/** @return array{0: string, 1: string} The words and the address of the next step. */
	private function next( bool $has_gifts, bool $has_guests ): array {
		$page    = fn( string $name ): string => PageAddress::of( $name, $this->post->ID );
		$date    = Meta::event_date( $this->post->ID );
		$is_past = Closing::is_over( $this->post ) || ( $date !== '' && $date < wp_date( 'Y-m-d' ) );
		return match ( true ) {
			$is_past && ! Surprise::is_on( $this->post->ID ) && isset( Plugin::parts( ListPage::class )['given'] ) => array( __( 'Say thank you', 'trousseau' ), $page( 'given' ) ),
			! $has_gifts  => array( __( 'Add your first gift', 'trousseau' ), $page( 'gifts' ) ),
			! $has_guests => array( __( 'Invite guests', 'trousseau' ), $page( 'guests' ) ),
			$date === ''  => array( __( 'Set a date', 'trousseau' ), DetailsPage::part_address( $this->post, 'about' ) . '#trousseau-date' ),
			RegistryForm::status( $this->post ) === 'private' => array( __( 'Invite more guests', 'trousseau' ), $page( 'guests' ) ),
			default       => array( __( 'Share your list', 'trousseau' ), $page( 'guests' ) . '#trousseau-share' ),
		};
	}

	/** The time until a date, or since then, in words. */
	private static function days( string $date ): string {
		if ( $date === '' ) {
			return '';
		}
		$days = (int) ( new DateTimeImmutable( (string) wp_date( 'Y-m-d' ) ) )->diff( new DateTimeImmutable( $date ) )->format( '%r%a' );
		return match ( true ) {
			$days === 0 => __( 'Today is the day!', 'trousseau' ),
			/* translators: %s: number of days */
			$days > 0   => sprintf( _n( '%s day to go', '%s days to go', $days, 'trousseau' ), number_format_i18n( $days ) ),
			/* translators: %s: number of days */
			default     => sprintf( _n( '%s day ago', '%s days ago', -$days, 'trousseau' ), number_format_i18n( -$days ) ),
		};
	}
}
