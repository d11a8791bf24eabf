import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { Database, Row, Run } from './database.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { MOVED, type Table } from './moved-tables.ts';
import { type NewSite, type StoredSite, siteStore } from './sites.ts';

const FORMAT = 'trousseau site';
const FORMAT_VERSION = 1;
const READ_AT_ONCE = 1_000;
// Longer than any row: what has no lines at all is no file of ours.
const LONGEST_LINE = 16 * 1024 * 1024;
// Strange names that a refusal tells.
const MOST_NAMED = 5;

/** How many rows a file has of each table. */
export type RowCounts = Partial<Record<Table, number>>;

/** A file that cannot be taken for an export or an import. */
export class UnusableFile extends Error {}

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
  /** Looks at each row whose columns are known; tells whether it fits. */
  look?: (into: Columns, row: Row) => boolean;
};

/** Reads all of a file, and gives the site in it; refuses one that is not whole, or of a newer service. */
export async function readSiteFile(
  path: string,
  { name = path, look }: Reading = {},
): Promise<{ site: SiteInFile; rows: RowCounts }> {
  const hash = createHash('sha256');
  let header: Header | undefined;
  let last: Buffer | undefined;
  const strange: string[] = [];
  const tables = new Set<string>();
  let into: Columns | undefined;
  let fit = true;
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
      fit = isRow(row, into?.columns.length ?? 0) && (look?.(into!, row as Row) ?? true);
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
  if (header?.format !== FORMAT || typeof (header.site ?? undefined) !== 'object')
    throw new UnusableFile(`${name} is no file of a site`);
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
    await insertRows(db, run, reserved.id, path);
    await sites.present(run, reserved);
  });
  return reserved;
}

/** A row as it is stored; nothing where it is not. */
type AsStored = (into: Columns, row: Row) => Row | undefined;

/** Inserts the rows of a file that was found to be whole. */
export async function insertRows(
  { dialect }: Database,
  run: Run,
  siteId: number,
  path: string,
  asStored: AsStored = (_, row) => row,
): Promise<void> {
  let into: Columns = { table: '', columns: [] };
  let waiting: Row[] = [];
  const insert = async () => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
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
      const row = asStored(into, JSON.parse(line.toString()));
      if (row) waiting.push(row);
      if (waiting.length >= dialect.insertedAtOnce) await insert();
      continue;
    }
    await insert();
    into = columnsIn(line) ?? into;
  }
}

/** A table, and its columns in the order in which rows have them. */
export type Columns = { table: string; columns: string[] };

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

/** Names that are none of ours, or given twice: they would become SQL. */
function strangeNames(into: Columns | undefined): string[] {
  if (!into) return [];
  const known = Object.hasOwn(MOVED, into.table) ? MOVED[into.table as Table].columns : undefined;
  return known
    ? into.columns.filter((column, i) => !known.includes(column) || into.columns.indexOf(column) < i)
    : [into.table];
}
