<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Surprise;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Template;
use Trousseau\Plugin;

/**
 * Tools → Trousseau: background tasks that have failed, will be tried again or are late, to be tried again or deleted. An administrator may be an
 * owner who is to be surprised, so planned emails are left out, and while there is such an administrator all emails about gifts are.
 */
final class JobsScreen implements AdminAction {

	public const ACTION = 'trousseau_jobs';

	private const PAGE = 'trousseau-jobs';

	private const MOST = 500;

	/** Emails that say nothing about a gift. */
	private const HARMLESS = array( 'approval', 'invitation', 'my-gifts', 'claims-undone' );

	/** Seconds after which a job that has not begun is late. */
	private const LATE = 5 * MINUTE_IN_SECONDS;

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly JobQueue $job_queue,
		private readonly Surprise $surprise,
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
				'rows'   => $this->rows(),
			)
		);
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, self::url(), array( 'manage_options' ) );
		$form = wp_unslash( $_POST );
		$id   = (int) ( $form['job'] ?? 0 );
		$done = match ( $form['do'] ?? '' ) {
			'retry'     => $this->retry( $id ),
			'delete'    => $this->delete( $id ),
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

	/** @return array<int, array{id: int, handler: string, kind: string, state: string, is_failed: bool, due: int, attempts: int, error: string}> */
	public function rows(): array {
		$is_surprise = $this->surprise->is_for_a_keeper();
		$rows        = array();
		foreach ( $this->job_queue->visible( self::MOST ) as $job ) {
			$handler   = Plugin::parts( JobHandler::class )[ $job['handler'] ] ?? null;
			$is_secret = $handler && $handler::IS_SECRET && $is_surprise && ! in_array( $job['payload']['template'] ?? '', self::HARMLESS, true );
			$is_late   = $job['run_at'] < time() - self::LATE;
			if ( $is_secret || ! ( $job['failed_at'] || $job['error'] !== '' || $is_late ) ) {
				continue;
			}
			$rows[] = array(
				'id'       => $job['id'],
				'handler'  => $job['handler'],
				'kind'     => $handler ? $handler::words() : $job['handler'],
				'state'    => match ( true ) {
					$job['failed_at'] > 0 => __( 'failed', 'trousseau' ),
					$job['error'] !== ''  => __( 'will be tried again', 'trousseau' ),
					default               => __( 'late', 'trousseau' ),
				},
				'is_failed' => $job['failed_at'] > 0,
				'due'      => $job['failed_at'] ?: $job['run_at'],
				'attempts' => $job['attempts'],
				'error'    => $job['error'],
			);
		}
		return $rows;
	}

	/** Retries a job of the list; others stay as they are. */
	public function retry( int $id ): bool {
		return $this->has( $id ) && $this->job_queue->retry( $id );
	}

	public function delete( int $id ): bool {
		return $this->has( $id ) && $this->job_queue->delete( $id );
	}

	private function has( int $id ): bool {
		return in_array( $id, array_column( $this->rows(), 'id' ), true );
	}
}
