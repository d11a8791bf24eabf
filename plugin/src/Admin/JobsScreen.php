<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Surprise;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Encryption;
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

	/** Templates of emails that tell nothing of a gift. */
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
		echo Template::html( 'jobs', array( 'action' => self::ACTION, 'rows' => $this->rows() ) );
	}

	public function handle(): void {
		$this->admin_form->check( self::ACTION, self::url(), array( 'manage_options' ) );
		$form = wp_unslash( $_POST );
		$do   = $form['do'] ?? '';
		$id   = (int) ( $form['job'] ?? 0 );
		if ( $do === 'retry_all' ) {
			$this->job_queue->retry_failed();
		}
		// Jobs that the list hides stay as they are.
		$has  = in_array( $id, array_column( $this->rows(), 'id' ), true );
		$done = match ( $do ) {
			'retry'     => $has && $this->job_queue->retry( $id ),
			'delete'    => $has && $this->job_queue->delete( $id ),
			'retry_all' => true,
			default     => false,
		};
		add_settings_error( self::PAGE, 'jobs', $done ? esc_html__( 'Done.', 'trousseau' ) : esc_html__( 'This task no longer exists.', 'trousseau' ), $done ? 'success' : 'error' );
		$this->admin_form->lead_on( self::url() );
	}

	/** @return array<int, array{id: int, handler: string, kind: string, state: string, is_failed: bool, due: int, attempts: int, error: string}> */
	public function rows(): array {
		$is_surprise = $this->surprise->any_is_for_keepers();
		$rows        = array();
		foreach ( $this->job_queue->visible( self::LATE, self::MOST ) as $job ) {
			$handler   = Plugin::parts( JobHandler::class )[ $job->handler ] ?? null;
			$is_secret = $handler && $handler::IS_SECRET && ! in_array( Encryption::open( $job->payload )['template'] ?? '', self::HARMLESS, true );
			if ( $is_surprise && $is_secret ) {
				continue;
			}
			$is_failed = $job->failed_at > 0;
			$rows[]    = array(
				'id'        => (int) $job->id,
				'handler'   => $job->handler,
				'kind'      => $handler ? $handler::words() : $job->handler,
				'state'     => match ( true ) {
					$is_failed               => __( 'failed', 'trousseau' ),
					$job->last_error !== ''  => __( 'will be tried again', 'trousseau' ),
					default                  => __( 'late', 'trousseau' ),
				},
				'is_failed' => $is_failed,
				'due'       => intdiv( (int) ( $is_failed ? $job->failed_at : $job->run_at ), 1000 ),
				'attempts'  => (int) $job->attempts,
				'error'     => $job->last_error,
			);
		}
		return $rows;
	}
}
