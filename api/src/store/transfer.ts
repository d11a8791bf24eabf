import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { isObject, isText, jsonIn } from '../lib/json.ts';
import type { Database, Row, Run } from './database.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { MOVED, type Table } from './moved-tables.ts';
import { type NewSite, Refusal, type StoredSite, siteStore } from './sites.ts';

const FORMAT = 'trousseau site';
const FORMAT_VERSION = 1;
const READ_AT_ONCE = 1_000;
const INSERTED_AT_ONCE = 100;
// Bytes. The longest row is a kept answer about a new registry, with its story and all its invitees.
const LONGEST_LINE = 4 * 1024 * 1024;

export type RowCounts = Partial<Record<Table, number>>;

type Header = { format: string; version: number; schema: number; site: object };

export type SiteInFile = Record<'key' | 'url' | 'item_access' | 'created_at', string> & {
  admin_roles: string[];
  state: 'active' | 'suspended';
};

/**
 * Writes a site with its rows, as they are at one moment, to a new file: a line of JSON that names format, schema and site;
 * for each table a line with its columns and a line for each row; last, the numbers of rows and the hash of all lines before.
 */
export async function exportSite(db: Database, site: StoredSite, path: string): Promise<RowCounts> {
  // It holds people's names and addresses.
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? new Refusal(`${path} exists already`) : error;
  });
  try {
    const counts = await db.snapshot((read) => writeSite(read, site, file));
    await file.sync();
    return counts;
  } catch (error) {
    await unlink(path).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

async function writeSite(read: Run, site: StoredSite, file: FileHandle): Promise<RowCounts> {
  const hash = createHash('sha256');
  const counts: RowCounts = {};
  const write = async (lines: readonly object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    hash.update(text);
    await file.appendFile(text);
  };

  const { id, key, url, adminRoles, itemAccess, state, createdAt } = site;
  const named = { key, url, admin_roles: adminRoles, item_access: itemAccess, state, created_at: createdAt };
  await write([{ format: FORMAT, version: FORMAT_VERSION, schema: SCHEMA_VERSION, site: named }]);
  for (const [table, { columns }] of Object.entries(MOVED)) {
    await write([{ table, columns }]);
    let count = 0;
    for await (const rows of rowsOf(read, id, table as Table)) {
      await write(rows);
      count += rows.length;
    }
    counts[table as Table] = count;
  }
  await file.appendFile(`${JSON.stringify({ end: counts, sha256: hash.digest('hex') })}\n`);
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

const notWhole = (path: string) => new Refusal(`${path} is incomplete: export the site again`);

/** The lines of a file, holding only one at a time; `look` hears how long a line is so far, and may throw. */
async function* linesOf(path: string, look = (_length: number) => {}): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restLength = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = chunk.subarray(start, end);
      look(restLength + line.length);
      yield rest.length === 0 ? line : Buffer.concat([...rest, line]);
      [rest, restLength, start] = [[], 0, end + 1];
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restLength += chunk.length - start;
    look(restLength);
  }
  if (restLength > 0) throw notWhole(path);
}

/** Whether a value is an object with these keys and no others. */
const hasKeys = <K extends string>(value: unknown, ...keys: K[]): value is Record<K, unknown> =>
  isObject(value) &&
  Object.keys(value).length === keys.length &&
  keys.every((key) => Object.hasOwn(value, key));

const isSiteInFile = (value: unknown): value is SiteInFile =>
  hasKeys(value, 'key', 'url', 'admin_roles', 'item_access', 'state', 'created_at') &&
  [value.url, value.item_access, value.created_at].every(isText) &&
  /^(?!-)[\w-]{22}$/.test(String(value.key)) &&
  Array.isArray(value.admin_roles) &&
  (value.state === 'active' || value.state === 'suspended');

/** Reads a whole file and returns the site in it; refuses the file at the first line that doesn't belong in one. */
export async function readSiteFile(path: string): Promise<{ site: SiteInFile; rows: RowCounts }> {
  const hash = createHash('sha256');
  const rows: RowCounts = {};
  let site: SiteInFile | undefined;
  let into: Columns | undefined;
  let isWhole = false;
  let number = 1;
  const refuse = (why: string): never => {
    throw new Refusal(`${path}, line ${number}: ${why}`);
  };
  const lines = linesOf(path, (length) => {
    if (length > LONGEST_LINE) refuse(`longer than ${LONGEST_LINE / 1024} kB`);
  });

  for await (const line of lines) {
    const value = jsonIn(line.toString());
    if (isWhole) refuse('comes after the end');
    else if (!site) site = siteOf(value, refuse);
    else if (Array.isArray(value)) {
      if (value.length !== into?.columns.length) refuse('has too many or too few values');
      rows[into!.table]!++;
    } else if (hasKeys(value, 'table', 'columns')) {
      into = isColumns(value) ? value : refuse("names a table or column that this service doesn't know");
      if (rows[into.table] !== undefined) refuse(`starts ${into.table} a second time`);
      rows[into.table] = 0;
    } else if (hasKeys(value, 'end', 'sha256')) {
      if (value.sha256 !== hash.copy().digest('hex'))
        refuse('the file has changed since it was written: export the site again');
      if (JSON.stringify(value.end) !== JSON.stringify(rows)) refuse('gives the wrong number of rows');
      isWhole = true;
    } else refuse('is neither a table nor a row');
    hash.update(line).update('\n');
    number++;
  }
  if (!site || !isWhole) throw notWhole(path);
  return { site, rows };
}

function siteOf(value: unknown, refuse: (why: string) => never): SiteInFile {
  const { format, ...versions } = (value ?? {}) as Partial<Header>;
  if (format !== FORMAT) return refuse("isn't the start of a site's file");
  const known = { version: FORMAT_VERSION, schema: SCHEMA_VERSION };
  for (const what of ['version', 'schema'] as const) {
    if (Number.isInteger(versions[what]) && versions[what]! > known[what])
      refuse(
        `written by a newer service: it has ${what} ${versions[what]}, this service knows ${known[what]}`,
      );
  }
  const isHeader =
    hasKeys(value, 'format', 'version', 'schema', 'site') &&
    [value.version, value.schema].every(Number.isInteger);
  if (!isHeader) return refuse("isn't the start of a site's file");
  return isSiteInFile(value.site) ? value.site : refuse('names no site that can be added');
}

/** Adds a site with all rows of its file, or nothing; it is served from the moment at which all are there. */
export async function importSite(db: Database, site: NewSite, path: string): Promise<StoredSite> {
  const sites = siteStore(db);
  const before = await sites.byKey(site.key);
  const reserved = await sites.reserve(site);
  try {
    await db.transaction(async (run) => {
      await insertRows(run, reserved.id, path);
      await sites.present(run, reserved);
    });
  } catch (error) {
    // If this fails too, the store has gone away: the first error tells that.
    await sites.giveBack(reserved, before).catch(() => {});
    throw error;
  }
  return reserved;
}

/** Inserts the rows of a file that was found to be whole. */
async function insertRows(run: Run, siteId: number, path: string): Promise<void> {
  let statement = '';
  const waiting: Row[] = [];
  const insert = () => Promise.all(waiting.splice(0).map((row) => run(statement, [siteId, ...row])));

  for await (const line of linesOf(path)) {
    const value = JSON.parse(line.toString());
    if (Array.isArray(value)) waiting.push(value);
    if (waiting.length < INSERTED_AT_ONCE && Array.isArray(value)) continue;
    await insert();
    if (!isColumns(value)) continue;
    const places = value.columns.map((_, i) => `$${i + 2}`).join(', ');
    statement = `insert into ${value.table} (site_id, ${value.columns.join(', ')}) values ($1, ${places})`;
  }
}

/** A table, and its columns in the order of its rows' values. Columns that an older service didn't have get their default. */
type Columns = { table: Table; columns: string[] };

/** Whether this names a table of ours and columns of it, each only once: the names become SQL. */
function isColumns(value: object): value is Columns {
  const { table, columns } = value as Partial<Record<keyof Columns, unknown>>;
  if (typeof table !== 'string' || !Object.hasOwn(MOVED, table) || !Array.isArray(columns)) return false;
  const known = MOVED[table as Table].columns;
  return (
    columns.length > 0 && columns.every((name, i) => known.includes(name) && columns.indexOf(name) === i)
  );
}
