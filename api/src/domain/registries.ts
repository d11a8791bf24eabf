import {
  MAX_CO_OWNERS,
  MAX_INVITEES,
  type RegistryCreate,
  type RegistryRights,
  type RegistryUpdate,
} from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import {
  hasBlocks,
  isMarkup,
  isRegistryStatus,
  type Post,
  type PostChanges,
  surpriseDay,
  surpriseEnd,
  unique,
} from '../host/post-format.ts';
import { type HostRegistries, RegistryGone } from '../host/registries.ts';
import { isNamed } from '../host/users.ts';
import type { Deletions } from '../store/deletions.ts';
import type { ItemStore } from '../store/items.ts';
import { isNoWaitAdmin, type RegistryAccess, type Viewer } from './access.ts';
import type { ItemList, ItemLists } from './item-lists.ts';
import { type ItemOrder, mergeOrder } from './item-order.ts';
import type { Locks } from './locks.ts';

type Parts = {
  host: HostRegistries;
  items: ItemStore;
  lists: ItemLists;
  deletions: Deletions;
  access: RegistryAccess;
  locks: Locks;
  order: ItemOrder;
  /** Deactivates the items of a registry that the host no longer has. */
  deleteLeftovers(id: number): Promise<void>;
  now: () => string;
};

/** A registry as its viewer sees it, with the ids of its active items in the displayed order. */
export type SeenRegistry = { post: Post; itemIds: number[] };

export const seenRegistry = (post: Post, active: readonly number[]): SeenRegistry => ({
  post,
  itemIds: mergeOrder(post.itemIds, active),
});

/** Registries are posts of the host; the item table decides which items they hold. */
export type RegistryRules = ReturnType<typeof registryRules>;

export function registryRules(parts: Parts) {
  const { host, items, lists, deletions, access, locks, order, deleteLeftovers, now } = parts;

  async function changeInvitees(viewer: Viewer, id: number, change: (invitees: string[]) => string[]) {
    await access.refuseStrangers(viewer, id);
    return locks.run(id, async () => {
      const { post } = await access.writeNow(viewer, id);
      const invitees = change(post.invitees);
      if (invitees.length > Math.max(MAX_INVITEES, post.invitees.length))
        throw invalid('invitees', `a registry takes at most ${MAX_INVITEES}`);
      if (JSON.stringify(invitees) === JSON.stringify(post.invitees)) return post.invitees;
      return (await access.update(viewer, id, { invitees })).invitees;
    });
  }

  return {
    async list(viewer: Viewer, skip: number, limit: number) {
      const { posts, ...totals } = await host.ofUser(viewer.authorization, viewer.id, skip, limit);
      const active = await items.activeIds(posts.map(({ id }) => id));
      return { registries: posts.map((post) => seenRegistry(post, active.get(post.id)!)), ...totals };
    },

    async get(viewer: Viewer, id: number): Promise<SeenRegistry> {
      const grant = await access.readNow(viewer, id);
      order.syncOnVisit(viewer, grant);
      // Invitees learn where to pay once they have confirmed a share.
      const post = grant.mayWrite ? grant.post : { ...grant.post, payTo: null };
      return seenRegistry(post, await order.activeIds(id));
    },

    async create(viewer: Viewer, body: RegistryCreate): Promise<SeenRegistry> {
      const { itemIds, ...changes } = changesOf({ ...body, status: body.status ?? 'private' });
      requireActive(itemIds, []);
      const post = await host.create(viewer.authorization, changes);
      await access.storeSeen(post);
      return seenRegistry(post, []);
    },

    async update(viewer: Viewer, id: number, body: RegistryUpdate): Promise<SeenRegistry> {
      await access.refuseStrangers(viewer, id);
      return locks.run(id, async () => {
        // The change starts from the post that the host has now.
        const { post } = await access.writeNow(viewer, id);
        const active = await order.activeIds(id);
        const wanted = changesOf(body);
        requireActive(wanted.itemIds, active);
        if (wanted.itemIds) wanted.itemIds = mergeOrder([...wanted.itemIds, ...post.itemIds], active);
        // In a story that is HTML already, new HTML stays HTML; in a plain story, text that only looks like HTML is text.
        if (post.storyIsMarkup && wanted.story !== undefined) wanted.storyIsMarkup = isMarkup(wanted.story);
        const changes = changedFields(post, wanted);
        if (changes.currency !== undefined && (await items.hasMoney(id)))
          throw new Problem('conflict', 'The currency cannot change while the registry has a money item');
        if (changes.coOwners) refuseOwnersChange(viewer, post, changes.coOwners);
        if (Object.keys(changes).length === 0) return seenRegistry(post, active);
        return seenRegistry(await access.update(viewer, id, changes), active);
      });
    },

    /** Deletes the registry on the host and its items here; a job finishes interrupted deletions. */
    async delete(viewer: Viewer, id: number): Promise<void> {
      const { post } = await access.writeNow(viewer, id).catch(async (error) => {
        // A site repeats its report until it gets this answer, so the items go first.
        if (error instanceof RegistryGone) await deleteLeftovers(id);
        throw error;
      });
      if (!isAuthorOrAdmin(viewer, post))
        throw new Problem('forbidden', 'Only its first owner and admins may delete a registry');
      // With `wait=0` a site only reports that the registry is missing: it may be a copy of the host, or out of date.
      if (viewer.noWait) throw new Problem('conflict', 'The registry host still has this registry');
      await locks.run(id, async () => {
        await deletions.begin(id);
        await host.delete(viewer.authorization, id).catch(async (error) => {
          // A lost answer is no refusal.
          const found = await host.get(viewer.authorization, id).catch((error) => error);
          if (found instanceof RegistryGone) return;
          if (error instanceof Problem && !error.mayHaveHappened) await deletions.cancel(id);
          throw error;
        });
        await deletions.finish(id, now());
      });
    },

    /** Takes an admin's report of a registry's owners and surprise, which may be old. */
    async setRights(viewer: Viewer, id: number, rights: RegistryRights, msAgo: number): Promise<void> {
      if (!viewer.admin) throw new Problem('forbidden', 'Only admins may tell who owns a registry');
      const [number, part] = rights.asked?.split('.').map(Number) ?? [];
      const reported = {
        ...{ id, authorId: rights.user_id, coOwners: unique(rights.registry_owners) },
        surpriseUntil: surpriseEnd(rights.registry_surprise_until, rights.registry_surprise_ends),
        surpriseKeeps: rights.registry_surprise_keeps,
        isListed: isRegistryStatus(rights.status),
        asked: rights.asked === undefined ? undefined : { number: number!, part: part! },
      };
      await access.reported(reported, msAgo);
    },

    /** Finishes an interrupted deletion. Forgets it if the host still has the registry, or has the plugin, which reports deletions itself. */
    resumeDeletion: (id: number): Promise<void> =>
      locks.run(id, async () => {
        const gone = await host.isGone(id);
        if (gone === true) await deletions.finish(id, now());
        if (gone === false || gone === 'asked') await deletions.cancel(id);
      }),

    /** Finishes a deletion that the site did not report. True if the host confirms it, undefined if the host doesn't say. */
    async deleteIfGoneOnHost(id: number): Promise<boolean | undefined> {
      const gone = await host.isGone(id);
      if (gone === true) await locks.run(id, () => deletions.finish(id, now()));
      return gone === 'asked' ? false : gone;
    },

    /** The registry's active items in the owner's order; in the order of their ids for an admin who doesn't wait. */
    async itemsOf(viewer: Viewer, id: number): Promise<ItemList> {
      // The store alone answers an admin here: the host may be waiting for this answer.
      if (isNoWaitAdmin(viewer)) return lists.ofRegistry(id, [], await access.sightWithoutWait(viewer, id));
      const grant = await access.read(viewer, id);
      order.syncOnVisit(viewer, grant);
      return lists.ofRegistry(id, grant.post.itemIds, access.sightOf(viewer, grant.post));
    },

    invitees: async (viewer: Viewer, id: number): Promise<string[]> =>
      (await access.readNow(viewer, id)).post.invitees,

    addInvitees: (viewer: Viewer, id: number, added: string[]): Promise<string[]> =>
      changeInvitees(viewer, id, (invitees) => unique([...invitees, ...refuseBlank(added, 'invitees')])),

    removeInvitee: (viewer: Viewer, id: number, removed: string): Promise<string[]> => {
      const name = removed.trim().toLowerCase();
      return changeInvitees(viewer, id, (invitees) =>
        invitees.filter((entry) => entry.toLowerCase() !== name),
      );
    },
  };
}

const isAuthorOrAdmin = (viewer: Viewer, post: Post): boolean => viewer.admin || viewer.id === post.authorId;

function refuseOwnersChange(viewer: Viewer, post: Post, wanted: readonly string[]): void {
  if (isAuthorOrAdmin(viewer, post)) return;
  const others = post.coOwners.filter((entry) => !isNamed(viewer, [entry]));
  if (formOf(wanted) !== formOf(others) && formOf(wanted) !== formOf(post.coOwners))
    throw new Problem('forbidden', 'A co-owner may only take themselves off the owners of a registry');
}

const formOf = (entries: readonly string[]): string => JSON.stringify(entries).toLowerCase();

const invalid = (field: string, why: string) => new Problem('invalid', `${field}: ${why}`);

function refuseBlank(entries: string[], field: string): string[] {
  if (entries.some((entry) => entry.trim() === '')) throw invalid(field, 'must not hold a blank entry');
  return entries;
}

function requireActive(ids: readonly number[] | undefined, active: readonly number[]): void {
  const known = new Set(active);
  const others = ids?.filter((id) => !known.has(id)) ?? [];
  if (others.length > 0) {
    const few = others.slice(0, 10).join(', ');
    throw invalid('meta.registry_item_ids', `no active items of this registry: ${few}`);
  }
}

function changesOf({ title, status, story, meta }: RegistryUpdate): PostChanges {
  if (title?.trim() === '') throw invalid('title', 'must not be blank');
  const { registry_item_ids, registry_invitees, registry_owners, registry_event_type, ...others } =
    meta ?? {};
  const { registry_event_date, registry_currency, registry_pay_to, ...surprise } = others;
  const { registry_surprise_until, registry_surprise_keeps } = surprise;
  const coOwners = registry_owners && unique(refuseBlank(registry_owners, 'meta.registry_owners'));
  if (coOwners && coOwners.length > MAX_CO_OWNERS)
    throw invalid('meta.registry_owners', `a registry takes at most ${MAX_CO_OWNERS} co-owners`);
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(status && { status }),
    ...(story !== undefined && { story: story ?? '', storyIsMarkup: hasBlocks(story ?? '') }),
    ...(registry_item_ids && { itemIds: registry_item_ids }),
    ...(registry_invitees && { invitees: unique(refuseBlank(registry_invitees, 'meta.registry_invitees')) }),
    ...(coOwners && { coOwners }),
    ...(registry_event_type !== undefined && { eventType: registry_event_type || null }),
    ...(registry_event_date !== undefined && { eventDate: registry_event_date }),
    ...(registry_currency !== undefined && { currency: registry_currency }),
    ...(registry_surprise_until !== undefined && { surpriseUntil: registry_surprise_until || null }),
    ...(registry_pay_to !== undefined && { payTo: registry_pay_to || null }),
    ...(registry_surprise_keeps !== undefined && { surpriseKeeps: registry_surprise_keeps ?? 'all' }),
  };
}

// A story sent back unchanged must not overwrite the HTML that the host keeps.
function changedFields(post: Post, wanted: PostChanges): PostChanges {
  const { storyIsMarkup, ...fields } = wanted;
  const held = { ...post, surpriseUntil: post.surpriseUntil && surpriseDay(post.surpriseUntil) };
  const changed: PostChanges = Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(held[key as keyof Post]),
    ),
  );
  return changed.story === undefined ? changed : { ...changed, storyIsMarkup: storyIsMarkup ?? false };
}
