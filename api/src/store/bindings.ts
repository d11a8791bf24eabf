import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { siteRows } from './site-rows.ts';

/** Values that a site, or the service, is bound to from their first use on: its host, and the keys made for it. */
export function bindings(db: Pick<Database, 'read' | 'write'>, siteId: number) {
  const rows = siteRows(db, siteId);
  const get = async (name: string): Promise<string | undefined> =>
    (await rows.column<string>('select value from bindings where site_id = $1 and name = $2', name))[0];

  /** Binds `name` to the value unless it is already bound. Returns the bound value. */
  async function bind(name: string, value: string): Promise<string> {
    const written = await db.write([
      `insert into bindings (site_id, name, value) values ($1, $2, $3)
       on conflict (site_id, name) do update set value = bindings.value returning value`,
      [siteId, name, value],
    ]);
    return written.rows[0]![0] as string;
  }

  const made = async (name: string, bytes: number): Promise<string> =>
    (await get(name)) ?? (await bind(name, randomBytes(bytes).toString('base64url')));

  return {
    host: () => get('host'),
    bindHost: (host: string) => bind('host', host),

    moveHost: (from: string, to: string) =>
      rows.change(
        "update bindings set value = $3 where site_id = $1 and name = 'host' and value = $2",
        ...[from, to],
      ),

    /** The key by which the site's plugin recognizes this service's questions, made when first needed. */
    questionKey: () => made('question key', 16),

    /** The key by which services on one store encrypt secrets where their settings name none, made likewise. */
    serviceKey: () => made('service key', 32),
    existingServiceKey: () => get('service key'),
  };
}
