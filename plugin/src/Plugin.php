<?php

declare(strict_types=1);

namespace Trousseau;

defined( 'ABSPATH' ) || exit;

use Closure;
use ReflectionClass;

/** Makes the plugin's objects: one of each class in a request, with the objects that its constructor names. */
final class Plugin {

	/** @var array<class-string, object> */
	private static array $made = array();

	/** @var array<string, Closure> Class and method → the hook, so that `remove_filter()` finds it again. */
	private static array $hooks = array();

	/** @var array<class-string, array<string, class-string>> Kind of part → name → class. */
	private static array $parts = array();

	/**
	 * Adds a feature's parts to those of a lower one, which makes them when it needs them.
	 *
	 * @param class-string                $kind The class that all of them extend.
	 * @param array<string, class-string> $parts By name.
	 */
	public static function add( string $kind, array $parts ): void {
		self::$parts[ $kind ] = ( self::$parts[ $kind ] ?? array() ) + $parts;
	}

	/**
	 * @template T of object
	 * @param class-string<T> $kind
	 * @return array<string, class-string<T>> By name.
	 */
	public static function parts( string $kind ): array {
		return self::$parts[ $kind ] ?? array();
	}

	/**
	 * @template T of object
	 * @param class-string<T> $name
	 * @return T
	 */
	public static function get( string $name ): object {
		return self::$made[ $name ] ??= self::make( $name );
	}

	/** A hook that makes its object when WordPress runs it for the first time. */
	public static function hook( string $name, string $method ): Closure {
		// Without a backslash: WordPress's hooks pass values of other types than strict types allow.
		return self::$hooks[ "$name::$method" ] ??= static fn( mixed ...$arguments ) => call_user_func_array( array( self::get( $name ), $method ), $arguments );
	}

	/** A hook at the end of a request, for an object that has remembered something. */
	public static function hook_if_made( string $name, string $method ): Closure {
		return static fn() => isset( self::$made[ $name ] ) ? self::$made[ $name ]->$method() : null;
	}

	private static function make( string $name ): object {
		$needed = ( new ReflectionClass( $name ) )->getConstructor()?->getParameters() ?? array();
		$needed = array_filter( $needed, static fn( $parameter ): bool => ! $parameter->isOptional() );
		return new $name( ...array_map( static fn( $parameter ): object => self::get( $parameter->getType()->getName() ), $needed ) );
	}
}
