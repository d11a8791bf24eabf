<?php
/**
 * Finds classes: `Trousseau\ROOM\NAME` stands in `src/ROOM/NAME.php`.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

spl_autoload_register(
	static function ( string $name ): void {
		// Other plugins and themes know these classes by names without a room; so do templates that a theme has replaced.
		static $without_room = array(
			'ApiClient'   => 'Service\ApiClient',
			'Currency'    => 'Registry\GiftPrice',
			'Form'        => 'Support\Form',
			'FromShop'    => 'Pages\FromShop',
			'GiftForm'    => 'Pages\GiftForm',
			'GiftParts'   => 'Registry\GiftParts',
			'Interrupted' => 'Support\InterruptedForm',
			'Item'        => 'Service\Item',
			'Language'    => 'Support\Language',
			'Message'     => 'Support\FlashMessage',
			'PageRouter'  => 'Support\PageAddress',
			'Picture'     => 'Registry\ShopPicture',
			'Registry'    => 'Registry\Registries',
			'Sections'    => 'Registry\Sections',
			'Template'    => 'Support\Template',
			'View'        => 'Pages\RegistryView',
		);
		if ( ! str_starts_with( $name, 'Trousseau\\' ) ) {
			return;
		}
		$name  = substr( $name, strlen( 'Trousseau\\' ) );
		$class = $without_room[ $name ] ?? $name;
		$file  = __DIR__ . '/src/' . str_replace( '\\', '/', $class ) . '.php';
		if ( is_file( $file ) ) {
			require $file;
			// At once, because neither `instanceof` nor the type of an argument asks for a class.
			$alias = array_search( $class, $without_room, true );
			if ( $alias ) {
				class_alias( "Trousseau\\$class", "Trousseau\\$alias" );
			}
		}
	}
);
