import { bounded, LoadingCache } from '../cache.ts';
import type { Post, Surprise } from '../host/post-format.ts';
import { type HostRegistries, RegistryGone } from '../host/registries.ts';
import type { User } from '../host/users.ts';
import { Problem } from '../problem.ts';

/** A signed-in caller. */
export type Viewer = User & {
  /** The credentials, which are passed on to the host. */
  authorization: string;
  /** `Prefer: wait=0`: the caller prefers stored data to waiting for the host. */
  noWait: boolean;
  /** `Prefer: notice=none`: the host need not be notified of this admin's changes. */
  skipsNotice: boolean;
  /** `Trousseau-Owner`: the registries' owner according to an admin who does not wait; 0 for any other user. */
  statedOwnerId: number | undefined;
};

/** A registry that the viewer may read, perhaps change; `orderChecked`: its order on the host has been looked at. */
export type Grant = { post: Post; mayWrite: boolean; orderChecked: boolean };

type Options = {
  ttlSeconds: number;
  clock: () => number;
  /** The time of day, for what ends on a day. */
  now: () => number;
  /** The host has such a registry; called once for each, before anything is stored in it. */
  onRegistryExists(id: number): Promise<void>;
  /** The host has no such registry any more, or never had. */
  onRegistryGone(id: number): Promise<void>;
  /** Whether anything was ever claimed in a registry while this user owned it. */
  hasClaimsWhileOwned(userId: number, id: number): Promise<boolean>;
};

/** A user's own registries: those in which claims are concealed from the user, and the others. */
export type OwnRegistries = { concealed: number[]; open: number[] };

/** Permissions on a registry: the owner and admins may do everything, invitees may read, nobody else anything. */
export type RegistryAccess = ReturnType<typeof registryAccess>;

export function registryAccess(host: HostRegistries, options: Options) {
  const { ttlSeconds, clock, now, onRegistryExists, onRegistryGone, hasClaimsWhileOwned } = options;
  const surprises = new LoadingCache<Surprise[]>({ ttlSeconds, max: 1_000, clock });
  const grants = new LoadingCache<Grant>({ ttlSeconds, max: 10_000, clock });
  // Times of the last changes through this process: older answers of the host are not used any more.
  const changes = bounded<number, number>(10_000);
  let lastChange = Number.NEGATIVE_INFINITY;
  const reportedExisting = bounded<number, true>(10_000);

  const isSurprise = (until: string | null): boolean =>
    until !== null && (until === 'always' || now() < Date.parse(`${until}T00:00:00Z`));

  async function askSurprises({ authorization, id, admin }: Viewer): Promise<Surprise[]> {
    // An admin meets the items of registries in every state; the host shows nobody else's drafts to others.
    const states = admin
      ? ['publish,private,draft,pending,future,trash', 'publish,private']
      : ['publish,private'];
    for (;;) {
      try {
        return await host.surprisesOf(authorization, id, states.shift()!);
      } catch (error) {
        if (states.length === 0) throw error;
      }
    }
  }

  async function ask(viewer: Viewer, id: number): Promise<Grant> {
    const post = await host.get(viewer.authorization, id).catch(async (error) => {
      if (error instanceof RegistryGone) await onRegistryGone(id);
      throw error;
    });
    const mayWrite = viewer.admin || viewer.id === post.authorId;
    if (mayWrite && !reportedExisting.has(id)) {
      reportedExisting.set(id, true);
      void onRegistryExists(id);
    }
    if (!mayWrite && !isInvited(viewer, post)) {
      throw new Problem('forbidden', 'Only the owner, invitees and admins may see this registry');
    }
    return { post, mayWrite, orderChecked: false };
  }

  const grant = (viewer: Viewer, id: number, notBefore: number | undefined) =>
    grants.get(`${id} ${viewer.id}`, () => ask(viewer, id), notBefore);

  const conceals = (viewer: Viewer, { authorId, surpriseUntil }: Post): boolean =>
    viewer.id === authorId && isSurprise(surpriseUntil);

  async function ownOf(viewer: Viewer, notBefore: number): Promise<OwnRegistries> {
    const own = await surprises.get(`${viewer.id}`, () => askSurprises(viewer), notBefore);
    const { concealed = [], open = [] } = Object.groupBy(own, ({ surpriseUntil }) =>
      isSurprise(surpriseUntil) ? 'concealed' : 'open',
    );
    return { concealed: concealed.map(({ id }) => id), open: open.map(({ id }) => id) };
  }

  function writer(grant: Grant): Grant {
    if (!grant.mayWrite) throw new Problem('forbidden', 'Only the owner and admins may change this registry');
    return grant;
  }

  const isTrustedAdminOf = async (viewer: Viewer, id: number): Promise<boolean> =>
    vouchesForOwner(viewer) && !(await hasClaimsWhileOwned(viewer.id, id));

  return {
    counters: grants.counters,

    /** True if the host need not be asked: the admin vouches for the owner, and nothing was claimed while it was theirs. */
    isTrustedAdminOf,

    /** May read, by an answer of the host that may be cached. */
    read: (viewer: Viewer, id: number) => grant(viewer, id, changes.get(id)),
    /** May read, by an answer that the host gives now. */
    readNow: (viewer: Viewer, id: number) => grant(viewer, id, clock()),
    /** May change, by an answer of the host that may be cached. */
    write: async (viewer: Viewer, id: number) => writer(await grant(viewer, id, changes.get(id))),
    /** May change, by an answer that the host gives now. */
    writeNow: async (viewer: Viewer, id: number) => writer(await grant(viewer, id, clock())),
    /** Drops cached answers about a registry that was changed, or may have been. */
    changed(id: number): void {
      lastChange = clock();
      changes.set(id, lastChange);
    },

    /** Whether claims are concealed from the viewer, who owns the registry and is to be surprised. */
    conceals,

    /** The same for an admin who does not wait: asks the host only where needed; claims are concealed if it doesn't answer. */
    concealsWithoutWait: async (viewer: Viewer, id: number): Promise<boolean> =>
      !(await isTrustedAdminOf(viewer, id)) &&
      grant(viewer, id, changes.get(id)).then(
        ({ post }) => conceals(viewer, post),
        () => true,
      ),

    /**
     * The viewer's own registries, where only these matter. For an admin who vouches for the owner, without asking the host:
     * registries are concealed in which something was claimed while they were the admin's own.
     */
    surprisesAmong: async (viewer: Viewer, ids: Iterable<number>): Promise<OwnRegistries> => {
      if (!vouchesForOwner(viewer)) return ownOf(viewer, lastChange);
      const concealed: number[] = [];
      for (const id of new Set(ids)) if (await hasClaimsWhileOwned(viewer.id, id)) concealed.push(id);
      return { concealed, open: [] };
    },

    /** The viewer's own registries. */
    surprises: (viewer: Viewer) => ownOf(viewer, lastChange),
    /** The same; the host is asked now. */
    surprisesNow: (viewer: Viewer) => ownOf(viewer, clock()),
  };
}

/** An admin who must not wait for the host: the host may be waiting for this very answer. */
export const isNoWaitAdmin = (viewer: Viewer): boolean => viewer.admin && viewer.noWait;

/** An admin who does not wait and states that the registry is another user's: this is believed, as the host would be. */
export const vouchesForOwner = (viewer: Viewer): boolean =>
  isNoWaitAdmin(viewer) && viewer.statedOwnerId !== undefined && viewer.statedOwnerId !== viewer.id;

function isInvited({ username, email }: Viewer, { invitees }: Post): boolean {
  // An invitee with an “@” is compared with addresses alone: a user name may look like somebody else's address.
  return invitees.some((invitee) => {
    const name = invitee.includes('@') ? email : username;
    return name !== '' && invitee.toLowerCase() === name.toLowerCase();
  });
}
