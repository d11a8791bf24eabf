import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

const QUESTION_KEY = 'question key';

/** The host that a site's rows belong to, written at its first use, and the key of the service's questions. */
export function bindings(db: Database, siteId: number) {
  async function get(name: string): Promise<string | undefined> {
    const [row] = await db.read('select value from bindings where site_id = $1 and name = $2', [
      siteId,
      name,
    ]);
    return row?.[0] as string | undefined;
  }

  async function bind(name: string, value: string): Promise<string> {
    const { rows } = await db.write([
      `insert into bindings (site_id, name, value) values ($1, $2, $3)
       on conflict (site_id, name) do update set value = bindings.value returning value`,
      [siteId, name, value],
    ]);
    return rows[0]![0] as string;
  }

  return {
    /** Binds `name` to the value unless it is already bound. Returns the bound value. */
    bind,

    /** The key by which the site's plugin recognizes this service's questions, made when first needed. */
    questionKey: async (): Promise<string> =>
      (await get(QUESTION_KEY)) ?? (await bind(QUESTION_KEY, randomBytes(16).toString('base64url'))),

    host: () => get('host'),

    async move(name: string, from: string, to: string): Promise<void> {
      await db.write([
        'update bindings set value = $4 where site_id = $1 and name = $2 and value = $3',
        [siteId, name, from, to],
      ]);
    },
  };
}
