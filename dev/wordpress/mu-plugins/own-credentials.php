<?php
/**
 * Gives the browser of each user credentials of their own.
 */

add_filter(
	'trousseau_browser_credentials',
	static fn( $none, $user ) => array(
		'username' => $user->user_login,
		'password' => '</script>own',
	),
	10,
	2
);
