<?php

declare(strict_types=1);

namespace Trousseau\Admin;

defined( 'ABSPATH' ) || exit;

use Trousseau\Giving\UninvitedScreen;
use Trousseau\Lists\Surprise;
use Trousseau\Platform\Mail;
use Trousseau\Platform\Request;
use Trousseau\Platform\Settings;
use Trousseau\Privacy\GiverRetention;
use const Trousseau\VERSION;

/** The checks and the facts behind them on WordPress's own screen Tools → Site Health. */
final class SiteHealth {

	private const PREFIX = 'trousseau_';

	public function __construct(
		private readonly GiverRetention $giver_retention,
		private readonly HealthChecks $health_checks,
		private readonly Mail $mail,
		private readonly Surprise $surprise,
	) {
	}

	public function add_tests( array $tests ): array {
		foreach ( HealthChecks::all() as $check ) {
			$run  = fn(): array => $this->result( $check );
			$test = array( 'label' => self::PREFIX . $check );
			if ( in_array( $check, HealthChecks::slow(), true ) ) {
				$tests['async'][ self::PREFIX . $check ] = $test + array(
					'test'              => rest_url( Request::ROUTES . "/checks/$check" ),
					'has_rest'          => true,
					'async_direct_test' => $run,
				);
			} else {
				$tests['direct'][ self::PREFIX . $check ] = $test + array( 'test' => $run );
			}
		}
		return $tests;
	}

	/** Facts for people who help with the site, without any address, name or secret. */
	public function add_facts( array $info ): array {
		$status  = $this->health_checks->status();
		$account = ServiceAccount::named( Settings::value( Settings::USERNAME ) );
		$mail    = $this->mail->state();
		$time    = static fn( int $at ): string => $at ? gmdate( 'Y-m-d H:i:s \U\T\C', $at ) : __( 'never', 'trousseau' );
		$unknown = __( 'not known', 'trousseau' );
		$facts   = array(
			'version'         => array( __( 'Version of the plugin', 'trousseau' ), VERSION ),
			'service_version' => array( __( 'Version of the service', 'trousseau' ), $status['version'] ?? $unknown ),
			'clock'           => array( __( 'Seconds between the clocks', 'trousseau' ), (string) ( $this->health_checks->seconds_apart() ?? $unknown ) ),
			'item_access'     => array( 'ITEM_ACCESS', $status['item_access'] ?? $unknown ),
			'expired'         => array( __( 'Last check for expired reservations', 'trousseau' ), $status ? $time( (int) strtotime( (string) ( $status['claims_expired_at'] ?? '' ) ) ) : $unknown ),
			'roles'           => array( __( 'Roles of the account', 'trousseau' ), $account ? implode( ', ', $account->roles ) : $unknown ),
			'mail_sent'       => array( __( 'Last email sent', 'trousseau' ), $time( $mail['sent_at'] ) ),
			'mail_waiting'    => array( __( 'Emails waiting', 'trousseau' ), $this->surprise->is_for_a_keeper() ? __( 'hidden, because an administrator of this site wants to be surprised', 'trousseau' ) : (string) $mail['waiting'] ),
			'mail_failed'     => array( __( 'Emails failed', 'trousseau' ), (string) $mail['failed'] ),
			'keep_months'     => array( __( 'Months that guests’ names are kept', 'trousseau' ), (string) GiverRetention::months() ),
			'forgot'          => array( __( 'Last time guests’ names were erased', 'trousseau' ), $time( $this->giver_retention->last_round() ) ),
		);

		$info['trousseau'] = array(
			'label'  => __( 'Trousseau', 'trousseau' ),
			'fields' => array_map( static fn( array $fact ): array => array_combine( array( 'label', 'value' ), $fact ), $facts ),
		);
		return $info;
	}

	/** @return array<string, mixed> The result in WordPress's form. */
	public function result( string $check ): array {
		$found = $this->health_checks->find( $check );
		$words = '<p>' . esc_html( $found['words'] ) . '</p>' . ( $found['cure'] === '' ? '' : '<p>' . esc_html( $found['cure'] ) . '</p>' );
		return array(
			'label'       => $found['title'],
			'status'      => $found['status'] === 'unknown' ? 'recommended' : $found['status'],
			'badge'       => array(
				'label' => __( 'Trousseau', 'trousseau' ),
				'color' => 'blue',
			),
			'description' => $words,
			'actions'     => $found['status'] === 'good' || ! current_user_can( 'manage_options' ) ? '' : sprintf( '<p><a href="%s">%s</a></p>', esc_url( $check === 'uninvited' ? UninvitedScreen::url() : Settings::url() ), esc_html__( 'Open Trousseau’s settings', 'trousseau' ) ),
			'test'        => self::PREFIX . $check,
		);
	}
}
