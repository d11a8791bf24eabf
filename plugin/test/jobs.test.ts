// The queue of work behind the pages and the values that the plugin keeps: on MariaDB with several processes at once, and on
// SQLite where PHP runs as WebAssembly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../api/test/support.ts';
import { complaints, decoded, evaluate, formWith, visit } from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

const QUEUE = '$queue = Trousseau\\Plugin::get( Trousseau\\Support\\JobQueue::class );';
const ROWS = `return array_map( fn( $row ) => array_map( fn( $value ) => is_numeric( $value ) ? +$value : $value, (array) $row ), $GLOBALS['wpdb']->get_results( "SELECT unique_key, attempts, last_error, failed_at, run_at, claimed_until FROM {$GLOBALS['wpdb']->prefix}trousseau_jobs WHERE handler = 'test' ORDER BY id" ) );`;
const isWasm = Boolean(process.env.TROUSSEAU_DEV_PHP);

/** Runs the test's jobs in a process of their own. */
const run = (site: WordPress, file: string) =>
  evaluate(
    site,
    `$runner = require WP_PLUGIN_DIR . '/trousseau/test/jobs.php'; return $runner( '${file}' )->run();`,
  );

describe('work behind the pages', { skip: skipWithoutWordPress() }, () => {
  test('several processes do each job once, and none is lost', { skip: isWasm }, async () => {
    await using folder = await temporaryFolder();
    const site = await startWordPress();
    try {
      const file = join(folder.path, 'done');
      await evaluate(
        site,
        `${QUEUE} foreach ( range( 1, 120 ) as $n ) { $queue->add( 'test', 'slow', 0, "n$n" ); } return true;`,
      );
      const begun = await Promise.all(Array.from({ length: 6 }, () => run(site, file)));
      const done = (await readFile(file, 'utf8')).trim().split('\n');
      assert.equal(done.length, 120, `${begun}`);
      assert.equal(new Set(done).size, 120);
      assert.ok(begun.filter((count) => count > 0).length > 1, `${begun}: more than one process had some`);
      assert.deepEqual(await evaluate(site, ROWS), []);
      assert.deepEqual(complaints(site), []);
    } finally {
      await site.stop();
    }
  });

  test('a job whose process is killed runs again', { skip: isWasm }, async () => {
    await using folder = await temporaryFolder();
    const site = await startWordPress();
    try {
      const file = join(folder.path, 'done');
      await evaluate(site, `${QUEUE} return $queue->add( 'test', 'die', 0, 'victim' );`);
      await assert.rejects(run(site, file));
      const [claimed] = await evaluate(site, ROWS);
      assert.equal(claimed.attempts, 1);
      assert.ok(claimed.claimed_until > 0);
      for (let tries = 0; tries < 50 && (await run(site, file)) === 0; tries++) await sleep(200);
      assert.equal(await readFile(file, 'utf8'), 'victim\nvictim\n');
      assert.deepEqual(await evaluate(site, ROWS), []);
    } finally {
      await site.stop();
    }
  });

  test('a job that was asked for again while it ran runs once more; one that fails is tried again and then stays', async () => {
    const site = await startWordPress();
    try {
      const file = isWasm ? '/tmp/done' : join(site.folder, 'done');
      const ran = await evaluate(
        site,
        `${QUEUE} $runner = ( require WP_PLUGIN_DIR . '/trousseau/test/jobs.php' )( '${file}' );
        $queue->add( 'test', 'again', 0, 'wanted' );
        $queue->add( 'test', 'again', 0, 'wanted' );
        $queue->add( 'test', 'later', time() + 5000, 'later' );
        $counts = array( $runner->run(), $queue->count( 'test' ) );
        $queue->delete_of( 'test', 'later' );
        return array( $counts, file_get_contents( '${file}' ) );`,
      );
      assert.deepEqual(ran, [[2, 1], 'wanted\nwanted\n']);
      const failed = await evaluate(
        site,
        `${QUEUE} $runner = ( require WP_PLUGIN_DIR . '/trousseau/test/jobs.php' )( '${file}' );
        $rows = function () { ${ROWS} };
        $queue->add( 'test', 'fail', 0, 'bad' );
        $states = array();
        for ( $i = 0; $i < 3; $i++ ) {
          $runner->run();
          $states[] = $rows()[0];
          $GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET run_at = 1 WHERE handler = 'test'" );
        }
        $runner->run();
        $id = $queue->visible( 10 )[0]['id'];
        return array( $states, $queue->retry( $id ), $rows(), $queue->delete( $id ), $queue->count( 'test' ), Trousseau\\Support\\Tables::now() );`,
      );
      const [states, retried, rows, deleted, left, now] = failed;
      assert.deepEqual(
        states.map((row: { attempts: number; last_error: string }) => [row.attempts, row.last_error]),
        [
          [1, 'no post for …'],
          [2, 'no post for …'],
          [3, 'no post for …'],
        ],
      );
      assert.ok(Math.abs(states[0].run_at - now - 60_000) < 20_000);
      assert.equal(states[1].failed_at, 0);
      assert.ok(states[2].failed_at > 0);
      assert.deepEqual([retried, rows[0].failed_at, rows[0].attempts, deleted, left], [true, 0, 0, true, 0]);
      // A kind that must wait leaves this run at once and counts no attempt.
      const postponed = await evaluate(
        site,
        `${QUEUE} $runner = ( require WP_PLUGIN_DIR . '/trousseau/test/jobs.php' )( '${file}' );
        $queue->add( 'test', 'postponed', 0, 'patient' );
        $begun = $runner->run();
        $row = ( function () { ${ROWS} } )()[0];
        return array( $begun, $row['attempts'], $row['claimed_until'] );`,
      );
      assert.deepEqual(postponed, [1, 0, 0]);
      assert.deepEqual(complaints(site), []);
    } finally {
      await site.stop();
    }
  });

  test('limits refuse, locks end only for their holder, and values end', async () => {
    const site = await startWordPress();
    try {
      assert.deepEqual(
        await evaluate(
          site,
          `$allows = fn( int $by = 1 ) => Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->allows( 'test', 'ann', 5, 1000000000, $by );
          return array( $allows(), $allows( 3 ), $allows( 2 ), $allows(), $allows(), Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->so_far( 'test', 'ann', 1000000000 ),
            array_keys( Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->those_allowed( 'many', array( 'a' => 'x', 'b' => 'y', 'c' => 'x' ), 1, 1000000000 ) ),
            array_keys( Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->those_allowed( 'many', array( 'a' => 'x', 'd' => 'z' ), 1, 1000000000 ) ),
            Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->once( 'form', 'ann', 1000000000, fn() => 'first' ), Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->once( 'form', 'ann', 1000000000, fn() => 'second' ) );`,
        ),
        [true, true, false, true, false, 5, ['a', 'b', 'c'], ['d'], 'first', 'first'],
      );
      const first = `Trousseau\\Plugin::get( Trousseau\\Support\\Lock::class )->take( 'test', 1 )`;
      assert.deepEqual(
        await evaluate(
          site,
          `$taken = array( ${first}, ${first} ); usleep( 1_100_000 );
          $GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_values SET value = 'another', expires_at = " . ( Trousseau\\Support\\Tables::now() + 600 ) . " WHERE name = 'lock_test'" );
          Trousseau\\Plugin::get( Trousseau\\Support\\Lock::class )->release( 'test' );
          return array( $taken, ${first} );`,
        ),
        [[true, false], false],
      );
      assert.deepEqual(
        await evaluate(
          site,
          `$v = 'Trousseau\\Support\\KeptValues'; $v::set( 'short', array( 1.5, 'ä' ), 1 ); $v::set( 'long', 'x' );
          $found = array( $v::get( 'short' ), $v::add( 'short', 'no' ), $v::count( 'short' ), array_keys( iterator_to_array( $v::all( '' ) ) ) );
          usleep( 1_100_000 );
          return array( $found[0], $found[1], $found[2], in_array( 'short', $found[3], true ), $v::get( 'short' ), $v::add( 'short', 'yes' ), $v::get( 'short' ), $v::delete( 'long' ), $v::delete( 'long' ) );`,
        ),
        [[1.5, 'ä'], false, 1, true, null, true, 'yes', true, false],
      );
      assert.deepEqual(complaints(site), []);
    } finally {
      await site.stop();
    }
  });

  test('a limit lets through as many of many requests at once as it says, and no address is forgotten', {
    skip: isWasm,
  }, async () => {
    const site = await startWordPress();
    try {
      const counts = await Promise.all(
        Array.from({ length: 6 }, (_, process) =>
          evaluate(
            site,
            `foreach ( range( 1, 10 ) as $n ) { Trousseau\\Plugin::get( Trousseau\\Jobs\\Mail::class )->refuse( "p${process}n$n@example.test" ); }
            return count( array_filter( range( 1, 50 ), fn() => Trousseau\\Plugin::get( Trousseau\\Support\\RateLimiter::class )->allows( 'shared', 'all', 100, 1000000000 ) ) );`,
          ),
        ),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        100,
      );
      assert.equal(
        await evaluate(site, 'return Trousseau\\Plugin::get( Trousseau\\Jobs\\Mail::class )->refused();'),
        60,
      );
    } finally {
      await site.stop();
    }
  });

  test('a keeper sees failed work under Tools, tries it again or deletes it, and learns of no surprise', async () => {
    const site = await startWordPress();
    try {
      const admin = await visit(site, site.users.admin);
      const screen = '/wp-admin/tools.php?page=trousseau-jobs';
      assert.match((await admin(screen)).text, /Nothing has failed, and nothing is late/);
      const rows = async () =>
        [
          ...decoded((await admin(screen)).text).matchAll(
            /<tr>\s*<th scope="row">(.*?)<\/th>\s*<td>(.*?)<\/td>/gs,
          ),
        ].map(([, kind, state]) => `${kind} ${state}`);
      await site.wp(
        `${QUEUE} foreach ( array( 'invitation', 'claim-reserved' ) as $template ) {
          Trousseau\\Plugin::get( Trousseau\\Jobs\\Mail::class )->queue( array( array( 'to' => 'ann@example.org', 'template' => $template, 'values' => array() ) ) );
        }
        Trousseau\\Plugin::get( Trousseau\\Jobs\\Mail::class )->send( 'ann@example.org', 'claim-reminder', array(), time() + WEEK_IN_SECONDS );
        $queue->add( 'deletion', null, 0, '4711' );
        $GLOBALS['wpdb']->query( "UPDATE {$GLOBALS['wpdb']->prefix}trousseau_jobs SET failed_at = 5000, last_error = 'Refused <b>' WHERE handler IN ( 'mail', 'deletion' ) AND run_at <= " . Trousseau\\Support\\Tables::now() );`,
      );
      const telling = 'Telling the service of a deleted list failed';
      assert.deepEqual((await rows()).sort(), ['Mail failed', 'Mail failed', telling]);
      assert.match((await admin(screen)).text, /Refused &lt;b&gt;/);
      const alice = await visit(site, site.users.alice);
      assert.equal((await alice(screen)).status, 403);
      // The keeper now owns a surprise, so the only mails that they see are invitations.
      await site.wp(
        `$id = wp_insert_post( array( 'post_type' => 'registry', 'post_status' => 'private', 'post_author' => ${site.users.admin.id} ) ); update_post_meta( $id, 'registry_surprise_until', 'always' );`,
      );
      assert.deepEqual((await rows()).sort(), ['Mail failed', telling]);
      const press = async (action: string, kind: string) => {
        const forms = (await admin(screen)).text.split('<tr>').find((row) => row.includes(`>${kind}</th>`))!;
        const form = formWith(forms, `value="${action}"`)!;
        assert.equal((await admin('/wp-admin/admin-post.php', form)).status, 303);
      };
      await press('delete', 'Mail');
      assert.deepEqual(await rows(), [telling]);
      await press('retry', 'Telling the service of a deleted list');
      assert.deepEqual(
        await evaluate(
          site,
          `${QUEUE} return array( $queue->failed_since( 'deletion', 0 )[0], $queue->waiting( 'deletion' )[0], $queue->count( 'mail' ) );`,
        ),
        [0, 1, 2],
      );
      assert.deepEqual(complaints(site), []);
    } finally {
      await site.stop();
    }
  });
});
