<?php

declare(strict_types=1);

namespace Trousseau\Admin;

use Trousseau\Gifts\GiftPicture;
use Trousseau\Lists\MailDelivery;
use Trousseau\Lists\PostType;
use Trousseau\Platform\Keys;
use Trousseau\Platform\Network;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Tables;
use Trousseau\Visibility\Attachments;

/**
 * Deletes the plugin's data with the plugin. Pending work and caches always go. People's data and the settings go where the
 * settings say so, and then nothing of the plugin is left. The data is found by the beginnings of its names.
 */
final class Uninstall {

	/** The beginnings of the names of options and events, and of those of meta. */
	private const OPTIONS = 'trousseau_';
	private const META    = '_trousseau_';

	/** Options and values that stay with the settings, for someone who installs the plugin again; each may be the beginning of a name. */
	private const LASTING        = array( 'trousseau_join_secret', Keys::OPTION, 'trousseau_affiliate_rules', 'trousseau_slugs' );
	private const LASTING_VALUES = array( 'gone_', 'no_mail_', 'mailed_', 'followed' );

	/** The most registries to delete before asking the database for more. */
	private const BATCH = 100;

	/** The names that the plugin gives to uploads. */
	private const UPLOAD = '/^gift-[0-9a-f]{16}/';

	public function __construct(
		private readonly Attachments $attachments,
		private readonly MailDelivery $mail_delivery,
		private readonly ServiceAccount $service_account,
		private readonly Tables $tables,
	) {
	}

	/** Runs once for each site. */
	public function run(): void {
		$all = (bool) get_option( Settings::REMOVE_DATA );
		self::drop_events();
		$all || $this->mail_delivery->give_up();
		if ( $all ) {
			$this->drop_registries();
			$this->drop_meta();
			GiftPicture::forget_all();
			$this->service_account->remove();
			is_main_site() && delete_site_option( Network::SERVICE );
		}
		$this->tables->clear( $all ? array() : self::LASTING_VALUES );
		$this->drop_options( array( Tables::SCHEMA, ...( $all ? array() : array( ...Settings::ALL, ...self::LASTING ) ) ) );
		delete_option( 'rewrite_rules' );
		$this->tables->drop();
	}

	private static function drop_events(): void {
		$hooks = array_merge( ...array_map( static fn( mixed $events ): array => array_keys( (array) $events ), array_values( _get_cron_array() ) ) );
		array_map( 'wp_unschedule_hook', preg_grep( '/^' . self::OPTIONS . '/', array_unique( $hooks ) ) );
	}

	private function drop_registries(): void {
		$wpdb = $GLOBALS['wpdb'];
		$last = 0;
		do {
			$ids = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE post_type = %s AND ID > %d ORDER BY ID LIMIT %d", PostType::NAME, $last, self::BATCH ) ) );
			foreach ( $ids as $last ) {
				$post = get_post( $last );
				// WordPress keeps the files of a deleted post, and anyone can see them.
				$post && $this->attachments->delete_with( $last, $post );
				foreach ( preg_grep( self::UPLOAD, array_column( Attachments::files_of( $last ), 'post_title', 'ID' ) ) as $file => $title ) {
					Attachments::shown_by( $file, $last ) || wp_delete_attachment( $file, true );
				}
				wp_delete_post( $last, true );
			}
		} while ( count( $ids ) === self::BATCH );
	}

	private function drop_meta(): void {
		$wpdb = $GLOBALS['wpdb'];
		foreach ( array( 'post' => $wpdb->postmeta, 'user' => $wpdb->usermeta, 'term' => $wpdb->termmeta, 'comment' => $wpdb->commentmeta ) as $kind => $table ) {
			foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT DISTINCT meta_key FROM $table WHERE meta_key LIKE %s", $wpdb->esc_like( self::META ) . '%' ) ) as $key ) {
				delete_metadata( $kind, 0, $key, '', true );
			}
		}
	}

	/** @param string[] $kept The beginnings of the names of options that stay. */
	private function drop_options( array $kept ): void {
		$wpdb  = $GLOBALS['wpdb'];
		$names = $wpdb->get_col( $wpdb->prepare( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE %s", $wpdb->esc_like( self::OPTIONS ) . '%' ) );
		foreach ( $names as $name ) {
			if ( ! array_filter( $kept, static fn( string $beginning ): bool => str_starts_with( $name, $beginning ) ) ) {
				delete_option( $name );
			}
		}
	}
}
