import type { Database, Input, Row, Value } from './database.ts';

/** The rows of one site. `$1` of every statement is the site's number, and its values begin with `$2`. */
export function siteRows({ read, write }: Pick<Database, 'read' | 'write'>, siteId: number) {
  const all = (sql: string, ...values: Input[]): Promise<Row[]> => read(sql, [siteId, ...values]);
  const first = async (sql: string, ...values: Input[]): Promise<Row | undefined> =>
    (await all(sql, ...values))[0];

  /** Whether the site has a row in a table, with this condition. */
  const has = async (table: string, condition = '1 = 1', ...values: Input[]): Promise<boolean> =>
    (await first(`select 1 from ${table} where site_id = $1 and (${condition}) limit 1`, ...values)) !==
    undefined;

  const change = async (sql: string, ...values: Input[]): Promise<number> =>
    (await write([sql, [siteId, ...values]])).count;

  return {
    all,
    first,

    /** The first column of each row. */
    column: async <T extends Value = number>(sql: string, ...values: Input[]): Promise<T[]> =>
      (await all(sql, ...values)).map(([value]) => value as T),

    has,
    change,

    /** Changes the site's rows in a table with this condition, if it has any: a look costs no commit. */
    async changeIfAny(table: string, changes: string, condition: string, ...values: Input[]): Promise<void> {
      if (await has(table, condition, ...values))
        await change(`update ${table} set ${changes} where site_id = $1 and (${condition})`, ...values);
    },
  };
}
