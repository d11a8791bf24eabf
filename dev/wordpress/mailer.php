<?php
/**
 * A must-use plugin of development sites: writes every email, as it would have been sent, into the folder
 * TROUSSEAU_DEV_MAIL, one file per email, named in the order of sending. A file gets its name when it is complete.
 */

// WordPress's default sender is at the site's host, but PHP refuses an address whose host is a number.
add_filter( 'wp_mail_from', fn( $from ) => $from === 'wordpress@127.0.0.1' ? 'wordpress@example.test' : $from );

add_filter(
	'wp_mail',
	function ( $mail ) {
		foreach ( array( 'PHPMailer', 'SMTP', 'Exception' ) as $name ) {
			require_once ABSPATH . WPINC . "/PHPMailer/$name.php";
		}
		// WordPress uses an existing mailer.
		$GLOBALS['phpmailer'] ??= new class( true ) extends PHPMailer\PHPMailer\PHPMailer {
			public function postSend() {
				$folder = getenv( 'TROUSSEAU_DEV_MAIL' );
				$unique = sprintf( '%s-%s', number_format( microtime( true ), 6, '.', '' ), bin2hex( random_bytes( 3 ) ) );
				file_put_contents( "$folder/.$unique", $this->MIMEHeader . static::$LE . $this->MIMEBody );
				return rename( "$folder/.$unique", "$folder/$unique.eml" );
			}
		};

		$GLOBALS['phpmailer']::$validator = 'is_email';
		return $mail;
	}
);

// Sendmail's format has receivers and subject in the email; PHP's `mail()` takes them as arguments.
add_action( 'phpmailer_init', fn( $mailer ) => $mailer->isSendmail(), PHP_INT_MAX );
