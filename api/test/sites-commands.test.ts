import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { SITE_TABLES } from '../src/store/moved-tables.ts';
import { askAt } from './answers.ts';
import { basic, startFakeHost } from './fake-host.ts';
import {
  isRefused,
  keyOf,
  siteCommand,
  siteCommandProcess,
  startManySitesHere,
  stores,
} from './many-sites.ts';
import { startServiceProcess } from './service-process.ts';
import { freshSqlite, openedDatabase, PAN, partsOf, startTestService } from './support.ts';

const NOTICED_MS = 5_000;

/** A service of many sites whose time since its start only the test moves. */
async function startBeside(t: TestContext, store: { url: string }) {
  let now = 0;
  const many = partsOf(t).use(await startManySitesHere(store, { clock: { steady: () => now } }));
  /** So long after a command it counts. */
  const notice = () => {
    now += NOTICED_MS;
  };
  return { ...many, notice };
}

describe('npm run sites', { concurrency: 2 }, () => {
  it('adds, lists and shows sites, under the address of PUBLIC_URL', async () => {
    await using store = await freshSqlite();
    const run = (args: string[], env: Record<string, string> = {}) => siteCommand(store, args, { env });
    const since = Date.now();
    const first = await siteCommandProcess(store, ['add', 'https://ann.example/blog/']);
    assert.deepEqual([first.code, first.err], [0, '']);
    assert.match(first.out, /^http:\/\/127\.0\.0\.1:8000\/sites\/[\w-]{22}\n$/);

    const env = { PUBLIC_URL: 'https://gifts.example/', ADMIN_ROLES: 'editor', ITEM_ACCESS: 'registry' };
    const second = (await run(['add', 'http://ben.example'], env)).out.trim();
    assert.match(second, /^https:\/\/gifts\.example\/sites\//);
    const options = ['--admin-roles', 'x, y', '--item-access', 'authenticated'];
    const third = (await run(['add', 'http://cleo.example', ...options], env)).out.trim();

    const [a, b, c] = [first.out.trim(), second, third].map(keyOf);
    const sites = [`${a} https://ann.example/blog`, `${b} http://ben.example`, `${c} http://cleo.example`];
    assert.equal((await run(['list'])).out, sites.map((site) => `${site} active\n`).join(''));
    const ben = (await run(['show', b!], env)).out;
    const [added] = /(?<=^added +)\S+/m.exec(ben)!;
    assert.ok(Date.parse(added) >= since && Date.parse(added) <= Date.now(), added);
    for (const fact of [`key +${b}`, `base URL +${second}`, 'address +http://ben.example', 'state +active'])
      assert.match(ben, new RegExp(`^${fact}$`, 'm'));
    assert.match(ben, /^admin roles +editor\nitem access +registry$/m);
    assert.match((await run(['show', c!])).out, /^admin roles +x,y\nitem access +authenticated$/m);
  });

  it('adds all sites of standard input or none', async () => {
    await using store = await freshSqlite();
    const add = (input: string) => siteCommand(store, ['add', '-'], { input });
    const many = Array.from({ length: 1_200 }, (_, n) => `https://site-${n}.example`);
    const { code, out } = await siteCommandProcess(store, ['add', '-'], {
      input: `${many.join('\n')}\n\n  https://last.example   --item-access registry \n`,
    });
    assert.equal(code, 0);
    const keys = out.trim().split('\n').map(keyOf);
    assert.equal(new Set(keys).size, 1_201);
    const listed = async () => (await siteCommand(store, ['list'])).out.trim().split('\n');
    const before = await listed();
    const found = before.map((line) => line.split(' ')[0]);
    assert.deepEqual(found, keys);
    assert.match((await siteCommand(store, ['show', keys.at(-1)!])).out, /item access {2}registry/);

    isRefused(await add('https://new.example\nhttp://site-7.example/\n'), new RegExp(keys[7]!));
    isRefused(await add('https://new.example\nhttp://new.example/\n'), /new\.example\/? is given twice/);
    isRefused(await add('https://new.example\nnew.example\n'), /^line 2: the address must be/);
    isRefused(await add('https://new.example\nhttps://b.example --item-access all\n'), /^line 2: --item-/);
    assert.deepEqual(await listed(), before);
  });

  it('refuses in one line what it cannot do, and changes nothing then', async () => {
    await using store = await freshSqlite();
    const run = (...args: string[]) => siteCommand(store, args);
    const added = async (url: string) => keyOf((await run('add', url)).out.trim());
    const [a, b] = [await added('https://ann.example'), await added('https://ben.example')];
    const state = async () => [await run('list'), await run('show', a), await run('show', b)];
    const before = await state();
    const unknown = 'x'.repeat(22);
    const cases: [string[], RegExp][] = [
      [['add', 'https://ann.example'], new RegExp(a)],
      [['add', 'ann.example'], /the address must be/],
      [['add', 'https://new.example', '--admin-roles', ' ,'], /--admin-roles must name a role/],
      [['add', 'https://new.example', '--yes'], /add has no option --yes/],
      [['add'], /add needs one URL/],
      [['set', a], /set needs/],
      [['set', a, '--url', 'https://ben.example/'], new RegExp(b)],
      [['set', unknown, '--item-access', 'registry'], /there is no site x{22}/],
      [['show', unknown], /there is no site/],
      [['remove', unknown, '--yes'], /there is no site/],
      [['remove', a], /https:\/\/ann\.example .*--yes/],
      [['toString'], /there is no command toString/],
      [[], /name a command: .* --help/],
    ];
    for (const [args, why] of cases) isRefused(await run(...args), why);
    isRefused(await siteCommandProcess({ url: 'mysql://x' }, ['list']), /DATABASE_URL must be/);
    const refused = await run('add', 'https://ann:secret-word@new.example');
    assert.doesNotMatch(refused.err, /secret-word/);
    assert.deepEqual(await state(), before);
    assert.equal((await run('--help')).code, 0);
  });

  it('stops a start with HOST_URL beside SITES=on, and one with HOST_URL alone that is a site among others', async () => {
    await using store = await freshSqlite();
    const settings = { DATABASE_URL: store.url, HOST_URL: 'https://ann.example' };
    await using both = startServiceProcess({ ...settings, SITES: 'on' });
    assert.equal((await both.exit).code, 78);
    assert.match(both.stderr(), /HOST_URL .*npm run sites -- add URL/);
    const key = keyOf((await siteCommand(store, ['add', 'https://ann.example'])).out.trim());
    await using one = startServiceProcess(settings);
    assert.equal((await one.exit).code, 1);
    assert.match(one.stderr(), new RegExp(`^[^\\n]*${key}[^\\n]*SITES=on[^\\n]*\\n$`));
  });
});

for (const { name, open, skip } of stores) {
  describe(`while a service runs on ${name}`, { skip }, () => {
    it('a command counts within five seconds, for remembered users, too', async (t) => {
      const store = partsOf(t).use(await open());
      const many = await startBeside(t, store);
      await using host = await startFakeHost();
      const base = await many.add(host.url);
      const [key, site] = [keyOf(base), many.at(base)];
      const isAdmin = async () => (await site('ann', 'GET /items')).status === 200;
      const status = async () => (await site('ann', 'GET /registries/7')).status;
      const health = async () => (await site(undefined, 'GET /health')).status;
      assert.equal(await isAdmin(), false);
      await many.command('set', key, '--admin-roles', 'subscriber');
      many.notice();
      assert.ok(await isAdmin(), 'everybody is an admin');
      await using elsewhere = await startFakeHost();
      await many.command('set', key, '--admin-roles', 'administrator', '--url', elsewhere.url);
      many.notice();
      assert.ok(!(await isAdmin()), 'nobody is an admin, says the new address');
      assert.ok(elsewhere.seen.length > 0);

      for (const state of ['suspended', 'active']) {
        for (let times = 0; times < 2; times++) {
          const { code, out } = await many.command(state === 'active' ? 'resume' : 'suspend', key);
          assert.deepEqual([code, out], [0, `${key} is ${state}\n`]);
        }
        const wanted = state === 'active' ? 200 : 503;
        many.notice();
        assert.deepEqual([await status(), await health()], [wanted, wanted], state);
        assert.match((await many.command('list')).out, new RegExp(`^${key} ${elsewhere.url} ${state}\n$`));
        if (state === 'active') continue;
        const { headers, body } = await site('ann', 'GET /items');
        assert.ok(Number(headers.get('retry-after')) > 0);
        assert.deepEqual(body, { detail: 'This site is suspended' });
        assert.equal((await many.at(many.url)(undefined, 'GET /health')).status, 200);
      }
    });

    it('a removed site leaves nothing but its number and key, and its neighbour as it was', async (t) => {
      const store = partsOf(t).use(await open());
      const many = await startBeside(t, store);
      await using hostA = await startFakeHost();
      await using hostB = await startFakeHost();
      const bases = [await many.add(hostA.url), await many.add(hostB.url)];
      for (const base of bases) {
        const site = many.at(base);
        for (let n = 0; n < 5; n++) {
          const headers = { 'idempotency-key': `${n}` };
          const added = await site('ann', 'POST /registries/7/items', PAN, headers);
          const claims = `/registries/7/items/${added.body.data.id}/claims`;
          assert.equal((await site('ann', `POST ${claims}`, {})).status, 201);
        }
      }
      const [gone, stays] = [many.at(bases[0]!), many.at(bases[1]!)];
      const before = (await stays('ann', 'GET /registries/7/items')).body;
      const { code, out } = await many.command('remove', keyOf(bases[0]!), '--yes');
      many.notice();
      assert.equal((await gone('ann', 'GET /items')).status, 404);
      assert.equal(code, 0);
      assert.match(out, /is removed with \d\d+ rows\n$/);
      isRefused(await many.command('show', keyOf(bases[0]!)), /there is no site/);
      assert.deepEqual((await stays('ann', 'GET /registries/7/items')).body, before);
      assert.deepEqual((await many.command('list')).out, `${keyOf(bases[1]!)} ${hostB.url} active\n`);

      await using database = await openedDatabase(store.url);
      const [[id] = []] = await database.read('select site_id from sites where key = $1', [keyOf(bases[0]!)]);
      for (const table of Object.keys(SITE_TABLES)) {
        const left = await database.read(`select * from ${table} where site_id = $1`, [id!]);
        assert.deepEqual(left, [], table);
      }
      const again = await many.add(hostA.url);
      assert.notEqual(keyOf(again), keyOf(bases[0]!));
      assert.deepEqual((await many.at(again)('ann', 'GET /registries/7/items')).body, []);
    });

    it('a store of one site goes on as one of many when its address is added', async (t) => {
      const store = partsOf(t).use(await open());
      await using host = await startFakeHost();
      const one = await startTestService({ DATABASE_URL: store.url, HOST_URL: host.url });
      const json = { registry_id: 7, ...PAN };
      const { data } = (await askAt(one.url, basic)('ann', 'POST /items', json)).body;
      await one.close();

      const many = await startBeside(t, store);
      await until('the log names the site', () =>
        many.service.log.some((line) => JSON.parse(line).address === host.url.replace('http://', '')),
      );
      await using other = await startFakeHost();
      const stranger = many.at(await many.add(other.url));
      assert.equal((await stranger('ann', `GET /items/${data.id}`)).status, 404);
      const adopted = many.at(await many.add(`${host.url}/`));
      assert.deepEqual((await adopted('ann', `GET /items/${data.id}`)).body.data, data);
      const next = await adopted('ann', 'POST /items', json);
      assert.equal(next.body.data.id, data.id + 1);
    });
  });
}
