import type { AffiliateUpdate, ItemRegistryCreate, ItemUpdate } from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import { type Post, surpriseDay } from '../host/post-format.ts';
import type { ClaimStore, StoredClaim } from '../store/claims.ts';
import type { ClaimSight, ItemFields, ItemStore, StoredItem } from '../store/items.ts';
import { isNoWaitAdmin, ownersSight, type RegistryAccess, sightIn, type Viewer } from './access.ts';
import type { HostNotices } from './host-notices.ts';
import { type ItemList, type ItemLists, type SeenItem, seenAs } from './item-lists.ts';
import { type ItemOrder, mergeOrder } from './item-order.ts';
import type { Locks } from './locks.ts';
import { amountOf } from './money.ts';

export type { StoredItem };

type Parts = {
  store: ItemStore;
  lists: ItemLists;
  claims: ClaimStore;
  access: RegistryAccess;
  order: ItemOrder;
  locks: Locks;
  notices: HostNotices;
  itemAccess: 'authenticated' | 'registry';
  now: () => number;
};

// How many claims of an item are expired at a time before its total is set.
const MOST_EXPIRED = 1_000;

// A move that holds one registry's lock waits only this long for the other's, since callers of the first wait for it.
const SECOND_LOCK_MS = 2_000;

/** Throws if the caller expected another state of the item that is about to change. */
export type Precondition = (item: StoredItem) => void;

/** Changes to items. Each is one guarded statement, retried on the new state if another change came first. */
export type ItemRules = ReturnType<typeof itemRules>;

export function itemRules(parts: Parts) {
  const { store, lists, claims, access, order, locks, notices, itemAccess, now } = parts;
  const timestamp = () => new Date(now()).toISOString();

  /**
   * `allow` throws if the viewer may not change the item, else returns it as this viewer sees it. With `reckonsWithClaims`
   * the change also starts again if claims that the viewer sees have changed in the meantime.
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
      const done = await store.replace(item, dated, reckonsWithClaims && item.sight !== 'hidden');
      if (!done) continue;
      notices.changed(viewer, item.registry_id);
      return done;
    }
  }

  // With ITEM_ACCESS=registry an item belongs to the people of its registry, otherwise to everyone who is signed in.
  async function sightWith(right: 'read' | 'write', viewer: Viewer, item: StoredItem): Promise<ClaimSight> {
    if (itemAccess !== 'registry') return 'shown';
    // Admins may change every item, and an active item's registry exists, so the host is not asked.
    if (isNoWaitAdmin(viewer) && item.is_active) return access.sightWithoutWait(viewer, item.registry_id);
    const { post } = await access[right](viewer, item.registry_id);
    return access.sightOf(viewer, post);
  }

  const seenByWriter = async (viewer: Viewer, item: StoredItem): Promise<StoredItem> =>
    seenAs(await sightWith('write', viewer, item), item);

  const seenIn = (post: Post, viewer: Viewer, item: StoredItem): StoredItem =>
    seenAs(access.sightOf(viewer, post), item);

  const sightsIn = async (viewer: Viewer, registries: number[]): Promise<(id: number) => ClaimSight> =>
    itemAccess === 'registry' ? sightIn(await access.ownRegistries(viewer, registries)) : () => 'shown';

  async function currencyOf(viewer: Viewer, registryId: number): Promise<string> {
    const { post } = await access.writeNow(viewer, registryId);
    if (!post.currency)
      throw new Problem('conflict', 'The registry needs a currency before several people can pay for a gift');
    return post.currency;
  }

  async function activeItem(id: number): Promise<StoredItem> {
    const item = await store.find(id);
    if (!item?.is_active) throw missing();
    return item;
  }

  async function insert(
    viewer: Viewer,
    registryId: number,
    body: ItemRegistryCreate,
    creationKey: string | null,
  ): Promise<StoredItem> {
    async function insertIn(currency: string | null): Promise<StoredItem> {
      const time = timestamp();
      const own = { registry_id: registryId, currency, created_at: time, updated_at: time };
      const item = { ...own, ...DEFAULTS, ...suppliedFields(body) } as ItemFields;
      // The item of a repeated request may have claims by now, but the answer is still that for a new item.
      const stored = seenAs('hidden', await store.insert(item, creationKey));
      notices.changed(viewer, registryId);
      return stored;
    }
    if (!body.unit) return insertIn(null);
    if (body.price != null) throw pricedTwice();
    // The currency doesn't change in the meantime.
    return locks.run(registryId, async () => insertIn(await currencyOf(viewer, registryId)));
  }

  const seenInMove = (post: Post, viewer: Viewer, item: StoredItem): StoredItem =>
    itemAccess === 'registry' ? seenIn(post, viewer, item) : item;

  /** Runs work on two registries. Everyone locks the one with the lower id first, so that nobody waits in a circle. */
  const lockBoth = (one: number, other: number, work: () => Promise<void>): Promise<void> =>
    locks.run(Math.min(one, other), () => locks.run(Math.max(one, other), work, SECOND_LOCK_MS));

  /** Moves an item; undefined if it was moved elsewhere in the meantime. */
  async function moveFrom(viewer: Viewer, id: number, from: number, to: number, precondition: Precondition) {
    if (from === to) {
      const { post } = await access.writeNow(viewer, to);
      const found = await activeItem(id);
      if (found.registry_id !== from) return undefined;
      const item = seenInMove(post, viewer, found);
      precondition(item);
      return item;
    }
    for (const registry of [to, from]) await access.refuseStrangers(viewer, registry);
    const moved = Promise.withResolvers<StoredItem | undefined>();
    // While both are locked, currency, surprise and order stay the same and neither can be deleted: the host is asked once about
    // each. `moved` resolves as soon as the store has the move; both orders are then written to the host under the same locks.
    const work = lockBoth(from, to, async () => {
      const [{ post: toPost }, { post: fromPost }] = await Promise.all([
        access.writeNow(viewer, to),
        access.writeNow(viewer, from),
      ]);
      for (;;) {
        const found = await activeItem(id);
        if (found.registry_id !== from) return moved.resolve(undefined);
        precondition(seenInMove(fromPost, viewer, found));
        refuseOtherCurrency(found, fromPost, toPost);
        refuseLessSurprise(fromPost, toPost, now());
        const orderWithout = async ({ id: registry, itemIds }: Post) =>
          mergeOrder(itemIds, await order.activeIds(registry)).filter((other) => other !== id);
        const [left, others] = [await orderWithout(fromPost), await orderWithout(toPost)];
        const orders: [number[], number[]] = [left, [...others, id]];
        const destination = { registryId: to, ownerId: toPost.authorId, orders };
        const item = await store.move(found, destination, timestamp());
        if (!item) continue;
        const stored = [fromPost, toPost].map((post, i) => order.storeLocked(viewer, post, orders[i]!));
        moved.resolve(seenInMove(toPost, viewer, item));
        return void (await Promise.all(stored));
      }
    });
    const done = work.catch(moved.reject);
    const item = await moved.promise;
    if (!item) return undefined;
    for (const registry of [from, to]) notices.changed(viewer, registry);
    // Not for an admin who doesn't wait: that may be the host, which waits for this very answer.
    if (!isNoWaitAdmin(viewer)) await order.waitFor(done);
    return item;
  }

  const ofRegistry = (item: StoredItem, registryId: number): StoredItem => {
    if (item.registry_id !== registryId || !item.is_active) throw missing();
    return item;
  };

  return {
    async list(viewer: Viewer, skip: number, limit: number): Promise<ItemList> {
      if (itemAccess === 'registry' && !viewer.admin)
        throw new Problem('forbidden', 'Only admins may list all items');
      return lists.page(skip, limit, (registries) => sightsIn(viewer, registries));
    },

    async get(viewer: Viewer, id: number): Promise<StoredItem> {
      const item = await activeItem(id);
      return seenAs(await sightWith('read', viewer, item), item);
    },

    async ofClaims(viewer: Viewer, claims: readonly StoredClaim[]): Promise<Map<number, SeenItem>> {
      const registries = claims.map(({ registryId }) => registryId);
      const sightOf = await sightsIn(viewer, registries);
      const active = await store.some([...new Set(claims.map(({ itemId }) => itemId))]);
      return new Map(active.map((item) => [item.id, { item, claims: sightOf(item.registry_id) }]));
    },

    /** `creationKey` names a request that may arrive again: one key makes one item. */
    async create(viewer: Viewer, registryId: number, body: ItemRegistryCreate, creationKey: string | null) {
      if (itemAccess === 'registry' || body.unit) await access.write(viewer, registryId);
      return insert(viewer, registryId, body, creationKey);
    },

    async update(viewer: Viewer, id: number, body: ItemUpdate, precondition: Precondition) {
      const supplied = suppliedFields(body);
      const restores = body.is_active === true || body.is_active === 1;
      const setsSum = supplied.quantity_purchased !== undefined;
      const setsGoal = supplied.quantity_needed !== undefined;
      const allow = async (item: StoredItem): Promise<StoredItem> => {
        const seen = await seenByWriter(viewer, item);
        if (!item.is_active && !restores) throw missing();
        const { currency } = item;
        if (!item.is_active && currency && currency !== (await currencyOf(viewer, item.registry_id)))
          throw new Problem('conflict', `The registry's currency is no longer ${currency}`);
        // Claims whose time is over don't count towards the total: they are expired first, and the item is read anew.
        const reckons = setsSum || (setsGoal && item.currency);
        const over = reckons && seen.claimed > 0 ? await claims.expire(now(), MOST_EXPIRED, id) : [];
        return over.length > 0 ? allow((await store.find(id))!) : seen;
      };
      const changed = (item: StoredItem) => {
        refuseOtherUnit(item, body);
        if (Object.keys(supplied).length === 0) return item;
        const next = { ...item, ...supplied, ...setDirectly(item, supplied) };
        const isLowered = item.currency && next.quantity_needed < item.quantity_needed;
        if (isLowered && !viewer.hidesClaims) refuseGoalBelow(next);
        return next;
      };
      const work = () => change(viewer, id, precondition, allow, changed, setsSum || setsGoal);
      const found = restores ? await store.find(id) : undefined;
      // The registry's currency doesn't change while an item in it is restored.
      return found?.currency && !found.is_active ? locks.run(found.registry_id, work) : work();
    },

    delete: (viewer: Viewer, id: number, precondition: Precondition): Promise<StoredItem> => {
      const allow = async (item: StoredItem) => {
        const seen = await seenByWriter(viewer, item);
        if (!item.is_active) throw missing();
        return seen;
      };
      return change(viewer, id, precondition, allow, (item) => ({ ...item, is_active: false }));
    },

    /** Moves an active item to another registry, with its claims, for someone who may change both. */
    async move(viewer: Viewer, id: number, registryId: number, precondition: Precondition) {
      for (;;) {
        const { registry_id: from } = await activeItem(id);
        const item = await moveFrom(viewer, id, from, registryId, precondition);
        if (item) return item;
      }
    },

    async createIn(viewer: Viewer, registryId: number, body: ItemRegistryCreate, creationKey: string | null) {
      await access.write(viewer, registryId);
      const item = await insert(viewer, registryId, body, creationKey);
      await order.syncAfterWrite(viewer, registryId);
      return item;
    },

    async deleteIn(viewer: Viewer, registryId: number, id: number, precondition: Precondition) {
      const { post } = await access.write(viewer, registryId);
      const allow = async (item: StoredItem) => seenIn(post, viewer, ofRegistry(item, registryId));
      await change(viewer, id, precondition, allow, (item) => ({ ...item, is_active: false }));
      await order.syncAfterWrite(viewer, registryId);
    },

    async affiliate(viewer: Viewer, registryId: number, id: number): Promise<StoredItem> {
      await access.read(viewer, registryId);
      return ofRegistry(await activeItem(id), registryId);
    },

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
      const link = { affiliate_url, affiliate_status: body && (body.affiliate_status ?? 'active') };
      return change(viewer, id, precondition, allow, (item) => ({ ...item, ...link }));
    },
  };
}

const missing = () => new Problem('not_found', 'Item not found');
const pricedTwice = () =>
  new Problem('invalid', 'price: must be null if several people pay: the goal is the price');

/** An item stays what it is: pieces, or money. */
function refuseOtherUnit({ currency }: StoredItem, { unit, price }: ItemUpdate): void {
  if (unit !== undefined && (unit ?? null) !== (currency ? 'money' : null))
    throw new Problem('invalid', 'unit: cannot change');
  if (currency && price != null) throw pricedTwice();
}

/** A goal isn't lowered below what is pledged, except by or for (`hidesClaims`) owners with a surprise, who may not know that. */
function refuseGoalBelow(item: StoredItem): void {
  const { sight, currency, quantity_needed: goal } = item;
  const pledged = item.quantity_purchased + item.claimed;
  if (sight === 'hidden' || pledged <= goal) return;
  const [given, wanted] = [amountOf(pledged, currency!), amountOf(goal, currency!)];
  throw new Problem('conflict', `quantity_needed: ${given} has been pledged, more than ${wanted}`);
}

/** A group gift stays in the currency of its goal and its shares. */
function refuseOtherCurrency({ currency }: StoredItem, ...registries: Post[]): void {
  if (currency && registries.some((registry) => registry.currency !== currency))
    throw new Problem('conflict', `Both registries must have the currency of this gift: ${currency}`);
}

const CONCEALS: Record<ClaimSight, number> = { shown: 0, counted: 1, hidden: 2 };

/** A move never reveals more of claims to owners, or earlier. Items without claims are refused, too: a refusal tells nothing. */
function refuseLessSurprise(from: Post, to: Post, now: number): void {
  const before = CONCEALS[ownersSight(from, now)];
  const isAsLong = () => surpriseDay(to.surpriseUntil!) >= surpriseDay(from.surpriseUntil!);
  if (before > 0 && (CONCEALS[ownersSight(to, now)] < before || !isAsLong()))
    throw new Problem(
      'conflict',
      'A gift in a surprise registry can only be moved to one that hides at least as much for at least as long',
    );
}

type Writable = Omit<ItemFields, 'registry_id' | 'created_at' | 'updated_at' | 'currency'>;

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
} satisfies Required<Omit<Writable, 'name' | 'url'>>;

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

/** The part of the total that isn't claims, which is set directly. */
function setDirectly(item: StoredItem, { quantity_purchased: sum }: Partial<Writable>): Partial<Writable> {
  if (sum === undefined) return {};
  if (sum < item.claimed)
    throw new Problem('conflict', `quantity_purchased: ${sum} is less than the ${item.claimed} claimed`);
  return { quantity_purchased: sum - item.claimed };
}
