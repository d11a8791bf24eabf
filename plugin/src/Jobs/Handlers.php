<?php

declare(strict_types=1);

namespace Trousseau\Jobs;

defined( 'ABSPATH' ) || exit;

use Trousseau\Registry\GiftLists;
use Trousseau\Support\JobQueue;
use Trousseau\Support\JobRunner;

/** The kinds of jobs, each with its handler. */
final class Handlers {

	/** @return array<string, JobHandler> */
	public static function all(): array {
		return array(
			Mail::JOB              => new MailDelivery(),
			ClaimMails::REMOVED    => new ClaimMails(),
			RegistryImport::JOB    => new RegistryImport(),
			DeletionReport::JOB    => new DeletionReport(),
			LookForRegistry::JOB   => new LookForRegistry(),
			GiftLists::REPAIR      => new RepairOrder(),
			AffiliateRegistry::JOB => new AffiliateRegistry(),
			AffiliateRound::JOB    => new AffiliateRound(),
			PictureFetch::JOB      => new PictureFetch(),
			'digest'               => new Digest(),
			GiverRetention::JOB    => new GiverRetention(),
			'affiliate-daily'      => new AffiliateDaily(),
			'sweep'                => new Sweep(),
		);
	}

	public static function runner(): JobRunner {
		return new JobRunner( new JobQueue(), self::all() );
	}

	/** Does the work that is due; WordPress's event calls it. */
	public static function run(): void {
		self::runner()->run();
	}
}
