import type { AffiliateUpdate, Claim, ItemRegistryCreate, ItemUpdate } from '../contract/index.ts';
import type { Post } from '../host/post-format.ts';
import { Problem } from '../problem.ts';
import type { ClaimStore } from '../store/claims.ts';
import {
  type ItemFields,
  type ItemStore,
  type RenderedItem,
  type StoredItem,
  withoutClaims,
} from '../store/items.ts';
import { isNoWaitAdmin, type RegistryAccess, type Viewer } from './access.ts';
import type { HostNotices } from './host-notices.ts';
import type { ItemOrder } from './item-order.ts';

type Parts = {
  store: ItemStore;
  claims: ClaimStore;
  access: RegistryAccess;
  order: ItemOrder;
  notices: HostNotices;
  itemAccess: 'authenticated' | 'registry';
  now: () => number;
};

// Claims of an item that expire before its sum is set; a job expires the others.
const MOST_EXPIRED = 1_000;

/** Throws if the caller expected another state of the item that is about to change. */
export type Precondition = (item: StoredItem) => void;

/** Changes to items. Each is one guarded statement, repeated on the new state if somebody else was faster. */
export type ItemRules = ReturnType<typeof itemRules>;

export function itemRules({ store, claims, access, order, notices, itemAccess, now }: Parts) {
  const timestamp = () => new Date(now()).toISOString();

  /**
   * `allow` refuses viewers who may not change the item, and returns it as the others see it. With `reckonsWithClaims` the
   * change starts again when claims have changed meanwhile, too.
   */
  async function change(
    viewer: Viewer,
    id: number,
    precondition: Precondition,
    allow: (item: StoredItem) => Promise<StoredItem>,
    changed: (item: StoredItem) => StoredItem,
    reckonsWithClaims = false,
  ): Promise<StoredItem> {
    for (;;) {
      const found = await store.find(id);
      if (!found) throw missing();
      const item = await allow(found);
      precondition(item);
      const next = changed(item);
      if (next === item) return item;
      const dated = { ...next, updated_at: timestamp() };
      const done = await store.replace(item, dated, reckonsWithClaims && !item.concealed);
      if (!done) continue;
      notices.changed(viewer, item.registry_id);
      return done;
    }
  }

  // Under ITEM_ACCESS=registry an item belongs to its registry's people; otherwise to everybody who is signed in.
  async function seenByWriter(viewer: Viewer, item: StoredItem): Promise<StoredItem> {
    if (itemAccess !== 'registry') return item;
    if (needsNoHost(viewer, item))
      return (await access.concealsWithoutWait(viewer, item.registry_id)) ? withoutClaims(item) : item;
    const { post } = await access.write(viewer, item.registry_id);
    return seenIn(post, viewer, item);
  }

  // Admins may change every item, and an active item's registry exists, so the host is not asked.
  const needsNoHost = (viewer: Viewer, item: StoredItem): boolean => isNoWaitAdmin(viewer) && item.is_active;

  const seenIn = (post: Post, viewer: Viewer, item: StoredItem): StoredItem =>
    access.conceals(viewer, post) ? withoutClaims(item) : item;

  async function concealedFromReader(viewer: Viewer, id: number): Promise<boolean> {
    const item = await store.find(id);
    if (!item?.is_active) throw missing();
    if (needsNoHost(viewer, item)) return access.concealsWithoutWait(viewer, item.registry_id);
    const { post } = await access.read(viewer, item.registry_id);
    return access.conceals(viewer, post);
  }

  async function insert(
    viewer: Viewer,
    registryId: number,
    body: ItemRegistryCreate,
    creationKey: string | null,
  ): Promise<StoredItem> {
    const time = timestamp();
    const item = { registry_id: registryId, ...withDefaults(body), created_at: time, updated_at: time };
    // The item of a repeated request may be claimed by now, but the answer stays that to a new item.
    const stored = withoutClaims(await store.insert(item, creationKey));
    notices.changed(viewer, registryId);
    return stored;
  }

  const ofRegistry = (item: StoredItem, registryId: number): StoredItem => {
    if (item.registry_id !== registryId || !item.is_active) throw missing();
    return item;
  };

  return {
    /** The active items, newest first, as a JSON array. */
    async list(viewer: Viewer, skip: number, limit: number): Promise<string> {
      if (itemAccess === 'registry' && !viewer.admin)
        throw new Problem('forbidden', 'Only admins may list all items');
      const visibility = { admin: viewer.admin, claims: true };
      if (itemAccess !== 'registry') return store.page(skip, limit, visibility);
      const { concealed } = await access.surprises(viewer);
      return store.page(skip, limit, visibility, new Set(concealed));
    },

    /** One active item. */
    async get(viewer: Viewer, id: number): Promise<RenderedItem> {
      const concealed = itemAccess === 'registry' && (await concealedFromReader(viewer, id));
      const item = await store.rendered(id, { admin: viewer.admin, claims: !concealed });
      if (!item) throw missing();
      return item;
    },

    /** The active items of these claims, each as an admin gets it by `get`. */
    async ofClaims(viewer: Viewer, claims: readonly Claim[]): Promise<Map<number, string>> {
      const registries = claims.map(({ registry_id }) => registry_id);
      const { concealed } =
        itemAccess === 'registry' ? await access.surprisesAmong(viewer, registries) : { concealed: [] };
      const ids = new Set(claims.map(({ item_id }) => item_id));
      return store.some([...ids], { admin: true, claims: true }, new Set(concealed));
    },

    /** `creationKey` names a request that may arrive again: one key makes one item. */
    async create(
      viewer: Viewer,
      registryId: number,
      body: ItemRegistryCreate,
      creationKey: string | null = null,
    ): Promise<StoredItem> {
      if (itemAccess === 'registry') await access.write(viewer, registryId);
      return insert(viewer, registryId, body, creationKey);
    },

    async update(
      viewer: Viewer,
      id: number,
      body: ItemUpdate,
      precondition: Precondition,
    ): Promise<StoredItem> {
      const supplied = suppliedFields(body);
      const restores = body.is_active === true || body.is_active === 1;
      const setsSum = supplied.quantity_purchased !== undefined;
      const allow = async (item: StoredItem) => {
        const seen = await seenByWriter(viewer, item);
        if (!item.is_active && !restores) throw missing();
        // Claims whose time is over are not counted against the wanted sum.
        const over = setsSum && seen.claimed > 0 ? await claims.expire(now(), MOST_EXPIRED, id) : [];
        return over.length > 0 ? (await store.find(id))! : seen;
      };
      const changed = (item: StoredItem) =>
        Object.keys(supplied).length === 0 ? item : { ...item, ...supplied, ...setDirectly(item, supplied) };
      return change(viewer, id, precondition, allow, changed, setsSum);
    },

    delete: (viewer: Viewer, id: number, precondition: Precondition): Promise<StoredItem> => {
      const allow = async (item: StoredItem) => {
        const seen = await seenByWriter(viewer, item);
        if (!item.is_active) throw missing();
        return seen;
      };
      return change(viewer, id, precondition, allow, (item) => ({ ...item, is_active: false }));
    },

    async createIn(
      viewer: Viewer,
      registryId: number,
      body: ItemRegistryCreate,
      creationKey: string | null = null,
    ): Promise<StoredItem> {
      await access.write(viewer, registryId);
      const item = await insert(viewer, registryId, body, creationKey);
      await order.syncAfterWrite(viewer, registryId);
      return item;
    },

    async deleteIn(
      viewer: Viewer,
      registryId: number,
      id: number,
      precondition: Precondition,
    ): Promise<void> {
      const { post } = await access.write(viewer, registryId);
      const allow = async (item: StoredItem) => seenIn(post, viewer, ofRegistry(item, registryId));
      await change(viewer, id, precondition, allow, (item) => ({ ...item, is_active: false }));
      await order.syncAfterWrite(viewer, registryId);
    },

    async affiliate(viewer: Viewer, registryId: number, id: number): Promise<StoredItem> {
      await access.read(viewer, registryId);
      const item = await store.find(id);
      if (!item) throw missing();
      return ofRegistry(item, registryId);
    },

    /** Sets the affiliate link, or clears it where none is given. */
    async setAffiliate(
      viewer: Viewer,
      registryId: number,
      id: number,
      body: AffiliateUpdate | null,
      precondition: Precondition,
    ): Promise<StoredItem> {
      const { post } = await access.write(viewer, registryId);
      const allow = async (item: StoredItem) => seenIn(post, viewer, ofRegistry(item, registryId));
      const affiliate_url = body?.affiliate_url ?? null;
      const affiliate_status = body && (body.affiliate_status ?? 'active');
      return change(viewer, id, precondition, allow, (item) => ({
        ...item,
        affiliate_url,
        affiliate_status,
      }));
    },
  };
}

const missing = () => new Problem('not_found', 'Item not found');

type Writable = Omit<ItemFields, 'registry_id' | 'created_at' | 'updated_at'>;

// Values for absent fields of a new item and for `null` in an update.
const DEFAULTS = {
  description: null,
  retailer: null,
  image_url: null,
  price: null,
  quantity_needed: 1,
  quantity_purchased: 0,
  is_active: true,
  affiliate_url: null,
  affiliate_status: null,
} satisfies Omit<Writable, 'name' | 'url'>;

const ITEM_FIELDS = ['name', 'url', ...Object.keys(DEFAULTS)] as (keyof Writable)[];

// Only the fields that the contract knows, with defaults for `null`.
function suppliedFields(body: ItemUpdate): Partial<Writable> {
  const supplied: Record<string, unknown> = {};
  for (const field of ITEM_FIELDS) {
    const value = body[field];
    if (value !== undefined) supplied[field] = value ?? DEFAULTS[field as keyof typeof DEFAULTS];
  }
  if ('is_active' in supplied) supplied.is_active = Boolean(supplied.is_active);
  return supplied;
}

/** The part of a wanted sum that is set directly: the sum without the claims. */
function setDirectly(item: StoredItem, { quantity_purchased: sum }: Partial<Writable>): Partial<Writable> {
  if (sum === undefined) return {};
  if (sum < item.claimed)
    throw new Problem(
      'conflict',
      `quantity_purchased: ${item.claimed} are claimed, which ${sum} would leave out`,
    );
  return { quantity_purchased: sum - item.claimed };
}

const withDefaults = (body: ItemRegistryCreate): Writable =>
  ({ ...DEFAULTS, ...suppliedFields(body) }) as Writable;
