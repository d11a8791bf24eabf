<?php

declare(strict_types=1);

namespace Trousseau\Lists;

use Trousseau\Platform\Busy;
use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use Trousseau\Platform\Unreadable;
use Trousseau\Plugin;
use Trousseau\Service\Invalid;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\Unavailable;
use WP_Post;

/** A page of the site that people use: its title, the people who may see it, its content, and its forms. */
abstract class Page {

	/**
	 * The parameter by which a link names a gift, an invitation, a list or an address, mostly sealed or signed; empty if there is none. Only links
	 * lead to a page with one, so it can't stand within another page.
	 */
	public const TOKEN = '';

	protected ?WP_Post $post = null;

	/** Its address as the visitor opened it. Empty if it is part of another page. */
	private string $opened_at = '';

	public function about( ?WP_Post $post ): static {
		$page       = clone $this;
		$page->post = $post;
		return $page;
	}

	public function opened_at( string $address ): static {
		$this->opened_at = $address;
		return $this;
	}

	abstract public function title(): string;

	abstract public function html( Form $form ): string;

	/** Sends a file instead of the page and ends the request. Does nothing if there is a page. */
	public function send_file(): void {
	}

	/** The values of the form before anything was sent. */
	public function form(): Form {
		return new Form();
	}

	/** Whether a form is taken that no page of this site has sent. */
	public function takes_from_elsewhere( Form $form ): bool {
		return false;
	}

	/** Handles a form. Returns the address to redirect to, or null to show the page again with the form. */
	public function handle( Form $form ): ?string {
		return null;
	}

	/** Handles a form as above. A refusal becomes a fault of the form, in words for the person. */
	final public function submit( Form $form ): ?string {
		try {
			return $this->handle( $form );
		} catch ( ServiceError $error ) {
			$form->fault( ...$this->refusal( $form, $error ) );
			if ( $error instanceof Invalid ) {
				// The service may remember the key for what the form held before.
				$form->set( 'key', '' );
			}
		} catch ( Unreadable | Busy $error ) {
			$form->fault( '', $error instanceof Busy ? self::not_just_now() : Unreadable::words() );
		}
		return null;
	}

	/** Why this visitor may not see the page, and what they can do, as HTML. Empty if they may. */
	public function obstacle(): string {
		return '';
	}

	public function address(): string {
		$name = (string) array_search( static::class, Plugin::parts( self::class ) + Plugin::parts( ListPage::class ), true );
		return PageAddress::of( $name, $this->post->ID ?? 0, static::TOKEN === '' ? array() : array( static::TOKEN => $this->token() ) );
	}

	/** What the link to this page names. */
	protected function token(): string {
		$token = $_GET[ static::TOKEN ] ?? '';
		return is_string( $token ) ? $token : '';
	}

	/** The way on for people who have to sign in first. They may have no account yet, or an invitation does as well. */
	protected function sign_in( string $why, bool $may_be_new = false, bool $may_be_guest = false ): string {
		return Template::html(
			'sign-in',
			array(
				'why'      => $why,
				'back'     => $this->return_address(),
				'register' => $may_be_new && get_option( 'users_can_register' ) ? wp_registration_url() : '',
				'lost'     => $may_be_guest ? PageAddress::of( 'lost-invitation' ) : '',
			)
		);
	}

	/** The registry whose name and picture a chat shows when someone sends this page's address, or null. */
	public function preview(): ?WP_Post {
		return null;
	}

	/** The address to which people come back after they have signed in. */
	protected function return_address(): string {
		return $this->opened_at ?: $this->address();
	}

	/** The page while the service doesn't send its content. */
	public function trouble( ServiceError $error ): string {
		return FlashMessage::note( __( 'This can’t be shown right now. Please come back in a minute.', 'trousseau' ), 'is-problem' );
	}

	/** What it offers all the same, below the way to try again, as HTML. */
	public function despite_trouble(): string {
		return '';
	}

	/** @return array{0: string, 1: string} The reason why a form was not stored: the field, and words for the person. */
	public function refusal( Form $form, ServiceError $error ): array {
		// The service knows no drafts.
		$is_draft = $error instanceof NotFound && $this->post && ! PostType::is_live( $this->post );
		return array(
			'',
			match ( true ) {
				$is_draft => __( 'Your list is still a draft. Open “Details” and save it to add gifts.', 'trousseau' ),
				$error instanceof Invalid && $error->is_key_known() => Invalid::words_for_known_key(),
				default   => $error->words(),
			},
		);
	}

	public static function not_just_now(): string {
		return ( new Unavailable( '' ) )->words();
	}

	/** The form by which guests have their invitations sent again, also for the page of a list that doesn't open. */
	protected static function lost_invitation( Form $form, bool $is_sent = false ): string {
		return Template::html(
			'mail-request',
			compact( 'form', 'is_sent' ) + array(
				'address'    => PageAddress::of( 'lost-invitation' ),
				'action'     => 'send',
				'hint'       => __( 'We’ll email you the links to all the lists you’re invited to with this email.', 'trousseau' ),
				'button'     => __( 'Resend my invitation', 'trousseau' ),
				'if_nothing' => __( 'Still nothing? They may have used another email of yours. Try that one, or ask them for the link.', 'trousseau' ),
			)
		);
	}
}
