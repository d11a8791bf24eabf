import { type Item, type ItemPublic, MAX_ACTIVE_ITEMS } from '../contract/index.ts';
import { Problem } from '../problem.ts';
import type { Database, Row, Statement, Value } from './database.ts';

/** An item with the number of its state, which every change counts up. */
export type StoredItem = Item & { version: number };

/** An item's JSON as it is answered, and its state's number. */
export type RenderedItem = { json: string; version: number };

/** An active item of a registry, as it is answered. */
export type RegistryItem = { id: number; json: string };

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

const ACTIVE_ITEMS = '(select count(*) from items where registry_id = $1 and is_active = 1)';

// Its parameters: the columns, then json, affiliate_json and creation_key.
const IS_ACTIVE = `$${COLUMNS.indexOf('is_active') + 1}`;
const CREATION_KEY = `$${COLUMNS.length + 3}`;
const INSERT = `insert into items (${COLUMNS.join(', ')}, json, affiliate_json, creation_key)
  select ${numbered(1, COLUMNS.length + 3).join(', ')}
  where ${IS_ACTIVE} = 0 or ${ACTIVE_ITEMS} < ${MAX_ACTIVE_ITEMS}`;
// The same request again finds the item that it made, also where that was the last one to fit.
const INSERT_ONCE = `${INSERT} or exists (select 1 from items where creation_key = ${CREATION_KEY})
  on conflict (creation_key) where creation_key is not null do update set creation_key = excluded.creation_key
  returning ${FULL}`;

// What is named here is written anew with its indexes, so that no more is named than may have changed.
const FIXED: readonly string[] = ['registry_id', 'is_active', 'created_at'] satisfies (keyof Item)[];
const CHANGING = COLUMNS.filter((column) => !FIXED.includes(column));
// Its parameters: registry_id, id, version, then these columns.
const replacing = (columns: readonly string[]) => `update items
  set ${columns.map((column, i) => `${column} = $${i + 4}`).join(', ')}, version = version + 1
  where registry_id = $1 and id = $2 and version = $3`;
const REPLACE = replacing([...CHANGING, 'json', 'affiliate_json']);
const REMOVE = replacing([...CHANGING, 'json', 'affiliate_json', 'is_active']);
const RESTORE = `${REMOVE} and ${ACTIVE_ITEMS} < ${MAX_ACTIVE_ITEMS}`;

/** Takes all items of a registry off its lists, as part of a unit. */
export const deactivation = (registryId: number, updatedAt: string): Statement => [
  `update items set is_active = 0, updated_at = $2, version = version + 1
   where registry_id = $1 and is_active = 1`,
  [registryId, updatedAt],
];

// The stored JSON has no id, which is not known when it is written, and nothing that changes often: both are added when
// it is read. It ends before the first of these, so that the members come in their documented order.
const STORED: readonly (keyof ItemPublic)[] = PUBLIC_COLUMNS.slice(
  0,
  PUBLIC_COLUMNS.indexOf('quantity_needed'),
);

const members = (item: ItemFields, columns: readonly (keyof ItemFields)[]): string => {
  const shown: Record<string, unknown> = {};
  for (const column of columns) shown[column] = item[column];
  return JSON.stringify(shown).slice(1, -1);
};

const storedJson = (item: ItemFields): string => members(item, STORED as (keyof ItemFields)[]);

/** What admins see beside that; most items have none. */
function affiliateJson({ affiliate_url, affiliate_status }: ItemFields): string | null {
  if (affiliate_url === null && affiliate_status === null) return null;
  return JSON.stringify({ affiliate_url, affiliate_status }).slice(1, -1);
}
const NO_AFFILIATE = '"affiliate_url":null,"affiliate_status":null';

// A page is walked only where its items are at least this dense among the ids.
const SPARSEST = 4;

// `concat` and rows: half the time of `||`, which copies the text again for each part.
function reads(end: string) {
  const item = `concat('{"id":', id, ',', json, ',"quantity_needed":', quantity_needed, ',"quantity_purchased":',
    quantity_purchased, ',"is_active":true,"created_at":"', created_at, '","updated_at":"', updated_at, ${end})`;
  const newest = 'from items where is_active = 1 order by id desc limit';
  return {
    one: `select ${item}, version from items where id = $1 and is_active = 1`,
    ofRegistry: `select ${item}, id from items where registry_id = $1 and is_active = 1 order by id`,
    page: `select ${item} ${newest} $1 offset $2`,
    // Between the ids of its ends a page lies side by side in the table: half the price of looking each row up, once
    // `+ 0` has kept the index out of it. Gives nothing where the page has no last item within reach.
    densePage: `with newest as materialized (select id ${newest} 1 offset $2)
      select ${item} from items
      where is_active + 0 = 1 and id <= (select id from newest) and id >= (
        select id from items
        where is_active = 1 and id <= (select id from newest) and id > (select id from newest) - $3
        order by id desc limit 1 offset $1 - 1
      ) order by id desc`,
  };
}

const EVERYBODYS = reads(`'"}'`);
const ADMINS = reads(`'",', coalesce(affiliate_json, '${NO_AFFILIATE}'), '}'`);
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
    async rendered(id: number, admin: boolean): Promise<RenderedItem | undefined> {
      const [row] = await db.read(readsFor(admin).one, [id]);
      return row && { json: row[0] as string, version: row[1] as number };
    },

    /** The active items, newest first, as a JSON array. */
    async page(skip: number, limit: number, admin: boolean): Promise<string> {
      const { densePage, page } = readsFor(admin);
      const dense = await db.read(densePage, [limit, skip, limit * SPARSEST]);
      const rows = dense.length > 0 ? dense : await db.read(page, [limit, skip]);
      return `[${rows.join(',')}]`;
    },

    /** A registry's active items, oldest first. */
    async ofRegistry(registryId: number, admin: boolean): Promise<RegistryItem[]> {
      const rows = await db.read(readsFor(admin).ofRegistry, [registryId]);
      return rows.map(([json, id]) => ({ id: id as number, json: json as string }));
    },

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

    /** Stores an item. Where one was stored under the same key already, that is the one. */
    async insert(item: ItemFields, creationKey: string | null = null): Promise<StoredItem> {
      const params = [...values(item, COLUMNS), storedJson(item), affiliateJson(item), creationKey];
      const { count, id, rows } = await db.write([creationKey === null ? insert : INSERT_ONCE, params]);
      if (count === 0) throw full();
      return creationKey === null ? { ...item, id, version: 1 } : stored(rows[0]!);
    },

    /** Writes `next` if the item is still in the state it was in before; gives nothing if it is not. */
    async replace(before: StoredItem, next: StoredItem): Promise<StoredItem | undefined> {
      const { id, registry_id, version } = before;
      const params = [
        registry_id,
        id,
        version,
        ...values(next, CHANGING),
        storedJson(next),
        affiliateJson(next),
      ];
      const restores = next.is_active && !before.is_active;
      const { count } = await (next.is_active === before.is_active
        ? db.write([REPLACE, params])
        : db.write([restores ? RESTORE : REMOVE, [...params, Number(next.is_active)]]));
      if (count === 1) return { ...next, version: version + 1 };
      if (restores && (await this.find(id))?.version === version) throw full();
      return undefined;
    },

    /** An item as it is answered to an admin or everybody else. */
    render(item: StoredItem, admin: boolean): RenderedItem {
      const { id, version } = item;
      const affiliate = admin ? `,${affiliateJson(item) ?? NO_AFFILIATE}` : '';
      return { json: `{"id":${id},${members(item, PUBLIC_COLUMNS)}${affiliate}}`, version };
    },
  };
}

const full = () =>
  new Problem('conflict', `A registry holds at most ${MAX_ACTIVE_ITEMS.toLocaleString('en')} active items`);
