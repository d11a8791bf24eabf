<?php

declare(strict_types=1);

namespace Trousseau\Connections;

defined( 'ABSPATH' ) || exit;

use Trousseau\Admin\SettingsTab;
use Trousseau\Platform\AdminAction;
use Trousseau\Platform\AdminForm;
use Trousseau\Platform\Form;
use Trousseau\Platform\Settings;
use Trousseau\Platform\Template;
use Trousseau\Service\Conflict;
use Trousseau\Service\IdempotencyKey;
use Trousseau\Service\Invalid;
use Trousseau\Service\ItemService;
use Trousseau\Service\NotFound;
use Trousseau\Service\ServiceError;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;

/** Settings → Trousseau → Connections: the addresses to which the service sends what happens on the site. */
final class ConnectionsScreen implements AdminAction, SettingsTab {

	public const ACTION = 'trousseau_connections';

	private const FIELDS = array( 'url', 'items', 'registry', 'claims', 'key' );

	public function __construct(
		private readonly AdminForm $admin_form,
		private readonly ItemService $item_service,
	) {
	}

	public static function tab(): string {
		return __( 'Connections', 'trousseau' );
	}

	public static function url( string $webhook = '' ): string {
		return add_query_arg( array_filter( array( 'part' => 'connections', 'of' => $webhook ) ), Settings::url() );
	}

	public function show(): void {
		$outcome = $this->admin_form->kept( self::url() ) + array( 'words' => '', 'is_good' => false, 'secret' => '', 'typed' => array() );
		$of      = is_string( $_GET['of'] ?? null ) ? wp_unslash( $_GET['of'] ) : '';
		try {
			$webhooks   = $this->item_service->webhooks();
			$deliveries = in_array( $of, array_column( $webhooks, 'id' ), true ) ? $this->item_service->webhook_deliveries( $of ) : array();
			$fault      = '';
		} catch ( ServiceError $error ) {
			list( $webhooks, $deliveries, $fault ) = array( array(), array(), self::words( $error ) );
		}
		echo $this->admin_form->notice();
		echo Template::html(
			'connections',
			array(
				'action'     => self::ACTION,
				'fault'      => $fault,
				'outcome'    => $outcome,
				'typed'      => $outcome['typed'],
				'families'   => self::families(),
				'webhooks'   => $webhooks,
				'of'         => $of,
				'deliveries' => $deliveries,
				'key'        => IdempotencyKey::field( self::ACTION, (string) ( $outcome['typed']['key'] ?? '' ) ),
			)
		);
	}

	/** Labels for the kinds of events, by the names of their fields. */
	private static function families(): array {
		return array(
			'items'    => array( __( 'Gifts on lists', 'trousseau' ), array( 'item.*', 'items.*' ) ),
			'registry' => array( __( 'The lists themselves', 'trousseau' ), array( 'registry.*' ) ),
			'claims'   => array( __( 'Gifts guests give', 'trousseau' ), array( 'claim.*' ) ),
		);
	}

	public static function type_words( array $types ): string {
		$chosen = array_filter( self::families(), static fn( array $family ): bool => ! array_diff( $family[1], $types ) );
		$known  = array_merge( ...array_column( $chosen, 1 ) );
		return $types ? implode( ', ', array( ...array_column( $chosen, 0 ), ...array_diff( $types, $known ) ) ) : __( 'Everything', 'trousseau' );
	}

	public function handle(): void {
		$form  = Form::with( wp_unslash( $_POST ) );
		$typed = array_filter( array_intersect_key( $form->typed(), array_flip( self::FIELDS ) ), 'is_string' );
		$this->admin_form->check( self::ACTION, self::url(), array( 'manage_options' ), $typed );
		$id = $form->text( 'webhook' );
		try {
			$outcome = match ( $form->action ) {
				'add'    => $this->add( $form, $typed ),
				'test'   => $this->test( $id ),
				'delete' => $this->delete( $id ),
				default  => array(),
			};
		} catch ( ServiceError $error ) {
			// The service may remember the key for what the form held before.
			$typed   = $error instanceof Invalid ? array( 'key' => '' ) + $typed : $typed;
			$outcome = array( 'words' => self::words( $error, $form->action ), 'typed' => $form->action === 'add' ? $typed : array() );
		}
		$outcome && $this->admin_form->keep( self::url(), $outcome );
		wp_safe_redirect( self::url( $form->action === 'test' ? $id : '' ), 303 );
		exit;
	}

	/** @return array{words: string, is_good?: bool, secret?: string, typed?: array<string, string>} */
	private function add( Form $form, array $typed ): array {
		$url    = $form->text( 'url' );
		$chosen = array_filter( self::families(), static fn( string $name ): bool => $form->is_checked( $name ), ARRAY_FILTER_USE_KEY );
		if ( ! $chosen ) {
			return array( 'words' => __( 'Nothing has been added yet. Choose what to send.', 'trousseau' ), 'typed' => $typed );
		}
		$types = count( $chosen ) === count( self::families() ) ? array() : array_merge( ...array_column( $chosen, 1 ) );
		$made  = $this->item_service->create_webhook( $url, $types, IdempotencyKey::of_form( $form, self::ACTION ) );
		$words = __( 'The address has been added. This is its secret, shown only now. Enter it in the receiving program, so it can check that messages come from here.', 'trousseau' );
		return array(
			'words'   => $words,
			'is_good' => true,
			'secret'  => (string) ( $made['secret'] ?? '' ),
		);
	}

	private function test( string $id ): array {
		$answer = $this->item_service->test_webhook( $id );
		$status = $answer['status'] ?? null;
		$code   = $answer['problem']['code'] ?? '';
		return array(
			'words'   => match ( true ) {
				/* translators: 1: HTTP status, 2: number of milliseconds */
				$status !== null        => sprintf( __( 'The receiver answered with status %1$s after %2$s milliseconds.', 'trousseau' ), (string) $status, number_format_i18n( (int) $answer['ms'] ) ),
				$code === 'late'        => __( 'The receiver didn’t answer within 15 seconds.', 'trousseau' ),
				$code === 'not_allowed' => __( 'This address can’t be used. It must start with https://, have no user name or port, and be reachable from the internet.', 'trousseau' ),
				default                 => __( 'The receiver can’t be reached.', 'trousseau' ),
			},
			'is_good' => $status >= 200 && $status < 300,
		);
	}

	private function delete( string $id ): array {
		$done = array( 'words' => __( 'Nothing is sent there any more.', 'trousseau' ), 'is_good' => true );
		try {
			$this->item_service->delete_webhook( $id );
			return $done;
		} catch ( NotFound ) {
			// The button was pressed twice.
			return $done;
		}
	}

	private static function words( ServiceError $error, string $action = '' ): string {
		return match ( true ) {
			$error instanceof Invalid && $error->is_key_known() => Invalid::words_for_known_key(),
			$error instanceof Invalid                           => __( 'This address can’t be used. It must start with https://, have no user name or port, and be reachable from the internet.', 'trousseau' ),
			$error instanceof Conflict && $action === 'add'     => __( 'You already have 20 addresses. Delete one first.', 'trousseau' ),
			$error instanceof NotFound                          => __( 'This connection no longer exists.', 'trousseau' ),
			$error instanceof TooMany && $action === 'test'     => __( 'Too many tests in a minute. Please wait a moment.', 'trousseau' ),
			$error instanceof Unavailable                       => __( 'The service can’t be reached right now. Please try again in a minute.', 'trousseau' ) . ' ' . $error->getMessage(),
			default                                             => $error->words() . ' ' . $error->getMessage(),
		};
	}
}
