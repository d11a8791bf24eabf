import type { Item, ItemPublic } from '../contract/index.ts';
import { type Soon, then } from '../soon.ts';
import type { Database, Row, Value } from './database.ts';

/** An item with the number of its state, which every change counts up. */
export type StoredItem = Item & { version: number };

/** An item's JSON as it is answered, and its state's number. */
export type RenderedItem = { json: string; version: number };

/** A registry's items by id: the ids in a row with commas, and the JSON of each with `BETWEEN` between them. */
export type RenderedItems = { ids: string; json: string };

/** No JSON of an item has a line break in it, so that they can be told apart. */
export const BETWEEN = ',\n';

export type ItemFields = Omit<Item, 'id'>;

const PUBLIC_COLUMNS = [
  'registry_id',
  'name',
  'description',
  'url',
  'retailer',
  'image_url',
  'price',
  'quantity_needed',
  'quantity_purchased',
  'is_active',
  'created_at',
  'updated_at',
] as const satisfies (keyof ItemPublic)[];

const COLUMNS = [...PUBLIC_COLUMNS, 'affiliate_url', 'affiliate_status'] as const satisfies (keyof Item)[];

const FULL = ['id', ...COLUMNS, 'version'].join(', ');
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `$${from + i}`);

const INSERT = `insert into items (${COLUMNS.join(', ')}, json, affiliate_json, origin)
  values (${numbered(1, COLUMNS.length + 3).join(', ')}) on conflict do nothing`;

// What is named here is written anew with its indexes, so that no more is named than may have changed.
const FIXED: readonly string[] = ['registry_id', 'is_active', 'created_at'] satisfies (keyof Item)[];
const CHANGING = COLUMNS.filter((column) => !FIXED.includes(column));
const replacing = (columns: readonly string[]) => `update items
  set ${columns.map((column, i) => `${column} = $${i + 3}`).join(', ')}, version = version + 1
  where id = $1 and version = $2`;
const REPLACE = replacing([...CHANGING, 'json', 'affiliate_json']);
const REPLACE_AND_SWITCH = replacing([...CHANGING, 'json', 'affiliate_json', 'is_active']);

/** The public JSON without braces and id: the id is not known yet when it is written. */
function publicJson(item: ItemFields): string {
  const shown: Record<string, unknown> = {};
  for (const column of PUBLIC_COLUMNS) shown[column] = item[column];
  return JSON.stringify(shown).slice(1, -1);
}

/** What admins see beside that; most items have none. */
function affiliateJson({ affiliate_url, affiliate_status }: ItemFields): string | null {
  if (affiliate_url === null && affiliate_status === null) return null;
  return JSON.stringify({ affiliate_url, affiliate_status }).slice(1, -1);
}
const NO_AFFILIATE = '"affiliate_url":null,"affiliate_status":null';

// A page is walked only where its items are at least this dense among the ids.
const SPARSEST = 4;

function reads(members: string) {
  const item = `'{"id":' || id || ',' || ${members} || '}'`;
  const many = (before: string, between: string, after: string) =>
    `'${before}{"id":' || string_agg(id || ',' || ${members}, '}${between}{"id":') || '}${after}'`;
  const list = many('[', ',', ']');
  const newest = 'from items where is_active = 1 order by id desc limit';
  return {
    one: `select ${item}, version from items where id = $1 and is_active = 1`,
    ofRegistry: `select string_agg(id || '', ','), ${many('', BETWEEN, '')} from (
        select id, json, affiliate_json from items where registry_id = $1 and is_active = 1 order by id
      ) as page`,
    page: `select ${list} from (select id, json, affiliate_json ${newest} $1 offset $2) as page`,
    // Between the ids of its ends a page lies side by side in the table: half the price of looking each row up, once
    // `+ 0` has kept the index out of it. Gives nothing where the page has no last item within reach.
    densePage: `with newest as materialized (select id ${newest} 1 offset $2)
      select ${list} from (
        select id, json, affiliate_json from items
        where is_active + 0 = 1 and id <= (select id from newest) and id >= (
          select id from items
          where is_active = 1 and id <= (select id from newest) and id > (select id from newest) - $3
          order by id desc limit 1 offset $1 - 1
        ) order by id desc
      ) as page`,
  };
}

const EVERYBODYS = reads('json');
const ADMINS = reads(`json || ',' || coalesce(affiliate_json, '${NO_AFFILIATE}')`);
const readsFor = (admin: boolean) => (admin ? ADMINS : EVERYBODYS);

function stored(row: Row): StoredItem {
  const item: Record<string, unknown> = { id: row[0], version: row.at(-1) };
  COLUMNS.forEach((column, i) => {
    item[column] = row[i + 1];
  });
  return { ...item, is_active: item.is_active === 1 } as StoredItem;
}

const values = (item: ItemFields, columns: readonly (keyof ItemFields)[]): Value[] => {
  const row: Value[] = [];
  for (const column of columns) {
    const value = item[column];
    row.push(typeof value === 'boolean' ? Number(value) : value);
  }
  return row;
};

/** The items, and all the SQL about them. */
export type Items = ReturnType<typeof items>;

export function items(db: Database) {
  const insert = INSERT + db.returningId;
  return {
    /** One active item as an admin or everybody else sees it. */
    rendered: (id: number, admin: boolean): Soon<RenderedItem | undefined> =>
      then(
        db.read(readsFor(admin).one, [id]),
        ([row]) => row && { json: row[0] as string, version: row[1] as number },
      ),

    /** The active items, newest first, as a JSON array. */
    page(skip: number, limit: number, admin: boolean): Soon<string> {
      const { densePage, page } = readsFor(admin);
      const list = ([row]: Row[]) => row![0] as string | null;
      return then(
        db.read(densePage, [limit, skip, limit * SPARSEST]),
        (dense) => list(dense) ?? then(db.read(page, [limit, skip]), (rows) => list(rows) ?? '[]'),
      );
    },

    /** A registry's active items. */
    ofRegistry: (registryId: number, admin: boolean): Soon<RenderedItems> =>
      then(db.read(readsFor(admin).ofRegistry, [registryId]), ([row]) => {
        const [ids, json] = row as [string | null, string | null];
        return { ids: ids ?? '', json: json ?? '' };
      }),

    /** The ids of the registries' active items, oldest first; every registry asked for has an entry. */
    async activeIds(registryIds: readonly number[]): Promise<Map<number, number[]>> {
      const ids = new Map<number, number[]>(registryIds.map((registryId) => [registryId, []]));
      if (ids.size === 0) return ids;
      const rows = await db.read(
        `select registry_id, id from items
         where registry_id in (${numbered(1, registryIds.length).join(', ')}) and is_active = 1 order by id`,
        registryIds,
      );
      for (const [registryId, id] of rows) ids.get(registryId as number)?.push(id as number);
      return ids;
    },

    /** An item whatever its state. */
    async find(id: number): Promise<StoredItem | undefined> {
      const [row] = await db.read(`select ${FULL} from items where id = $1`, [id]);
      return row && stored(row);
    },

    /** Stores an item. Where one of the same origin is stored already, that is the one. */
    async insert(item: ItemFields, origin: string | null = null): Promise<StoredItem> {
      const json = [publicJson(item), affiliateJson(item)];
      const { count, id } = await db.write(insert, [...values(item, COLUMNS), ...json, origin]);
      if (count === 1) return { ...item, id, version: 1 };
      const [earlier] = await db.read(`select ${FULL} from items where origin = $1`, [origin]);
      return stored(earlier!);
    },

    /** Writes `next` if the item is still in the state it was in before; gives nothing if it is not. */
    async replace(before: StoredItem, next: StoredItem): Promise<StoredItem | undefined> {
      const params = [
        before.id,
        before.version,
        ...values(next, CHANGING),
        publicJson(next),
        affiliateJson(next),
      ];
      const { count } = await (next.is_active === before.is_active
        ? db.write(REPLACE, params)
        : db.write(REPLACE_AND_SWITCH, [...params, Number(next.is_active)]));
      return count === 1 ? { ...next, version: before.version + 1 } : undefined;
    },

    /** Deactivates all items of a registry that is gone. */
    async deactivateRegistry(registryId: number, updatedAt: string): Promise<void> {
      // Their JSON is left as it is: nothing reads it until a change writes it anew.
      await db.write(
        'update items set is_active = 0, updated_at = $2, version = version + 1 where registry_id = $1 and is_active = 1',
        [registryId, updatedAt],
      );
    },

    /** An item as it is answered to an admin or everybody else. */
    render(item: StoredItem, admin: boolean): RenderedItem {
      const { id, version } = item;
      const affiliate = admin ? `,${affiliateJson(item) ?? NO_AFFILIATE}` : '';
      return { json: `{"id":${id},${publicJson(item)}${affiliate}}`, version };
    },
  };
}
