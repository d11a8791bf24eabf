<?php

declare(strict_types=1);

namespace Trousseau;

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
		// A feature may stand in the place of a lower class.
		$class = self::$parts[ $name ]['instead'] ?? $name;

		return self::$made[ $class ] ??= self::make( $class );
	}

	/** A hook that makes its object when WordPress runs it for the first time. */
	public static function hook( string $name, string $method ): Closure {
		// Without a backslash: WordPress's hooks pass values of other types than strict types allow.
		return self::$hooks[ "$name::$method" ] ??= static fn( mixed ...$arguments ) => call_user_func_array( array( self::get( $name ), $method ), $arguments );
	}

	/** A hook for an object that has something to do only if another hook has made it. */
	public static function hook_if_made( string $name, string $method ): Closure {
		return self::hook_if( $name, $method, static fn(): bool => isset( self::$made[ $name ] ) );
	}

	/** A hook for an object with nothing to do in most requests. The value of a filter stays as it is then. */
	public static function hook_if( string $name, string $method, Closure $matters ): Closure {
		return static fn( mixed ...$arguments ) => $matters( ...$arguments ) ? self::hook( $name, $method )( ...$arguments ) : $arguments[0] ?? null;
	}

	private static function make( string $name ): object {
		$needed = ( new ReflectionClass( $name ) )->getConstructor()?->getParameters() ?? array();
		$needed = array_filter( $needed, static fn( $parameter ): bool => ! $parameter->isOptional() );
		return new $name( ...array_map( static fn( $parameter ): object => self::get( $parameter->getType()->getName() ), $needed ) );
	}
}
