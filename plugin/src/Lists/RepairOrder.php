<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Service\ItemService;

/** Has the service repair the order of a registry’s items on this site. */
final class RepairOrder extends JobHandler {

	public function __construct( private readonly ItemService $item_service ) {
	}

	public static function words(): string {
		return __( 'Order of a list', 'trousseau' );
	}

	public function run( Job $job ): void {
		$this->ask_for( (int) $job->key );
	}

	/** Asks the service for a registry, with the right to see it: the service then checks the order on this site and repairs it. */
	public function ask_for( int $id ): void {
		$this->item_service->get_registry( $id );
	}
}
