<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use WP_Post;

/** A page of the site that people use: what it is called, who may see it, what it shows, and what its forms do. */
abstract class Page {

	/** The registry that it is about; pages about none have null. */
	public function __construct( protected readonly ?WP_Post $post = null ) {
	}

	abstract public function title(): string;

	/** The page itself. */
	abstract public function html( Form $form ): string;

	/** What was typed before anything was sent. */
	public function form(): Form {
		return new Form();
	}

	/** Does what a form asks for. The address to go on to, or nothing: the page is shown again with the form. */
	public function handle( Form $form ): ?string {
		return null;
	}

	/** What keeps the visitor away from it, with the way on, as HTML; nothing when they may see it. */
	public function obstacle(): string {
		return '';
	}

	/** Its own address. */
	abstract public function address(): string;

	/** The way on for who has to sign in first. */
	protected function sign_in( string $why ): string {
		return Template::html(
			'sign-in',
			array(
				'why'  => $why,
				'back' => PageRouter::current_address() ?: $this->address(),
			)
		);
	}

	/** For pages of a registry's owner. */
	protected function unless_owner(): string {
		if ( $this->post && current_user_can( 'edit_post', $this->post->ID ) ) {
			return '';
		}
		return is_user_logged_in()
			? Message::note( __( 'Only the people whose list it is can change it.', 'trousseau' ), 'is-problem' )
			: $this->sign_in( __( 'Log in to look after your list.', 'trousseau' ) );
	}

	protected function may_not_change_now( mixed $answer ): string {
		return in_array( ApiClient::status_of( $answer ), array( 409, 422 ), true )
			? __( 'That could not be stored as it stands.', 'trousseau' )
			: __( 'That could not be stored just now. Nothing is lost: press again in a moment.', 'trousseau' );
	}
}
