import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { type ItemFields, items as storedItems } from '../src/store/items.ts';
import { openDatabase } from '../src/store/open.ts';

export const ITEMS_EACH = 30;
const ITEMS_A_VISIT = 5;
// No more than the service remembers: the question is what a remembered registry costs.
const MOST_REGISTRIES = 5_000;

/** `ours` as the service keeps its items, `plain` as a table of nothing but the columns. */
export type Layout = 'ours' | 'plain';

/** Where generated rows are kept from run to run. */
export const CACHE = join(tmpdir(), 'trousseau-bench');

/**
 * The items of a registry do not lie side by side: they came in visits of a few, and everybody else's between them.
 */
export function shape(rows: number) {
  const registries = Math.max(1, Math.floor(rows / ITEMS_EACH));
  const visited = Math.min(registries, MOST_REGISTRIES);
  return {
    registries,
    visited,
    /** Every how many-th registry is asked for. */
    stride: Math.floor(registries / visited),
    registryOf: (id: number) => (Math.floor((id - 1) / ITEMS_A_VISIT) % registries) + 1,
    itemsOf: (registry: number): number[] => {
      const ids: number[] = [];
      for (let visit = registry - 1; visit * ITEMS_A_VISIT < rows; visit += registries) {
        for (let i = 1; i <= ITEMS_A_VISIT && visit * ITEMS_A_VISIT + i <= rows; i++)
          ids.push(visit * ITEMS_A_VISIT + i);
      }
      return ids;
    },
  };
}

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
    quantity_needed: (n % 6) + 1,
    quantity_purchased: n % 2,
    affiliate_url: n % 3 === 0 ? `https://partner.example/?to=${n}` : null,
    affiliate_status: n % 3 === 0 ? ('active' as const) : null,
  };
}

function sampleItem(id: number, registry_id: number): ItemFields {
  const time = new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString();
  return { ...sampleBody(id), registry_id, is_active: true, created_at: time, updated_at: time };
}

/** Row sets made once per size and layout, and copied for each candidate that works on one. */
export interface Rows extends AsyncDisposable {
  /** A copy of its own for the candidate of this name: its `DATABASE_URL`. */
  copy(rows: number, layout: Layout, name: string): Promise<string>;
  /** Has the machine's memory hold the copies again, as far as it can: machines that many share take back what rests. */
  touch(): Promise<void>;
}

type Say = (line: string) => void;

/** Row sets on the PostgreSQL server at this address, or else as SQLite files. Disposing removes the copies. */
export async function openRows(server: string | undefined, say: Say): Promise<Rows> {
  // Rows made by other code than today's are not today's rows.
  const hash = createHash('sha256');
  for (const file of ['../src/store/migrations.ts', '../src/store/items.ts', 'data.ts'])
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
    // Into another file: in place, the whole of it would go through the log.
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
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  const drop = (name: string) => admin.unsafe(`drop database if exists ${name}`);
  const databases = async () =>
    (await admin`select datname from pg_database where datname like 'trousseau_bench_%'`).map(({ datname }) =>
      String(datname),
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
    await admin.unsafe(`create database ${partial} template ${template}`);
    say(`making ${rows} rows (${layout})`);
    // What a crash would lose is made again.
    await fill(`${urlOf(partial)}?synchronous_commit=off`, rows, layout);
    const db = postgres(urlOf(partial), { max: 1 });
    await db`vacuum full analyze items`;
    await db.end();
    await admin.unsafe(`alter database ${partial} rename to ${name}`);
    return name;
  }

  return {
    async copy(rows, layout, name) {
      const copy = `trousseau_bench_work_${process.pid}_${name.toLowerCase().replaceAll(/\W/g, '_')}_${rows}`;
      await admin.unsafe(`create database ${copy} template ${await made(rows, layout)}`);
      copies.push(copy);
      return urlOf(copy);
    },
    // The server keeps its own cache.
    touch: async () => {},
    async [Symbol.asyncDispose]() {
      for (const copy of copies) await drop(copy);
      await admin.end();
    },
  };
}

/** The rows as the service itself writes them; for `plain`, what is there becomes columns and nothing else. */
async function fill(url: string, rows: number, layout: Layout): Promise<void> {
  const db = await openDatabase(url);
  try {
    if (layout === 'plain') {
      for (const column of ['json', 'affiliate_json', 'version'])
        await db.write([`alter table items drop column ${column}`]);
      return;
    }
    const { registryOf } = shape(rows);
    const store = storedItems(db);
    // Ids come in order within a group of writes, and PostgreSQL stores two groups at once.
    const most = url.startsWith('sqlite:') ? 2_000 : 64;
    for (let id = 1; id <= rows; id += most) {
      const batch = Array.from({ length: Math.min(most, rows - id + 1) }, (_, i) => id + i);
      const stored = await Promise.all(batch.map((n) => store.insert(sampleItem(n, registryOf(n)))));
      if (stored.at(-1)?.id !== batch.at(-1)) throw new Error('the rows got other ids than planned');
    }
  } finally {
    await db.close();
  }
}

// A copy whose process ended without removing it.
function leftBehind(named: RegExpExecArray | null): boolean {
  if (!named) return false;
  try {
    return !process.kill(Number(named[1]), 0);
  } catch {
    return true;
  }
}
