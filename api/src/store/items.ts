import { type EventType, type Item, MAX_ACTIVE_ITEMS } from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import { movingClaims } from './claims.ts';
import {
  type Database,
  type Input,
  NEW_ID,
  type Param,
  type Row,
  type Statement,
  type Value,
} from './database.ts';
import { changeEvent, itemsDeleted, knownOrder } from './events.ts';
import { queueNotice, REQUEST_NOTIFIES_MS } from './notices.ts';
import { COUNT_IN_SITE, countChange, countOff } from './registries.ts';
import { siteRows } from './site-rows.ts';

/** How much of what is claimed someone sees: everything; how many pieces, but nothing about givers; or nothing. */
export type ClaimSight = 'shown' | 'counted' | 'hidden';

/** `quantity_purchased` is what was set directly; claims and their changes are counted apart. */
export type StoredItem = Omit<Item, 'unit'> & ItemVersion & Money & { sight?: ClaimSight };

type Money = { currency?: string | null };

/** Counts an item's own changes, its claimed pieces, and the changes of its claims. */
export type ItemVersion = { version: number; claimed: number; claimChanges: number };

export type ItemState = ItemVersion & { id: number; registryId: number };

export type ItemFields = Omit<Item, 'id' | 'unit'> & Money;

export const COLUMNS = [
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
  'affiliate_url',
  'affiliate_status',
  'currency',
] as const satisfies (keyof ItemFields)[];
type Column = (typeof COLUMNS)[number];

const SELECT = `select ${['id', ...COLUMNS, 'version', 'claimed', 'claim_changes'].join(', ')} from items`;
// The ids alone are in the index, so a deep page passes no rows of the items before it.
const PAGE_OF_STATES = `select id, registry_id, version, claimed, claim_changes from items
  where site_id = $1 and is_active = 1 and id <= (
    select id from items where site_id = $1 and is_active = 1 order by id desc limit 1 offset $3)
  order by id desc limit $2`;

const isBelowLimit = (registry: string) =>
  `coalesce((select active from registries where site_id = $1 and registry_id = ${registry}), 0)
  < ${MAX_ACTIVE_ITEMS}`;
const IS_BELOW_LIMIT = isBelowLimit('$2');

// In a site that has a limit.
const SITE_IS_BELOW_LIMIT = 'exists (select 1 from item_limits where site_id = $1 and active < most)';

// Its parameters: site, the columns, creation key, id.
const CREATION_KEY = `$${COLUMNS.length + 2}`;
const ID = `$${COLUMNS.length + 3}`;
const IS_ACTIVE = `$${COLUMNS.indexOf('is_active') + 2}`;
const insertion = (isBelow: string) => `insert into items (site_id, ${COLUMNS.join(', ')}, creation_key, id)
  select $1, ${COLUMNS.map((_, i) => `$${i + 2}`).join(', ')}, ${CREATION_KEY}, ${ID}
  where ${IS_ACTIVE} = 0 or (${isBelow})
  on conflict (site_id, creation_key) where creation_key is not null do nothing
  returning id`;

// Columns that an update leaves alone, because a column that is set has its indexes written anew.
const FIXED: readonly Column[] = ['registry_id', 'is_active', 'created_at', 'currency'];
const CHANGING = COLUMNS.filter((column) => !FIXED.includes(column));
// Its parameters: site, registry, id, version, the state of the claims where it matters, then these columns.
function replacing(columns: readonly string[]): string {
  const assignments = columns.map((column, i) => `${column} = $${i + 6}`).join(', ');
  return `update items set ${assignments}, version = version + 1
    where site_id = $1 and registry_id = $2 and id = $3 and version = $4
      and claim_changes = coalesce($5, claim_changes)`;
}
const REPLACE = replacing(CHANGING);
const REMOVE = replacing([...CHANGING, 'is_active']);
const RESTORE = `${REMOVE} and ${IS_BELOW_LIMIT}`;
const RESTORE_WITHIN = `${RESTORE} and ${SITE_IS_BELOW_LIMIT}`;
const MOVE = `update items set registry_id = $5, updated_at = $6, version = version + 1
  where site_id = $1 and registry_id = $2 and id = $3 and version = $4 and is_active = 1 and ${isBelowLimit('$5')}`;

/** Takes all items of a registry off its lists, as part of a unit. They stay active until `countOff` has counted them. */
export function deactivation(siteId: number, registryId: number, updatedAt: string): Statement[] {
  const active = 'site_id = $1 and registry_id = $2 and is_active = 1';
  return [
    // Items first, then the registry: every unit takes them in this order, so none waits for another in a circle.
    [
      `update items set updated_at = $3, version = version + 1 where ${active}`,
      [siteId, registryId, updatedAt],
    ],
    ...countOff(siteId, registryId),
    itemsDeleted(siteId, registryId, Date.parse(updatedAt)),
    [`update items set is_active = 0 where ${active}`, [siteId, registryId]],
  ];
}

function stored(row: Row): StoredItem {
  const [id, registry_id, name, description, url, retailer, image_url, price, ...others] = row;
  const [quantity_needed, quantity_purchased, is_active, created_at, updated_at, ...rest] = others;
  const [affiliate_url, affiliate_status, currency, version, claimed, claimChanges] = rest;
  return {
    ...{ id, registry_id, name, description, url, retailer, image_url, price, quantity_needed },
    ...{ quantity_purchased, is_active: is_active === 1, created_at, updated_at },
    ...{ affiliate_url, affiliate_status, currency, version, claimed, claimChanges },
  } as StoredItem;
}

/** An item as an event has kept it. */
export const itemOfEvent = (kept: Partial<ItemFields>, id: number, claimed: number): StoredItem => ({
  ...(Object.fromEntries(COLUMNS.map((name) => [name, kept[name] ?? null])) as Pick<ItemFields, Column>),
  ...{ id, claimed, version: 0, claimChanges: 0 },
});

const values = (item: ItemFields, columns: readonly (keyof ItemFields)[]): Value[] =>
  columns.map((column) => {
    const value = item[column] ?? null;
    return typeof value === 'boolean' ? Number(value) : value;
  });

/** The registry to which an item moves. The orders: of the old one without the item, of the new one with it at the end. */
export type Destination = { registryId: number; ownerId: number; orders: [from: number[], to: number[]] };

export type ItemStore = ReturnType<typeof itemStore>;

/** `hasLimit`: the store has a number of active items that the whole site must not pass. */
export function itemStore(db: Database, siteId: number, hasLimit = false) {
  const rows = siteRows(db, siteId);
  const some = async (condition: string, ...values: Input[]): Promise<StoredItem[]> =>
    (await rows.all(`${SELECT} where site_id = $1 and ${condition}`, ...values)).map(stored);
  const INSERT = insertion(hasLimit ? `${IS_BELOW_LIMIT} and ${SITE_IS_BELOW_LIMIT}` : IS_BELOW_LIMIT);

  /** Counts a change of a registry's items, and `more` active ones, in the registry and where it matters in the site. */
  const counted = (registryId: number, more: number): Statement[] =>
    !hasLimit || more === 0
      ? [countChange(siteId, registryId, more)]
      : [countChange(siteId, registryId, more), [COUNT_IN_SITE, [siteId, more]]];

  /** The event of a change that left the item like this, and the notice for the host. */
  const eventAndNotice = (item: ItemFields, id: Param, type: EventType): Statement[] => {
    const { registry_id, updated_at } = item;
    // Nulls are left out, to save room.
    const known = COLUMNS.filter((name) => (item[name] ?? null) !== null);
    const data = type === 'item.deleted' ? null : Object.fromEntries(known.map((name) => [name, item[name]]));
    const at = Date.parse(updated_at);
    return [
      changeEvent(siteId, registry_id, id, at, type, data),
      queueNotice(siteId, registry_id, at + REQUEST_NOTIFIES_MS),
    ];
  };

  /** Why there is no room in a registry. */
  async function full(registryId: number): Promise<Problem> {
    const [active = 0] = await rows.column(
      'select active from registries where site_id = $1 and registry_id = $2',
      registryId,
    );
    const words = (noun: string, most: number) =>
      new Problem('conflict', `${noun} holds at most ${most.toLocaleString('en')} active items`);
    if (!hasLimit || active >= MAX_ACTIVE_ITEMS) return words('A registry', MAX_ACTIVE_ITEMS);
    const [most = 0] = await rows.column('select most from item_limits where site_id = $1');
    return words('This site', most);
  }

  return {
    /** The states of a page of the active items, newest first. */
    async pageOfStates(skip: number, limit: number): Promise<ItemState[]> {
      const states = await rows.all(PAGE_OF_STATES, limit, skip);
      return states.map(
        ([id, registryId, version, claimed, claimChanges]) =>
          ({ id, registryId, version, claimed, claimChanges }) as ItemState,
      );
    },

    /** The active ones of these, newest first. */
    some: (ids: readonly number[]) =>
      some(`${db.isAmong('id', '$2')} and is_active = 1 order by id desc`, ids),

    /** A registry's active items, oldest first. */
    ofRegistry: (registryId: number) => some('registry_id = $2 and is_active = 1 order by id', registryId),

    /** Whether several pay for an active item of a registry. */
    hasMoney: (registryId: number): Promise<boolean> =>
      rows.has('items', 'registry_id = $2 and is_active = 1 and currency is not null', registryId),

    /** The ids of the registries' active items, oldest first; every registry asked for has an entry. */
    async activeIds(registryIds: readonly number[]): Promise<Map<number, number[]>> {
      const ids = new Map<number, number[]>(registryIds.map((registryId) => [registryId, []]));
      if (ids.size === 0) return ids;
      const found = await rows.all(
        `select registry_id, id from items
         where site_id = $1 and ${db.isAmong('registry_id', '$2')} and is_active = 1 order by id`,
        registryIds,
      );
      for (const [registryId, id] of found) ids.get(registryId as number)?.push(id as number);
      return ids;
    },

    /** An item whatever its state. */
    find: async (id: number): Promise<StoredItem | undefined> => (await some('id = $2', id))[0],

    /** Stores an item. Where one was stored under the same key already, that is the one. */
    async insert(item: ItemFields, creationKey: string | null = null): Promise<StoredItem> {
      const written = await db.write(
        [INSERT, [siteId, ...values(item, COLUMNS), creationKey, NEW_ID]],
        ...counted(item.registry_id, item.is_active ? 1 : 0),
        ...eventAndNotice(item, NEW_ID, 'item.created'),
      );
      const [row] = written.rows;
      if (row) return { ...item, id: Number(row[0]), version: 1, claimed: 0, claimChanges: 0 };
      const [earlier] = await some('creation_key = $2 and creation_key is not null', creationKey);
      if (!earlier) throw await full(item.registry_id);
      return earlier;
    },

    /** Writes `next` if the item, and claims where it depends on them, are as in `before`; else returns undefined. */
    async replace(
      before: StoredItem,
      next: StoredItem,
      dependsOnClaims = false,
    ): Promise<StoredItem | undefined> {
      const { id, registry_id, version, claimChanges } = before;
      const more = Number(next.is_active) - Number(before.is_active);
      const params = [
        ...[siteId, registry_id, id, version, dependsOnClaims ? claimChanges : null],
        ...values(next, more === 0 ? CHANGING : [...CHANGING, 'is_active']),
      ];
      const restore = hasLimit ? RESTORE_WITHIN : RESTORE;
      const guard = more === 0 ? REPLACE : more > 0 ? restore : REMOVE;
      const type = more === 0 ? 'item.updated' : more > 0 ? 'item.restored' : 'item.deleted';
      const { count } = await db.write(
        [guard, params],
        ...counted(registry_id, more),
        ...eventAndNotice(next, id, type),
      );
      if (count === 1) return { ...next, version: version + 1 };
      const now = more > 0 ? await this.find(id) : undefined;
      if (now?.version === version && (!dependsOnClaims || now.claimChanges === claimChanges))
        throw await full(registry_id);
      return undefined;
    },

    /** Moves an active item with its claims if it is as in `before`; else returns undefined. */
    async move(
      before: StoredItem,
      { registryId, ownerId, orders: [from, to] }: Destination,
      updatedAt: string,
    ): Promise<StoredItem | undefined> {
      const { id, registry_id, version } = before;
      const next = { ...before, registry_id: registryId, updated_at: updatedAt };
      const { count } = await db.write(
        [MOVE, [siteId, registry_id, id, version, registryId, updatedAt]],
        // The old registry comes first: a new claim that was stored in the same group is there when claims move.
        countChange(siteId, registry_id, -1),
        countChange(siteId, registryId, 1),
        movingClaims(siteId, { itemId: id, from: registry_id, to: registryId, ownerId }),
        knownOrder(siteId, registry_id, from),
        knownOrder(siteId, registryId, to),
        ...eventAndNotice({ ...before, updated_at: updatedAt }, id, 'item.deleted'),
        ...eventAndNotice(next, id, 'item.created'),
      );
      if (count === 1) return { ...next, version: version + 1 };
      const now = await this.find(id);
      if (now?.version === version) throw await full(registryId);
      return undefined;
    },
  };
}
