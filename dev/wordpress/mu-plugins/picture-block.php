<?php
/**
 * A block of another plugin that shows an attachment, whose number has a name that says nothing about it.
 */

add_action(
	'init',
	static fn() => register_block_type(
		'other/picture',
		array(
			'attributes'      => array( 'whatever' => array( 'type' => 'number' ) ),
			'render_callback' => static fn( $has ) => wp_get_attachment_image( $has['whatever'], 'full' ) . wp_get_attachment_url( $has['whatever'] ) . get_attachment_link( $has['whatever'] ),
		)
	)
);
