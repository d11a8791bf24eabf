<?php
/**
 * Stands in for the item service in the preview of WordPress's plugin directory: shows sample gifts, and says on every
 * page that the service is missing.
 */

const TROUSSEAU_PREVIEW = 'https://preview.invalid';

add_filter( 'pre_option_trousseau_base_url', fn() => TROUSSEAU_PREVIEW );

// Requests to the service get sample gifts as an answer, and nothing is stored.
add_filter(
	'pre_http_request',
	function ( $answer, $request, $url ) {
		if ( ! str_starts_with( $url, TROUSSEAU_PREVIEW ) ) {
			return $answer;
		}
		$is_list = $request['method'] === 'GET' && preg_match( '#/registries/(\d+)/items$#', $url, $found );
		$gift    = fn( $id, $name, $description, $retailer, $price, $needed, $given ) => array(
			'id'                 => $id,
			'registry_id'        => (int) $found[1],
			'name'               => $name,
			'description'        => $description,
			'url'                => 'https://shop.example/' . sanitize_title( $name ),
			'retailer'           => $retailer,
			'image_url'          => null,
			'price'              => $price,
			'quantity_needed'    => $needed,
			'quantity_purchased' => $given,
			'is_active'          => true,
		);
		$body    = $is_list ? array(
			$gift( 1, 'Enamelled cast-iron cocotte', 'Forest green, 26 cm. For Sunday stews and the bread we keep promising to bake.', 'Maison Bérard', 289, 1, 0 ),
			$gift( 2, 'Washed linen bedding', 'In any of these four colours. We like them mixed.', 'Linnéa', 129.5, 3, 1 ),
			$gift( 3, 'Hand-blown wine glasses', 'One is a present. Twelve are a party.', 'Glashütte Wolf', 24, 12, 8 ),
			$gift( 4, 'Picnic basket', null, null, null, 1, 1 ),
		) : array( 'detail' => 'This preview has no item service.' );
		return array(
			'headers'  => array(),
			'body'     => wp_json_encode( $body ),
			'response' => array(
				'code'    => $is_list ? 200 : 503,
				'message' => '',
			),
			'cookies'  => array(),
			'filename' => null,
		);
	},
	10,
	3
);

$trousseau_banner = function () {
	$words = 'A preview: these gifts are samples. Adding gifts, giving them and sending mails take the Trousseau item service, which is not here. A site of your own connects it under Settings → Trousseau.';
	printf( '<p role="note" style="margin:0;padding:.8em 1.2em;background:#82334a;color:#fffaf6;font:15px/1.5 system-ui,sans-serif;text-align:center">%s</p>', esc_html( $words ) );
};
add_action( 'wp_body_open', $trousseau_banner );
add_action( 'in_admin_header', $trousseau_banner );
