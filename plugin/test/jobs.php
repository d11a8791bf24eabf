<?php
/**
 * Jobs for the tests of the queue: each says in a file that it was done. The environment names the file and what happens.
 */

declare(strict_types=1);

use Trousseau\Plugin;
use Trousseau\Support\Job;
use Trousseau\Support\JobHandler;
use Trousseau\Support\JobQueue;
use Trousseau\Support\JobRunner;
use Trousseau\Support\Postponed;

final class Trousseau_Test_Job extends JobHandler {

	public const LEASE   = 2;
	public const RETRIES = array( 60, 600 );

	public function __construct( private readonly string $file ) {
	}

	public function run( Job $job ): void {
		file_put_contents( $this->file, "$job->key\n", FILE_APPEND | LOCK_EX );
		match ( $job->payload ) {
			'slow'      => usleep( 20_000 ),
			'die'       => is_file( "$this->file.died" ) || ( touch( "$this->file.died" ) && posix_kill( getmypid(), SIGKILL ) ),
			'again'     => substr_count( file_get_contents( $this->file ), "$job->key\n" ) > 1 || Plugin::get( JobQueue::class )->add( 'test', 'again', 0, $job->key ),
			'fail'      => throw new RuntimeException( 'no post for ann@example.test' ),
			'postponed' => throw new Postponed( 0, '', true ),
			default     => null,
		};
	}
}

return static fn( string $file ): JobRunner => new JobRunner( Plugin::get( \Trousseau\Support\FormerOptions::class ), Plugin::get( JobQueue::class ), array( 'test' => new Trousseau_Test_Job( $file ) ) );
