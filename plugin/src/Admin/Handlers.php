<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Affiliate\AffiliateDaily;
use Trousseau\Affiliate\AffiliateRegistry;
use Trousseau\Affiliate\AffiliateRound;
use Trousseau\Connections\NetworkJoin;
use Trousseau\Gifts\PictureFetch;
use Trousseau\Gifts\UnusedPictures;
use Trousseau\Giving\ClaimMails;
use Trousseau\GroupGifts\BuyerWatch;
use Trousseau\GroupGifts\ShareMails;
use Trousseau\Guests\ListNews;
use Trousseau\Lists\Closing;
use Trousseau\Lists\Digest;
use Trousseau\Lists\GiftLists;
use Trousseau\Lists\LookForRegistry;
use Trousseau\Lists\MailDelivery;
use Trousseau\Lists\OpenQuestions;
use Trousseau\Lists\RegistryImport;
use Trousseau\Lists\RepairOrder;
use Trousseau\Lists\RightsReport;
use Trousseau\Lists\RolesReport;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\JobRunner;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Tables;
use Trousseau\Privacy\DeletionReport;
use Trousseau\Privacy\GiverRetention;

/** The kinds of jobs, each with its handler. */
final class Handlers {

	public function __construct(
		private readonly AffiliateDaily $affiliate_daily,
		private readonly AffiliateRegistry $affiliate_registry,
		private readonly AffiliateRound $affiliate_round,
		private readonly BuyerWatch $buyer_watch,
		private readonly ClaimMails $claim_mails,
		private readonly Closing $closing,
		private readonly DeletionReport $deletion_report,
		private readonly Digest $digest,
		private readonly Tables $tables,
		private readonly GiverRetention $giver_retention,
		private readonly JobQueue $job_queue,
		private readonly ListNews $list_news,
		private readonly LookForRegistry $look_for_registry,
		private readonly MailDelivery $mail_delivery,
		private readonly NetworkJoin $network_join,
		private readonly OpenQuestions $open_questions,
		private readonly PictureFetch $picture_fetch,
		private readonly RegistryImport $registry_import,
		private readonly RepairOrder $repair_order,
		private readonly RightsReport $rights_report,
		private readonly RolesReport $roles_report,
		private readonly ShareMails $share_mails,
		private readonly Sweep $sweep,
		private readonly UnusedPictures $unused_pictures,
	) {
	}

	/** @return array<string, JobHandler> */
	public function all(): array {
		return array(
			Mail::JOB              => $this->mail_delivery,
			ClaimMails::REMOVED    => $this->claim_mails,
			BuyerWatch::JOB        => $this->buyer_watch,
			RegistryImport::JOB    => $this->registry_import,
			DeletionReport::JOB    => $this->deletion_report,
			LookForRegistry::JOB   => $this->look_for_registry,
			GiftLists::REPAIR      => $this->repair_order,
			OpenQuestions::JOB     => $this->open_questions,
			RolesReport::JOB       => $this->roles_report,
			RightsReport::JOB      => $this->rights_report,
			Closing::JOB           => $this->closing,
			AffiliateRegistry::JOB => $this->affiliate_registry,
			AffiliateRound::JOB    => $this->affiliate_round,
			NetworkJoin::JOB       => $this->network_join,
			PictureFetch::JOB      => $this->picture_fetch,
			UnusedPictures::JOB    => $this->unused_pictures,
			'digest'               => $this->digest,
			'news'                 => $this->list_news,
			ShareMails::JOB        => $this->share_mails,
			GiverRetention::JOB    => $this->giver_retention,
			'affiliate-daily'      => $this->affiliate_daily,
			'sweep'                => $this->sweep,
		);
	}

	public function runner(): JobRunner {
		return new JobRunner( $this->tables, $this->job_queue, $this->all() );
	}

	/** Does the work that is due; WordPress's event calls it. */
	public function run(): void {
		$this->runner()->run();
	}
}
