<?php

declare(strict_types=1);

namespace Trousseau\Visibility;

use Trousseau\Lists\Access;
use WP_Comment_Query;

/** Comments on registries and files that the current user may not see are missing from every query, feed and count. */
final class CommentFilter {

	public function __construct( private readonly Access $access, private readonly ReadablePosts $readable_posts ) {
	}

	public function narrow( array $clauses ): array {
		if ( $this->access->is_restricted() ) {
			$clauses['where'] = ( $clauses['where'] === '' ? '1=1' : "( {$clauses['where']} )" ) . $this->condition();
		}
		return $clauses;
	}

	/** Does the same for feeds, whose SQL WordPress makes elsewhere. */
	public function narrow_feed( string $where ): string {
		return $this->access->is_restricted() ? preg_replace( '/^\s*WHERE\b(.*)$/Dis', 'WHERE ( $1 )', $where ) . $this->condition() : $where;
	}

	/** Adds the user to the cache key: WordPress caches comments by their query alone. Its placeholder for `%` differs in each request. */
	public function keep_caches_apart( WP_Comment_Query $query ): void {
		if ( $this->access->is_restricted() ) {
			$query->query_vars['cache_domain'] .= md5( $GLOBALS['wpdb']->remove_placeholder_escape( $this->condition() ) . wp_cache_get_last_changed( 'posts' ) );
		}
	}

	/** Counts the comments that the user may see: WordPress's numbers count all. */
	public function count( array|object $counts, int $post_id ): array|object {
		if ( $counts || ! $this->access->is_restricted() ) {
			return $counts;
		}
		$visible = get_comment_count( $post_id );
		return (object) ( array( 'moderated' => $visible['awaiting_moderation'] ) + $visible );
	}

	/** The condition for rows of the comments table. */
	private function condition(): string {
		$wpdb   = $GLOBALS['wpdb'];
		$limits = $this->readable_posts->condition( true, 'trousseau_commented' );
		return " AND NOT EXISTS (
			SELECT 1 FROM $wpdb->posts AS trousseau_commented
			WHERE trousseau_commented.ID = $wpdb->comments.comment_post_ID AND NOT ( 1=1 $limits ) ) ";
	}
}
