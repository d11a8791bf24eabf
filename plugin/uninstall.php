<?php
/**
 * Deleting the plugin keeps registries and settings, unless the settings ask for their removal.
 * Items stay in the item service in either case.
 */

declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

// The plugin is switched off by now, and none of its hooks is at work.
require_once __DIR__ . '/autoload.php';

// Owners read that the mails which still wait are not sent.
Trousseau\Plugin::add( Trousseau\Lists\MailOutcome::class, array( 'registry' => Trousseau\Guests\Invitations::class ) );

Trousseau\Plugin::get( Trousseau\Platform\Network::class )->on_sites( true, Trousseau\Plugin::hook( Trousseau\Admin\Uninstall::class, 'run' ) );
