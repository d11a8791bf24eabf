import { type Item, type ItemPublic, MAX_ACTIVE_ITEMS, MAX_INTEGER } from '../contract/index.ts';
import { Problem } from '../problem.ts';
import type { Database, Row, Statement, Value } from './database.ts';

/**
 * An item with its version, which every change counts up. `quantity_purchased` is the quantity that was set directly; claims
 * and their changes are counted apart, unless they are concealed from the viewer.
 */
export type StoredItem = Item & ItemVersion & { claimed: number; concealed?: true };

/** Names one state of an item: of its own, and of what is claimed of it. */
export type ItemVersion = { version: number; claimChanges: number };

/** An item's JSON as it is answered, and its state. */
export type RenderedItem = ItemVersion & { json: string };

/** The fields beyond the public ones that a reader may see: affiliate links (`admin`), and claimed pieces. */
export type ItemVisibility = { admin: boolean; claims: boolean };

/** The item for viewers from whom claims are concealed. */
export const withoutClaims = (item: StoredItem): StoredItem => ({
  ...item,
  claimed: 0,
  claimChanges: 0,
  concealed: true,
});

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

const ITEM_COLUMNS = ['id', ...COLUMNS, 'version', 'claimed', 'claim_changes'].join(', ');
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `$${from + i}`);

const ACTIVE_ITEMS = '(select count(*) from items where registry_id = $1 and is_active = 1)';

// Its parameters: the columns, then json, affiliate_json and creation_key.
const IS_ACTIVE = `$${COLUMNS.indexOf('is_active') + 1}`;
const CREATION_KEY = `$${COLUMNS.length + 3}`;
const insertBelow = (
  limit: number,
) => `insert into items (${COLUMNS.join(', ')}, json, affiliate_json, creation_key)
  select ${numbered(1, COLUMNS.length + 3).join(', ')}
  where ${IS_ACTIVE} = 0 or ${ACTIVE_ITEMS} < ${limit}`;
// The same request again finds the item that it made, also where that was the last one to fit.
const insertOnceBelow = (limit: number) => `${insertBelow(limit)}
  or exists (select 1 from items where creation_key = ${CREATION_KEY})
  on conflict (creation_key) where creation_key is not null do update set creation_key = excluded.creation_key
  returning ${ITEM_COLUMNS}`;
// Concurrent transactions don't see each other's items, so from this number on inserts into a registry run one after another
// and count again, and a constraint refuses one too many. Below it no lock is needed, which would serialize all writes and
// let groups block each other: about 500 items would have to be stored during one commit to pass the limit.
const UNCOUNTED = 500;
const counting = (registryId: number): Statement[] => [
  [
    `insert into item_counts (registry_id, active) values ($1, 0)
     on conflict (registry_id) do update set active = 0`,
    [registryId],
  ],
  [`update item_counts set active = ${ACTIVE_ITEMS} where registry_id = $1`, [registryId]],
];

// Columns that an update leaves alone, because a column that is set has its indexes written anew.
const FIXED: readonly string[] = ['registry_id', 'is_active', 'created_at'] satisfies (keyof Item)[];
const CHANGING = COLUMNS.filter((column) => !FIXED.includes(column));
// Its parameters: registry_id, id, version, the state of the claims where it matters, then these columns.
const replacing = (columns: readonly string[]) => `update items
  set ${columns.map((column, i) => `${column} = $${i + 5}`).join(', ')}, version = version + 1
  where registry_id = $1 and id = $2 and version = $3 and claim_changes = coalesce($4, claim_changes)`;
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

/** The members that only admins see; most items have none. */
function affiliateJson({ affiliate_url, affiliate_status }: ItemFields): string | null {
  if (affiliate_url === null && affiliate_status === null) return null;
  return JSON.stringify({ affiliate_url, affiliate_status }).slice(1, -1);
}
const NO_AFFILIATE = '"affiliate_url":null,"affiliate_status":null';

// A page is walked only where its items are at least this dense among the ids.
const SPARSEST = 4;

// `concat`: half the time of `||`, which copies the text again for each part.
function reads(sum: string, end: string, newestFirst: string) {
  const item = `concat('{"id":', id, ',', json, ',"quantity_needed":', quantity_needed, ',"quantity_purchased":',
    ${sum}, ',"is_active":true,"created_at":"', created_at, '","updated_at":"', updated_at, ${end})`;
  const newest = 'from items where is_active = 1 order by id desc limit';
  const page = (columns: string) => `select ${columns} ${newest} $1 offset $2`;
  // Between the ids of its ends a page lies side by side in the table: half the price of looking each row up, once
  // `+ 0` has kept the index out of it. Gives nothing where the page has no last item within reach.
  const densePage = (columns: string) => `with newest as materialized (select id ${newest} 1 offset $2)
    select ${columns} from items
    where is_active + 0 = 1 and id <= (select id from newest) and id >= (
      select id from items
      where is_active = 1 and id <= (select id from newest) and id > (select id from newest) - $3
      order by id desc limit 1 offset $1 - 1
    ) order by id desc`;
  // One text instead of a hundred rows: a quarter less of a list's time.
  const joined = (rows: string) => `select string_agg(item, ','${newestFirst}) from (${rows}) as page`;
  return {
    one: `select ${item}, version, claim_changes from items where id = $1 and is_active = 1`,
    ofRegistry: `select ${item}, id from items where registry_id = $1 and is_active = 1 order by id`,
    joined: { dense: joined(densePage(`id, ${item} as item`)), any: joined(page(`id, ${item} as item`)) },
    rows: { dense: densePage(`id, registry_id, ${item}`), any: page(`id, registry_id, ${item}`) },
    some: (ids: readonly number[]) =>
      `select id, registry_id, ${item} from items
       where id in (${numbered(1, ids.length).join(', ')}) and is_active = 1`,
  };
}

// Written so that the sum itself stays within a 32-bit column.
const SUM = `case when claimed = 0 then quantity_purchased
  when quantity_purchased > ${MAX_INTEGER} - claimed then ${MAX_INTEGER} else quantity_purchased + claimed end`;
const SET_DIRECTLY = 'quantity_purchased';

const PUBLIC_END = `'"}'`;
const ADMINS_END = `'",', coalesce(affiliate_json, '${NO_AFFILIATE}'), '}'`;
/** Every kind of reading, for those who see what others have claimed (`sum`) and those who don't. */
const readings = (newestFirst: string) => ({
  public: { sum: reads(SUM, PUBLIC_END, newestFirst), direct: reads(SET_DIRECTLY, PUBLIC_END, newestFirst) },
  admin: { sum: reads(SUM, ADMINS_END, newestFirst), direct: reads(SET_DIRECTLY, ADMINS_END, newestFirst) },
});

function stored(row: Row): StoredItem {
  const [version, claimed, claimChanges] = row.slice(-3);
  const item: Record<string, unknown> = { id: row[0], version, claimed, claimChanges };
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
export type ItemStore = ReturnType<typeof itemStore>;

export function itemStore(db: Database) {
  const inserting = (limit: number) => ({
    anew: insertBelow(limit) + db.returningId,
    once: insertOnceBelow(limit),
  });
  const [few, all] = [inserting(UNCOUNTED), inserting(MAX_ACTIVE_ITEMS)];
  const byReader = readings(db.keepsOrder ? '' : ' order by id desc');
  const readsFor = ({ admin, claims }: ItemVisibility) =>
    byReader[admin ? 'admin' : 'public'][claims ? 'sum' : 'direct'];

  /** The items of the rows, those of the concealed registries as they are without claims. */
  async function concealing(rows: Row[], { admin }: ItemVisibility, registries: ReadonlySet<number>) {
    const ids = rows.filter(([, registry]) => registries.has(registry as number)).map(([id]) => id as number);
    const direct = ids.length === 0 ? [] : await db.read(readsFor({ admin, claims: false }).some(ids), ids);
    const concealed = new Map(direct.map(([id, , item]) => [id, item]));
    return rows.map(([id, , item]) => [id as number, (concealed.get(id!) ?? item) as string] as const);
  }

  return {
    /** One active item as its reader sees it. */
    async rendered(id: number, visibility: ItemVisibility): Promise<RenderedItem | undefined> {
      const [row] = await db.read(readsFor(visibility).one, [id]);
      return (
        row && {
          json: row[0] as string,
          version: row[1] as number,
          claimChanges: visibility.claims ? (row[2] as number) : 0,
        }
      );
    },

    /** The active items, newest first, as a JSON array; without claims where they are concealed from the reader. */
    async page(
      skip: number,
      limit: number,
      visibility: ItemVisibility,
      concealed: ReadonlySet<number> = new Set(),
    ): Promise<string> {
      const { joined, rows } = readsFor(visibility);
      const read = async (how: typeof rows) => {
        const dense = await db.read(how.dense, [limit, skip, limit * SPARSEST]);
        return dense.length > 0 && dense[0]![0] !== null ? dense : db.read(how.any, [limit, skip]);
      };
      if (concealed.size > 0) {
        const items = await concealing(await read(rows), visibility, concealed);
        return `[${items.map(([, item]) => item).join(',')}]`;
      }
      const [[items] = []] = await read(joined);
      return `[${items ?? ''}]`;
    },

    /** The active ones of these, without claims where they are concealed from the reader. */
    async some(
      ids: readonly number[],
      visibility: ItemVisibility,
      concealed: ReadonlySet<number>,
    ): Promise<Map<number, string>> {
      if (ids.length === 0) return new Map();
      const rows = await db.read(readsFor(visibility).some(ids), ids);
      return new Map(await concealing(rows, visibility, concealed));
    },

    /** A registry's active items, oldest first. */
    async ofRegistry(registryId: number, visibility: ItemVisibility): Promise<RegistryItem[]> {
      const rows = await db.read(readsFor(visibility).ofRegistry, [registryId]);
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
      const [row] = await db.read(`select ${ITEM_COLUMNS} from items where id = $1`, [id]);
      return row && stored(row);
    },

    /** Stores an item. Where one was stored under the same key already, that is the one. */
    async insert(item: ItemFields, creationKey: string | null = null): Promise<StoredItem> {
      const params = [...values(item, COLUMNS), storedJson(item), affiliateJson(item), creationKey];
      const how = creationKey === null ? 'anew' : 'once';
      let written = await db.write([(db.oneWriter ? all : few)[how], params]);
      if (written.count === 0 && !db.oneWriter)
        written = await db.write([all[how], params], ...counting(item.registry_id));
      const { count, id, rows } = written;
      if (count === 0) throw full();
      return creationKey === null
        ? { ...item, id, version: 1, claimed: 0, claimChanges: 0 }
        : stored(rows[0]!);
    },

    /**
     * Writes `next` if the item, and its claims where `next` depends on them, are unchanged since `before`; otherwise returns
     * nothing.
     */
    async replace(
      before: StoredItem,
      next: StoredItem,
      dependsOnClaims = false,
    ): Promise<StoredItem | undefined> {
      const { id, registry_id, version, claimChanges } = before;
      const params = [
        registry_id,
        id,
        version,
        dependsOnClaims ? claimChanges : null,
        ...values(next, CHANGING),
        storedJson(next),
        affiliateJson(next),
      ];
      const restores = next.is_active && !before.is_active;
      const withState = [...params, Number(next.is_active)];
      const { count } = await (next.is_active === before.is_active
        ? db.write([REPLACE, params])
        : restores
          ? db.write([RESTORE, withState], ...(db.oneWriter ? [] : counting(registry_id)))
          : db.write([REMOVE, withState]));
      if (count === 1) return { ...next, version: version + 1 };
      const now = restores ? await this.find(id) : undefined;
      if (now?.version === version && (!dependsOnClaims || now.claimChanges === claimChanges)) throw full();
      return undefined;
    },

    /** An item as it is answered to an admin or everybody else. */
    render(item: StoredItem, admin: boolean): RenderedItem {
      const { id, version, claimed, claimChanges } = item;
      const sum = Math.min(item.quantity_purchased + claimed, MAX_INTEGER);
      const shown = members({ ...item, quantity_purchased: sum }, PUBLIC_COLUMNS);
      const affiliate = admin ? `,${affiliateJson(item) ?? NO_AFFILIATE}` : '';
      return { json: `{"id":${id},${shown}${affiliate}}`, version, claimChanges };
    },
  };
}

const full = () =>
  new Problem('conflict', `A registry holds at most ${MAX_ACTIVE_ITEMS.toLocaleString('en')} active items`);
