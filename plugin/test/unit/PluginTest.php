<?php

declare(strict_types=1);

namespace Trousseau\Test;

use PHPUnit\Framework\TestCase;
use ReflectionClass;
use ReflectionMethod;
use Trousseau\Platform\Lock;
use Trousseau\Platform\RateLimiter;
use Trousseau\Plugin;

final class PluginTest extends TestCase {

	private static function hooks(): array {
		return glob( dirname( __DIR__, 2 ) . '/src/*/hooks.php' );
	}

	private static function classes(): array {
		$files = array_diff( glob( dirname( __DIR__, 2 ) . '/src/*/*.php' ), self::hooks() );
		$names = array_map( static fn( string $file ): string => 'Trousseau\\' . basename( dirname( $file ) ) . '\\' . basename( $file, '.php' ), $files );
		return array_map( static fn( string $name ): ReflectionClass => new ReflectionClass( $name ), array_diff( $names, array( 'Trousseau\Visibility\RegistryRestController' ) ) );
	}

	/** Whether Plugin makes the class: it has an instance method of its own, and its constructor takes objects only. */
	private static function is_made( ReflectionClass $class ): bool {
		$methods = array_filter( $class->getMethods(), static fn( ReflectionMethod $method ): bool => ! $method->isStatic() && ! $method->isConstructor() );
		if ( ! $class->isInstantiable() || ! $methods ) {
			return false;
		}
		foreach ( $class->getConstructor()?->getParameters() ?? array() as $parameter ) {
			if ( ! $parameter->isOptional() && $parameter->getType()->isBuiltin() ) {
				return false;
			}
		}
		return true;
	}

	public function test_makes_one_object_of_each_class_with_all_that_its_constructor_names(): void {
		$made = array_filter( self::classes(), array( self::class, 'is_made' ) );
		self::assertGreaterThan( 90, count( $made ) );
		foreach ( $made as $class ) {
			self::assertInstanceOf( $class->getName(), Plugin::get( $class->getName() ) );
			self::assertSame( Plugin::get( $class->getName() ), Plugin::get( $class->getName() ) );
		}
	}

	public function test_hooks_of_a_method_are_the_same_so_that_other_plugins_can_remove_them(): void {
		self::assertSame( Plugin::hook( Lock::class, 'take' ), Plugin::hook( Lock::class, 'take' ) );
		self::assertNotSame( Plugin::hook( Lock::class, 'take' ), Plugin::hook( RateLimiter::class, 'take' ) );
	}
}
