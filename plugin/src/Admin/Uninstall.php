<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Gifts\ShopPicture;
use Trousseau\Lists\MailDelivery;
use Trousseau\Lists\PostType;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Keys;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Network;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Tables;
use Trousseau\Visibility\FeaturedImage;
use Trousseau\Visibility\RegistryFiles;
use WP_User;

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
	private const LASTING_VALUES = array( 'gone_', 'no_mail_', 'mailed_', 'share_answer_', 'followed' );

	/** The most registries to delete before asking the database for more. */
	private const BATCH = 100;

	/** The names that the plugin gives to uploads. */
	private const UPLOAD = '/^gift-[0-9a-f]{16}/';

	public function __construct(
		private readonly KeptValues $kept_values,
		private readonly Mail $mail,
		private readonly MailDelivery $mail_delivery,
		private readonly Network $network,
		private readonly RegistryFiles $registry_files,
		private readonly ServiceAccount $service_account,
		private readonly Surprise $surprise,
		private readonly Tables $tables,
	) {
	}

	/** Runs once for each site. */
	public function run(): void {
		$all    = (bool) get_option( Settings::REMOVE_DATA );
		$before = $all ? $this->inventory() : array();
		self::drop_events();
		$all || $this->mail_delivery->give_up();
		if ( $all ) {
			$this->drop_registries();
			$this->drop_meta();
			$this->drop_files();
			$this->service_account->remove();
			is_main_site() && $this->network->forget_service();
		}
		$this->tables->clear( $all ? array() : self::LASTING_VALUES );
		$this->drop_options( array( Tables::SCHEMA, ...( $all ? array() : array( ...Settings::ALL, ...self::LASTING ) ) ) );
		delete_option( 'rewrite_rules' );
		$all && $this->tell( $before, $this->inventory() );
		$this->tables->drop();
	}

	/** @return array<string, string> The data on this site in words, by kind; kinds of which there is none are left out. */
	public function inventory(): array {
		// Emails are counted when they are due, and not at all where the reader may be the owner who is to be surprised: one may be about a gift.
		$wpdb       = $GLOBALS['wpdb'];
		$registries = (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE post_type = %s AND post_status <> 'auto-draft'", PostType::NAME ) );
		$private    = (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM $wpdb->posts WHERE post_type = %s AND post_status NOT IN ( 'auto-draft', 'publish' )", PostType::NAME ) );
		$uploads    = count( $this->uploads() );
		$shops      = count( self::files() );
		$drafts     = $this->kept_values->count( 'draft_' );
		$mails      = $this->surprise->is_for_a_keeper() ? null : $this->mail->state()['waiting'];
		$no_mail    = $this->mail->refused();
		$rules      = count( (array) get_option( 'trousseau_affiliate_rules', array() ) );
		$accounts   = ServiceAccount::accounts_made();
		$settings   = count( array_filter( Settings::ALL, static fn( string $name ): bool => ! in_array( get_option( $name ), array( false, '' ), true ) ) );
		$number     = 'number_format_i18n';
		$words      = array(
			/* translators: 1: number of lists, 2: how many of them are not public */
			'registries' => $registries ? sprintf( _n( '%1$s list (%2$s not public), with its story, guests and notes', '%1$s lists (%2$s not public), with their stories, guests and notes', $registries, 'trousseau' ), $number( $registries ), $number( $private ) ) : '',
			/* translators: %s: number of pictures */
			'uploads'    => $uploads ? sprintf( _n( '%s picture uploaded for a list', '%s pictures uploaded for lists', $uploads, 'trousseau' ), $number( $uploads ) ) : '',
			/* translators: %s: number of pictures */
			'pictures'   => $shops ? sprintf( _n( '%s picture from a shop', '%s pictures from shops', $shops, 'trousseau' ), $number( $shops ) ) : '',
			/* translators: %s: number of lists */
			'drafts'     => $drafts ? sprintf( _n( '%s list started without an account', '%s lists started without an account', $drafts, 'trousseau' ), $number( $drafts ) ) : '',
			/* translators: %s: number of mails */
			'mails'      => $mails === null ? __( 'emails waiting to be sent', 'trousseau' ) : ( $mails ? sprintf( _n( '%s email waiting to be sent', '%s emails waiting to be sent', $mails, 'trousseau' ), $number( $mails ) ) : '' ),
			/* translators: %s: number of addresses */
			'no_mail'    => $no_mail ? sprintf( _n( 'the fingerprint of %s unsubscribed address', 'the fingerprints of %s unsubscribed addresses', $no_mail, 'trousseau' ), $number( $no_mail ) ) : '',
			/* translators: %s: number of shops */
			'affiliate'  => $rules ? sprintf( _n( 'affiliate links of %s shop', 'affiliate links of %s shops', $rules, 'trousseau' ), $number( $rules ) ) : '',
			/* translators: %s: user names */
			'account'    => $accounts ? sprintf( _n( 'the account %s, created by “Create account”', 'the accounts %s, created by “Create account”', count( $accounts ), 'trousseau' ), Language::list( array_map( static fn( WP_User $user ): string => $user->user_login, $accounts ) ) ) : '',
			/* translators: %s: number of settings */
			'settings'   => $settings ? sprintf( _n( '%s setting on this page', '%s settings on this page, including passwords', $settings, 'trousseau' ), $number( $settings ) ) : '',
		);
		return array_filter( $words );
	}

	/** The list next to the box in the settings. */
	public function html(): string {
		$rows = array_map( static fn( string $words ): string => '<li>' . esc_html( $words ) . '</li>', $this->inventory() );
		return $rows ? sprintf( '<p>%s</p><ul class="ul-disc" id="trousseau-removal">%s</ul><p class="description">%s</p>', esc_html__( 'Right now, this means:', 'trousseau' ), implode( '', $rows ), esc_html__( 'We’ll email you what was deleted. Gifts, and who gives what, are stored by the service: ask the people who run it to delete them there.', 'trousseau' ) ) : '';
	}

	private static function drop_events(): void {
		$hooks = array();
		foreach ( (array) _get_cron_array() as $events ) {
			array_push( $hooks, ...array_keys( (array) $events ) );
		}
		array_map( 'wp_unschedule_hook', array_filter( array_unique( array_map( 'strval', $hooks ) ), static fn( string $hook ): bool => str_starts_with( $hook, self::OPTIONS ) ) );
	}

	private function drop_registries(): void {
		$wpdb = $GLOBALS['wpdb'];
		$last = 0;
		do {
			$ids = array_map( 'intval', $wpdb->get_col( $wpdb->prepare( "SELECT ID FROM $wpdb->posts WHERE post_type = %s AND ID > %d ORDER BY ID LIMIT %d", PostType::NAME, $last, self::BATCH ) ) );
			foreach ( $ids as $last ) {
				$post = get_post( $last );
				// WordPress leaves a deleted post's files to everyone.
				$post && $this->registry_files->delete( $last, $post );
				foreach ( $this->uploads( $last ) as $file ) {
					FeaturedImage::shown_by( $file, $last ) || wp_delete_attachment( $file, true );
				}
				wp_delete_post( $last, true );
			}
		} while ( count( $ids ) === self::BATCH );
	}

	/** @return int[] Files attached to a registry, or to any: all files of those that aren't public, and the plugin's uploads. */
	private function uploads( int $registry = 0 ): array {
		$wpdb = $GLOBALS['wpdb'];
		$rows = $wpdb->get_results( $wpdb->prepare( "SELECT files.ID, files.post_title, posts.post_status, posts.post_password FROM $wpdb->posts AS files JOIN $wpdb->posts AS posts ON posts.ID = files.post_parent WHERE files.post_type = 'attachment' AND posts.post_type = %s AND ( %d = 0 OR posts.ID = %d )", PostType::NAME, $registry, $registry ) );
		$ours = array_filter( $rows, static fn( object $row ): bool => $row->post_status !== 'publish' || $row->post_password !== '' || preg_match( self::UPLOAD, $row->post_title ) );
		return array_values( array_map( static fn( object $row ): int => (int) $row->ID, $ours ) );
	}

	private function drop_meta(): void {
		$wpdb = $GLOBALS['wpdb'];
		foreach ( array( 'post' => $wpdb->postmeta, 'user' => $wpdb->usermeta, 'term' => $wpdb->termmeta, 'comment' => $wpdb->commentmeta ) as $kind => $table ) {
			foreach ( $wpdb->get_col( $wpdb->prepare( "SELECT DISTINCT meta_key FROM $table WHERE meta_key LIKE %s", $wpdb->esc_like( self::META ) . '%' ) ) as $key ) {
				delete_metadata( $kind, 0, $key, '', true );
			}
		}
	}

	private function drop_files(): void {
		array_map( 'wp_delete_file', self::files() );
		array_map( 'rmdir', array_filter( array( ...( glob( ShopPicture::folder() . '/*' ) ?: array() ), ShopPicture::folder() ), 'is_dir' ) );
	}

	/** @return string[] */
	private static function files(): array {
		return array_filter( array_merge( glob( ShopPicture::folder() . '/*' ) ?: array(), glob( ShopPicture::folder() . '/*/*' ) ?: array() ), 'is_file' );
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

	/**
	 * Reports by email what was deleted: no page of the plugin is left that could.
	 *
	 * @param array<string, string> $before
	 * @param array<string, string> $left
	 */
	private function tell( array $before, array $left ): void {
		load_textdomain( 'trousseau', dirname( __DIR__, 2 ) . '/languages/trousseau-' . get_user_locale() . '.mo' );
		$user  = wp_get_current_user();
		$lines = static fn( array $words ): string => implode( '', array_map( static fn( string $one ): string => "\n– $one", $words ) );
		$gone  = array_diff_key( $before, $left );
		$text  = __( 'Together with the plugin Trousseau, this was deleted:', 'trousseau' ) . $lines( $gone );
		if ( $left ) {
			$text .= "\n\n" . __( 'This couldn’t be deleted:', 'trousseau' ) . $lines( $left );
		}
		$text .= "\n\n" . __( 'Gifts, and who gives what, are stored by the service: ask the people who run it to delete them there. Links to lists that you’ve put into menus and pages stay, too.', 'trousseau' ) . "\n\n" . home_url();
		/* translators: %s: name of the site */
		wp_mail( $user->user_email ?: (string) get_option( 'admin_email' ), sprintf( __( 'Trousseau’s data on “%s” has been deleted', 'trousseau' ), html_entity_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES, 'UTF-8' ) ), $text );
	}
}
