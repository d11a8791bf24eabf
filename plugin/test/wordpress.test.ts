// The starter itself: several at once, options that hold, and nothing left behind however it ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../dev/wordpress.ts';
import { basic, evaluate, rest } from './site.ts';

const starter = join(import.meta.dirname, '../dev/wordpress.ts');

/** Where a site lives; asked while it runs, so that a test can look for it afterwards. */
const home = (site: WordPress) =>
  evaluate(site, 'return array( "folder" => ABSPATH, "database" => DB_NAME );') as Promise<{
    folder: string;
    database: string;
  }>;
const databases = (site: WordPress) =>
  evaluate(site, 'global $wpdb; return $wpdb->get_col( "show databases" );') as Promise<string[]>;
const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

describe('a real WordPress', { skip: skipWithoutWordPress() }, () => {
  test('several run at once, each on its own, and leave nothing behind', async () => {
    const [one, two] = await Promise.all([
      startWordPress(),
      startWordPress({ plugins: false, theme: 'twentytwentyone' }),
    ]);
    try {
      const [first, second] = [await home(one), await home(two)];
      assert.notEqual(first.database, second.database);
      for (const user of Object.values(one.users)) {
        const me = await rest(one, user, 'GET', '/wp/v2/users/me?context=edit');
        assert.deepEqual([me.json.id, me.json.username, me.json.email], [user.id, user.username, user.email]);
        assert.deepEqual(me.json.roles, [user.username === 'admin' ? 'administrator' : 'subscriber']);
        const there = await fetch(`${two.url}/wp-json/wp/v2/users/me`, {
          headers: { authorization: basic(user) },
        });
        assert.equal(there.status, 401, 'credentials of the other one');
      }
      assert.equal((await rest(one, null, 'GET', '/wp/v2/registry')).status, 200);
      assert.equal((await rest(two, null, 'GET', '/wp/v2/registry')).status, 404);
      assert.equal(await two.wp('echo get_stylesheet();'), 'twentytwentyone');
      await two.stop();
      assert.equal(existsSync(second.folder), false);
      assert.equal(await answers(two.url), false);
      const left = await databases(one);
      assert.deepEqual([left.includes(first.database), left.includes(second.database)], [true, false]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
    assert.equal(await answers(one.url), false);
  });

  test('starts a database of its own where there is none', async () => {
    const site = await startWordPress({ ownDatabase: true });
    const { folder } = await home(site);
    assert.equal((await rest(site, null, 'GET', '/wp/v2/registry')).status, 200);
    assert.ok((await site.wp('echo DB_HOST;')).startsWith('localhost:/'));
    await site.stop();
    assert.equal(existsSync(folder), false);
  });

  test('PHP that fails is an error with its message', async () => {
    const site = await startWordPress();
    try {
      await assert.rejects(site.wp('throw new Exception( "so it is" );'), /so it is/);
      await assert.rejects(startWordPress({ theme: 'no-such-theme' }), /no such theme: no-such-theme/);
    } finally {
      await site.stop();
    }
  });

  test('calls nobody but this machine', async () => {
    const site = await startWordPress();
    try {
      const code = await evaluate(
        site,
        `$answer = wp_remote_get( 'https://api.wordpress.org/' ); return is_wp_error( $answer ) ? $answer->get_error_code() : 'answered';`,
      );
      assert.equal(code, 'http_request_not_executed');
    } finally {
      await site.stop();
    }
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`run by hand it prints where it is and ends by ${signal}`, async () => {
      const child = spawn(process.execPath, [starter, '--theme', 'twentytwentythree'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        lines.push(line);
        if (line.includes('Ctrl-C')) break;
      }
      const text = lines.join('\n');
      const url = /WordPress \d+\.\d+\S* on (http:\S+)/.exec(text)?.[1];
      assert.ok(url, text);
      for (const name of ['admin', 'alice', 'bob', 'carol'])
        assert.match(text, new RegExp(`'${name}@example.test'`));
      assert.equal(await answers(url), true);
      child.kill(signal);
      const [, ended] = await once(child, 'exit');
      assert.equal(ended, signal);
      assert.equal(await answers(url), false);
    });
  }
});
