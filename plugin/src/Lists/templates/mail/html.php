<?php
/**
 * The frame of every email, as HTML.
 *
 * @var string   $preview The words that an inbox shows after the subject.
 * @var string[] $parts   Paragraphs. An address on a line of its own is a button, or a link where it leaves the site.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

// Email programs may leave only the body.
$trousseau_dir = is_rtl() ? 'rtl' : 'ltr';
?>
<!doctype html>
<html dir="<?php echo $trousseau_dir; ?>" lang="<?php echo esc_attr( get_bloginfo( 'language' ) ); ?>">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title><?php echo esc_html( $subject ); ?></title>
<style>@media (prefers-color-scheme:dark){body{background:#1d1a18!important;color:#f0e9e1!important}.card{background:#292522!important;border-color:#4a433d!important}.button{background:#e0a3ac!important;color:#2b1519!important}.link{color:#e8b4bc!important}.foot,.foot a{color:#b9afa5!important}}</style></head>
<body style="margin:0;padding:24px 12px;background:#faf6f1;color:#2d2a26;font:16px/1.6 Georgia,serif">
<?php // The spaces keep the inbox from showing what follows. ?>
<div style="display:none;max-height:0;overflow:hidden"><?php echo esc_html( $preview ) . str_repeat( '&#847;&zwnj;&nbsp;', 60 ); ?></div>
<div class="card" dir="<?php echo $trousseau_dir; ?>" style="max-width:34em;margin:0 auto;padding:24px;background:#fff;border:1px solid #e5ddd2;border-radius:12px;overflow-wrap:anywhere">
<?php if ( $cover !== '' ) : // Whole, since some programs would stretch what others cut. ?>
<img src="<?php echo esc_url( $cover ); ?>" alt="" width="544" style="display:block;width:auto;max-width:100%;height:auto;max-height:320px;margin:0 auto 20px;border-radius:8px">
<?php endif; ?>
<?php foreach ( $parts as $trousseau_part ) : ?>
	<?php if ( ! preg_match( '#^(.+)\n(https?://\S+)$#s', $trousseau_part, $trousseau_found ) ) : ?>
<p style="margin:1em 0"><?php echo nl2br( esc_html( $trousseau_part ) ); ?></p>
	<?php elseif ( str_starts_with( $trousseau_found[2], home_url() ) ) : ?>
<p style="margin:1.2em 0"><a class="button" href="<?php echo esc_url( $trousseau_found[2] ); ?>" style="display:inline-block;padding:10px 20px;border-radius:999px;background:#7a3b46;color:#fff;text-decoration:none;font-family:sans-serif"><?php echo esc_html( $trousseau_found[1] ); ?></a></p>
	<?php else : ?>
<p style="margin:1em 0"><a class="link" href="<?php echo esc_url( $trousseau_found[2] ); ?>" style="color:#7a3b46"><?php echo esc_html( $trousseau_found[1] ); ?></a></p>
	<?php endif; ?>
<?php endforeach; ?>
</div>
<p class="foot" dir="<?php echo $trousseau_dir; ?>" style="max-width:594px;margin:16px auto 0;color:#6b645b;font:13px/1.5 sans-serif;overflow-wrap:anywhere">
<?php
/* translators: 1: name of an owner, 2: name of the site */
echo esc_html( $sender === '' ? $site : sprintf( __( 'Sent for %1$s by %2$s', 'trousseau' ), $sender, $site ) );
?>
 · <a href="<?php echo esc_url( $no_mail ); ?>" style="color:#6b645b"><?php esc_html_e( 'Unsubscribe', 'trousseau' ); ?></a></p>
</body>
</html>
