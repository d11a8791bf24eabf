import { Problem } from '../contract/problem.ts';
import type { Post, PostChanges, Surprise } from '../host/post-format.ts';
import { type HostRegistries, QueryRefused, RegistryGone } from '../host/registries.ts';
import { isNamed, type User } from '../host/users.ts';
import { bounded, LoadingCache } from '../lib/cache.ts';
import { coalescing } from '../lib/coalescing.ts';
import type { ClaimStore } from '../store/claims.ts';
import type { CoOwners } from '../store/co-owners.ts';
import {
  type EventSight,
  type EventStore,
  LONGEST_LOOK_MS,
  type OwnersRights,
  type Position,
  type StoredEvent,
} from '../store/events.ts';
import type { ClaimSight } from '../store/items.ts';
import type { WebhookStore } from '../store/webhooks.ts';

export type Viewer = User & {
  authorization: string;
  /** `Prefer: wait=0`: the caller prefers stored data to waiting for the host. */
  noWait: boolean;
  /** `Prefer: notice=none`: the host need not be notified of this admin's changes. */
  skipsNotice: boolean;
  /** `Prefer: claims=hidden`: this admin writes for an owner from whom claims are concealed. */
  hidesClaims: boolean;
  /** `Trousseau-Owner`: the owner as the caller states it, or 0 for anyone but the caller; believed of admins who don't wait. */
  statedOwnerId: number | undefined;
};

/** A registry that the viewer may read, perhaps change; `orderChecked`: its order on the host has been looked at. */
export type Grant = { post: Post; mayWrite: boolean; orderChecked: boolean; askedAt: number };

type Options = {
  ttlSeconds: number;
  clock: () => number;
  /** The wall clock, for things that end on a date. */
  now: () => number;
  /** The host has such a registry; called once for each, before anything is stored in it. */
  onRegistryExists(id: number): Promise<unknown>;
  /** The host has no such registry any more, or never had. */
  onRegistryGone(id: number): Promise<void>;
  claims: Pick<ClaimStore, 'hasClaimsAsOwner'>;
  coOwners: CoOwners;
  /** Called with a registry as the host showed it to someone who may change it, and when the host was asked. */
  onSeen(post: Post, time: number): Promise<void>;
  /** Webhooks that wait for the host's next answer about a registry. */
  webhooks: Pick<WebhookStore, 'willAwait'>;
  /** Events, of which some wait for the host's next answer, and each registry as it was last seen. */
  events: EventStore;
};

export type ReportedRights = Surprise & {
  isListed: boolean;
  /** The last event that was stored when the service asked for this report. */
  asked: Position | undefined;
};

// The most registries to check after a change that affects many.
const MOST_LOOKS = 20;

/** `hasCoOwned`: whether the host included the registries that the user co-owns. */
type OwnPosts = { found: Surprise[]; hasCoOwned: boolean };

/** A user's own registries, by what they may see of claims: nothing, only how many, or everything. */
export type OwnRegistries = Record<'hidden' | 'counted' | 'open', number[]>;

/** Owners and admins may do everything, co-owners nearly everything, invitees may read, others nothing. */
export type RegistryAccess = ReturnType<typeof registryAccess>;

export function registryAccess(host: HostRegistries, options: Options) {
  const { ttlSeconds, clock, now, coOwners, events } = options;
  const ownPosts = new LoadingCache<OwnPosts>({ ttlSeconds, max: 2_000_000, byLength: true, clock });
  const grants = new LoadingCache<Grant>({ ttlSeconds, max: 8_000_000, byLength: true, clock });
  // When this process last changed each registry; older answers of the host no longer count.
  const changes = bounded<number, number>(10_000);
  let lastChange = Number.NEGATIVE_INFINITY;
  const looks = coalescing<number | undefined>();
  const reportedExisting = bounded<number, true>(10_000);
  // Wall time of the newest answer about each registry that this process stored; for all processes `seenAfter` does the same.
  const lookedAt = bounded<number, number>(10_000);
  const isOvertaken = (id: number, time: number, seen = lookedAt.get(id) ?? 0) =>
    seen > time && seen - LONGEST_LOOK_MS <= time;

  const sightOf = (viewer: Viewer, post: Surprise): ClaimSight =>
    owns(viewer, post) ? ownersSight(post, now()) : 'shown';

  function askOwnPosts({ authorization, id, admin }: Viewer): Promise<OwnPosts> {
    const askFor = (states: string) => host.surprisesOf(authorization, id, states);
    // An admin sees items of registries in every state; to other users the host doesn't show anyone else's drafts.
    const askShown = () => askFor('publish,private');
    if (!admin) return askShown();
    return askFor('publish,private,draft,pending,future,trash').catch((error) => {
      // Any failure but a refusal is thrown: a draft that wasn't listed may hold a surprise.
      if (!(error instanceof QueryRefused)) throwUnlessHidden(error);
      return askShown();
    });
  }

  /** Stores the co-owners and surprise that every reader sees. Returns false if a newer answer than `time` came first. */
  async function seenByReader({ id, coOwners: names, surpriseUntil }: Post, time: number): Promise<boolean> {
    if (isOvertaken(id, time)) return false;
    lookedAt.set(id, time);
    await coOwners.set(id, names, time);
    if (surpriseUntil !== null) await events.conceal(id, surpriseUntil, time);
    return true;
  }

  /** Stores a registry as the host shows it to someone who may change it, as of this time. */
  async function storeSeen(post: Post, time = now()): Promise<void> {
    if (await seenByReader(post, time)) await options.onSeen(post, time);
  }

  async function ask(viewer: Viewer, id: number): Promise<Grant> {
    const [askedAt, time] = [clock(), now()];
    const lastUndecided = await events.undecided(id);
    const decide = async (conceals: boolean) => {
      if (lastUndecided) await events.decide(id, lastUndecided, conceals, now());
    };
    const post = await host.get(viewer.authorization, id).catch(async (error) => {
      if (error instanceof RegistryGone) await options.onRegistryGone(id);
      // A draft, or a registry in the trash: not even its owners are shown any of it.
      else if (error instanceof Problem && error.code === 'not_found') await decide(true);
      throw error;
    });
    const mayWrite = viewer.admin || owns(viewer, post);
    // Hosts hide parts of a registry from invitees.
    await (mayWrite ? storeSeen(post, time) : seenByReader(post, time));
    await decide(ownersSight(post, now()) !== 'shown');
    if (mayWrite && !reportedExisting.has(id)) {
      reportedExisting.set(id, true);
      void options.onRegistryExists(id);
    }
    if (!mayWrite && !isNamed(viewer, post.invitees))
      throw new Problem('forbidden', 'Only its owners, invitees and admins may see this registry');
    return { post, mayWrite, orderChecked: false, askedAt };
  }

  function grant(viewer: Viewer, id: number, notBefore: number | undefined): Promise<Grant> {
    const load = (askedAt = clock()) =>
      ask(viewer, id).catch((error) => Promise.reject(Object.assign(error, { askedAt })));
    return grants.get(`${id} ${viewer.id} ${viewer.admin} ${viewer.email}`, load, notBefore);
  }

  /** Whether claims in the registry name the viewer as its owner, or the viewer co-owned it when the host showed it last. */
  const isKnownOwner = async (viewer: Viewer, id: number): Promise<boolean> =>
    (await options.claims.hasClaimsAsOwner(viewer.id, id)) || (await coOwners.isOne(viewer, id));

  /** Asks the host about one registry. A registry that the host doesn't show may be a surprise. */
  async function lookUp(viewer: Viewer, id: number, notBefore: number | undefined): Promise<ClaimSight> {
    const found = await grant(viewer, id, notBefore).catch(throwUnlessHidden);
    return found ? sightOf(viewer, found.post) : (await isKnownOwner(viewer, id)) ? 'hidden' : 'shown';
  }

  /** The viewer's own registries. A host that lists no co-owned ones is asked about each; for admins, also about `ids`. */
  async function ownOf(viewer: Viewer, ids: Iterable<number>, notBefore: number): Promise<OwnRegistries> {
    const key = `${viewer.id} ${viewer.admin}`;
    const posts = ownPosts.get(key, () => askOwnPosts(viewer), notBefore);
    const { found, hasCoOwned } = await posts.catch((error) => {
      // The question may be an earlier caller's, asked with another password of this user.
      if (error.code !== 'unauthorized') throw error;
      return askOwnPosts(viewer);
    });
    const own: OwnRegistries = { hidden: [], counted: [], open: [] };
    const left = new Set(hasCoOwned ? [] : await coOwners.registriesOf(viewer));
    if (!hasCoOwned && viewer.admin) for (const id of ids) left.add(id);
    for (const post of found) {
      if (!owns(viewer, post)) continue;
      left.delete(post.id);
      const sight = sightOf(viewer, post);
      own[sight === 'shown' ? 'open' : sight].push(post.id);
    }
    for (const id of left) {
      const sight = await lookUp(viewer, id, Math.max(notBefore, changes.get(id) ?? notBefore));
      if (sight !== 'shown') own[sight].push(id);
    }
    return own;
  }

  function writer(grant: Grant): Grant {
    if (!grant.mayWrite)
      throw new Problem('forbidden', 'Only its owners and admins may change this registry');
    return grant;
  }

  /** Returns the cached grant. Asks the host again if that `isDoubtful`, or if an earlier caller's question was refused. */
  async function readAgainIf(viewer: Viewer, id: number, isDoubtful: (grant: Grant) => boolean) {
    const time = clock();
    const found = await grant(viewer, id, changes.get(id)).catch((error) => {
      if (error.mayHaveHappened || !(error.askedAt < time)) throw error;
      // Not together with others again: they may have another password of this user, which was revoked.
      return error.code === 'unauthorized' ? ask(viewer, id) : undefined;
    });
    return found && !(isDoubtful(found) && found.askedAt < time) ? found : grant(viewer, id, time);
  }

  /** The grant of a viewer who may write. Before a refusal the host is asked again, unless it just was. */
  const write = async (viewer: Viewer, id: number): Promise<Grant> =>
    writer(await readAgainIf(viewer, id, ({ mayWrite }) => !mayWrite));

  /** Drops cached answers about a registry that was changed, or may have been. */
  function changed(id: number): void {
    lastChange = clock();
    changes.set(id, lastChange);
  }

  /** Asks the host again, after the response, about one registry or all those where webhooks wait for its answer. */
  function lookAgain(viewer: Viewer, id?: number): void {
    if (isNoWaitAdmin(viewer)) return;
    const look = async () => {
      for (const one of await options.webhooks.willAwait(id, MOST_LOOKS)) await grant(viewer, one, clock());
    };
    // After a failure the webhooks wait for the host's next answer.
    void looks.run(id, () => look().catch(() => {}));
  }

  /** Returns true if there is no need to ask the host: the admin vouches for the owner and isn't a known owner. */
  const isTrustedAdminOf = async (viewer: Viewer, id: number): Promise<boolean> =>
    vouchesForOwner(viewer) && !(await isKnownOwner(viewer, id));

  return {
    isTrustedAdminOf,
    isKnownOwner,
    storeSeen,

    /** Changes a registry on the host. If it was seen meanwhile, nobody knows which answer is newer: the host is asked again. */
    async update(viewer: Viewer, id: number, wanted: PostChanges): Promise<Post> {
      const time = now();
      const updated = await host.update(viewer.authorization, id, wanted);
      const isClear = (lookedAt.get(id) ?? time) <= time && !(await events.isSeenAfter(id, time));
      // If the host now refuses someone its answer names, they have been removed since: the answer is out of date.
      const mayWrite = viewer.admin || owns(viewer, updated);
      const lookAnew = () =>
        grant(viewer, id, clock()).catch((error) =>
          mayWrite ? throwUnlessHidden(error) : Promise.reject(error),
        );
      await (isClear ? storeSeen(updated) : lookAnew().catch(() => storeSeen(updated)));
      return updated;
    },

    /** Takes the plugin's report, which is as old as its request. It releases events only if the service asked for it. */
    async reported({ isListed, asked, ...post }: ReportedRights, msAgo: number): Promise<void> {
      const time = Math.floor(now() - msAgo);
      const conceals = !isListed || ownersSight(post, time) !== 'shown';
      const upTo = conceals ? await events.undecided(post.id) : asked;
      if (!isOvertaken(post.id, time)) {
        lookedAt.set(post.id, time);
        await coOwners.set(post.id, post.coOwners, time);
        await events.storeRights(post.id, { ...post, ownerId: post.authorId }, time);
      }
      changed(post.id);
      if (upTo) await events.decide(post.id, upTo, conceals, time);
    },

    /** Refuses strangers before a registry is locked. The host is asked only about viewers who weren't owners so far. */
    async refuseStrangers(viewer: Viewer, id: number): Promise<void> {
      if (viewer.admin || (await events.seen(id))?.ownerId === viewer.id) return;
      if (!(await coOwners.isOne(viewer, id))) await write(viewer, id);
    },

    read: (viewer: Viewer, id: number) => readAgainIf(viewer, id, () => false),
    readNow: (viewer: Viewer, id: number) => grant(viewer, id, clock()),
    readAgainIf,
    write,
    writeNow: async (viewer: Viewer, id: number) => writer(await grant(viewer, id, clock())),
    changed,
    lookAgain,
    /** Resolves when the host has answered all that `lookAgain` asked, or failed to. */
    settled: looks.settled,

    /** How much of the claims the viewer sees; owners with a surprise see less. */
    sightOf,

    /** Like `sightOf`, for an admin who doesn't wait; hides everything if the host is needed and doesn't answer. */
    sightWithoutWait: async (viewer: Viewer, id: number): Promise<ClaimSight> =>
      (await isTrustedAdminOf(viewer, id))
        ? 'shown'
        : grant(viewer, id, changes.get(id)).then(
            ({ post }) => sightOf(viewer, post),
            () => 'hidden',
          ),

    /** The viewer's own registries, at least those in `ids`; if an admin vouches for the owner, only what the store knows. */
    ownRegistries: async (viewer: Viewer, ids: Iterable<number>, since = lastChange) => {
      if (!vouchesForOwner(viewer)) return ownOf(viewer, ids, Math.max(since, lastChange));
      const hidden: number[] = [];
      for (const id of new Set(ids)) if (await isKnownOwner(viewer, id)) hidden.push(id);
      return { hidden, counted: [], open: [] };
    },
    ownRegistriesNow: (viewer: Viewer, ids: Iterable<number>) => ownOf(viewer, ids, clock()),
    time: clock,
  };
}

/** An admin who must not wait for the host: the host may be waiting for this very answer. */
export const isNoWaitAdmin = (viewer: Viewer): boolean => viewer.admin && viewer.noWait;

/** Whether an admin who doesn't wait states that the registry is someone else's, which the service believes. */
export const vouchesForOwner = (viewer: Viewer): boolean =>
  isNoWaitAdmin(viewer) && viewer.statedOwnerId !== undefined && viewer.statedOwnerId !== viewer.id;

/** Ignores the error for a registry that the host doesn't show this viewer; throws any other. */
export function throwUnlessHidden(error: unknown): undefined {
  if (!(error instanceof Problem) || !['forbidden', 'not_found'].includes(error.code)) throw error;
}

export const owns = (viewer: Viewer, { authorId, coOwners }: Surprise): boolean =>
  viewer.id === authorId || isNamed(viewer, coOwners);

export function ownersSight(
  { surpriseUntil: until, surpriseKeeps }: Omit<OwnersRights, 'ownerId'>,
  now: number,
): ClaimSight {
  const isSurprise = until !== null && until > new Date(now).toISOString();
  return !isSurprise ? 'shown' : surpriseKeeps === 'names' ? 'counted' : 'hidden';
}

/** Which of a registry's events someone may follow. How much they see of claims matters only for an owner. */
export const eventSight = (isOwner: boolean, claims: ClaimSight): EventSight =>
  !isOwner ? 'all' : claims === 'shown' ? 'owner' : 'concealed';

export const eventSightIn =
  (own: OwnRegistries) =>
  (id: number): EventSight => {
    const claims = sightIn(own)(id);
    return eventSight(claims !== 'shown' || own.open.includes(id), claims);
  };

/** Whether feeds and webhooks show an event to someone with this sight; `undecided` until the host's next answer. */
export function verdictOn(
  { claimId, isConcealed }: Pick<StoredEvent, 'claimId' | 'isConcealed'>,
  sight: EventSight,
): 'shown' | 'concealed' | 'undecided' {
  if (claimId === null || sight === 'all') return 'shown';
  if (sight === 'concealed' || isConcealed) return 'concealed';
  return isConcealed === null ? 'undecided' : 'shown';
}

/** Claim visibility per registry, for the owner of these registries. */
export const sightIn =
  ({ hidden, counted }: OwnRegistries) =>
  (id: number): ClaimSight =>
    hidden.includes(id) ? 'hidden' : counted.includes(id) ? 'counted' : 'shown';
