<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Postponed;
use Trousseau\Service\ItemService;
use WP_User;

/**
 * Reports the roles of people who may look after all registries, or may not any more, and who has another email: the service sends to their
 * addresses, and lists name co-owners by email.
 */
final class RolesReport extends JobHandler {

	public const JOB = 'roles';

	public function __construct( private readonly ItemService $item_service, private readonly JobQueue $job_queue ) {
	}

	/** @param string[] $changed Roles that the user has lost or got. Someone may get them back while their loss is on its way. */
	public function note( int $id, array $changed ): void {
		foreach ( array_filter( array_map( 'get_role', $changed ) ) as $role ) {
			if ( $role->has_cap( 'manage_options' ) || $role->has_cap( 'edit_others_registries' ) ) {
				$this->report( $id );
			}
		}
	}

	public function follow_email( int $id, WP_User $before ): void {
		if ( strcasecmp( $before->user_email, get_userdata( $id )->user_email ?? '' ) !== 0 ) {
			$this->report( $id );
		}
	}

	/** Reports that a user is gone, or the roles that are left: whoever it is may have added an address. */
	public function report( int $id ): void {
		if ( $this->item_service->is_configured() ) {
			// A report that is under way may have read the roles before: it runs once more.
			$this->job_queue->add( self::JOB, null, 0, (string) $id );
		}
	}

	public static function words(): string {
		return __( 'Tell the service who owns the lists', 'trousseau' );
	}

	public function run( Job $job ): void {
		$id               = (int) $job->key;
		$wpdb             = $GLOBALS['wpdb'];
		$wpdb->last_error = '';
		clean_user_cache( $id );
		$user = get_userdata( $id ) ?: null;
		// WordPress also finds nobody where the query failed.
		if ( $wpdb->last_error !== '' || ! $this->item_service->tell_roles( $id, $user, $job->until - microtime( true ) ) ) {
			throw new Postponed( self::AWAY, __( 'The item service doesn’t answer.', 'trousseau' ) );
		}
	}
}
