<?php

declare(strict_types=1);

namespace Trousseau\Test\WordPress;

use PHPMailer\PHPMailer\PHPMailer;

/** Takes emails as they would have left, and delivers none. */
final class Mailer extends PHPMailer {

	/** @var array{to: string[], subject: string, text: string, html: string, headers: string}[] */
	public array $sent = array();

	public function __construct() {
		parent::__construct( true );
		self::$validator = 'is_email';
	}

	/** Called by PHPMailer where it would hand the complete email over. */
	public function postSend() {
		$is_html      = $this->ContentType !== self::CONTENT_TYPE_PLAINTEXT;
		$this->sent[] = array(
			'to'      => array_column( $this->getToAddresses(), 0 ),
			'subject' => $this->Subject,
			'text'    => $is_html ? $this->AltBody : $this->Body,
			'html'    => $is_html ? $this->Body : '',
			'headers' => $this->MIMEHeader,
		);
		return true;
	}
}
