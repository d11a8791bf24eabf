import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../../dev/until.ts';
import type { Database } from '../src/store/database.ts';
import { deletionStore } from '../src/store/deletions.ts';
import { SCHEMA_VERSION } from '../src/store/migrations.ts';
import { MOVED, SITE_TABLES } from '../src/store/moved-tables.ts';
import { queuedNotices, queueNotice } from '../src/store/notices.ts';
import { askAt } from './answers.ts';
import { agrees, DAY, key as idempotencyKey } from './claim-service.ts';
import { isRefused, keyOf, type Outcome, siteCommand, startManySitesHere, stores } from './many-sites.ts';
import type { EmptyStore } from './postgres.ts';
import {
  authorization,
  freshSqlite,
  memoryHost,
  type Name,
  openedDatabase,
  partsOf,
  temporaryFolder,
} from './support.ts';

const COMMANDS = fileURLToPath(new URL('../src/commands/sites.ts', import.meta.url));
const NAMES: Name[] = ['admin', 'alice', 'bob', 'carol'];
const ODD = `O'Brien's "kettle" \\ \u2028 水 👩‍👩‍👧 $1 ? \t\n</script>; drop table items --`;

type Sent = { status: number; etag: string | null; text: string };
type Ask = (as: Name, target: string, json?: unknown, headers?: Record<string, string>) => Promise<Sent>;

const askSite =
  (base: string): Ask =>
  async (...request) => {
    const { status, headers, text } = await askAt(base, authorization)(...request);
    return { status, etag: headers.get('etag'), text };
  };

async function said(ask: Ask, status: number, ...request: Parameters<Ask>) {
  const answer = await ask(...request);
  assert.equal(answer.status, status, `${request[1]}: ${answer.text}`);
  return answer.text === '' ? undefined : JSON.parse(answer.text);
}

/** Fills a site with a bit of everything; gives the ids of its claims. */
async function fill(ask: Ask): Promise<string[]> {
  const registry_invitees = ['bob', 'carol@example.test'];
  for (const more of [{}, { registry_surprise_until: '2099-01-01' }])
    await said(ask, 201, 'alice', 'POST /registries', { title: 'Ann', meta: { registry_invitees, ...more } });
  const url = 'https://shop.example/pan';
  const fields: object[] = [
    { name: 'Pan', quantity_needed: 5, price: 0.1 + 0.2 },
    { name: ODD, description: ODD, retailer: '', price: 952 },
    { name: 'Link', affiliate_url: 'https://partner.example/?to=1', affiliate_status: 'active' },
    { name: 'Deleted' },
    { name: 'Off', is_active: false },
    { name: 'Secret', registry_id: 2, quantity_needed: 3 },
  ];
  for (const [n, one] of fields.entries()) {
    const json = { registry_id: 1, url, ...one };
    await said(ask, 201, 'admin', 'POST /items', json, idempotencyKey(`item ${n}`.replace(' ', '-')));
  }
  await said(ask, 204, 'alice', 'DELETE /registries/1/items/4');
  await said(ask, 200, 'alice', 'PUT /items/1', { name: 'Large pan' });

  const claim = async (as: Name, registry: number, item: number, json: object) =>
    (await said(ask, 201, as, `POST /registries/${registry}/items/${item}/claims`, json)).id as string;
  const claims = [
    await claim('bob', 1, 1, { quantity: 2, message: ODD }),
    await claim('carol', 1, 1, {}),
    await claim('bob', 1, 2, {}),
    await claim('carol', 2, 6, { quantity: 2 }),
  ];
  await said(ask, 200, 'bob', `PATCH /claims/${claims[0]}`, { state: 'purchased' });
  await said(ask, 204, 'bob', `DELETE /claims/${claims[2]}`);
  await said(ask, 200, 'alice', 'POST /items/2/move', { registry_id: 2 });
  return claims;
}

/** Every answer about it: to each of four people what they may see, and the first answers of repeated requests. */
async function answersOf(ask: Ask, claims: string[]): Promise<Record<string, Sent>> {
  const paths = [
    ...['/items', '/items?skip=1&limit=2', '/registries', '/claims'],
    ...[1, 2].flatMap((id) => [`/registries/${id}`, `/registries/${id}/items`, `/registries/${id}/claims`]),
    ...[1, 2, 3, 4, 5, 6, 7].map((id) => `/items/${id}`),
    ...[2, 3].map((id) => `/registries/1/items/${id}/affiliate`),
    ...claims.map((id) => `/claims/${id}`),
  ];
  const answers: Record<string, Sent> = {};
  for (const as of NAMES) for (const path of paths) answers[`${as} ${path}`] = await ask(as, `GET ${path}`);
  const json = { registry_id: 1, url: 'https://shop.example/pan', name: 'Deleted' };
  answers.again = await ask('admin', 'POST /items', json, idempotencyKey('item-3'));
  assert.equal(answers.again.status, 201);
  const { etag } = answers['alice /registries/1/items']!;
  answers.known = await ask('alice', 'GET /registries/1/items', undefined, { 'if-none-match': etag! });
  assert.equal(answers.known.status, 304);
  return answers;
}

const roomOf = (t: TestContext) => {
  const parts = partsOf(t);
  return {
    async open(by: (typeof stores)[number]['open'] = freshSqlite): Promise<EmptyStore> {
      return parts.use(await by());
    },
    host: async () => parts.use(await memoryHost()).url,
    file: async () => {
      const { path } = parts.use(await temporaryFolder());
      return (name: string | number) => `${path}/${name}.jsonl`;
    },
  };
};

const succeeded = ({ code, out, err }: Outcome): string => {
  assert.deepEqual([code, err], [0, '']);
  return out.trim();
};

const lastLine = (out: string) => out.split('\n').at(-1)!;

const startMany = (store: EmptyStore) =>
  startManySitesHere(store, { limits: { jobsEveryMs: DAY } }, { REGISTRY_CACHE_TTL: '0' });

async function withDatabase<T>(store: EmptyStore, work: (db: Database) => Promise<T>): Promise<T> {
  await using db = await openedDatabase(store.url);
  return await work(db);
}

const numberOfSite = async (db: Database, key: string) => {
  const [row] = await db.read('select site_id from sites where key = $1', [key]);
  return row![0] as number;
};

/** All rows of all sites, but for what processes do meanwhile. */
const allRows = (store: EmptyStore) =>
  withDatabase(store, async (db) => {
    const rows: string[] = [];
    const tables = Object.keys(SITE_TABLES).filter((one) => !/^(leases|bindings)$/.test(one));
    for (const table of ['sites', ...tables])
      rows.push(...(await db.read(`select * from ${table}`)).map((row) => `${table} ${row.join('|')}`));
    return rows.sort();
  });

/** A file with these lines, as whole as an export. */
async function writeLines(path: string, lines: string[]): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const end: Record<string, number> = {};
  for (const line of lines) {
    if (line.startsWith('{"table"')) end[JSON.parse(line).table] = 0;
    else if (line.startsWith('[')) end[Object.keys(end).at(-1)!]! += 1;
  }
  await writeFile(path, `${text}${JSON.stringify({ end, sha256 })}\n`);
}

async function writeMany(path: string, site: object, count: number): Promise<void> {
  const { columns } = MOVED.items;
  const item: Record<string, unknown> = {
    ...{ is_active: 0, version: 1, claimed: 0, claim_changes: 0, quantity_needed: 1, quantity_purchased: 0 },
    ...{ name: 'Pan', description: 'x'.repeat(300), url: 'https://shop.example/pan' },
    ...{ created_at: '2026-11-20T07:09:36.123Z', updated_at: '2026-11-20T07:09:36.123Z' },
  };
  await writeLines(path, [
    JSON.stringify({ format: 'trousseau site', version: 1, schema: SCHEMA_VERSION, site }),
    JSON.stringify({ table: 'items', columns }),
    ...Array.from({ length: count }, (_, n) =>
      JSON.stringify(columns.map((column) => ({ ...item, id: n + 1, registry_id: n + 1 })[column] ?? null)),
    ),
    JSON.stringify({ table: 'item_ids', columns: ['last'] }),
    JSON.stringify([count]),
  ]);
}

const SITE = {
  ...{ key: 'k'.repeat(22), url: 'https://ann.example', admin_roles: ['administrator'] },
  ...{ item_access: 'registry', state: 'active', created_at: '2026-11-20T07:09:36.123Z' },
};

const linesIn = async (path: string) => (await readFile(path, 'utf8')).trimEnd().split('\n');

for (const [n, { name, open, skip }] of stores.entries()) {
  const other = stores[(n + 1) % 2]!;
  describe(`a site that moves from ${name} to ${other.name} and back`, { skip: skip || other.skip }, () => {
    it('answers as before, byte for byte', async (t) => {
      const room = roomOf(t);
      const [from, to, back] = [await room.open(open), await room.open(other.open), await room.open(open)];
      const [host, neighbours, file] = [await room.host(), await room.host(), await room.file()];

      let before: Record<string, Sent>;
      let claims: string[];
      let key: string;
      {
        await using many = await startMany(from);
        await fill(askSite(await many.add(neighbours)));
        const base = await many.add(host, '--admin-roles', 'administrator,editor');
        key = keyOf(base);
        const ask = askSite(base);
        claims = await fill(ask);
        await withDatabase(from, async (db) => {
          const id = await numberOfSite(db, key);
          await deletionStore(db, id).begin(77);
          await db.write(queueNotice(id, 1, 0));
        });
        // A visit of the owner brings the order on the host up to date.
        await answersOf(ask, claims);
        before = await answersOf(ask, claims);
        const written = `: 6 items and 4 claims of ${host}`;
        assert.equal(succeeded(await many.command('export', key, file(1))), file(1) + written);
        await said(ask, 201, 'admin', 'POST /webhooks', { url: 'https://books.example/hook' });
        const shown = succeeded(await many.command('export', key, file(9)));
        assert.match(shown, new RegExp(`${written}\nIts webhooks stay behind`));
      }
      assert.equal((await stat(file(1))).mode & 0o777, 0o600);
      const text = await readFile(file(1), 'utf8');
      assert.doesNotMatch(text, new RegExp(`${neighbours}|leases|holder_`));

      for (const [n, store] of [to, back].entries()) {
        await using many = await startMany(store);
        await fill(askSite(await many.add(neighbours)));
        const out = succeeded(await many.command('import', file(n + 1)));
        assert.equal(lastLine(out), `${many.url}/sites/${key}`);
        assert.deepEqual(await answersOf(askSite(lastLine(out)), claims), before);
        await withDatabase(store, async (db) => {
          const id = await numberOfSite(db, key);
          assert.deepEqual(await deletionStore(db, id).unfinished(5), [77]);
          assert.ok((await queuedNotices(db, id).due(Number.MAX_SAFE_INTEGER, 5)).length > 0);
        });
        assert.match(succeeded(await many.command('show', key)), /admin roles +administrator,editor\n/);
        succeeded(await many.command('export', key, file(n + 2)));
        assert.deepEqual((await linesIn(file(n + 2))).sort(), (await linesIn(file(1))).sort());
      }
      await using many = await startMany(back);
      const ask = askSite(`${many.url}/sites/${key}`);
      const added = { registry_id: 1, name: 'New', url: 'https://shop.example/new' };
      assert.equal((await said(ask, 201, 'admin', 'POST /items', added)).data.id, 7);
    });
  });
}

describe('npm run sites -- export and import', () => {
  it('refuses in one line what it cannot do, and changes nothing then', async (t) => {
    const room = roomOf(t);
    const [store, path] = [await room.open(), await room.file()];
    const run = (...args: string[]) => siteCommand(store, args);
    const key = keyOf(succeeded(await run('add', 'https://ann.example')));
    const good = path('good');
    succeeded(await run('export', key, good));
    const lines = (await linesIn(good)).slice(0, -1);
    const header = JSON.parse(lines[0]!);
    const other = { ...header.site, key: 'o'.repeat(22), url: 'https://other.example' };
    const forged = path('forged');
    const importing = async (text: string) => {
      await writeFile(forged, text);
      return run('import', forged);
    };
    const importingHead = async (head: object) => {
      await writeLines(forged, [JSON.stringify({ ...header, ...head }), ...lines.slice(1)]);
      return run('import', forged);
    };
    const importingSite = (site: object) => importingHead({ site: { ...other, ...site } });
    const text = await readFile(good, 'utf8');

    const before = await allRows(store);
    for (const [args, why] of [
      [['import', good], new RegExp(`already a site ${key}`)],
      [['import', dirname(good)], /./],
      [['import', good, '--yes'], /import has no option --yes/],
      [['export', key, good], /good\.jsonl exists already/],
      [['export', 'x'.repeat(22), path('new')], /there is no site x/],
    ] as const)
      isRefused(await run(...args), why);
    for (const [changed, why] of [
      ['', /is incomplete/],
      [`${lines.join('\n')}\n`, /is incomplete/],
      [text.slice(0, text.length / 2), /is incomplete/],
      [text.replace('ann.example', 'eve.example'), /has changed/],
    ] as const)
      isRefused(await importing(changed), why);
    isRefused(await importingHead({ version: 2 }), /newer service: it has version 2/);
    isRefused(await importingHead({ schema: SCHEMA_VERSION + 1 }), /newer service: it has schema/);
    for (const [site, why] of [
      [{ url: 'http://ann.example/' }, new RegExp(`address of site ${key}`)],
      [{ key: '../up' }, /names no site/],
      [{ admin_roles: [] }, /must name a role/],
      [{ item_access: 'all' }, /item_access must be one of/],
      [{ url: 'https://a:b@c.example' }, /must not contain credentials/],
    ] as const)
      isRefused(await importingSite(site), why);
    assert.deepEqual(await allRows(store), before);
    assert.equal(await readFile(good, 'utf8'), text);
    await assert.rejects(stat(path('new')));

    succeeded(await importingSite({}));
    isRefused(await run('import', forged), /already a site/);
  });

  it('brings a removed site back, but not while it is being removed', async (t) => {
    const room = roomOf(t);
    const [store, file, key] = [await room.open(), (await room.file())('site'), SITE.key];
    const run = (...args: string[]) => siteCommand(store, args, {}, 0);
    await writeMany(file, { ...SITE, state: 'suspended' }, 3);
    succeeded(await run('import', file));
    assert.match(succeeded(await run('list')), / suspended$/);
    await withDatabase(store, (db) => db.write(["update sites set state = 'removed', name = null"]));
    isRefused(await run('import', file), new RegExp(`being removed: .*remove ${key} --yes`));
    succeeded(await run('remove', key, '--yes'));
    succeeded(await run('import', file));
    await withDatabase(store, async (db) => {
      assert.equal(await numberOfSite(db, key), 3, 'no process remembers answers of that number');
      assert.deepEqual(await db.read('select site_id, count(*) from items group by site_id'), [[3, 3]]);
    });
  });

  it('takes all columns of all tables, but those that belong to a service or a process', async () => {
    for (const { open, skip } of stores) {
      if (skip) continue;
      await using store = await open();
      await withDatabase(store, async (db) => {
        const columnsOf = (table: string) =>
          store.url.startsWith('sqlite:')
            ? db.read(`select name from pragma_table_info('${table}')`)
            : db.read(
                `select column_name from information_schema.columns
                 where table_schema = current_schema() and table_name = '${table}'`,
              );
        for (const [table, { columns }] of Object.entries(MOVED))
          assert.deepEqual(['site_id', ...columns].sort(), (await columnsOf(table)).flat().sort(), table);
      });
    }
  });
});

for (const { name, open, skip } of stores) {
  describe(`while a service runs on ${name}`, { skip }, () => {
    it('an import stops at the first line that is none of such a file, and changes nothing', async (t) => {
      const room = roomOf(t);
      const [from, to, path] = [await room.open(open), await room.open(open), await room.file()];
      const [good, file] = [path('good'), path('forged')];
      {
        await using many = await startMany(from);
        const base = await many.add(await room.host());
        await fill(askSite(base));
        await said(askSite(base), 200, 'alice', 'PATCH /registries/1', { title: 'Ann & Bo' });
        // The largest that the API takes fits.
        const most = (length: number) => '\u0001'.repeat(length);
        const item = {
          ...{ registry_id: 1, name: most(100), description: most(500), url: most(2_000) },
          ...{ retailer: most(2_000), image_url: most(2_000), affiliate_url: most(2_000) },
          ...{ quantity_needed: 2 ** 31 - 1, quantity_purchased: 2 ** 31 - 1, price: Number.MAX_VALUE },
        };
        await said(askSite(base), 201, 'admin', 'POST /items', item);
        const giver = { name: most(100), email: 'a@b', user_id: Number.MAX_SAFE_INTEGER };
        const claim = { giver, message: most(500) };
        await said(askSite(base), 201, 'admin', 'POST /registries/1/items/1/claims', claim);
        succeeded(await many.command('export', keyOf(base), good));
      }
      const lines = (await linesIn(good)).slice(0, -1);
      const run = (path: string) => siteCommand(to, ['import', path]);
      const before = await allRows(to);

      type Forge = (lines: string[]) => string[];
      const header =
        (change: object): Forge =>
        ([first]) => [JSON.stringify({ ...JSON.parse(first!), ...change }), 'behind the fault'];
      const second =
        (...more: string[]): Forge =>
        ([first]) => [first!, ...more, 'behind the fault'];
      const long = 'x'.repeat(4 * 1024 * 1024);
      const deep = '['.repeat(20_000) + ']'.repeat(20_000);
      const columns = (table: string, ...names: unknown[]) => JSON.stringify({ table, columns: names });
      const unknown = /line 2: names a table or column that this service doesn't know$/m;
      const start = /line 1: isn't the start of a site's file$/m;
      const cases: [Forge, RegExp][] = [
        [header({ more: 1 }), start],
        [header({ site: null }), /line 1: names no site that can be added$/m],
        [header({ more: long }), /line 1: longer than 4096 kB$/m],
        [second('{}'), /line 2: is neither a table nor a row$/m],
        [second(columns('sites', 'key')), unknown],
        [second(columns('y'.repeat(60_000))), unknown],
        [second(columns('items', 'id', 'site_id')), unknown],
        [second(columns('items')), unknown],
        [second(`{"table":"items","columns":${deep}}`), unknown],
        [second('[1]'), /line 2: has too many or too few values$/m],
        [second(columns('deletions', 'registry_id'), '[1,2]'), /line 3: has too many/],
        [second(columns('deletions', 'registry_id'), `["${long}"]`), /line 3: longer than 4096 kB$/m],
        [second(columns('items', 'id'), columns('items', 'id')), /line 3: starts items a second time$/m],
      ];
      for (const [forge, why] of cases) {
        await writeLines(file, forge(lines));
        const outcome = await run(file);
        isRefused(outcome, why);
        assert.ok(outcome.err.length < 300, outcome.err);
      }
      assert.deepEqual(await allRows(to), before);

      const whole = await readFile(good, 'utf8');
      await writeFile(file, `${whole}{}\n`);
      isRefused(await run(file), /: comes after the end$/m);
      await writeFile(file, whole.replace(/"items":\d+/, '"items":99'));
      isRefused(await run(file), /: gives the wrong number of rows$/m);
      // More than any machine could hold; of the lines before it none is good.
      await writeFile(file, `${lines[0]}\n{}\n`);
      await truncate(file, 2 ** 40);
      isRefused(await run(file), /line 2: is neither/);

      // What only the store can tell: a row that is there twice.
      const twice = lines.findIndex((line) => line.startsWith('[1,'));
      await writeLines(file, lines.toSpliced(twice, 0, lines[twice]!));
      isRefused(await run(file), /./);
      assert.deepEqual(await allRows(to), before);
      succeeded(await run(good));
    });

    it('an export is of one moment', async (t) => {
      const room = roomOf(t);
      const path = await room.file();
      await using many = await startMany(await room.open(open));
      const base = await many.add(await room.host());
      const ask = askSite(base);
      const meta = { registry_invitees: ['bob'] };
      await said(ask, 201, 'alice', 'POST /registries', { title: 'Ann', meta });
      for (let n = 0; n < 20; n++) {
        const json = { name: 'Pan', url: 'https://shop.example/pan', quantity_needed: 10_000 };
        await said(ask, 201, 'admin', 'POST /registries/1/items', json);
      }
      let done = false;
      let claimed = 0;
      const claiming = Promise.all(
        Array.from({ length: 5 }, async (_, n) => {
          for (let item = n; !done; item = (item + 5) % 20) {
            await said(ask, 201, 'bob', `POST /registries/1/items/${item + 1}/claims`, {});
            claimed++;
          }
        }),
      );
      const counts: number[] = [];
      for (let n = 0; n < 3; n++) {
        const [file, to] = [path(n), await room.open()];
        await until('more is claimed', () => claimed > (counts.at(-1) ?? 0));
        succeeded(await many.command('export', keyOf(base), file));
        succeeded(await siteCommand(to, ['import', file]));
        await withDatabase(to, async (db) => {
          await agrees({ query: async <T>(sql: string) => (await db.read(sql)) as T[] });
          counts.push(Number((await db.read('select count(*) from claims'))[0]![0]));
        });
      }
      done = true;
      await claiming;
      assert.ok(counts[0]! > 0 && counts[1]! > counts[0]! && counts[2]! > counts[1]!, counts.join());
    });

    it('an import that is killed leaves nothing that is served, and can be run again', async (t) => {
      const room = roomOf(t);
      const [store, file] = [await room.open(open), (await room.file())('site')];
      await using many = await startMany(store);
      const count = 40_000;
      await writeMany(file, SITE, count);
      const base = `${many.url}/sites/${SITE.key}`;
      const served = async () => (await fetch(`${base}/health`)).status;
      const rows = () =>
        withDatabase(store, async (db) => Number((await db.read('select count(*) from items'))[0]![0]));
      const isAtWork = store.url.startsWith('sqlite:')
        ? async () => (await stat(`${store.url.slice('sqlite:'.length)}-wal`)).size > 4_000_000
        : () =>
            withDatabase(store, async (db) => {
              const [[size] = [0]] = await db.read("select pg_relation_size('items')");
              return Number(size) > 1_000_000;
            });

      const child = spawn(process.execPath, [COMMANDS, 'import', file], {
        env: { PATH: process.env.PATH, DATABASE_URL: store.url },
        timeout: 120_000,
      });
      const exit = once(child, 'exit');
      await until('it has written', isAtWork);
      assert.equal(await served(), 404);
      child.kill('SIGKILL');
      assert.deepEqual(await exit, [null, 'SIGKILL']);

      assert.equal(await served(), 404);
      assert.equal(await rows(), 0);
      assert.equal(succeeded(await many.command('list')), '');
      const out = succeeded(await many.command('import', file));
      assert.equal(lastLine(out), base);
      assert.equal(await rows(), count);
      await until('it is served', async () => (await served()) === 200);
    });
  });
}
