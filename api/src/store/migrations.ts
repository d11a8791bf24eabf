import type { Database, Dialect, Run } from './database.ts';
import { schemaOf1 } from './schema.ts';

/** The statements that bring a store from the version before to this one. */
export type Migration = (dialect: Dialect) => Iterable<string>;

/**
 * Forward only: what has been released is never edited, a change is a new entry. Services on one store are replaced one at a
 * time, so an entry adds tables, indexes, and columns that may be null or have a default; it removes, renames or restricts only
 * what the release before neither reads nor writes. An entry that takes away what older code needs raises `OLDEST_CODE` to the
 * first schema version whose code lives without it; older services then refuse the store.
 */
export const MIGRATIONS: readonly Migration[] = [schemaOf1];

/** The oldest schema version whose code may work on a store that this code has migrated. */
const OLDEST_CODE = 1;

export const SCHEMA_VERSION = MIGRATIONS.length;

export type Schema = {
  /** 0 in an empty store. */
  version: number;
  /** The oldest version whose code may work on the store. */
  oldest: number;
};

export async function schemaOf(run: Run): Promise<Schema> {
  const [[stored] = []] = await run('select max(version) from schema_versions');
  const version = Number(stored ?? 0);
  if (version === 0) return { version, oldest: 0 };
  const [[oldest] = []] = await run('select schema_version from oldest_code');
  return { version, oldest: Number(oldest) };
}

/** The reason why this code may not work on a store. */
export const schemaRefusal = ({ version, oldest }: Schema): string | undefined =>
  oldest > SCHEMA_VERSION
    ? `it has schema version ${version}, this version of the service knows ${SCHEMA_VERSION}: ` +
      'start the newer service, or restore a backup from before the upgrade'
    : undefined;

export type Log = { info(details: object, message: string): void };

/** Brings the store to this version, or leaves or refuses a later one. Safe when many processes start at once. */
export async function migrate(db: Database, log?: Log, migrations = MIGRATIONS): Promise<void> {
  const begun = performance.now();
  const upgrade = await db.transaction(async (run) => {
    await run(
      'create table if not exists schema_versions (version integer primary key, applied_at text not null)',
    );
    const schema = await schemaOf(run);
    const versions = { from: schema.version, to: migrations.length };
    let migrated = 0;
    for (let version = schema.version + 1; version <= migrations.length; version++) {
      // The process that inserts the row migrates; the others wait here and find it done.
      const claimed = await run(
        'insert into schema_versions (version, applied_at) values ($1, $2) on conflict do nothing returning version',
        [version, new Date().toISOString()],
      );
      if (claimed.length === 0) continue;
      if (migrated++ === 0 && schema.version > 0) log?.info(versions, 'the upgrade of the store begins');
      for (const sql of migrations[version - 1]!(db.dialect)) await run(sql);
    }
    // Read once more: the process that this one waited for may be of a newer version.
    const refusal = schemaRefusal(await schemaOf(run));
    if (refusal) throw new Error(refusal);
    if (migrated > 0) await run('update oldest_code set schema_version = $1', [OLDEST_CODE]);
    return migrated > 0 && schema.version > 0 ? versions : undefined;
  });
  if (!upgrade) return;
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  log?.info({ ...upgrade, seconds }, 'the upgrade of the store has ended');
}
