<?php

declare(strict_types=1);

namespace Trousseau\Gifts;

defined( 'ABSPATH' ) || exit;

use Trousseau\Lists\Page;
use Trousseau\Lists\Registries;
use Trousseau\Platform\Form;
use Trousseau\Platform\Template;
use Trousseau\Service\Item;
use WP_Post;

/** The page shown before an owner's link to visitors who come from elsewhere, such as an email or another site. */
final class LeaveForShopPage extends Page {

	public function __construct( WP_Post $post, private readonly Item $item, private readonly string $onward, private readonly string $host ) {
		$this->post = $post;
	}

	public function title(): string {
		return __( 'Continue to the shop?', 'trousseau' );
	}

	public function address(): string {
		return $this->onward;
	}

	public function html( Form $form ): string {
		return Template::html(
			'to-shop',
			array(
				'name'     => $this->item->name,
				'registry' => Registries::title( $this->post ),
				'host'     => $this->host,
				'onward'   => $this->onward,
				'earns'    => $this->item->affiliate_url() !== '',
				'back'     => (string) get_permalink( $this->post ),
			)
		);
	}
}
