<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Support\JobQueue;
use Trousseau\Support\Template;

/** Tools → Trousseau: work behind the pages that has failed or waits, to be tried again or deleted. */
final class JobsScreen {

	public const ACTION = 'trousseau_jobs';

	private const PAGE = 'trousseau-jobs';

	public static function add_page(): void {
		add_management_page( __( 'Trousseau: work behind the pages', 'trousseau' ), __( 'Trousseau', 'trousseau' ), 'manage_options', self::PAGE, array( self::class, 'show' ) );
	}

	public static function url(): string {
		return admin_url( 'tools.php?page=' . self::PAGE );
	}

	public static function show(): void {
		settings_errors( self::PAGE );
		echo AdminForm::notice();
		echo Template::html(
			'admin/jobs',
			array(
				'action' => self::ACTION,
				'rows'   => JobList::of_site()->rows(),
			)
		);
	}

	public static function handle(): void {
		AdminForm::check( self::ACTION, self::url(), array( 'manage_options' ) );
		$form = wp_unslash( $_POST );
		$id   = (int) ( $form['job'] ?? 0 );
		$done = match ( $form['do'] ?? '' ) {
			'retry'     => JobList::of_site()->retry( $id ),
			'delete'    => JobList::of_site()->delete( $id ),
			'retry_all' => self::retry_all(),
			default     => false,
		};
		add_settings_error( self::PAGE, 'jobs', $done ? esc_html__( 'Done.', 'trousseau' ) : esc_html__( 'This work is no longer there.', 'trousseau' ), $done ? 'success' : 'error' );
		AdminForm::lead_on( self::url() );
	}

	private static function retry_all(): bool {
		( new JobQueue() )->retry_failed();
		return true;
	}
}
