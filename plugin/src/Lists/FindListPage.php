<?php

declare(strict_types=1);

namespace Trousseau\Lists;

defined( 'ABSPATH' ) || exit;

use Trousseau\Platform\Form;
use Trousseau\Platform\PageAddress;
use Trousseau\Platform\Request;
use Trousseau\Platform\Template;

/**
 * The page on which anyone finds a public list by its owners' names. Whether or not a private list matches, it offers the same way to it.
 */
final class FindListPage extends Page {

	private const MOST = 50;

	public function __construct( private readonly Registries $registries, private readonly Request $request ) {
	}

	public function title(): string {
		return __( 'Find a list', 'trousseau' );
	}

	public function html( Form $form ): string {
		$find = $this->request->search();
		return Template::html(
			'find',
			array(
				'address' => $this->address(),
				'find'    => $find,
				'posts'   => $find === '' ? null : $this->registries->named( $find, self::MOST ),
				'most'    => self::MOST,
				'lost'    => PageAddress::of( 'lost-invitation' ),
				'all'     => PostType::archive(),
			)
		);
	}
}
