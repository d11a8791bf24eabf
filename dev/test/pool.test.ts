// The pool lends one WordPress after another: none contains data of an earlier one, and even a killed pool leaves nothing behind.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../api/test/support.ts';
import { until } from '../until.ts';
import { answers } from '../wordpress/site.ts';
import { skipWithoutWordPress } from '../wordpress/wordpress.ts';

const dev = join(import.meta.dirname, '../wordpress');

interface Said {
  url: string;
  folder: string;
  host: string;
  database: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test checks its fields
  found: any[];
}

/** Reports whether a site still answers, or its files or its database exist. */
async function isLeft({ url, folder, host, database }: Said): Promise<boolean> {
  const [, socket] = host.split(':');
  const { stdout } = spawnSync('php', [
    '-r',
    `mysqli_report( MYSQLI_REPORT_OFF );
    $db = @mysqli_connect( 'localhost', 'root', '', '', 0, '${socket}' );
    echo $db ? $db->query( "show databases like '${database}'" )->num_rows : 0;`,
  ]);
  return (await answers(url)) || existsSync(folder) || String(stdout) !== '0';
}

/** Returns the text of a test file that reports where its site is and what it finds there, and then changes everything it can. */
const testFile = (name: string, ending = '') => `
  import { writeFileSync } from 'node:fs';
  import { test } from 'node:test';
  import { startWordPress } from '${dev}/wordpress.ts';
  test('${name}', async () => {
    const site = await startWordPress({ muPlugin: "update_option( 'test_seen', '${name}' );" });
    const found = await site.wp(\`
      $found = array( get_option( 'siteurl' ), get_option( 'test_own' ), get_posts( array( 'fields' => 'ids', 'post_type' => 'any' ) ), count( get_users() ), get_userdata( 2 )->user_email, $wpdb->get_col( "show tables like '%spoilt'" ), $wpdb->get_col( "show columns from wp_links like 'spoilt'" ), count( $wpdb->get_col( "show tables like 'wp_commentmeta'" ) ), glob( WP_CONTENT_DIR . '/uploads/*' ), get_stylesheet(), get_the_guid( 1 ) );
            update_option( 'test_own', '${name}' );
      wp_insert_post( array( 'post_title' => '${name}', 'post_status' => 'publish' ) );
      wp_delete_post( 1, true );
      wp_update_user( array( 'ID' => 2, 'user_email' => 'other@example.test' ) );
      wp_insert_user( array( 'user_login' => 'dora', 'user_pass' => 'x' ) );
      $wpdb->query( 'create table wp_spoilt (id int)' );
      $wpdb->query( 'alter table wp_links add spoilt int' );
      $wpdb->query( 'drop table wp_commentmeta' );
      file_put_contents( WP_CONTENT_DIR . '/uploads/${name}', 'x' );
      switch_theme( 'twentytwentyone' );
      echo json_encode( array( 'found' => $found, 'host' => DB_HOST, 'database' => DB_NAME, 'folder' => ABSPATH ) );
    \`);
    writeFileSync(import.meta.dirname + '/${name}.json', JSON.stringify({ url: site.url, ...JSON.parse(found) }));
    ${ending || 'await site.stop();'}
  });`;

async function runner(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder.path, `${name}.test.mts`), text);
  }
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-concurrency=1',
      `--test-global-setup=${dev}/pool.ts`,
      ...Object.keys(files).map((name) => join(folder.path, `${name}.test.mts`)),
    ],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const said = (name: string) => join(folder.path, `${name}.json`);
  return {
    child,
    output: () => output,
    said: async (name: string): Promise<Said> => JSON.parse(await readFile(said(name), 'utf8')),
    hasSaid: (name: string) => existsSync(said(name)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the pool of sites', { skip: skipWithoutWordPress() }, () => {
  test('one install serves one file after another, each as if it were new', async () => {
    // The second process ends in the middle of its test, without returning its site.
    const names = ['first', 'second', 'third'];
    await using run = await runner({
      first: testFile('first'),
      second: testFile('second', 'process.kill(process.pid, "SIGKILL");'),
      third: testFile('third'),
    });
    await once(run.child, 'exit');
    const sites = await Promise.all(names.map(run.said));
    assert.equal(new Set(sites.map((site) => site.database)).size, 1, 'one database');
    for (const { url, found } of sites) {
      const [siteurl, own, posts, users, email, tables, columns, kept, uploads, theme, guid] = found;
      assert.deepEqual([own, posts, users, email], [false, [2, 1], 4, 'alice@example.test']);
      assert.deepEqual([tables, columns, kept, uploads, theme], [[], [], 1, [], 'plain']);
      assert.deepEqual([siteurl, guid], [url, `${url}/?p=1`]);
    }
    for (const site of sites) assert.equal(await isLeft(site), false);
  });

  test('a pool killed in the middle of a test leaves nothing', async () => {
    await using run = await runner({
      only: testFile('only', 'await new Promise(() => setInterval(() => {}, 1000));'),
    });
    await until('its site is there', () => run.hasSaid('only'));
    const site = await run.said('only');
    assert.equal(await isLeft(site), true);
    run.child.kill('SIGKILL');
    await until('all of it is gone', async () => !(await isLeft(site)));
  });
});
