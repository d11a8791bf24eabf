import { MAX_ACTIVE_ITEMS, MAX_INTEGER } from '../contract/index.ts';
import { isLive } from './claims.ts';
import type { Database, Row, Run, Value } from './database.ts';
import { MOVED, type Table } from './moved-tables.ts';
import type { StoredSite } from './sites.ts';
import { type Columns, insertRows, readSiteFile, type SiteInFile, UnusableFile } from './transfer.ts';

/** A file of more rows than are taken. */
export class TooLarge extends Error {}

/** A site that has gifts or webhooks of its own. */
export class SiteInUse extends Error {}

/** A file with more active items than the site may have. */
export class TooManyItems extends Error {
  readonly most: number;
  constructor(most: number) {
    super(`at most ${most} active items`);
    this.most = most;
  }
}

type Claim = {
  registryId: Value | undefined;
  itemId: Value | undefined;
  version: number;
  state: never;
  quantity: number;
};

/** The file of a site that a stranger has sent. */
export type SentFile = {
  path: string;
  name: string;
  /** As the file names it. */
  site: SiteInFile;
  items: number;
  claims: number;
  /** Active items by registry. */
  active: ReadonlyMap<Value, number>;
  /** Pieces that are claimed, by item. */
  claimed: ReadonlyMap<Value, number>;
};

/**
 * Reads all of a file whose writer is not known: each value is one that the service could have written, rows belong to each other,
 * and what the store keeps as a sum is counted.
 */
export async function readSentFile(path: string, name: string, mostRows: number): Promise<SentFile> {
  const items = new Map<Value, Value | undefined>();
  const active = new Map<Value, number>();
  const claims = new Map<Value, Claim>();
  const entries = new Map<string, Value>();
  const eventsOfClaims: string[] = [];
  let rows = 0;

  function look({ table, columns }: Columns, row: Row): boolean {
    if (++rows > mostRows) throw new TooLarge();
    const { checks } = MOVED[table as Table];
    if (!columns.every((column, i) => checks[column]!(row[i]))) return false;
    const value = (column: string) => row[columns.indexOf(column)];
    switch (table as Table) {
      case 'items': {
        const registryId = value('registry_id')!;
        items.set(value('id')!, registryId);
        if (value('is_active') === 1) active.set(registryId, (active.get(registryId) ?? 0) + 1);
        return columns.includes('claimed');
      }
      case 'registries':
        return columns.includes('active');
      case 'claims':
        claims.set(value('id')!, {
          ...{ registryId: value('registry_id'), itemId: value('item_id'), state: value('state') as never },
          ...{ version: Number(value('version') ?? 1), quantity: Number(value('quantity')) },
        });
        return true;
      case 'claim_events':
        entries.set(`${value('claim_id')} ${value('entry')}`, value('claim_id')!);
        return true;
      case 'events':
        if (value('claim_id') != null) eventsOfClaims.push(`${value('claim_id')} ${value('entry')}`);
        return true;
      default:
        return true;
    }
  }

  const { site } = await readSiteFile(path, { name, look });
  const refuse = (words: string) => {
    throw new UnusableFile(`${name} has ${words}`);
  };

  const claimed = new Map<Value, number>();
  for (const [id, claim] of claims) {
    if (items.get(claim.itemId!) !== claim.registryId) refuse('a claim on an item that is not there');
    if (!entries.has(`${id} 1`)) refuse('a claim without its history');
    if (!isLive(claim)) continue;
    const sum = (claimed.get(claim.itemId!) ?? 0) + claim.quantity;
    if (sum > MAX_INTEGER) refuse('more claims of an item than can be counted');
    claimed.set(claim.itemId!, sum);
  }
  for (const [entry, claimId] of entries) {
    const version = claims.get(claimId)?.version ?? 0;
    if (Number(entry.split(' ')[1]) > version) refuse('a history without its claim');
  }
  if (eventsOfClaims.some((entry) => !entries.has(entry))) refuse('an event of a claim that is not there');
  if ([...active.values()].some((count) => count > MAX_ACTIVE_ITEMS))
    refuse(`a registry with more than ${MAX_ACTIVE_ITEMS.toLocaleString('en')} active items`);
  return { path, name, site, items: items.size, claims: claims.size, active, claimed };
}

// An item's version, and an entry of the ledger by anybody but the clock, tell that somebody was here.
const USES = `select (select count(*) from items where site_id = $1),
  (select coalesce(sum(version), 0) from items where site_id = $1),
  (select count(*) from claim_events where site_id = $1 and actor <> 'clock'),
  (select count(*) from webhooks where site_id = $1)`;
const UNUSED = '0,0,0,0';

const usesOf = async (run: Run, siteId: number): Promise<string> => (await run(USES, [siteId]))[0]!.join();

/**
 * Gives a site the rows of a file, all or none. The site has no gifts and webhooks of its own yet; those that came with an import
 * before are replaced, as long as nobody has changed any. Rows about what its WordPress says are replaced in any case.
 */
export async function fillSite(db: Database, { id: siteId }: StoredSite, file: SentFile): Promise<void> {
  const total = [...file.active.values()].reduce((sum, count) => sum + count, 0);
  await db.transaction(async (run) => {
    // The second of two imports waits here; new items wait for their numbers.
    await run('update sites set state = state where site_id = $1', [siteId]);
    await run(`select ${db.nextItemId('sites.site_id')} from sites where site_id = $1`, [siteId]);
    const [[imported = UNUSED] = []] = await run(
      "select value from bindings where site_id = $1 and name = 'imported'",
      [siteId],
    );
    if (![UNUSED, imported].includes(await usesOf(run, siteId))) throw new SiteInUse();
    const [[most] = []] = await run('select most from item_limits where site_id = $1', [siteId]);
    if (most !== undefined && total > Number(most)) throw new TooManyItems(Number(most));

    for (const table of Object.keys(MOVED).filter((each) => each !== 'item_limits'))
      await run(`delete from ${table} where site_id = $1`, [siteId]);
    await insertCounted(db, run, siteId, file);
    await run('update item_limits set active = $2 where site_id = $1', [siteId, total]);
    for (const sql of db.dialect.continueItemIds(siteId)) await run(sql);
    await run(
      `insert into bindings (site_id, name, value) values ($1, 'imported', $2)
       on conflict (site_id, name) do update set value = excluded.value`,
      [siteId, await usesOf(run, siteId)],
    );
  });
}

/** Inserts the rows with the sums that were counted. The site keeps its own limit of items. */
async function insertCounted(db: Database, run: Run, siteId: number, file: SentFile): Promise<void> {
  const { path, name, active, claimed } = file;
  const missing = new Map(active);
  const withSum = (
    { columns }: Columns,
    row: Row,
    [id, column]: [string, string],
    sums: ReadonlyMap<Value, number>,
  ) => row.with(columns.indexOf(column), sums.get(row[columns.indexOf(id)]!) ?? 0);

  try {
    await insertRows(db, run, siteId, path, (into, row) => {
      if (into.table === 'item_limits') return undefined;
      if (into.table === 'items') return withSum(into, row, ['id', 'claimed'], claimed);
      if (into.table !== 'registries') return row;
      missing.delete(row[into.columns.indexOf('registry_id')]!);
      return withSum(into, row, ['registry_id', 'active'], active);
    });
    for (const [registryId, count] of missing)
      await run('insert into registries (site_id, registry_id, active) values ($1, $2, $3)', [
        ...[siteId, registryId, count],
      ]);
  } catch (error) {
    if (isConstraint(error)) throw new UnusableFile(`${name} has rows that contradict each other`);
    throw error;
  }
}

/** Whether an engine refused a row, and not the work. */
function isConstraint(error: unknown): boolean {
  const { code, errcode = 0 } = error as { code?: unknown; errcode?: number };
  // SQLSTATE classes of bad values and constraints; SQLite's constraint and mismatch.
  return /^2[23]/.test(String(code)) || [19, 20].includes(errcode & 0xff);
}
