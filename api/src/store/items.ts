import type { Item, ItemPublic } from '../contract/index.ts';
import type { Database, Row, Value } from './database.ts';

/** An item with the number of its state, which every change counts up. */
export type StoredItem = Item & { version: number };

/** An item's JSON as it is answered, and its state's number. */
export type RenderedItem = { json: string; version: number };

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

const INSERT = `insert into items (${COLUMNS.join(', ')}, json, origin)
  values (${numbered(1, COLUMNS.length + 2).join(', ')}) on conflict do nothing returning id`;

const REPLACE = `update items
  set ${COLUMNS.map((column, i) => `${column} = $${i + 3}`).join(', ')},
    json = $${COLUMNS.length + 3}, version = version + 1
  where id = $1 and version = $2 returning version`;

/** The public JSON without braces and id: the id is not known yet when it is written. */
function publicJson(item: ItemFields): string {
  const shown: Record<string, unknown> = {};
  for (const column of PUBLIC_COLUMNS) shown[column] = item[column];
  return JSON.stringify(shown).slice(1, -1);
}

function reads(columns: string) {
  return {
    one: `select ${columns} from items where id = $1 and is_active = 1`,
    page: `select ${columns} from items where is_active = 1 order by id desc limit $1 offset $2`,
    ofRegistry: `select ${columns} from items where registry_id = $1 and is_active = 1 order by id`,
  };
}

// The affiliate columns are not even read for those who don't see them.
const PUBLIC_READS = reads('id, json, version');
const ADMIN_READS = reads('id, json, version, affiliate_url, affiliate_status');
const readsFor = (admin: boolean) => (admin ? ADMIN_READS : PUBLIC_READS);

const render = ([id, json, , url, status]: Row, admin: boolean): string =>
  admin ? adminItem(id!, json!, url!, status!) : publicItem(id!, json!);

const publicItem = (id: Value, json: Value) => `{"id":${id},${json}}`;

const adminItem = (id: Value, json: Value, url: Value, status: Value) =>
  `{"id":${id},${json},"affiliate_url":${JSON.stringify(url)},"affiliate_status":${JSON.stringify(status)}}`;

function stored(row: Row): StoredItem {
  const item: Record<string, unknown> = { id: row[0], version: row.at(-1) };
  COLUMNS.forEach((column, i) => {
    item[column] = row[i + 1];
  });
  return { ...item, is_active: item.is_active === 1 } as StoredItem;
}

const values = (item: ItemFields): Value[] => {
  const row: Value[] = [];
  for (const column of COLUMNS) {
    const value = item[column];
    row.push(typeof value === 'boolean' ? Number(value) : value);
  }
  row.push(publicJson(item));
  return row;
};

/** The items, and all the SQL about them. */
export type Items = ReturnType<typeof items>;

export function items(db: Database) {
  return {
    /** One active item as an admin or everybody else sees it. */
    async rendered(id: number, admin: boolean): Promise<RenderedItem | undefined> {
      const [row] = await db.read(readsFor(admin).one, [id]);
      return row && { json: render(row, admin), version: row[2] as number };
    },

    /** The active items, newest first, as a JSON array. */
    async page(skip: number, limit: number, admin: boolean): Promise<string> {
      const rows = await db.read(readsFor(admin).page, [limit, skip]);
      return `[${rows.map((row) => render(row, admin)).join(',')}]`;
    },

    /** A registry's active items by id, each with its JSON. */
    async ofRegistry(registryId: number, admin: boolean): Promise<{ id: number; json: string }[]> {
      const rows = await db.read(readsFor(admin).ofRegistry, [registryId]);
      return rows.map((row) => ({ id: row[0] as number, json: render(row, admin) }));
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

    /** Stores an item. Where one of the same origin is stored already, that is the one. */
    async insert(item: ItemFields, origin: string | null = null): Promise<StoredItem> {
      const [row] = await db.write(INSERT, [...values(item), origin]);
      if (row) return { ...item, id: row[0] as number, version: 1 };
      const [earlier] = await db.read(`select ${FULL} from items where origin = $1`, [origin]);
      return stored(earlier!);
    },

    /** Writes the item if it is still in the state that `version` numbers; gives nothing if it is not. */
    async replace(item: StoredItem): Promise<StoredItem | undefined> {
      const [row] = await db.write(REPLACE, [item.id, item.version, ...values(item)]);
      return row && { ...item, version: row[0] as number };
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
      const { id, version, affiliate_url, affiliate_status } = item;
      const json = publicJson(item);
      return {
        json: admin ? adminItem(id, json, affiliate_url, affiliate_status) : publicItem(id, json),
        version,
      };
    },
  };
}
