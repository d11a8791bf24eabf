<?php
/**
 * WordPress takes every form, so that only rights protect what it changes.
 */

function wp_verify_nonce() {
	return 1;
}
