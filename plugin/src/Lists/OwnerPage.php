<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\FlashMessage;
use Trousseau\Platform\Language;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Template;
use Trousseau\Plugin;
use Trousseau\Service\ServiceError;
use WP_Post;

/** A page for a registry's owner. Its head has the registry's name, and the way between its pages. */
abstract class OwnerPage extends ListPage {

	/** The place of its tab, from the left; -1: it has none. */
	protected const TAB = -1;

	abstract public static function tab(): string;

	public function title(): string {
		return static::tab();
	}

	/** Words on the other pages that lead to this one; empty where it asks its reader for nothing. */
	public static function asks( WP_Post $post ): string {
		return '';
	}

	public function obstacle(): string {
		if ( $this->post && current_user_can( 'edit_post', $this->post->ID ) ) {
			return $this->post->post_status !== 'trash' ? '' : FlashMessage::note( __( 'This list no longer exists.', 'trousseau' ), 'is-problem' )
				. sprintf( '<p class="trousseau-ways"><a class="button wp-element-button" href="%s">%s</a></p>', esc_url( PageAddress::of( 'mine' ) ), esc_html__( 'My lists', 'trousseau' ) );
		}
		return is_user_logged_in()
			? FlashMessage::note( __( 'Only the owners can change this list.', 'trousseau' ), 'is-problem' )
			: $this->sign_in( __( 'Log in to manage your list.', 'trousseau' ) );
	}

	public function trouble( ServiceError $error ): string {
		return $this->head() . parent::trouble( $error );
	}

	/** The words of the link to the list itself. */
	protected function link_words(): string {
		return Language::isolate( Registries::title( $this->post ) );
	}

	/** Whether the page says that the list is closed, and offers to reopen it. */
	protected function tells_of_closing(): bool {
		return Closing::is_over( $this->post );
	}

	protected function head(): string {
		$tabs = array_filter( Plugin::parts( ListPage::class ), static fn( string $class ): bool => is_subclass_of( $class, self::class ) && $class::TAB >= 0 );
		uasort( $tabs, static fn( string $one, string $other ): int => $one::TAB <=> $other::TAB );
		$tabs = array_map( fn( string $name, string $class ): array => array( $class::tab(), PageAddress::of( $name, $this->post->ID ), $class === static::class ? '' : $class::asks( $this->post ) ), array_keys( $tabs ), $tabs );
		return Template::html(
			'owner',
			array(
				'name'      => $this->link_words(),
				'permalink' => (string) get_permalink( $this->post ),
				'tabs'      => $tabs,
				'current'   => static::tab(),
				'seen_by'   => RegistryForm::status( $this->post ),
				'details'   => PageAddress::of( 'details', $this->post->ID ),
				'closed'    => $this->tells_of_closing(),
				'waits'     => Approval::waits( $this->post ),
				'approves'  => Access::looks_after_all(),
			)
		);
	}
}
