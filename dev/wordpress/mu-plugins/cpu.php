<?php
/**
 * Writes the seconds of CPU that each request took into the file `cpu` in the content folder.
 */

$trousseau_cpu = static function (): float {
	$used = getrusage();
	return $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'] + ( $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'] ) / 1e6;
};
register_shutdown_function(
	static function ( float $before ) use ( $trousseau_cpu ): void {
		file_put_contents( WP_CONTENT_DIR . '/cpu', (string) ( $trousseau_cpu() - $before ) );
	},
	$trousseau_cpu()
);
