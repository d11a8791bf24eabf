<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Busy;
use Trousseau\Platform\Job;
use Trousseau\Platform\JobHandler;
use Trousseau\Platform\JobQueue;
use Trousseau\Platform\Language;
use Trousseau\Platform\Mail;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\PlainText;
use Trousseau\Platform\Postponed;
use Trousseau\Platform\SignedToken;
use Trousseau\Platform\Template;
use Trousseau\Platform\Unreadable;
use Trousseau\Plugin;
use Trousseau\Service\TooMany;
use Trousseau\Service\Unavailable;
use WP_Error;

/**
 * Sends queued emails, each only if it is still true and wanted when it is due. One template makes both text and HTML, and a theme may
 * replace it. One that fails is tried again by `JobRunner::try_again()`.
 */
final class MailDelivery extends JobHandler {

	public const IS_SECRET = true;

	public const A_RUN = 20;
	public const TURN  = Mail::TURN;

	/** Mail servers may take their time. */
	public const LEASE = 30 * MINUTE_IN_SECONDS;

	/** What an email program sends to the address for unsubscribing when its reader presses a button of its own. */
	public const ONE_CLICK = array( 'List-Unsubscribe', 'One-Click' );

	/** The most seconds to wait for a mail server's answer. */
	private const PATIENCE = 30;

	/** Seconds that an email waits while the service or its list is unavailable. */
	public const AWAY = HOUR_IN_SECONDS - MINUTE_IN_SECONDS;

	/** Template variables that hold people's own words, and all variables that hold names. */
	private const OWN_WORDS = array( 'registry', 'gift', 'owner', 'note' );
	private const NAMES     = array( 'registry', 'gift', 'owner', 'name', 'buyer', 'holder' );

	/** Templates that are sent in the owner's name. */
	private const FROM_OWNER = array( 'invitation', 'owner', 'offer', 'taken', 'thank-you' );

	/** @var array<int, array<string, string>> How emails of invitations went in this run: registry → invitee → how. */
	private array $told = array();

	/** The plain text of the email that is being sent, the owner in whose name, where its reader wants no more, and why it could not be sent. */
	private string $plain   = '';
	private string $sender  = '';
	private string $no_mail = '';
	private string $trouble = '';

	/** @var array<string, Postponed> What couldn't be asked in this run, since the service doesn't answer: asking about each email would cost a timeout each. */
	private array $away = array();

	public function __construct( private readonly JobQueue $job_queue, private readonly Mail $mail ) {
	}

	public static function words(): string {
		return __( 'Email', 'trousseau' );
	}

	public function run( Job $job ): void {
		$mail = $job->payload;
		$only = $mail['only'];
		// Since the email was queued, its reader may have unsubscribed or the owner cancelled the invitation.
		if ( ! $this->mail->is_wanted( $mail['to'], $mail['template'] ) ) {
			$this->tell( $only, MailOutcome::FAILED );
			return;
		}
		if ( isset( $only['once'] ) && $this->mail->was_sent( $only['once'] ) ) {
			return;
		}
		foreach ( array_intersect_key( Plugin::parts( MailFacts::class ), $only ) as $about => $facts ) {
			$values = $this->ask( $about, static fn(): ?array => Plugin::get( $facts )->facts( $about, $mail ) );
			if ( $values === null ) {
				return;
			}
			$mail['values'] = $values;
		}
		if ( isset( $only['registry'] ) && ! PostType::live( (int) $only['registry'] ) ) {
			throw new Postponed( self::AWAY );
		}
		$this->trouble = '';
		switch_to_locale( $mail['locale'] );
		try {
			$sent = $this->hand_over( $mail['to'], $mail['template'], $mail['values'] );
		} finally {
			restore_previous_locale();
		}
		if ( ! $sent ) {
			// Owners see a failure from the second attempt on, though a later one may succeed.
			$this->tell( $only, $job->attempts < 2 ? MailOutcome::WAITING : MailOutcome::FAILED );
			throw new \RuntimeException( $this->trouble !== '' ? $this->trouble : __( 'WordPress couldn’t send the email.', 'trousseau' ) );
		}
		isset( $only['once'] ) && $this->mail->note_sent_once( $only['once'] );
		$job->afterwards = function () use ( $only ): void {
			$this->mail->note_sent();
			$this->tell( $only, MailOutcome::SENT );
		};
	}

	public function failed( Job $job ): void {
		is_array( $job->payload ) && $this->tell( $job->payload['only'], MailOutcome::FAILED );
	}

	public function finish(): void {
		$this->away = array();
		$this->note_results();
	}

	/** Records with the invitations how this run's emails went, by one write per registry, even if an email ended the run. */
	public function note_results(): void {
		foreach ( $this->told as $registry => $how ) {
			unset( $this->told[ $registry ] );
			foreach ( Plugin::parts( MailOutcome::class ) as $outcome ) {
				try {
					Plugin::get( $outcome )->mailed( $registry, $how );
				} catch ( Busy | Unreadable ) {
					// Only the guests' page lacks the results: the emails were sent, or wait.
					continue;
				}
			}
		}
	}

	/** Marks the invitations of all waiting emails as failed, since none of them will be sent. */
	public function give_up(): void {
		foreach ( $this->job_queue->payloads( Mail::JOB ) as $mail ) {
			is_array( $mail ) && $this->tell( $mail['only'], MailOutcome::FAILED );
		}
		$this->note_results();
	}

	/** Records the result of an email, if it is an invitation. */
	private function tell( array $only, string $how ): void {
		if ( isset( $only['registry'] ) ) {
			$this->told[ $only['registry'] ][ $only['invitee'] ] = $how;
		}
	}

	/** Records WordPress's reason why an email of ours could not be sent. */
	public function note_trouble( WP_Error $error ): void {
		if ( $this->plain !== '' ) {
			$this->trouble = $error->get_error_message();
		}
	}

	/** Adds an email's plain text, time limit and sender and, for PHP's mail(), the header for unsubscribing. */
	public function complete( object $mailer ): void {
		if ( $this->plain === '' ) {
			return;
		}
		$mailer->AltBody = $this->plain;
		// A server that doesn't answer would hold one of the site's PHP workers for minutes.
		$mailer->Timeout = min( (int) $mailer->Timeout, self::PATIENCE );
		// Without an owner it is the site that writes: WordPress's own name says nobody's, another plugin's stays.
		$mailer->FromName = $this->sender !== '' ? $this->sender : ( $mailer->FromName === 'WordPress' ? self::site() : $mailer->FromName );
		if ( $mailer->Mailer !== 'mail' ) {
			return;
		}
		// For PHP's mail() PHPMailer encodes each value of more than some 50 characters, which no program decodes
		// in an address. A name it leaves as it is, and a comment may follow the address.
		$headers = $mailer->getCustomHeaders();
		$mailer->clearCustomHeaders();
		foreach ( $headers as $header ) {
			$header[0] === 'List-Unsubscribe' || $mailer->addCustomHeader( ...$header );
		}
		$mailer->addCustomHeader( "List-Unsubscribe: <$this->no_mail> (Trousseau", 'unsubscribe)' );
	}

	private function ask( string $about, callable $ask ): ?array {
		if ( isset( $this->away[ $about ] ) ) {
			throw $this->away[ $about ];
		}
		try {
			return $ask();
		} catch ( Unavailable | TooMany $error ) {
			$later = new Postponed( self::AWAY, $error->getMessage() );
			if ( ! $error->status ) {
				$this->away[ $about ] = $later;
			}
			throw $later;
		}
	}

	private function hand_over( string $to, string $template, array $values ): bool {
		// A line that is an address becomes a button, so no value has lines of its own; a note's addresses move to the lines before them.
		array_walk_recursive(
			$values,
			static function ( mixed &$value, int|string $name ): void {
				$value = is_string( $value ) ? (string) preg_replace( $name === 'note' ? '/\s+(?=https?:)/iu' : '/\s+/u', ' ', $value ) : $value;
				$value = is_string( $value ) && in_array( $name, self::NAMES, true ) ? PlainText::without_links( $value ) : $value;
			}
		);
		$owner = in_array( $template, self::FROM_OWNER, true ) ? (string) ( $values['owner'] ?? '' ) : '';
		// Email programs distrust a sender whose name is an address.
		$this->sender = str_contains( $owner, '@' ) ? '' : $owner;
		// People's own words appear in sentences of the reader's language, which may run the other way.
		foreach ( array_intersect_key( $values, array_flip( self::OWN_WORDS ) ) as $name => $text ) {
			$values[ $name ] = $name === 'gift' ? GiftAmount::named( (int) ( $values['quantity'] ?? 1 ), (string) $text, (string) ( $values['currency'] ?? '' ) ) : Language::isolate( (string) $text );
		}
		$values += array( 'site' => self::site(), 'no_mail' => PageAddress::of( 'no-mail', 0, array( 'of' => SignedToken::seal( 'no-mail', $to ) ) ) );
		// A template says its subject in the first line, then paragraphs; a line that is an address is a button.
		$lines   = explode( "\n", trim( Template::html( "mail/$template", $values ) ) );
		$subject = trim( (string) array_shift( $lines ) );
		$parts   = array_values( array_filter( array_map( 'trim', explode( "\n\n", trim( implode( "\n", array_map( 'trim', $lines ) ) ) ) ) ) );
		$frame   = $values + array(
			'subject' => $subject,
			'parts'   => $parts,
			// An inbox has shown the subject; an owner's own words say more than the sentence that repeats it.
			'preview' => (string) ( $values['note'] ?? '' ) ?: ( $parts[0] ?? '' ),
			'sender'  => $this->sender === '' ? '' : Language::isolate( $this->sender ),
			'cover'   => '',
		);
		// Plugins that send by themselves run no `complete`, but take headers.
		$headers = array(
			'Content-Type: text/html; charset=UTF-8',
			'List-Unsubscribe-Post: ' . implode( '=', self::ONE_CLICK ),
			"List-Unsubscribe: <{$values['no_mail']}>",
			...( is_email( $values['reply_to'] ?? '' ) ? array( "Reply-To: {$values['reply_to']}" ) : array() ),
		);
		// The fields are set only while an email of ours is sent: `complete` runs for every email of the site.
		$this->plain   = Template::html( 'mail/plain', $frame );
		$this->no_mail = $values['no_mail'];
		try {
			$sent = wp_mail( $to, $subject, Template::html( 'mail/html', $frame ), $headers );
			// Some plugins return the message's number, or an error, instead of a boolean.
			return $sent && ! is_wp_error( $sent );
		} finally {
			$this->plain = '';
		}
	}

	private static function site(): string {
		return html_entity_decode( (string) get_bloginfo( 'name' ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
	}
}
