import {
  MAX_INVITEES,
  type Registry,
  type RegistryCreate,
  type RegistryMeta,
  type RegistryUpdate,
} from '../contract/index.ts';
import { type Registries as Host, type Post, type PostChanges, unique } from '../host/registries.ts';
import { Problem } from '../problem.ts';
import { type Soon, then } from '../soon.ts';
import { BETWEEN, type Items } from '../store/items.ts';
import type { Access, Viewer } from './access.ts';
import { type Order, project } from './order.ts';

type Parts = { host: Host; items: Items; access: Access; order: Order; now: () => string };

export type RegistryList = { registries: Registry[]; total: string; totalPages: string };

/** Registries: posts of the host, with the item table's truth about their items. */
export type Registries = ReturnType<typeof registries>;

export function registries({ host, items, access, order, now }: Parts) {
  async function changeInvitees(viewer: Viewer, id: number, change: (invitees: string[]) => string[]) {
    await access.write(viewer, id);
    return order.exclusively(id, async () => {
      const { post } = await access.writeNow(viewer, id);
      const invitees = change(post.invitees);
      if (invitees.length > MAX_INVITEES)
        throw invalid('invitees', `a registry takes at most ${MAX_INVITEES}`);
      if (invitees.join('\n') === post.invitees.join('\n')) return post.invitees;
      return (await host.update(viewer.authorization, id, { invitees })).invitees;
    });
  }

  const isGone = (viewer: Viewer, id: number): Promise<boolean> =>
    host.get(viewer.authorization, id).then(
      () => false,
      (error) => error instanceof Problem && error.code === 'not_found',
    );

  return {
    async list(viewer: Viewer, skip: number, limit: number): Promise<RegistryList> {
      const { posts, total, totalPages } = await host.ofAuthor(viewer.authorization, viewer.id, skip, limit);
      const active = await items.activeIds(posts.map(({ id }) => id));
      return { registries: posts.map((post) => shape(post, active.get(post.id)!)), total, totalPages };
    },

    async get(viewer: Viewer, id: number): Promise<Registry> {
      const grant = await access.readNow(viewer, id);
      const active = await order.activeIds(id);
      order.repair(viewer, grant, active);
      return shape(grant.post, active);
    },

    async create(viewer: Viewer, body: RegistryCreate): Promise<Registry> {
      const { itemIds, ...changes } = changesOf({ ...body, status: body.status ?? 'private' });
      refuseStrangers(itemIds, []);
      return shape(
        await host.create(viewer.authorization, { ...changes, status: body.status ?? 'private' }),
        [],
      );
    },

    async update(viewer: Viewer, id: number, body: RegistryUpdate): Promise<Registry> {
      // Strangers are turned away before they take a turn; the turn then starts from what the host holds now.
      await access.write(viewer, id);
      return order.exclusively(id, async () => {
        const { post } = await access.writeNow(viewer, id);
        const active = await order.activeIds(id);
        const wanted = changesOf(body);
        refuseStrangers(wanted.itemIds, active);
        if (wanted.itemIds) wanted.itemIds = project([...wanted.itemIds, ...post.itemIds], active);
        const changes = different(post, wanted);
        if (Object.keys(changes).length === 0) return shape(post, active);
        return shape(await host.update(viewer.authorization, id, changes), active);
      });
    },

    async delete(viewer: Viewer, id: number): Promise<void> {
      await access.writeNow(viewer, id);
      await order.exclusively(id, async () => {
        // The host first: if it refuses, nothing has happened. An answer that got lost is no refusal.
        await host.delete(viewer.authorization, id).catch(async (error) => {
          if (!(await isGone(viewer, id))) throw error;
        });
        await items.deactivateRegistry(id, now());
      });
    },

    /** The registry's active items as a JSON array, in the owner's order. */
    itemsOf: (viewer: Viewer, id: number): Soon<string> =>
      then(access.read(viewer, id), (grant) =>
        then(items.ofRegistry(id, viewer.admin), ({ ids, json }) => {
          // Most owners leave their items in the order in which they came.
          if (ids === grant.ids) return `[${json}]`;
          const active = ids === '' ? [] : ids.split(',').map(Number);
          order.repair(viewer, grant, active);
          const each = json.split(BETWEEN);
          const jsonOf = new Map(active.map((itemId, i) => [itemId, each[i]]));
          const ordered = project(grant.post.itemIds, active).map((itemId) => jsonOf.get(itemId));
          return `[${ordered.join(BETWEEN)}]`;
        }),
      ),

    invitees: async (viewer: Viewer, id: number): Promise<string[]> =>
      (await access.readNow(viewer, id)).post.invitees,

    addInvitees: (viewer: Viewer, id: number, added: string[]): Promise<string[]> =>
      changeInvitees(viewer, id, (invitees) => unique([...invitees, ...named(added, 'invitees')])),

    removeInvitee: (viewer: Viewer, id: number, removed: string): Promise<string[]> => {
      const name = removed.trim().toLowerCase();
      return changeInvitees(viewer, id, (invitees) =>
        invitees.filter((entry) => entry.toLowerCase() !== name),
      );
    },
  };
}

const invalid = (field: string, why: string) => new Problem('invalid', `${field}: ${why}`);

function named(entries: string[], field: string): string[] {
  if (entries.some((entry) => entry.trim() === '')) throw invalid(field, 'must not hold a blank entry');
  return entries;
}

function refuseStrangers(ids: readonly number[] | undefined, active: readonly number[]): void {
  const known = new Set(active);
  const strangers = ids?.filter((id) => !known.has(id)) ?? [];
  if (strangers.length > 0) {
    const few = strangers.slice(0, 10).join(', ');
    throw invalid('meta.registry_item_ids', `no active items of this registry: ${few}`);
  }
}

function changesOf({ title, status, story, meta }: RegistryUpdate): PostChanges {
  if (title?.trim() === '') throw invalid('title', 'must not be blank');
  const { registry_item_ids, registry_invitees, registry_event_type, registry_event_date } = meta ?? {};
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(status && { status }),
    ...(story !== undefined && { story: story ?? '' }),
    ...(registry_item_ids && { itemIds: registry_item_ids }),
    ...(registry_invitees && { invitees: unique(named(registry_invitees, 'meta.registry_invitees')) }),
    ...(registry_event_type !== undefined && { eventType: registry_event_type || null }),
    ...(registry_event_date !== undefined && { eventDate: registry_event_date }),
  };
}

// What is sent back as it was read must not rewrite a story that the host keeps as HTML.
function different(post: Post, wanted: PostChanges): PostChanges {
  const changed = Object.entries(wanted).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(post[key as keyof Post]),
  );
  return Object.fromEntries(changed);
}

function shape(post: Post, active: readonly number[]): Registry {
  const meta: RegistryMeta = {
    registry_item_ids: project(post.itemIds, active),
    registry_invitees: post.invitees,
    registry_event_type: post.eventType,
    registry_event_date: post.eventDate,
  };
  return {
    id: post.id,
    user_id: post.authorId,
    title: post.title,
    status: post.status,
    story: post.story,
    permalink: post.permalink,
    share_key: post.id,
    slug: post.slug,
    meta,
    created_at: post.createdAt,
    updated_at: post.updatedAt,
  };
}
