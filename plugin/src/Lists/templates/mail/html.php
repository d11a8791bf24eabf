<?php
/**
 * The frame of every mail, as HTML.
 *
 * @var string   $subject
 * @var string[] $parts   Paragraphs; an address on a line of its own is a button.
 * @var string   $site
 * @var string   $no_mail
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

// Mail programs may leave only the body.
$trousseau_dir = is_rtl() ? 'rtl' : 'ltr';
?>
<!doctype html>
<html dir="<?php echo $trousseau_dir; ?>" lang="<?php echo esc_attr( get_bloginfo( 'language' ) ); ?>">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title><?php echo esc_html( $subject ); ?></title></head>
<body style="margin:0;padding:24px 12px;background:#faf6f1;color:#2d2a26;font:16px/1.6 Georgia,serif">
<div dir="<?php echo $trousseau_dir; ?>" style="max-width:34em;margin:0 auto;padding:24px;background:#fff;border:1px solid #e5ddd2;border-radius:12px">
<?php foreach ( $parts as $trousseau_part ) : ?>
	<?php if ( preg_match( '#^(.+)\n(https?://\S+)$#s', $trousseau_part, $trousseau_found ) ) : ?>
<p style="margin:1.2em 0"><a href="<?php echo esc_url( $trousseau_found[2] ); ?>" style="display:inline-block;padding:10px 20px;border-radius:999px;background:#7a3b46;color:#fff;text-decoration:none;font-family:sans-serif"><?php echo esc_html( $trousseau_found[1] ); ?></a></p>
	<?php else : ?>
<p style="margin:1em 0"><?php echo nl2br( esc_html( $trousseau_part ) ); ?></p>
	<?php endif; ?>
<?php endforeach; ?>
</div>
<p dir="<?php echo $trousseau_dir; ?>" style="max-width:34em;margin:16px auto 0;color:#6b645b;font:13px/1.5 sans-serif"><?php echo esc_html( $site ); ?> · <a href="<?php echo esc_url( $no_mail ); ?>" style="color:#6b645b"><?php esc_html_e( 'Unsubscribe', 'trousseau' ); ?></a></p>
</body>
</html>
