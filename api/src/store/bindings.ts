import type { Database } from './database.ts';

/** What a store belongs to, said once when it is first used. */
export type Bindings = ReturnType<typeof bindings>;

export function bindings(db: Database) {
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

    /** Whether the store held items before anything was bound. */
    async isUsed(): Promise<boolean> {
      return (await db.read('select 1 from items limit 1')).length > 0;
    },
  };
}
