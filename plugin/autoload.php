<?php
/**
 * Finds classes: `Trousseau\FEATURE\NAME` stands in `src/FEATURE/NAME.php`.
 */

declare(strict_types=1);

defined( 'ABSPATH' ) || exit;

spl_autoload_register(
	static function ( string $name ): void {
		// Other plugins and themes know these classes by names without a feature; so do templates that a theme has replaced.
		static $without_feature = array(
			'ApiClient'   => 'Service\ApiClient',
			'Currency'    => 'Gifts\GiftPrice',
			'Form'        => 'Platform\Form',
			'FromShop'    => 'Gifts\FromShop',
			'GiftForm'    => 'Gifts\GiftForm',
			'GiftParts'   => 'Gifts\GiftParts',
			'Interrupted' => 'Platform\InterruptedForm',
			'Item'        => 'Service\Item',
			'Language'    => 'Platform\Language',
			'Message'     => 'Platform\FlashMessage',
			'PageRouter'  => 'Platform\PageAddress',
			'Picture'     => 'Gifts\ShopPicture',
			'Registry'    => 'Lists\Registries',
			'Sections'    => 'Lists\Sections',
			'Template'    => 'Platform\Template',
			'View'        => 'Lists\RegistryView',
		);
		if ( ! str_starts_with( $name, 'Trousseau\\' ) ) {
			return;
		}
		$name  = substr( $name, strlen( 'Trousseau\\' ) );
		$class = $without_feature[ $name ] ?? $name;
		$file  = __DIR__ . '/src/' . str_replace( '\\', '/', $class ) . '.php';
		if ( is_file( $file ) ) {
			require $file;
			// At once, because neither `instanceof` nor the type of an argument asks for a class.
			$alias = array_search( $class, $without_feature, true );
			if ( $alias ) {
				class_alias( "Trousseau\\$class", "Trousseau\\$alias" );
			}
		}
	}
);
