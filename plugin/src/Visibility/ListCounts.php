<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Lists\Access;
use Trousseau\Lists\CoOwnerRules;
use Trousseau\Lists\PostType;

/** Narrows the counts and months next to WordPress's lists of registries and files, which would reveal those of others. */
final class ListCounts {

	public function __construct(
		private readonly Access $access,
		private readonly CoOwnerRules $co_owner_rules,
		private readonly ReadablePosts $readable_posts,
	) {
	}

	/** Counts posts by status. The admin list counts the user's own registries, which it shows; elsewhere public registries count too. */
	public function count_registries( object $counts, string $type ): object {
		if ( $type !== PostType::NAME || ! $this->access->is_restricted() ) {
			return $counts;
		}
		$wpdb  = $GLOBALS['wpdb'];
		$me    = get_current_user_id();
		$owned = $this->co_owner_rules->condition( $wpdb->posts, array( $me ), array( $me ) );
		$own   = $wpdb->get_results( $wpdb->prepare( "SELECT post_status, COUNT(*) AS number FROM $wpdb->posts WHERE post_type = %s AND %d > 0 AND $owned GROUP BY post_status", $type, $me ), OBJECT_K );
		foreach ( array_keys( (array) $counts ) as $status ) {
			if ( $status !== 'publish' || is_admin() ) {
				$counts->$status = (int) ( $own[ $status ]->number ?? 0 );
			}
		}
		return $counts;
	}

	/** Counts files by type, and those in the trash. */
	public function count_files( object $counts ): object {
		if ( ! $this->access->is_restricted() ) {
			return $counts;
		}
		$wpdb    = $GLOBALS['wpdb'];
		$visible = $wpdb->get_results( "SELECT IF( post_status = 'trash', 'trash', post_mime_type ) AS kind, COUNT(*) AS number FROM $wpdb->posts WHERE post_type = 'attachment' " . $this->readable_posts->condition( true, $wpdb->posts ) . ' GROUP BY kind', OBJECT_K );
		foreach ( array_keys( (array) $counts ) as $kind ) {
			$counts->$kind = (int) ( $visible[ $kind ]->number ?? 0 );
		}
		return $counts;
	}

	/** Removes the list table's filter by month, whose months are those of everyone's posts. */
	public function drop_months( bool $disabled, string $type ): bool {
		return $disabled || ( $type === PostType::NAME && $this->access->is_restricted() );
	}

	/** Limits the months in the media library and its dialog to those of files that the user may see. */
	public function months_of_files( mixed $months, string $type = 'attachment' ): mixed {
		if ( $type !== 'attachment' || ! $this->access->is_restricted() ) {
			return $months;
		}
		$wpdb = $GLOBALS['wpdb'];
		return $wpdb->get_results( $wpdb->prepare( "SELECT DISTINCT YEAR( post_date ) AS year, MONTH( post_date ) AS month FROM $wpdb->posts WHERE post_type = %s " . $this->readable_posts->condition( true, $wpdb->posts ) . ' ORDER BY year DESC, month DESC', $type ) );
	}
}
