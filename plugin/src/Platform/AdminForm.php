<?php

declare(strict_types=1);

namespace Trousseau\Platform;

/**
 * Checks a form of the plugin's own screens in the administration before it acts. A form that came too late, or from someone without
 * the right, does nothing and leads on: to logging in, to the screen once more, or back to the site.
 */
final class AdminForm {

	/** The sign of a late form on the screen's address, which WordPress's own script removes again. */
	private const SIGN = 'error';
	private const LATE = 'trousseau-late';

	/** @var array<string, array<string, mixed>> What was typed, by screens, once it was read. */
	private array $typed = array();

	public function __construct( private readonly InterruptedForm $interrupted_form, private readonly KeptValues $kept_values ) {
	}

	/** Keeps what the same person's next look at a screen shows, such as a secret: encrypted, and for a minute. */
	public function keep( string $screen, array $shown ): void {
		$this->kept_values->set( self::name_of( $screen ), Encryption::seal( $shown ), MINUTE_IN_SECONDS );
	}

	/** What was kept for a screen, or else as `typed` the fields of a form that came too late. It is returned once. */
	public function kept( string $screen ): array {
		$kept = Encryption::open( $this->kept_values->get( self::name_of( $screen ) ) );
		$this->kept_values->delete( self::name_of( $screen ) );
		return is_array( $kept ) ? $kept : array_filter( array( 'typed' => $this->interrupted_form->resume( $screen ) ) );
	}

	/** The text that stood in a field which was refused, or came too late: it isn't stored. Fields of one screen may ask in turn. */
	public function typed( string $screen, string $name ): ?string {
		$this->typed[ $screen ] ??= $this->kept( $screen )['typed'] ?? array();
		$value                    = $this->typed[ $screen ][ $name ] ?? null;
		return is_string( $value ) ? $value : null;
	}

	private static function name_of( string $screen ): string {
		return 'screen_' . Encryption::hex( 'screen', get_current_user_id() . " $screen" );
	}

	/** The opening of a form whose handler calls `check()`. */
	public static function open( string $action, array $hidden = array() ): string {
		return sprintf( '<form method="post" action="%s">', esc_url( admin_url( 'admin-post.php' ) ) )
			. Form::hidden( array( 'action' => $action, '_wpnonce' => wp_create_nonce( $action ) ) + $hidden );
	}

	/** A row of a form's table with one field, `text` or `password`. */
	public static function row( string $name, string $label, string $hint, string $value = '', string $type = 'text' ): string {
		return sprintf(
			'<tr><th scope="row"><label for="trousseau-%1$s">%2$s</label></th><td><input type="%5$s" class="regular-text" id="trousseau-%1$s" name="%1$s" value="%4$s" aria-describedby="trousseau-%1$s-hint" autocomplete="off"><p class="description" id="trousseau-%1$s-hint">%3$s</p></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_html( $hint ),
			esc_attr( $value ),
			esc_attr( $type )
		);
	}

	/**
	 * Returns only if the form may act.
	 *
	 * @param array<string, mixed> $typed The values to fill in again: no secret.
	 */
	public function check( string $nonce, string $screen, array $rights, array $typed = array() ): void {
		if ( ! is_user_logged_in() ) {
			$this->lead_back( $screen, $typed, true );
		}
		if ( array_filter( $rights, static fn( string $right ): bool => ! current_user_can( $right ) ) ) {
			$words  = __( 'Your account can’t do that on this site. Ask the people who run it.', 'trousseau' );
			$way_on = array(
				'response'  => 403,
				'link_url'  => home_url( '/' ),
				'link_text' => esc_html__( 'Back to the site', 'trousseau' ),
			);
			wp_die( esc_html( $words ), esc_html__( 'Trousseau', 'trousseau' ), $way_on );
		}
		$given = $_POST['_wpnonce'] ?? '';
		if ( ! is_string( $given ) || ! wp_verify_nonce( $given, $nonce ) ) {
			$this->lead_back( $screen, $typed );
		}
	}

	/** Redirects to a screen, which shows what `add_settings_error` has recorded. */
	public function lead_on( string $screen ): never {
		set_transient( 'settings_errors', get_settings_errors(), 30 );
		wp_safe_redirect( add_query_arg( 'settings-updated', 'true', $screen ), 303 );
		exit;
	}

	/** Says that the form came too late. It says so of a form from another site, too, whose fields aren’t kept (see InterruptedForm). */
	public function notice( string $more = '' ): string {
		$late = __( 'This form was open for too long, so nothing was saved. If it was you who sent it, press again.', 'trousseau' );
		return ( $_GET[ self::SIGN ] ?? '' ) === self::LATE ? sprintf( '<div class="notice notice-warning"><p>%s</p></div>', esc_html( trim( "$late $more" ) ) ) : '';
	}

	private function lead_back( string $screen, array $typed, bool $by_login = false ): never {
		if ( $typed ) {
			$this->interrupted_form->keep( $typed, $screen );
		}
		$to = add_query_arg( self::SIGN, self::LATE, $screen );
		wp_safe_redirect( $by_login ? wp_login_url( $to ) : $to, 303 );
		exit;
	}
}
