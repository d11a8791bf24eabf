<?php

declare(strict_types=1);

namespace Trousseau\Giving;

defined( 'ABSPATH' ) || exit;

use Trousseau\Plugin;
use Trousseau\Service\Claim;

/** The kinds of claims that features have added. */
final class ClaimKinds {

	public function of( Claim $claim ): ClaimKind {
		$kinds = array_filter( Plugin::parts( ClaimKind::class ), static fn( string $kind ): bool => $kind::takes( $claim ) );
		// Pieces, which take every claim, were added first.
		return Plugin::get( end( $kinds ) );
	}

	/** @return ClaimKind[] */
	public function all(): array {
		return array_map( array( Plugin::class, 'get' ), array_values( Plugin::parts( ClaimKind::class ) ) );
	}
}
