import Sqlite from 'better-sqlite3';
import postgres from 'postgres';

export type Fields = {
  registry_id: number;
  name: string;
  description: string | null;
  url: string;
  retailer: string | null;
  image_url: string | null;
  price: number | null;
  quantity_needed: number;
  quantity_purchased: number;
  is_active: boolean;
  affiliate_url: string | null;
  affiliate_status: string | null;
};
export type Item = Fields & { id: number; created_at: string; updated_at: string };
/** An item without the affiliate fields, for callers who aren't admins. */
export type PublicItem = Omit<Item, 'affiliate_url' | 'affiliate_status'>;
type Seen = Item | PublicItem;
type Awaitable<T> = T | Promise<T>;

export interface Store {
  item(id: number, admin: boolean): Awaitable<Seen | undefined>;
  page(skip: number, limit: number, admin: boolean): Awaitable<Seen[]>;
  ofRegistry(id: number, admin: boolean): Awaitable<Seen[]>;
  insert(item: Omit<Item, 'id'>): Awaitable<Item>;
  /** Changes the given fields of an active item. */
  update(id: number, changes: Partial<Item>): Awaitable<Item | undefined>;
}

const BASE =
  'id, registry_id, name, description, url, retailer, image_url, price, quantity_needed, quantity_purchased, ' +
  'is_active, created_at, updated_at';
const ALL = `${BASE}, affiliate_url, affiliate_status`;
const COLUMNS = ALL.split(', ').slice(1);

/** Returns an item with its defaults, ready to be stored. */
export function fresh(
  body: Partial<Fields> & Pick<Fields, 'registry_id' | 'name' | 'url'>,
): Omit<Item, 'id'> {
  const now = new Date().toISOString();
  return {
    registry_id: body.registry_id,
    name: body.name,
    description: body.description ?? null,
    url: body.url,
    retailer: body.retailer ?? null,
    image_url: body.image_url ?? null,
    price: body.price ?? null,
    quantity_needed: body.quantity_needed ?? 1,
    quantity_purchased: body.quantity_purchased ?? 0,
    is_active: body.is_active ?? true,
    created_at: now,
    updated_at: now,
    affiliate_url: body.affiliate_url ?? null,
    affiliate_status: body.affiliate_status ?? null,
  };
}

export function seenBy(item: Item, admin: boolean): Seen {
  if (admin) return item;
  const { affiliate_url, affiliate_status, ...seen } = item;
  return seen;
}

export const etagOf = ({ id, updated_at }: Seen) => `"${id}-${updated_at}"`;

export const openStore = (url: string): Store =>
  url.startsWith('sqlite:') ? sqliteStore(url.slice('sqlite:'.length)) : postgresStore(url);

// The row may be changed in place, because nothing else refers to it.
function shown<T>(row: T): T {
  const item = row as { is_active: unknown };
  item.is_active = item.is_active === 1;
  return row;
}

const storable = <T extends { is_active?: boolean }>(item: T) => ({
  ...item,
  ...(item.is_active !== undefined && { is_active: Number(item.is_active) }),
});

function sqliteStore(path: string): Store {
  const db = new Sqlite(path);
  // The same settings as the service's own.
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = full');
  db.pragma('cache_size = -8192');
  db.pragma('mmap_size = 2147418112');

  const both = (sql: (columns: string) => string) => ({
    admin: db.prepare<unknown[], Seen>(sql(ALL)),
    others: db.prepare<unknown[], Seen>(sql(BASE)),
  });
  const item = both((columns) => `select ${columns} from items where id = ? and is_active = 1`);
  const page = both(
    (columns) => `select ${columns} from items where is_active = 1 order by id desc limit ? offset ?`,
  );
  const ofRegistry = both(
    (columns) => `select ${columns} from items where registry_id = ? and is_active = 1 order by id`,
  );
  const insert = db.prepare(
    `insert into items (${COLUMNS.join(', ')}) values (${COLUMNS.map((column) => `@${column}`).join(', ')})`,
  );
  const replace = db.prepare(
    `update items set ${COLUMNS.map((column) => `${column} = @${column}`).join(', ')} where id = @id`,
  );
  const update = db.transaction((id: number, changes: Partial<Item>) => {
    const row = item.admin.get(id);
    if (!row) return undefined;
    const next = { ...shown(row), ...changes } as Item;
    replace.run(storable(next));
    return next;
  });

  return {
    item: (id, admin) => {
      const row = (admin ? item.admin : item.others).get(id);
      return row && shown(row);
    },
    page: (skip, limit, admin) => (admin ? page.admin : page.others).all(limit, skip).map(shown),
    ofRegistry: (id, admin) => (admin ? ofRegistry.admin : ofRegistry.others).all(id).map(shown),
    insert: (item) => ({ id: Number(insert.run(storable(item)).lastInsertRowid), ...item }),
    update: (id, changes) => update.immediate(id, changes),
  };
}

function postgresStore(url: string): Store {
  const sql = postgres(url, {
    types: { number: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
  });
  const columns = (admin: boolean) => sql.unsafe(admin ? ALL : BASE);
  return {
    item: async (id, admin) => {
      const [row] = await sql<Seen[]>`select ${columns(admin)} from items where id = ${id} and is_active = 1`;
      return row && shown(row);
    },
    page: async (skip, limit, admin) =>
      (
        await sql<Seen[]>`select ${columns(admin)} from items where is_active = 1
          order by id desc limit ${limit} offset ${skip}`
      ).map(shown),
    ofRegistry: async (id, admin) =>
      (
        await sql<Seen[]>`select ${columns(admin)} from items
          where registry_id = ${id} and is_active = 1 order by id`
      ).map(shown),
    insert: async (item) => {
      const [row] = await sql<Item[]>`insert into items ${sql(storable(item))} returning ${columns(true)}`;
      return shown(row!);
    },
    update: async (id, changes) => {
      const [row] = await sql<Item[]>`update items set ${sql(storable(changes))}
        where id = ${id} and is_active = 1 returning ${columns(true)}`;
      return row && shown(row);
    },
  };
}
