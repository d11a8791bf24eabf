<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Template;

/** Tools → Trousseau: background tasks that have failed or wait, to be tried again or deleted. */
final class JobsScreen implements AdminAction {

	public const ACTION = 'trousseau_jobs';

	private const PAGE = 'trousseau-jobs';

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly JobList $job_list,
		private readonly JobQueue $job_queue,
	) {
	}

	public function add_page(): void {
		add_management_page( __( 'Trousseau: background tasks', 'trousseau' ), __( 'Trousseau', 'trousseau' ), 'manage_options', self::PAGE, array( $this, 'show' ) );
	}

	public static function url(): string {
		return admin_url( 'tools.php?page=' . self::PAGE );
	}

	public function show(): void {
		settings_errors( self::PAGE );
		echo $this->admin_form->notice();
		echo Template::html(
			'jobs',
			array(
				'action' => self::ACTION,
				'rows'   => $this->job_list->rows(),
			)
		);
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, self::url(), array( 'manage_options' ) );
		$form = wp_unslash( $_POST );
		$id   = (int) ( $form['job'] ?? 0 );
		$done = match ( $form['do'] ?? '' ) {
			'retry'     => $this->job_list->retry( $id ),
			'delete'    => $this->job_list->delete( $id ),
			'retry_all' => $this->retry_all(),
			default     => false,
		};
		add_settings_error( self::PAGE, 'jobs', $done ? esc_html__( 'Done.', 'trousseau' ) : esc_html__( 'This task no longer exists.', 'trousseau' ), $done ? 'success' : 'error' );
		$this->admin_form->lead_on( self::url() );
	}

	private function retry_all(): bool {
		$this->job_queue->retry_failed();
		return true;
	}
}
