import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { MAX_ACTIVE_ITEMS, MAX_INTEGER } from '../contract/index.ts';
import { LIVE_SQL } from './claims.ts';
import type { Database, Row, Run } from './database.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { MOVED, type Table } from './moved-tables.ts';
import { type NewSite, type StoredSite, siteStore } from './sites.ts';

const FORMAT = 'trousseau site';
const FORMAT_VERSION = 1;
const READ_AT_ONCE = 1_000;
const INSERTED_AT_ONCE = 100;
// Longer than any row: what has no lines at all is no file of ours.
const LONGEST_LINE = 16 * 1024 * 1024;
// Strange names that a refusal tells.
const MOST_NAMED = 5;

/** How many rows a file has of each table. */
export type RowCounts = Partial<Record<Table, number>>;

/** A file that cannot be taken for an export or an import. */
export class UnusableFile extends Error {}

/** A file of more rows than are taken. */
export class TooLarge extends Error {}

/** A site that has gifts of its own. */
export class SiteInUse extends Error {}

/** A file with more active items than the site may have. */
export class TooManyItems extends Error {}

/** A site as its file names it, before anybody has looked at it. */
export type SiteInFile = Partial<
  Record<'key' | 'url' | 'admin_roles' | 'item_access' | 'state' | 'created_at', unknown>
>;

type Header = { format: string; version: number; schema: number; site: SiteInFile };
type Footer = { end: RowCounts; sha256: string };

/**
 * Writes a site with its rows, as they are at one moment, to a new file: a line of JSON that names format, schema and site;
 * for each table a line with its columns and a line for each row; at last the number of rows and the hash of all lines before.
 */
export async function exportSite(
  db: Database,
  siteId: number,
  site: NewSite,
  path: string,
): Promise<RowCounts> {
  // It holds people's names and addresses.
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? new UnusableFile(`${path} exists already`) : error;
  });
  try {
    const counts = await db.snapshot((read) => writeSite(read, siteId, site, file));
    await file.sync();
    return counts;
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function writeSite(read: Run, siteId: number, site: NewSite, file: FileHandle): Promise<RowCounts> {
  const hash = createHash('sha256');
  const counts: RowCounts = {};
  const write = async (lines: readonly object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    hash.update(text);
    await file.appendFile(text);
  };

  const { key, url, adminRoles, itemAccess, state, createdAt } = site;
  const named = { key, url, admin_roles: adminRoles, item_access: itemAccess, state, created_at: createdAt };
  const header: Header = { format: FORMAT, version: FORMAT_VERSION, schema: SCHEMA_VERSION, site: named };
  await write([header]);
  for (const [table, { columns }] of Object.entries(MOVED)) {
    await write([{ table, columns }]);
    let count = 0;
    for await (const rows of rowsOf(read, siteId, table as Table)) {
      await write(rows);
      count += rows.length;
    }
    counts[table as Table] = count;
  }
  const footer: Footer = { end: counts, sha256: hash.digest('hex') };
  await file.appendFile(`${JSON.stringify(footer)}\n`);
  return counts;
}

/** All rows of a site in a table, in the order of their key. */
async function* rowsOf(read: Run, siteId: number, table: Table): AsyncGenerator<Row[]> {
  const { columns, key } = MOVED[table];
  const places = key.map((_, i) => `$${i + 2}`).join(', ');
  const keyPlaces = key.map((column) => columns.indexOf(column));
  const select = (condition: string) =>
    `select ${columns.join(', ')} from ${table} where site_id = $1 ${condition}
     order by ${key.join(', ')} limit ${READ_AT_ONCE}`;
  let rows = await read(select(''), [siteId]);
  while (rows.length > 0) {
    yield rows;
    if (rows.length < READ_AT_ONCE) return;
    const last = rows.at(-1)!;
    const lastKey = keyPlaces.map((place) => last[place]!);
    rows = await read(select(`and (${key.join(', ')}) > (${places})`), [siteId, ...lastKey]);
  }
}

/** The lines of a file, without holding more than one of them. */
async function* linesOf(path: string, name: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restLength = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = chunk.subarray(start, end);
      yield rest.length === 0 ? line : Buffer.concat([...rest, line]);
      [rest, restLength, start] = [[], 0, end + 1];
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restLength += chunk.length - start;
    if (restLength > LONGEST_LINE) throw new UnusableFile(`${name} is no file of a site`);
  }
  if (restLength > 0) yield Buffer.concat(rest);
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

type Reading = {
  /** Its name in words. */
  name?: string;
  /** A stranger may have written it: values are looked at, too, and rows counted. */
  strictly?: { mostRows: number };
};

/** Reads all of a file, and gives the site in it; refuses one that is not whole, or of a newer service. */
export async function readSiteFile(
  path: string,
  { name = path, strictly }: Reading = {},
): Promise<{ site: SiteInFile; rows: RowCounts }> {
  const hash = createHash('sha256');
  let header: Header | undefined;
  let last: Buffer | undefined;
  const strange: string[] = [];
  const tables = new Set<string>();
  let into: Columns | undefined;
  let fit = true;
  let rows = 0;
  for await (const line of linesOf(path, name)) {
    if (last) hash.update(last).update('\n');
    last = line;
    if (!header) header = headerIn(line, name);
    else if (isObject(line)) {
      into = columnsIn(line);
      if (strange.length < MOST_NAMED) strange.push(...strangeNames(into).slice(0, MOST_NAMED));
      if (into && tables.size === tables.add(into.table).size) strange.push(`${into.table} twice`);
    } else if (fit && strange.length === 0) {
      const row = parsed(line);
      fit = isRow(row, into?.columns.length ?? 0) && (!strictly || fits(row as Row, into!));
      if (strictly && ++rows > strictly.mostRows) throw new TooLarge();
    }
  }
  const footer = header && (parsed(last!) as Footer | undefined);
  if (!header || !footer?.end) throw new UnusableFile(`${name} is not whole: export the site again`);
  if (footer.sha256 !== hash.digest('hex'))
    throw new UnusableFile(`${name} has changed since it was written: export the site again`);
  if (strange.length > 0)
    throw new UnusableFile(`${name} has ${strange.join(', ')}, which this service doesn't know`);
  if (!fit) throw new UnusableFile(`${name} has a row that fits no table`);
  return { site: header.site, rows: footer.end };
}

function headerIn(line: Buffer, name: string): Header {
  const header = parsed(line) as Header | undefined;
  if (header?.format !== FORMAT) throw new UnusableFile(`${name} is no file of a site`);
  const known = { version: FORMAT_VERSION, schema: SCHEMA_VERSION };
  for (const what of ['version', 'schema'] as const) {
    if (!(header[what] <= known[what]))
      throw new UnusableFile(
        `${name} was written by a newer service: it has ${what} ${String(header[what]).slice(0, 20)}, this service knows ${known[what]}`,
      );
  }
  return header;
}

/** Adds a site with all rows of its file, or nothing; it is served from the moment at which all are there. */
export async function importSite(db: Database, site: NewSite, path: string): Promise<StoredSite> {
  const sites = siteStore(db);
  const reserved = await sites.reserve(site);
  await db.transaction(async (run) => {
    await insertRows(run, reserved.id, path);
    await sites.present(run, reserved);
  });
  return reserved;
}

// An item's version, and an entry of the ledger by anybody but the clock, tell that somebody was here.
const USES = `select (select count(*) from items where site_id = $1),
  (select coalesce(sum(version), 0) from items where site_id = $1),
  (select count(*) from claim_events where site_id = $1 and actor <> 'clock'),
  (select count(*) from webhooks where site_id = $1)`;
const UNUSED = '0,0,0,0';

const usesOf = async (run: Run, siteId: number): Promise<string> => (await run(USES, [siteId]))[0]!.join();

/**
 * Gives a site the rows of a file that was looked at strictly, all or none. The site has no gifts and webhooks of its own yet;
 * those that came with an import before are replaced, as long as nobody has changed any. Rows that tell no more than what its
 * WordPress says go, too. Gives the numbers of items and claims.
 */
export async function fillSite(
  db: Database,
  { id: siteId }: StoredSite,
  path: string,
  name: string,
): Promise<{ items: number; claims: number }> {
  return db.transaction(async (run) => {
    // The second of two imports waits here; new items wait for their numbers.
    await run('update sites set state = state where site_id = $1', [siteId]);
    await run(`select ${db.nextItemId('sites.site_id')} from sites where site_id = $1`, [siteId]);
    const [[imported = UNUSED] = []] = await run(
      "select value from bindings where site_id = $1 and name = 'imported'",
      [siteId],
    );
    if (![UNUSED, imported].includes(await usesOf(run, siteId))) throw new SiteInUse();
    for (const table of Object.keys(MOVED).filter((each) => each !== 'item_limits'))
      await run(`delete from ${table} where site_id = $1`, [siteId]);

    try {
      await insertRows(run, siteId, path, ['item_limits']);
      for (const [words, sql] of Object.entries(CONTRADICTIONS)) {
        if ((await run(sql, [siteId])).length > 0) throw new UnusableFile(`${name} has ${words}`);
      }
      for (const sql of COUNTED_AGAIN) await run(sql, [siteId]);
    } catch (error) {
      if (isConstraint(error)) throw new UnusableFile(`${name} has rows that contradict each other`);
      throw error;
    }
    const [[active, most] = []] = await run(
      `select (select count(*) from items where site_id = $1 and is_active = 1), most from item_limits where site_id = $1`,
      [siteId],
    );
    if (most !== undefined && Number(active) > Number(most)) throw new TooManyItems(String(most));
    await run('update item_limits set active = $2 where site_id = $1', [siteId, Number(active ?? 0)]);
    for (const sql of db.dialect.continueItemIds(siteId)) await run(sql);
    await run(
      `insert into bindings (site_id, name, value) values ($1, 'imported', $2)
       on conflict (site_id, name) do update set value = excluded.value`,
      [siteId, await usesOf(run, siteId)],
    );
    const [[items, claims] = []] = await run(
      `select (select count(*) from items where site_id = $1), (select count(*) from claims where site_id = $1)`,
      [siteId],
    );
    return { items: Number(items), claims: Number(claims) };
  });
}

/** Rows that would belong to nothing, by the words for them. */
const CONTRADICTIONS = {
  'a claim on an item that is not there': `select claims.id from claims
     left join items on items.site_id = $1 and items.id = claims.item_id and items.registry_id = claims.registry_id
     where claims.site_id = $1 and items.id is null limit 1`,
  'a claim without its history': `select claims.id from claims
     left join claim_events on claim_events.site_id = $1 and claim_events.claim_id = claims.id and claim_events.entry = 1
     where claims.site_id = $1 and claim_events.entry is null limit 1`,
  'a history without its claim': `select claim_events.claim_id from claim_events
     left join claims on claims.site_id = $1 and claims.id = claim_events.claim_id
     where claim_events.site_id = $1 and (claims.id is null or claim_events.entry > claims.version) limit 1`,
  'an event of a claim that is not there': `select events.claim_id from events
     left join claim_events on claim_events.site_id = $1 and claim_events.claim_id = events.claim_id
       and claim_events.entry = events.entry
     where events.site_id = $1 and events.claim_id is not null and claim_events.entry is null limit 1`,
  'more claims of an item than can be counted': `select item_id from claims where site_id = $1 and ${LIVE_SQL}
     group by item_id having sum(cast(quantity as bigint)) > ${MAX_INTEGER} limit 1`,
  [`a registry with more than ${MAX_ACTIVE_ITEMS.toLocaleString('en')} active items`]: `select registry_id from items
     where site_id = $1 and is_active = 1 group by registry_id having count(*) > ${MAX_ACTIVE_ITEMS} limit 1`,
};

/** Numbers of the store that are sums: no file is believed about them. */
const COUNTED_AGAIN = [
  `update items set claimed = sums.claimed
   from (select item_id, sum(cast(quantity as bigint)) as claimed from claims
     where site_id = $1 and ${LIVE_SQL} group by item_id) as sums
   where items.site_id = $1 and items.id = sums.item_id and items.claimed <> sums.claimed`,
  `update items set claimed = 0 where site_id = $1 and claimed <> 0
     and id not in (select item_id from claims where site_id = $1 and ${LIVE_SQL})`,
  `insert into registries (site_id, registry_id, active)
   select distinct site_id, registry_id, 0 from items where site_id = $1
   on conflict do nothing`,
  `update registries set active = 0 where site_id = $1 and active <> 0`,
  `update registries set active = sums.active
   from (select registry_id, count(*) as active from items where site_id = $1 and is_active = 1 group by registry_id) as sums
   where registries.site_id = $1 and registries.registry_id = sums.registry_id`,
];

/** Whether an engine refused a row, and not the work. */
function isConstraint(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: number };
  // SQLSTATE classes of bad values and constraints; SQLite's constraint and mismatch.
  return /^2[23]/.test(String(code)) || [19, 20].includes((errcode ?? 0) & 0xff);
}

/** Inserts the rows of a file that was found to be whole, but those of some tables. */
async function insertRows(run: Run, siteId: number, path: string, without: string[] = []): Promise<void> {
  let into: Columns = { table: '', columns: [] };
  let waiting: Row[] = [];
  const insert = async () => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0 || without.includes(into.table)) return;
    const width = into.columns.length;
    const values = rows.map(
      (_, r) => `($1, ${into.columns.map((_, c) => `$${r * width + c + 2}`).join(', ')})`,
    );
    await run(`insert into ${into.table} (site_id, ${into.columns.join(', ')}) values ${values.join(', ')}`, [
      siteId,
      ...rows.flat(),
    ]);
  };

  for await (const line of linesOf(path, path)) {
    if (!isObject(line)) {
      waiting.push(JSON.parse(line.toString()));
      if (waiting.length >= INSERTED_AT_ONCE) await insert();
      continue;
    }
    await insert();
    into = columnsIn(line) ?? into;
  }
}

type Columns = { table: string; columns: string[] };

const isObject = (line: Buffer) => line[0] === 0x7b;

/** The table whose rows follow, with its columns. Those that an older service didn't have get their default. */
function columnsIn(line: Buffer): Columns | undefined {
  const value = parsed(line) as Partial<Columns> | undefined;
  if (value?.table === undefined) return undefined;
  return { table: String(value.table), columns: Array.isArray(value.columns) ? value.columns : [] };
}

const isRow = (value: unknown, width: number): boolean =>
  Array.isArray(value) &&
  value.length === width &&
  width > 0 &&
  value.every((each) => each === null || typeof each === 'string' || typeof each === 'number');

const fits = (row: Row, { table, columns }: Columns): boolean => {
  const { checks } = MOVED[table as Table];
  return columns.every((column, i) => checks[column]!(row[i]));
};

/** Names that are none of ours, or given twice: they would become SQL. */
function strangeNames(into: Columns | undefined): string[] {
  if (!into) return [];
  const known = Object.hasOwn(MOVED, into.table) ? MOVED[into.table as Table].columns : undefined;
  return known
    ? into.columns.filter((column, i) => !known.includes(column) || into.columns.indexOf(column) < i)
    : [into.table];
}
