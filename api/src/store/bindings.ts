import type { Database } from './database.ts';

/** The host and site that a store belongs to, written at its first use, and the service's last actions. */
export type Bindings = ReturnType<typeof bindings>;

export function bindings(db: Database) {
  async function set(name: string, value: string): Promise<void> {
    await db.write([
      `insert into bindings (name, value) values ($1, $2)
       on conflict (name) do update set value = excluded.value`,
      [name, value],
    ]);
  }

  async function get(name: string): Promise<string | undefined> {
    const [row] = await db.read('select value from bindings where name = $1', [name]);
    return row?.[0] as string | undefined;
  }

  return {
    /** Binds `name` to the value unless it is bound already; gives the value that holds. */
    async bind(name: string, value: string): Promise<string> {
      const { rows } = await db.write([
        `insert into bindings (name, value) values ($1, $2)
         on conflict (name) do update set value = bindings.value returning value`,
        [name, value],
      ]);
      return rows[0]![0] as string;
    },

    async move(name: string, from: string, to: string): Promise<void> {
      await db.write(['update bindings set value = $3 where name = $1 and value = $2', [name, from, to]]);
    },

    /** The service serves this store at an address, from now on. */
    servedAt: (url: string) => set('service', url),

    /** Where the service that was started last listened. */
    lastServedAt: () => get('service'),

    /** All claims whose time was over then are expired. */
    claimsExpired: (at: number) => set('claims expired', String(at)),

    async claimsExpiredAt(): Promise<number | undefined> {
      const at = await get('claims expired');
      return at === undefined ? undefined : Number(at);
    },

    /** Whether the store held items before anything was bound. */
    async isUsed(): Promise<boolean> {
      return (await db.read('select 1 from items limit 1')).length > 0;
    },
  };
}
