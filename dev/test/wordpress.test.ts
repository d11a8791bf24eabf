// Starts WordPress: several at once, with options that work, leaving nothing behind however it ends.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answers, basic, rest } from '../wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../wordpress/wordpress.ts';

/** Returns where a running site's data is, for a test that checks afterwards that it is gone. */
const home = async (site: WordPress) => ({
  folder: site.folder,
  database: (await site.call('constant', 'DB_NAME')) as string,
});
const databases = (site: WordPress): Promise<string[]> => site.call('databases');

describe('a real WordPress', { skip: skipWithoutWordPress() }, () => {
  test('several run at once, each on its own, and leave nothing behind', async () => {
    const [one, two] = await Promise.all([
      startWordPress({ fresh: true }),
      startWordPress({ fresh: true, plugins: false, theme: 'twentytwentyone' }),
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
      assert.equal(await two.call('get_stylesheet'), 'twentytwentyone');
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

  test('failing PHP throws its message, and no request leaves this machine', async () => {
    const site = await startWordPress();
    try {
      await assert.rejects(site.wp('throw new Exception( "so it is" );'), /so it is/);
      await assert.rejects(startWordPress({ theme: 'no-such-theme' }), /no such theme: no-such-theme/);
      await assert.rejects(
        site.call('wp_remote_get', 'https://api.wordpress.org/'),
        /blocked requests through HTTP/,
      );
    } finally {
      await site.stop();
    }
  });

  test('answers as many requests at a time as workers are asked for, none of them behind a busy worker', async () => {
    const site = await startWordPress({ workers: 3, muPlugins: ['busy-workers'] });
    const hold = () => fetch(`${site.url}/?hold`);
    try {
      const quick = (count: number) => Array.from({ length: count }, () => fetch(`${site.url}/readme.html`));
      const before = quick(5);
      const first = hold();
      const statuses = (await Promise.all([...before, ...quick(20)])).map(({ status }) => status);
      assert.deepEqual(new Set(statuses), new Set([200]));
      const held = [await first, await hold(), await hold()];
      const fourth = hold();
      // By the time this is answered, one worker too many would already have started the fourth.
      await site.call('databases');
      await writeFile(join(site.folder, 'wp-content/release'), '');
      const said = await Promise.all([...held, await fourth].map((answer) => answer.text()));
      assert.deepEqual(said, ['held', 'held', 'held', 'late']);
    } finally {
      await site.stop();
    }
  });
});
