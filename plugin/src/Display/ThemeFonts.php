<?php

declare(strict_types=1);

namespace Trousseau\Display;

defined( 'ABSPATH' ) || exit;

/** A block theme's fonts for text and headings, loaded before its stylesheets are read: text that changes its font later wraps elsewhere. */
final class ThemeFonts {

	private const NORMAL = 400;

	/** Adds them to what the browser loads first, unless the theme does so itself. */
	public static function preload( array $resources ): array {
		if ( ! wp_is_block_theme() || in_array( 'font', array_column( $resources, 'as' ), true ) ) {
			return $resources;
		}
		// By their origin: the theme, or the site's editor.
		$families = array_merge( ...array_values( array_filter( (array) wp_get_global_settings( array( 'typography', 'fontFamilies' ) ), 'is_array' ) ) );
		foreach ( self::files( $families, array( wp_get_global_styles(), wp_get_global_styles( array( 'elements', 'heading' ) ) ) ) as $file ) {
			$resources[] = array(
				'href'        => str_starts_with( $file, 'file:./' ) ? get_theme_file_uri( substr( $file, 7 ) ) : $file,
				'as'          => 'font',
				'type'        => 'font/woff2',
				'crossorigin' => 'anonymous',
			);
		}
		return $resources;
	}

	/** Returns the files of the upright faces that these styles use. A font in pieces is left to the browser, which knows which piece it needs. */
	public static function files( array $families, array $styles ): array {
		$files = array();
		foreach ( $styles as $style ) {
			$type   = $style['typography'] ?? array();
			$slug   = preg_match( '/font-family(?:--|\|)([\w-]+)/', (string) ( $type['fontFamily'] ?? '' ), $found ) ? $found[1] : '';
			$weight = (int) ( $type['fontWeight'] ?? 0 ) ?: self::NORMAL;
			foreach ( $families as $family ) {
				$faces = ( $family['slug'] ?? '' ) === $slug ? $family['fontFace'] ?? array() : array();
				foreach ( $faces as $face ) {
					$file = (string) ( (array) ( $face['src'] ?? '' ) )[0];
					if ( self::has_weight( $face, $weight ) && ! isset( $face['unicodeRange'] ) && str_ends_with( $file, '.woff2' ) ) {
						$files[] = $file;
					}
				}
			}
		}
		return array_values( array_unique( $files ) );
	}

	private static function has_weight( array $face, int $weight ): bool {
		preg_match_all( '/\d+/', (string) ( $face['fontWeight'] ?? '' ), $found );
		$weights = $found[0] ?: array( self::NORMAL );
		return ( $face['fontStyle'] ?? 'normal' ) === 'normal' && min( $weights ) <= $weight && $weight <= max( $weights );
	}
}
