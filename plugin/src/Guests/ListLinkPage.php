<?php

declare(strict_types=1);

namespace Trousseau\Guests;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\ListLink;
use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Template;
use WP_Post;

/** The page to which the link of a private list leads: its button opens the list on this device, as an invitation's does. */
final class ListLinkPage extends Page {

	public const TOKEN = 'to';

	public function __construct( private readonly Guest $guest ) {
	}

	public function title(): string {
		$post = $this->preview();
		return $post ? PlainText::to_html( Registries::title( $post ) ) : __( 'This link doesn’t work', 'trousseau' );
	}

	public function obstacle(): string {
		return $this->preview() ? '' : FlashMessage::note( __( 'This link has expired or isn’t complete. Ask the owners for a new one.', 'trousseau' ), 'is-problem' );
	}

	public function html( Form $form ): string {
		$post = $this->preview();
		return Template::html(
			'list-link',
			array(
				'owner'   => Registries::owner_name( $post ),
				'picture' => (string) get_the_post_thumbnail_url( $post, 'large' ),
				'address' => $this->address(),
				'at_once' => $form->action === '',
			)
		);
	}

	public function handle( Form $form ): ?string {
		$post = $this->preview();
		$this->guest->remember( ListLink::mark( $post ) );
		return (string) get_permalink( $post );
	}

	public function preview(): ?WP_Post {
		return ListLink::of_address( $this->token() );
	}
}
