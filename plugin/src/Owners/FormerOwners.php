<?php

declare(strict_types=1);

namespace Trousseau\Owners;

use Trousseau\Lists\Accounts;
use Trousseau\Lists\CoOwners;
use Trousseau\Lists\Meta;
use Trousseau\Lists\OwnersOwn;
use Trousseau\Lists\PostType;
use Trousseau\Plugin;
use WP_Post;

/** Deletes what was an owner's alone once they no longer own a registry, however that came about. */
final class FormerOwners {

	/** @var array<int, true> Registries whose owners have changed in this request. */
	private array $touched = array();

	public function __construct( private readonly Meta $meta ) {
	}

	public function follow_meta( mixed $meta_id, int $post_id, string $key ): void {
		$key === Meta::OWNERS && $this->touch( $post_id );
	}

	public function follow_post( int $post_id, WP_Post $after, WP_Post $before ): void {
		$after->post_author !== $before->post_author && $this->touch( $post_id );
	}

	/** Called before WordPress deletes an account or removes it from the site, and reassigns its posts without a hook for each. */
	public function leaves( int $user_id ): void {
		$user = get_userdata( $user_id );
		foreach ( array( ...$this->meta->made_by( $user_id ), ...$this->meta->naming( $user ? Accounts::invited_as( $user ) : array(), Meta::OWNERS ) ) as $post_id ) {
			$this->forget( $post_id, $user_id );
		}
	}

	/** At the end of a request, since for a moment during a handover the new owner isn't one yet. */
	public function end_request(): void {
		array_map( array( $this, 'forget' ), array_keys( $this->touched ) );
	}

	private function touch( int $post_id ): void {
		// By the end of the request a switched site may have given this number to another post.
		is_multisite() && ms_is_switched() ? $this->forget( $post_id ) : $this->touched[ $post_id ] = true;
	}

	/** @param int $leaves An account that owns it no longer, though WordPress doesn't know yet. */
	private function forget( int $post_id, int $leaves = 0 ): void {
		$post = PostType::find( $post_id );
		foreach ( $post ? Plugin::parts( OwnersOwn::class ) : array() as $own ) {
			Plugin::get( $own )->forget_former( $post, array_diff( CoOwners::all_of( $post ), array( $leaves ) ) );
		}
	}
}
