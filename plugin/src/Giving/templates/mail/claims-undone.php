<?php
/**
 * The site's keeper has freed the gifts that somebody had marked in lists to which nobody invited them.
 *
 * @var string $link
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

echo __( 'The gifts you chose are available again', 'trousseau' );
echo "\n\n" . __( 'You had reserved many gifts on lists you weren’t invited to, so the people who run this site made them available to others again.', 'trousseau' );
echo "\n\n" . __( 'If you did mean to give them, ask the owners to invite you, then choose them again.', 'trousseau' );
echo "\n\n" . __( 'Gifts I’m giving', 'trousseau' ) . "\n" . $link;
