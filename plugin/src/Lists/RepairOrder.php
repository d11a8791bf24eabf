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
		// The service checks the order on this site where somebody with the right to change it asks for the registry.
		$this->item_service->get_registry( (int) $job->key );
	}
}
