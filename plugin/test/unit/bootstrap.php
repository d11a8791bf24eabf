<?php
/**
 * WordPress's pure functions that the tests need, a line each. There is no database and no request; the language is
 * `$GLOBALS['locale']`, and a test puts options and meta into `$GLOBALS['stored']`.
 */

declare(strict_types=1);

define( 'ABSPATH', __DIR__ . '/' );
define( 'Trousseau\PLUGIN_FILE', dirname( __DIR__, 2 ) . '/trousseau.php' );
foreach ( array( 'MINUTE' => 60, 'HOUR' => 3600, 'DAY' => 86400, 'WEEK' => 604800, 'MONTH' => 30 * 86400, 'YEAR' => 365 * 86400 ) as $trousseau_unit => $trousseau_seconds ) {
	define( "{$trousseau_unit}_IN_SECONDS", $trousseau_seconds );
}
define( 'KB_IN_BYTES', 1024 );
define( 'MB_IN_BYTES', 1024 * 1024 );
define( 'COOKIEHASH', 'site' );
define( 'TROUSSEAU_KEY', 'thirty-two random characters, or more' );
define( 'TROUSSEAU_FORMER_KEYS', array( 'the key that this site had before' ) );
require dirname( __DIR__, 2 ) . '/autoload.php';
require __DIR__ . '/UnitTestCase.php';
require __DIR__ . '/ValuesDatabase.php';

class WP_Post { public function __construct( public int $ID = 1, public string $post_author = '1', public string $post_content = '', public string $post_status = 'publish', public string $post_type = 'registry' ) {} }

class WP_Error { public function __construct( public string $code, private string $message = '' ) {} public function get_error_message(): string { return $this->message; } }

function __( string $text ): string { return $text; }
function _x( string $text ): string { return $text; }
function _n( string $one, string $many, int $count ): string { return $count === 1 ? $one : $many; }
function esc_html( string $text ): string { return htmlspecialchars( $text, ENT_QUOTES ); }
function esc_attr( string $text ): string { return htmlspecialchars( $text, ENT_QUOTES ); }
function esc_textarea( string $text ): string { return htmlspecialchars( $text, ENT_QUOTES ); }
function esc_url( string $url ): string { return htmlspecialchars( $url, ENT_QUOTES ); }
function esc_url_raw( string $url ): string { return $url; }
function selected( mixed $one, mixed $other ): string { return $one === $other ? " selected='selected'" : ''; }
function checked( mixed $one, mixed $other ): string { return $one === $other ? " checked='checked'" : ''; }
function remove_accents( string $text ): string { return preg_replace( '/\pM/u', '', Normalizer::normalize( $text, Normalizer::FORM_D ) ); }
function number_format_i18n( int|float $number, int $digits = 0 ): string { return number_format( $number, $digits ); }
function wp_check_invalid_utf8( string $text ): string { return mb_check_encoding( $text, 'UTF-8' ) ? $text : ''; }
function wp_parse_url( string $url, int $part = -1 ): mixed { return parse_url( $url, $part ); }
function wp_json_encode( mixed $value, int $flags = 0 ): string|false { return json_encode( $value, $flags ); }
function wp_salt(): string { return 'salt of this site'; }
function wp_timezone(): DateTimeZone { return new DateTimeZone( $GLOBALS['zone'] ?? 'UTC' ); }
function wp_date( string $format, ?int $time = null ): string { return date_create_immutable( '@' . ( $time ?? time() ) )->setTimezone( wp_timezone() )->format( $format ); }
function wp_get_list_item_separator(): string { return ', '; }
function wp_list_sort( array $list, string $by, string $order = 'ASC' ): array { usort( $list, static fn( array $one, array $other ): int => ( $order === 'DESC' ? -1 : 1 ) * ( $one[ $by ] <=> $other[ $by ] ) ); return $list; }
function is_multisite(): bool { return false; }
function is_locale_switched(): bool { return false; }
function wp_doing_cron(): bool { return false; }
function is_rtl(): bool { return $GLOBALS['locale'] === 'ar'; }
function get_locale(): string { return $GLOBALS['locale']; }
function determine_locale(): string { return $GLOBALS['locale']; }
function get_option( string $name, mixed $otherwise = false ): mixed { return $GLOBALS['stored'][ $name ] ?? $otherwise; }
function update_option( string $name, mixed $value ): void { $GLOBALS['stored'][ $name ] = $value; }
function get_post_meta( int $post_id, string $key ): mixed { return $GLOBALS['stored'][ $key ] ?? ''; }
function locate_template(): string { return ''; }
function get_stylesheet(): string { return 'theme'; }
function apply_filters( string $hook, mixed $value ): mixed { return $value; }
function get_bloginfo(): string { return 'en-US'; }
function current_user_can( string $right ): bool { return in_array( $right, $GLOBALS['rights'] ?? array(), true ); }
function size_format( int $bytes ): string { return "$bytes bytes"; }
function do_action( string $hook, mixed ...$arguments ): void { $GLOBALS['done'][] = array( $hook, ...$arguments ); }
function wp_getimagesize( string $file ): array|false { return @getimagesize( $file ); }
function home_url(): string { return 'https://site.example/shop'; }
function site_url(): string { return 'https://site.example/wordpress'; }
function get_current_blog_id(): int { return 1; }
function maybe_serialize( mixed $value ): mixed { return is_array( $value ) ? serialize( $value ) : $value; }
function maybe_unserialize( string $value ): mixed { return str_starts_with( $value, 'a:' ) ? unserialize( $value ) : $value; }
function wp_cache_get( string $name, string $group ): mixed { return $GLOBALS['cache'][ $group ][ $name ] ?? false; }
function wp_cache_set( string $name, mixed $value, string $group ): void { $GLOBALS['cache'][ $group ][ $name ] = $value; }
function wp_cache_add_non_persistent_groups( array $groups ): void {}
function wp_cache_delete( string $name, string $group ): void { unset( $GLOBALS['cache'][ $group ][ $name ] ); }
