<?php
/**
 * The site's keeper has freed the gifts that somebody had marked in lists to which nobody invited them.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'The gifts you chose are free again', 'trousseau' );
echo "\n\n" . __( 'You had marked many gifts in lists to which nobody invited you. Those who look after this site have made them free for others.', 'trousseau' );
echo "\n\n" . __( 'If you did mean to give them, ask the people whose list it is to invite you, and choose them again.', 'trousseau' );
echo "\n\n" . __( 'Gifts I’m giving', 'trousseau' ) . "\n" . $link;
