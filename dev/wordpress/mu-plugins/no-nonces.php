<?php
/**
 * Makes WordPress accept every form without a nonce, so that only rights protect what it changes.
 */

function wp_verify_nonce() {
	return 1;
}
