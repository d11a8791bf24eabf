// The real WP-CLI on a real site: registries taken along and brought back, givers forgotten, the role made anew, jobs run.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../dev/until.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { skipWithoutWpCli, wpCli } from '../../dev/wordpress/wp-cli.ts';

const service = { ADMIN_ROLES: 'administrator,trousseau_service' };

describeSite('wp trousseau', { service, skip: skipWithoutWpCli() }, (site) => {
  const run = (...args: string[]) => wpCli(site, ['trousseau', ...args]);
  const good = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args);
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  };
  const refuses = async (args: readonly string[], words: RegExp) => {
    const { status, stdout, stderr } = await run(...args);
    assert.deepEqual([status, stdout.includes('Success')], [1, false], args.join(' '));
    assert.match(stdout + stderr, words);
  };
  const registry = (title: string) => {
    const dates = { registry_event_date: '2027-06-12', registry_currency: 'EUR' };
    const meta = { ...dates, registry_invitees: ['aunt@example.org'] };
    return site.list({ title, story: 'We met & stayed.', meta }, 'Copper kettle', '=1+1');
  };

  test('names its commands and what they take', async () => {
    const help = (await wpCli(site, ['help', 'trousseau'])).stdout;
    for (const name of ['doctor', 'expire', 'export', 'import', 'jobs', 'role'])
      assert.match(help, new RegExp(`\\b${name}\\b`));
    assert.match((await wpCli(site, ['help', 'trousseau', 'import'])).stdout, /--owner=<user>/);
  });

  test('takes a private registry along and brings it back for another owner, without loss', async () => {
    const { id, path } = await registry('Ann & Bob');
    const json = await good('export', String(id));
    assert.equal(await good('export', path.split('/').at(-2)!), json, 'by its address, too');
    const data = JSON.parse(json);
    assert.deepEqual(data.meta.registry_invitees, ['aunt@example.org']);
    assert.match(await good('export', String(id), '--as=csv'), /Copper kettle.*\n.*'=1\+1/s);

    const file = join(tmpdir(), `trousseau-${process.pid}.json`);
    writeFileSync(file, json);
    try {
      const made = await good('import', file, '--owner=bob');
      const copy = Number(/List (\d+) has been created/.exec(made)![1]);
      const { post_author, post_status } = await site.post(copy);
      assert.deepEqual([Number(post_author), post_status], [site.users.bob.id, 'private']);
      const again = JSON.parse(await good('export', String(copy)));
      assert.deepEqual({ ...again, status: '' }, { ...data, status: '' });
      assert.equal((await site.client('admin').registries.items.list(copy))!.length, 2);

      const { stdout } = await wpCli(site, ['trousseau', 'import', '-', '--owner=alice@example.test'], json);
      assert.match(stdout, /Success: List \d+ has been created\. It belongs to alice and is private\./);
    } finally {
      rmSync(file);
    }
  });

  test('says in a sentence what it can’t do, and ends with 1', async () => {
    for (const [args, words] of [
      [['export', '999999'], /Error: There’s no list 999999/],
      [['export', '1'], /Error: There’s no list 1/],
      [['import', '/nowhere.json', '--owner=bob'], /Error: Can’t read the file \/nowhere\.json/],
      [['import', import.meta.filename, '--owner=bob'], /Error: This file isn’t a list/],
      [['import', import.meta.filename, '--owner=nobody-here'], /Error: Invalid user/],
      [['import', import.meta.filename], /missing --owner/],
    ] as const)
      await refuses(args, words);
  });

  test('makes the role anew, and an account that the service trusts', async () => {
    await site.call('change_rights', 'trousseau_service', { read: false, edit_users: true });
    assert.match(await good('role'), /ADMIN_ROLES=administrator,trousseau_service/);
    const { capabilities } = await site.call('get_role', 'trousseau_service');
    const rights = 'read edit_others_registries delete_others_registries read_private_registries';
    assert.equal(Object.keys(capabilities).join(' '), rights);
    const said = await good('role', '--account');
    const password = await site.option('trousseau_app_password');
    assert.ok(password.length > 20 && !said.includes(password), 'no password is printed');
    assert.match(await good('doctor'), /^ok {4}Trousseau’s account has the rights it needs and no more/m);
  });

  test('runs the work that is due, and lists work that has failed', async () => {
    type Row = { id: number; kind: string; state: string; due: string; attempts: number; error: string };
    const list = async () => {
      const rows: Row[] = JSON.parse(await good('jobs', 'list', '--format=json'));
      return rows.filter(({ kind }) => kind === 'Order of a list');
    };

    const { id } = await registry('In disorder');
    const order = await site.itemIds(id);
    assert.equal(order.length, 2);
    await site.setPostMeta(id, { registry_item_ids: `[${order[1]}]` });
    await site.addJob('repair-order', String(id));
    assert.match(await good('jobs', 'run'), /Success: Everything due is done/);
    assert.deepEqual(await list(), []);
    // The service repairs the order after its answer.
    await until('the order is whole', async () => (await site.itemIds(id)).length === 2);

    // The service knows no such registry.
    await site.addJob('repair-order', '999999');
    const before = Date.now();
    await good('jobs', 'run');
    const [job] = await list();
    assert.deepEqual([job!.state, job!.attempts], ['will be tried again', 1]);
    assert.match(job!.due, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(Date.parse(job!.due) > before, job!.due);
    assert.notEqual(job!.error, '');
    assert.match(await good('jobs'), /Order of a list[\s|]+will be tried again/, 'a table');
    await refuses(['jobs', 'forget'], /Invalid value specified for positional arg/);
  });

  test('forgets what no key opens, and nothing else', async () => {
    const { id } = await registry('Lost');
    const lost = Buffer.alloc(80, 7).toString('base64');
    const name = 'Alexandra Elisabeth Katharina Hohenberger und Maximilian Schwarzenberg';
    await site.setPostMeta(id, { _trousseau_delivery: lost, _trousseau_owner_name: name });
    const connection = await site.option('trousseau_app_password');
    await site.wp(
      `$GLOBALS['wpdb']->update( $GLOBALS['wpdb']->options, array( 'option_value' => '${lost}' ), array( 'option_name' => 'trousseau_app_password' ) );`,
    );
    assert.match(await good('forget-unreadable', '--yes'), /2 values deleted/);
    assert.match(await good('forget-unreadable'), /0 values deleted/);
    const left = ['_trousseau_delivery', '_trousseau_owner_name'].map((key) => site.postMeta(id, key));
    assert.deepEqual(await Promise.all(left), ['', name]);
    await site.setOption('trousseau_app_password', connection);
  });

  test('forgets givers whose time is over, and says so where it can’t', async () => {
    const { id } = await registry('Long ago');
    const age = async (date: string) => {
      await site.setPostMeta(id, { registry_event_date: date });
      await site.storePost(id, { post_date_gmt: '2020-01-01 00:00:00' });
      await site.deletePostMeta(id, '_trousseau_givers_forgotten');
    };
    await age('2020-06-12');
    assert.match(await good('expire'), /The names on 0 gifts were erased/);
    await site.setOption('trousseau_keep_givers', '0');
    assert.match(await good('expire'), /The settings keep the names of guests forever/);
    await site.deleteOption('trousseau_keep_givers');
    await site.setOption('trousseau_base_url', 'http://127.0.0.1:9');
    await age('2020-06-12');
    const away = await run('expire');
    assert.deepEqual([away.status, /^Error: .+/m.test(away.stderr)], [1, true], away.stderr);
  });
});
