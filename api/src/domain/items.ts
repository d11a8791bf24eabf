import type { AffiliateUpdate, ItemRegistryCreate, ItemUpdate } from '../contract/index.ts';
import { Problem } from '../problem.ts';
import type { ItemFields, RenderedItem, Items as Store, StoredItem } from '../store/items.ts';
import type { Access, Viewer } from './access.ts';
import type { Order } from './order.ts';

type Parts = {
  store: Store;
  access: Access;
  order: Order;
  itemAccess: 'authenticated' | 'registry';
  now: () => string;
};

/** Looks at the item's state before it is changed, and throws if the caller expected another. */
export type Precondition = (item: StoredItem) => void;

/** Changes to items. Each is one guarded statement, repeated on the new state if somebody else was faster. */
export type Items = ReturnType<typeof items>;

export function items({ store, access, order, itemAccess, now }: Parts) {
  async function change(
    id: number,
    precondition: Precondition,
    changed: (item: StoredItem) => StoredItem | Promise<StoredItem>,
  ): Promise<StoredItem> {
    for (;;) {
      const item = await store.find(id);
      if (!item) throw missing();
      const next = await changed(item);
      precondition(item);
      if (next === item) return item;
      const done = await store.replace(item, { ...next, updated_at: now() });
      if (done) return done;
    }
  }

  // Under ITEM_ACCESS=registry an item belongs to its registry's people; otherwise to everybody who is signed in.
  async function mayWrite(viewer: Viewer, registryId: number): Promise<void> {
    if (itemAccess === 'registry') await access.write(viewer, registryId);
  }

  async function mayRead(viewer: Viewer, id: number): Promise<void> {
    const item = await store.find(id);
    if (!item?.is_active) throw missing();
    await access.read(viewer, item.registry_id);
  }

  function insert(
    registryId: number,
    body: ItemRegistryCreate,
    creationKey: string | null,
  ): Promise<StoredItem> {
    const time = now();
    return store.insert(
      { registry_id: registryId, ...withDefaults(body), created_at: time, updated_at: time },
      creationKey,
    );
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
      return store.page(skip, limit, viewer.admin);
    },

    /** One active item. */
    async get(viewer: Viewer, id: number): Promise<RenderedItem> {
      if (itemAccess === 'registry') await mayRead(viewer, id);
      const item = await store.rendered(id, viewer.admin);
      if (!item) throw missing();
      return item;
    },

    /** `creationKey` names a request that may arrive again: one key makes one item. */
    async create(
      viewer: Viewer,
      registryId: number,
      body: ItemRegistryCreate,
      creationKey: string | null = null,
    ): Promise<StoredItem> {
      await mayWrite(viewer, registryId);
      return insert(registryId, body, creationKey);
    },

    update: (viewer: Viewer, id: number, body: ItemUpdate, precondition: Precondition): Promise<StoredItem> =>
      change(id, precondition, async (item) => {
        await mayWrite(viewer, item.registry_id);
        const restores = body.is_active === true || body.is_active === 1;
        if (!item.is_active && !restores) throw missing();
        const supplied = suppliedFields(body);
        return Object.keys(supplied).length === 0 ? item : { ...item, ...supplied };
      }),

    delete: (viewer: Viewer, id: number, precondition: Precondition): Promise<StoredItem> =>
      change(id, precondition, async (item) => {
        await mayWrite(viewer, item.registry_id);
        if (!item.is_active) throw missing();
        return { ...item, is_active: false };
      }),

    async createIn(
      viewer: Viewer,
      registryId: number,
      body: ItemRegistryCreate,
      creationKey: string | null = null,
    ): Promise<StoredItem> {
      await access.write(viewer, registryId);
      const item = await insert(registryId, body, creationKey);
      await order.syncAfterWrite(viewer, registryId);
      return item;
    },

    async deleteIn(
      viewer: Viewer,
      registryId: number,
      id: number,
      precondition: Precondition,
    ): Promise<void> {
      await access.write(viewer, registryId);
      await change(id, precondition, (item) => ({ ...ofRegistry(item, registryId), is_active: false }));
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
      await access.write(viewer, registryId);
      const affiliate_url = body?.affiliate_url ?? null;
      const affiliate_status = body && (body.affiliate_status ?? 'active');
      return change(id, precondition, (item) => ({
        ...ofRegistry(item, registryId),
        affiliate_url,
        affiliate_status,
      }));
    },
  };
}

const missing = () => new Problem('not_found', 'Item not found');

type Writable = Omit<ItemFields, 'registry_id' | 'created_at' | 'updated_at'>;

// What an absent field of a new item and a `null` in an update stand for.
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

const FIELDS = ['name', 'url', ...Object.keys(DEFAULTS)] as (keyof Writable)[];

// Only the fields that the contract knows, with defaults for `null`.
function suppliedFields(body: ItemUpdate): Partial<Writable> {
  const supplied: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const value = body[field];
    if (value !== undefined) supplied[field] = value ?? DEFAULTS[field as keyof typeof DEFAULTS];
  }
  if ('is_active' in supplied) supplied.is_active = Boolean(supplied.is_active);
  return supplied;
}

const withDefaults = (body: ItemRegistryCreate): Writable =>
  ({ ...DEFAULTS, ...suppliedFields(body) }) as Writable;
