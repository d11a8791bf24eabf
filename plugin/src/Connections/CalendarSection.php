<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Access;
use Trousseau\Lists\Closing;
use Trousseau\Lists\DetailsSection;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\Template;
use WP_Post;

/** The calendar of a list, on the page of its details: an owner makes the address, renews it or ends it. */
final class CalendarSection extends DetailsSection {

	public const ACTIONS = array( 'calendar', 'no-calendar' );

	public function __construct( private readonly CalendarLink $calendar_link, private readonly FlashMessage $flash_message ) {
	}

	/** Someone who manages the site may not own the list. A closed list has no dates to come. */
	public function html( WP_Post $post, string $address ): string {
		$calendar = CalendarLink::address( $post );
		return Access::owns( $post, get_current_user_id() ) && ( $calendar !== '' || ! Closing::is_over( $post ) )
			? Template::html( 'calendar', compact( 'address', 'calendar' ) )
			: '';
	}

	public function handle( WP_Post $post, Form $form ): string {
		if ( $form->action === 'no-calendar' ) {
			$this->calendar_link->end( $post );
			$this->flash_message->keep( __( 'The calendar link has been removed.', 'trousseau' ) );
			return '';
		}
		CalendarLink::address( $post ) !== '' && $this->flash_message->keep( __( 'The old link no longer works. Add the new one to your calendar.', 'trousseau' ) );
		$this->calendar_link->renew( $post );
		return '#trousseau-calendar';
	}
}
