import { LRUCache } from 'lru-cache';
import { type Post, type Registries, RegistryGone } from '../host/registries.ts';
import { Remembered } from '../host/remembered.ts';
import type { User } from '../host/users.ts';
import { Problem } from '../problem.ts';

/** A signed-in caller, with the credentials that are passed on to the host. */
export type Viewer = User & { authorization: string };

/** A registry that the viewer may read, perhaps change; `orderChecked`: its order on the host has been looked at. */
export type Grant = { post: Post; mayWrite: boolean; orderChecked: boolean };

type Options = {
  ttlSeconds: number;
  clock: () => number;
  /** The host has no such registry any more. */
  foundGone(id: number): Promise<void>;
};

/** Who may do what on a registry: the owner and admins everything, invitees may read, nobody else anything. */
export type Access = ReturnType<typeof access>;

export function access(host: Registries, { ttlSeconds, clock, foundGone }: Options) {
  const grants = new Remembered<Grant>({ ttlSeconds, most: 10_000, clock });
  // When a registry was last changed through this process: what was asked before that is not believed any more.
  const changes = new LRUCache<number, number>({ max: 10_000 });

  async function ask(viewer: Viewer, id: number): Promise<Grant> {
    const post = await host.get(viewer.authorization, id).catch(async (error) => {
      if (error instanceof RegistryGone) await foundGone(id);
      throw error;
    });
    const mayWrite = viewer.admin || viewer.id === post.authorId;
    if (!mayWrite && !isInvited(viewer, post)) {
      throw new Problem('forbidden', 'Only the owner, invitees and admins may see this registry');
    }
    return { post, mayWrite, orderChecked: false };
  }

  const grant = (viewer: Viewer, id: number, notBefore: number | undefined) =>
    grants.get(`${id} ${viewer.id}`, () => ask(viewer, id), notBefore);

  function writer(grant: Grant): Grant {
    if (!grant.mayWrite) throw new Problem('forbidden', 'Only the owner and admins may change this registry');
    return grant;
  }

  return {
    counted: grants.counted,

    /** May read; what the host said up to the remembered seconds ago. */
    read: (viewer: Viewer, id: number) => grant(viewer, id, changes.get(id)),
    /** May read; the host is asked now. */
    readNow: (viewer: Viewer, id: number) => grant(viewer, id, clock()),
    /** May change; what the host said up to the remembered seconds ago. */
    write: async (viewer: Viewer, id: number) => writer(await grant(viewer, id, changes.get(id))),
    /** May change; the host is asked now. */
    writeNow: async (viewer: Viewer, id: number) => writer(await grant(viewer, id, clock())),
    /** The registry was changed, or may have been. */
    changed: (id: number) => void changes.set(id, clock()),
  };
}

function isInvited({ username, email }: Viewer, { invitees }: Post): boolean {
  // An address is nobody's user name, and a user name shaped like an address is nobody's address.
  return invitees.some((invitee) => {
    const name = invitee.includes('@') ? email : username;
    return name !== '' && invitee.toLowerCase() === name.toLowerCase();
  });
}
