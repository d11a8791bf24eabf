<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\KeptValues;
use Trousseau\Platform\Postponed;
use Trousseau\Service\ItemService;
use WP_REST_Request;

/**
 * The service asks, without credentials, whether a registry is gone, who owns it, and which roles a user has. The answer is the same for every
 * number: a job looks later, and reports. Strangers don't have the key that the service sends along, and for which a job here asks it.
 */
final class OpenQuestions extends JobHandler {

	public const JOB = 'question-key';

	public const ROUTE = '/(?P<about>registries|users)/(?P<id>[1-9]\d{0,15})/look';

	/** The hash of the key, and its name among the kept values. */
	private const KEY = 'question_key';

	/** Kept while the key is so new that the service isn't asked for another. */
	private const IS_NEW = 'question_key_is_new';

	/** Seconds until the service is asked for its key again: strangers send wrong ones. */
	private const AGAIN = 10 * MINUTE_IN_SECONDS;

	public function __construct( private readonly ItemService $item_service, private readonly JobQueue $job_queue, private readonly KeptValues $kept_values ) {
	}

	public function take( WP_REST_Request $request ): array {
		list( 'about' => $about, 'id' => $id ) = $request->get_url_params();
		$asked                                 = preg_match( '/^\d{1,15}\.\d{1,9}$/D', (string) $request['asked'] ) ? $request['asked'] : '';
		$this->job_queue->add_once( $about === 'users' ? RolesReport::JOB : RegistryReport::ASKED, $asked, time(), (string) $id );
		return array( 'asked' => true );
	}

	/** Learns the key before the first question comes. */
	public function begin(): void {
		if ( $this->kept_values->get( self::KEY ) === null ) {
			$this->learn();
		}
	}

	public static function words(): string {
		return __( 'Tell the service who owns the lists', 'trousseau' );
	}

	public function run( Job $job ): void {
		$key = $this->item_service->question_key( $job->until - microtime( true ) );
		if ( $key === null ) {
			throw new Postponed( self::AGAIN, __( 'The item service doesn’t answer.', 'trousseau' ) );
		}
		$this->kept_values->set( self::KEY, $key === '' ? '' : hash( 'sha256', $key ) );
		$this->kept_values->set( self::IS_NEW, true, self::AGAIN );
	}

	public function is_of_service( WP_REST_Request $request ): bool {
		$key    = $request['key'];
		$known  = $this->kept_values->get( self::KEY );
		$is_its = is_string( $key ) && $key !== '' && is_string( $known ) && hash_equals( $known, hash( 'sha256', $key ) );
		if ( ! $is_its && ! $this->kept_values->get( self::IS_NEW ) ) {
			$this->learn();
		}
		return $is_its;
	}

	private function learn(): void {
		if ( $this->item_service->is_configured() ) {
			$this->job_queue->add_once( self::JOB, null, time(), self::KEY );
		}
	}
}
