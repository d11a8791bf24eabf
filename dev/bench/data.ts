import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { claimStore, type NewClaim } from '../../api/src/store/claims.ts';
import { type ItemFields, itemStore } from '../../api/src/store/items.ts';
import { openDatabase } from '../../api/src/store/open.ts';
import { ONLY_SITE } from '../../api/src/store/sites.ts';
import { openSession } from '../../api/test/sql-session.ts';
import { shape } from './shape.ts';

/** `ours` is the service's own table; `plain` is a table with only the columns of an item. */
export type Layout = 'ours' | 'plain';

/** The folder that caches generated rows between runs. */
export const CACHE = join(tmpdir(), 'trousseau-bench');

const pick = <T>(values: readonly T[], n: number): T => values[n % values.length]!;
const THINGS = ['Copper saucepan', 'Linen tablecloth', 'Set of six glasses', 'Bread knife', 'Picnic basket'];
const SHOPS = ['Kitchen & Co', 'House of Linen', 'The Corner Shop'];

/** A new item, as a client would send it. */
export function sampleBody(n: number) {
  const thing = pick(THINGS, n);
  return {
    name: `${thing} no. ${n}`,
    description:
      n % 4 === 0 ? null : `The ${n % 90} cm one, please: it has to fit the cupboard beside the window.`,
    url: `https://shop.example/${thing.toLowerCase().replaceAll(' ', '-')}/${n}?from=registry`,
    retailer: pick(SHOPS, n),
    image_url: `https://images.shop.example/${n}/large.jpg`,
    price: (500 + ((n * 7919) % 50_000)) / 100,
    // Enough for every claim of a run.
    quantity_needed: 10_000 + (n % 6),
    quantity_purchased: n % 2,
    affiliate_url: n % 3 === 0 ? `https://partner.example/?to=${n}` : null,
    affiliate_status: n % 3 === 0 ? ('active' as const) : null,
  };
}

function sampleItem(id: number, registry_id: number): ItemFields {
  const time = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString();
  return { ...sampleBody(id), registry_id, is_active: true, created_at: time, updated_at: time };
}

const CLAIMED_AT = Date.UTC(2026, 0, 1);
// No claim expires during a run.
const NEVER = Date.UTC(2100, 0, 1);

/** A claim of a guest; each guest makes a few. */
function sampleClaim(itemId: number, registryId: number): NewClaim {
  const guest = 1_000 + Math.floor(itemId / 10);
  const isBought = itemId % 2 === 0;
  return {
    ...{ registryId, itemId, ownerId: 1, recordedBy: guest, actor: 'giver', creationKey: null, quantity: 1 },
    state: isBought ? 'purchased' : 'reserved',
    recorder: { username: `guest${guest}`, email: `guest${guest}@example.test` },
    giver: { user_id: guest, name: `Guest no. ${guest}`, email: `guest${guest}@example.test` },
    message: itemId % 4 === 0 ? 'For your Sunday soups' : null,
    createdAt: CLAIMED_AT,
    expiresAt: isBought ? null : NEVER,
  };
}

/** Sets of rows, made once per size and layout, and copied for each candidate that uses one. */
export interface Rows extends AsyncDisposable {
  /** Makes a copy for the candidate of this name, and returns its `DATABASE_URL`. */
  copy(rows: number, layout: Layout, name: string): Promise<string>;
  /** Reads the copies into the kernel's cache again, which drops files that haven't been read for a while. */
  touch(): Promise<void>;
}

type Say = (line: string) => void;

/** Opens sets of rows on the PostgreSQL server at this address, or else in SQLite files. Disposing removes the copies. */
export async function openRows(server: string | undefined, say: Say): Promise<Rows> {
  // The hash names the code that made the rows: changed code makes new ones.
  const hash = createHash('sha256');
  for (const file of [
    '../../api/src/store/schema.ts',
    '../../api/src/store/registries.ts',
    '../../api/src/store/items.ts',
    '../../api/src/store/claims.ts',
    'data.ts',
    'shape.ts',
  ])
    hash.update(await readFile(join(import.meta.dirname, file)));
  const key = hash.digest('hex').slice(0, 8);
  return server ? postgresRows(server, key, say) : sqliteRows(key, say);
}

async function sqliteRows(key: string, say: Say): Promise<Rows> {
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE)) {
    const outdated = name.startsWith('rows-') && !name.startsWith(`rows-${key}-`);
    if (outdated || leftBehind(/^work-(\d+)$/.exec(name))) await rm(join(CACHE, name), { recursive: true });
  }
  const work = join(CACHE, `work-${process.pid}`);
  await mkdir(work);

  async function made(rows: number, layout: Layout): Promise<string> {
    const name = `rows-${key}-${rows}-${layout}.db`;
    const file = join(CACHE, name);
    if (existsSync(file)) return file;
    const partial = join(work, name);
    if (layout === 'plain') await cp(await made(rows, 'ours'), partial);
    say(`making ${rows} rows (${layout})`);
    await fill(`sqlite:${partial}`, rows, layout);
    // The compacted copy is a new file: in place, every page would be written to the log first.
    const db = new DatabaseSync(partial);
    db.exec(`vacuum into '${partial}.compact'`);
    db.close();
    await rename(`${partial}.compact`, file);
    await rm(partial);
    return file;
  }

  return {
    async copy(rows, layout, name) {
      const file = join(work, `${name}-${rows}.db`);
      await cp(await made(rows, layout), file);
      return `sqlite:${file}`;
    },
    async touch() {
      for (const name of await readdir(work)) {
        const chunks = createReadStream(join(work, name), { highWaterMark: 4 * 1024 * 1024 });
        for await (const _ of chunks);
      }
    },
    [Symbol.asyncDispose]: () => rm(work, { recursive: true, force: true }),
  };
}

async function postgresRows(server: string, key: string, say: Say): Promise<Rows> {
  const admin = await openSession(server);
  const drop = (name: string) => admin.query(`drop database if exists ${name}`);
  const databases = async () =>
    (await admin.query("select datname from pg_database where datname like 'trousseau_bench_%'")).rows.map(
      ({ datname }) => String(datname),
    );
  for (const name of await databases()) {
    const outdated = name.includes('_rows_') && !name.includes(`_rows_${key}_`);
    if (outdated || leftBehind(/_work_(\d+)_/.exec(name))) await drop(name);
  }
  const urlOf = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const copies: string[] = [];

  async function made(rows: number, layout: Layout): Promise<string> {
    const name = `trousseau_bench_rows_${key}_${rows}_${layout}`;
    if ((await databases()).includes(name)) return name;
    const partial = `trousseau_bench_work_${process.pid}_${layout}`;
    const template = layout === 'plain' ? await made(rows, 'ours') : 'template1';
    await admin.query(`create database ${partial} template ${template}`);
    say(`making ${rows} rows (${layout})`);
    // Commits needn't be synced: rows lost in a crash are generated again.
    await fill(`${urlOf(partial)}?synchronous_commit=off`, rows, layout);
    const db = await openSession(urlOf(partial));
    await db.query('vacuum full analyze items');
    await db.end();
    await admin.query(`alter database ${partial} rename to ${name}`);
    return name;
  }

  return {
    async copy(rows, layout, name) {
      const copy = `trousseau_bench_work_${process.pid}_${name.toLowerCase().replaceAll(/\W/g, '_')}_${rows}`;
      await admin.query(`create database ${copy} template ${await made(rows, layout)}`);
      copies.push(copy);
      return urlOf(copy);
    },
    // PostgreSQL keeps its own cache.
    touch: async () => {},
    async [Symbol.asyncDispose]() {
      for (const copy of copies) await drop(copy);
      await admin.end();
    },
  };
}

/** Writes the rows with the service's own code; for `plain`, drops the columns and tables that a peer does not have. */
async function fill(url: string, rows: number, layout: Layout): Promise<void> {
  // With several connections, PostgreSQL would store groups concurrently and assign ids in another order.
  const db = await openDatabase(url.startsWith('sqlite:') ? url : withOneConnection(url));
  try {
    if (layout === 'plain') {
      // A peer counts claimed and given pieces in one number, and has only one site.
      const columns = `registry_id, name, description, url, retailer, image_url, price, quantity_needed,
        quantity_purchased, is_active, affiliate_url, affiliate_status, created_at, updated_at`;
      const id = url.startsWith('sqlite:')
        ? 'integer primary key autoincrement'
        : 'bigint generated by default as identity primary key';
      for (const statement of [
        `create table plain (id ${id}, registry_id bigint not null, name text not null,
          description text, url text not null, retailer text, image_url text, price double precision,
          quantity_needed integer not null, quantity_purchased integer not null, is_active integer not null,
          affiliate_url text, affiliate_status text, created_at text not null, updated_at text not null)`,
        `insert into plain (id, ${columns})
          select id, ${columns.replace('quantity_purchased', 'quantity_purchased + claimed')} from items order by id`,
        'drop table items',
        'alter table plain rename to items',
        'create index plain_newest on items (is_active, id)',
        'create index plain_of_registry on items (registry_id, id) where is_active = 1',
        'drop table claims',
        'drop table claim_events',
      ])
        await db.write([statement]);
      if (!url.startsWith('sqlite:'))
        await db.read("select setval(pg_get_serial_sequence('items', 'id'), max(id)) from items");
      return;
    }
    const { registryOf } = shape(rows);
    const store = itemStore(db, ONLY_SITE);
    const ledger = claimStore(db, ONLY_SITE);
    const most = url.startsWith('sqlite:') ? 2_000 : 64;
    for (let id = 1; id <= rows; id += most) {
      const batch = Array.from({ length: Math.min(most, rows - id + 1) }, (_, i) => id + i);
      const stored = await Promise.all(batch.map((n) => store.insert(sampleItem(n, registryOf(n)))));
      if (stored.at(-1)?.id !== batch.at(-1)) throw new Error('the rows got other ids than planned');
      const claimed = batch.filter((n) => n % 3 === 0);
      await Promise.all(claimed.map((n) => ledger.insert(sampleClaim(n, registryOf(n)), CLAIMED_AT)));
    }
  } finally {
    await db.close();
  }
}

function withOneConnection(url: string): string {
  const one = new URL(url);
  one.searchParams.set('max', '1');
  return one.href;
}

// Reports whether the process that made this copy ended without removing it.
function leftBehind(named: RegExpExecArray | null): boolean {
  if (!named) return false;
  try {
    return !process.kill(Number(named[1]), 0);
  } catch {
    return true;
  }
}
