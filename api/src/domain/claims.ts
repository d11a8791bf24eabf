import {
  type ClaimCreate,
  type ClaimErasure,
  type ClaimQuery,
  type ClaimState,
  type ClaimUpdate,
  DEFAULT_EXPIRY,
  DEFAULT_LIMIT,
  MAX_CLAIMS,
  MAX_PENDING,
} from '../contract/index.ts';
import { Problem, tooManyRequests } from '../contract/problem.ts';
import {
  type Actor,
  asOf,
  BUYS_NOTHING,
  type ClaimObstacle,
  type ClaimStore,
  type Giver,
  isGiver,
  isLive,
  type Left,
  type NewClaim,
  type StoredClaim,
} from '../store/claims.ts';
import {
  type Grant,
  type OwnRegistries,
  owns,
  type RegistryAccess,
  throwUnlessHidden,
  type Viewer,
  vouchesForOwner,
} from './access.ts';
import type { HostNotices } from './host-notices.ts';
import type { Locks } from './locks.ts';
import { amountOf } from './money.ts';

export type { StoredClaim };

type Parts = {
  store: ClaimStore;
  access: RegistryAccess;
  unconfirmedLocks: Locks;
  notices: HostNotices;
  onOwnerNamed(registryId: number, ownerId: number): Promise<void>;
  now: () => number;
  counters: { made: Record<NewClaim['state'], number> };
};

/** Throws if the caller expected another state of the claim that is about to change. */
export type ClaimPrecondition = (claim: StoredClaim) => void;

type ClaimRights = {
  as: Actor['as'];
  /** Changing state, quantity, message and time. */
  change: boolean;
  /** Releasing it; some viewers may do nothing else. */
  release: boolean;
  shrink: boolean;
  thank: boolean;
};

// The most claims of one item to expire at once when someone waits for their pieces.
const MOST_EXPIRED = 1_000;

/** Rules of claims. A piece is taken in one commit with the ledger's entry, or not at all. */
export type ClaimRules = ReturnType<typeof claimRules>;

export function claimRules({ store, access, unconfirmedLocks, notices, onOwnerNamed, now, counters }: Parts) {
  /** The viewer's grant on a claim's registry. Undefined if they need none or have none, or the host doesn't show it now. */
  async function grantOf(viewer: Viewer, claim: StoredClaim): Promise<Grant | undefined> {
    // An admin who vouches for the owner needs no grant.
    if (await access.isTrustedAdminOf(viewer, claim.registryId)) return undefined;
    // An owner may have asked for the surprise a moment ago, in the site's own screens or through another process of ours; and
    // others, who would be refused, may have become owners there.
    const isDoubtful = ({ post }: Grant) =>
      viewer.id === claim.ownerId || owns(viewer, post) || !(viewer.admin || isGiver(claim, viewer));
    return access.readAgainIf(viewer, claim.registryId, isDoubtful).catch(throwUnlessHidden);
  }

  async function rightsOn(claim: StoredClaim, viewer: Viewer): Promise<ClaimRights> {
    const grant = await grantOf(viewer, claim);
    const isOwn = grant
      ? owns(viewer, grant.post)
      : claim.ownerId === viewer.id || (await access.isKnownOwner(viewer, claim.registryId));
    const gives = isGiver(claim, viewer);
    // A registry that the host doesn't show at the moment may be one with a surprise.
    if (isOwn && (!grant || access.sightOf(viewer, grant.post) !== 'shown')) {
      // A claim that someone else recorded isn't theirs, even with their own name as the giver's.
      if (!gives || claim.recordedBy !== viewer.id) throw missing();
      return { as: 'giver', change: false, release: true, shrink: true, thank: false };
    }
    if (!gives && !viewer.admin && !isOwn) throw missing();
    const change = viewer.admin || (gives && grant !== undefined);
    const as = gives ? 'giver' : viewer.admin ? 'admin' : 'owner';
    return { as, change, release: viewer.admin || gives, shrink: change, thank: viewer.admin || isOwn };
  }

  /** A claim, with what the viewer may do with it; not found for viewers whom it doesn't concern. */
  async function visible(viewer: Viewer, id: string): Promise<{ found: StoredClaim; rights: ClaimRights }> {
    const found = await store.find(id);
    if (!found) throw missing();
    const rights = await rightsOn(found, viewer);
    // The host may just have said that the registry is gone, which releases its claims.
    return { found: (await store.find(id))!, rights };
  }

  /** Returns the owner of a registry in which the viewer is about to claim. Refuses viewers who must not know about it. */
  async function ownerFor(viewer: Viewer, registryId: number): Promise<number> {
    const { statedOwnerId } = viewer;
    if (statedOwnerId && (await access.isTrustedAdminOf(viewer, registryId))) {
      await onOwnerNamed(registryId, statedOwnerId);
      return statedOwnerId;
    }
    const { post } = await access.readAgainIf(viewer, registryId, (grant) => owns(viewer, grant.post));
    if (access.sightOf(viewer, post) !== 'shown')
      throw new Problem('forbidden', 'The registry is a surprise for its owners, who claim nothing in it');
    return post.authorId;
  }

  /** The viewer's own registries among those of these claims, by a fresh answer of the host. */
  async function ownAmong(viewer: Viewer, found: readonly StoredClaim[]) {
    const cached = await access.ownRegistries(viewer, registriesOf(found));
    if (vouchesForOwner(viewer)) return cached;
    const own = new Set(Object.values(cached).flat());
    // An owner may have asked for the surprise a moment ago.
    const concernsOwn = found.some(({ ownerId, registryId }) => ownerId === viewer.id || own.has(registryId));
    return concernsOwn ? access.ownRegistriesNow(viewer, registriesOf(found)) : cached;
  }

  /**
   * Adds to each claim where its giver sends their share: to the buyer, or to the registry's account. Only confirmed givers
   * who are still invited learn it, and admins; owners read it from the registry.
   */
  async function withAllSendTo(viewer: Viewer, claims: readonly StoredClaim[]): Promise<StoredClaim[]> {
    const time = now();
    const isShare = (claim: StoredClaim) =>
      claim.currency !== null && isConfirmed(claim) && (viewer.admin || isGiver(claim, viewer));
    const shares = claims.filter(isShare);
    if (shares.length === 0) return [...claims];
    const buyers = await store.buyersOf([...new Set(shares.map(({ itemId }) => itemId))]);
    const usual = new Map<number, string | null | undefined>();
    for (const claim of shares)
      if (!usual.has(claim.registryId)) usual.set(claim.registryId, await sendToOfRegistry(viewer, claim));
    return claims.map((claim) => {
      const place = usual.get(claim.registryId);
      if (place === undefined || !isShare(claim)) return claim;
      const buyer = buyers.get(claim.itemId);
      return { ...claim, sendTo: buyer && isLive(asOf(time, buyer)) ? buyer.payTo : place };
    });
  }

  /** Where shares of a registry are sent. Null if unknown, undefined for viewers who may not know. */
  async function sendToOfRegistry(viewer: Viewer, claim: StoredClaim): Promise<string | null | undefined> {
    const grant = await grantOf(viewer, claim);
    if (grant) return owns(viewer, grant.post) ? undefined : grant.post.payTo;
    // No need to ask the host: this admin is its plugin.
    return (await access.isTrustedAdminOf(viewer, claim.registryId)) ? null : undefined;
  }

  const withSendTo = async (viewer: Viewer, claim: StoredClaim): Promise<StoredClaim> =>
    (await withAllSendTo(viewer, [claim]))[0]!;

  /** Returns the claims with these ids in the given order, without those that are a surprise to the admin. */
  async function named(viewer: Viewer, ids: readonly string[]): Promise<StoredClaim[]> {
    refuseUnlessAdmin(viewer, {});
    const found = new Map((await store.some(ids)).map((claim) => [claim.id, claim]));
    const isVisible = visibleTo(viewer, await ownAmong(viewer, [...found.values()]));
    return ids.flatMap((id) => {
      const claim = found.get(id);
      return claim && isVisible(claim) ? [asOf(now(), claim)] : [];
    });
  }

  /** Explains why a claim can't be made. Pieces of expired claims are free at once. */
  async function obstacleTo(claim: NewClaim, time: number): Promise<ClaimObstacle> {
    for (;;) {
      const obstacle = await store.obstacle(claim, time);
      if (obstacle?.kind !== 'too few') return obstacle;
      if ((await store.expire(time, MOST_EXPIRED, claim.itemId)).length === 0) return obstacle;
    }
  }

  function wasChanged(viewer: Viewer, registryId: number): void {
    notices.changed(viewer, registryId);
    access.lookAgain(viewer, registryId);
  }

  async function take(viewer: Viewer, claim: NewClaim): Promise<StoredClaim> {
    for (;;) {
      const time = now();
      const made = await store.insert(claim, time);
      if (made) {
        counters.made[claim.state]++;
        wasChanged(viewer, claim.registryId);
        return made;
      }
      const earlier = claim.creationKey && (await store.createdBy(claim.creationKey));
      if (earlier) return (await store.asFirstStored(earlier.id))!;
      const obstacle = await obstacleTo(claim, time);
      if (obstacle) throw refusal(obstacle, claim.quantity, time);
    }
  }

  /** Whether the claim's item has no other buyer. Expires a buyer whose time is over, which makes room for this one. */
  async function mayBuy({ id, itemId }: StoredClaim, time: number): Promise<boolean> {
    const buyer = (await store.buyersOf([itemId])).get(itemId);
    if (!buyer || buyer.id === id) return true;
    if (isLive(asOf(time, buyer))) return false;
    await store.expire(time, MOST_EXPIRED, itemId);
    return true;
  }

  async function change(viewer: Viewer, id: string, body: ClaimUpdate, precondition: ClaimPrecondition) {
    if (body.state === 'purchased' && body.expires_in !== undefined) throw endless();
    for (;;) {
      const { found, rights } = await visible(viewer, id);
      const time = now();
      const claim = asOf(time, found);
      refuseUnlessAllowed(rights, claim, body);
      precondition(await withSendTo(viewer, claim));
      const next = changed(claim, body, time);
      if (next === claim) return withSendTo(viewer, claim);
      if (next.buys && !claim.buys && !(await mayBuy(claim, time)))
        throw new Problem('conflict', 'buys: someone else is buying this already');
      if (await store.replace(claim, next, { as: rights.as, userId: viewer.id })) {
        wasChanged(viewer, claim.registryId);
        return withSendTo(viewer, { ...next, version: claim.version + 1 });
      }
      // Another claim came first, or there is no room.
      const current = await store.find(id);
      if (current?.version !== claim.version || current.registryId !== claim.registryId) continue;
      const { registryId, itemId } = claim;
      const left = await store.left(registryId, itemId);
      if (left === undefined)
        throw new Problem('conflict', 'The item was deleted: a claim on it may not grow');
      const more = next.quantity - claim.quantity;
      if (left.pieces >= more || (await store.expire(time, MOST_EXPIRED, itemId)).length > 0) continue;
      throw tooFew(left, more);
    }
  }

  const firstStored = async (viewer: Viewer, id: string): Promise<StoredClaim | undefined> => {
    const [claim, current] = [await store.asFirstStored(id), await store.find(id)];
    return claim && { ...claim, sendTo: (await withSendTo(viewer, asOf(now(), current!))).sendTo ?? null };
  };

  return {
    /** `creationKey` names a request that may arrive again: one key makes one claim. */
    async create(
      viewer: Viewer,
      registryId: number,
      itemId: number,
      body: ClaimCreate,
      creationKey: string | null,
    ): Promise<StoredClaim> {
      const earlier = creationKey && (await store.createdBy(creationKey));
      if (earlier) return (await firstStored(viewer, earlier.id))!;

      const state = body.state ?? 'reserved';
      if (state === 'purchased' && body.expires_in != null) throw endless();
      if (body.giver?.name.trim() === '') throw new Problem('invalid', 'giver.name: must not be blank');
      const ownerId = await ownerFor(viewer, registryId);
      if (body.giver && !viewer.admin) throw new Problem('forbidden', 'Only admins may name another giver');

      const caller = { user_id: viewer.id, name: nameOf(viewer), email: giverAddress(viewer) };
      const { user_id = null, name, email = null } = body.giver ?? caller;
      const time = now();
      const claim: NewClaim = {
        ...{ registryId, itemId, ownerId, recordedBy: viewer.id, recorder: viewer, creationKey, state },
        actor: body.giver && user_id !== viewer.id ? 'admin' : 'giver',
        quantity: body.quantity ?? 1,
        giver: { user_id, name, email },
        message: body.message ?? null,
        createdAt: time,
        expiresAt: state === 'purchased' ? null : time + 1000 * (body.expires_in ?? DEFAULT_EXPIRY[state]),
      };
      if (state !== 'pending') return withSendTo(viewer, await take(viewer, claim));
      // Unconfirmed claims are counted over many rows, so they are inserted one at a time; a caller who is refused anyway need
      // not wait.
      const obstacle = await obstacleTo(claim, time);
      if (obstacle) throw refusal(obstacle, claim.quantity, time);
      return unconfirmedLocks.run(0, () => take(viewer, claim));
    },

    /** Returns the first answer to the request that made a claim, without personal data erased since. */
    asFirstStored: firstStored,

    async get(viewer: Viewer, id: string): Promise<StoredClaim> {
      return withSendTo(viewer, asOf(now(), (await visible(viewer, id)).found));
    },

    update: change,

    async release(viewer: Viewer, id: string, precondition: ClaimPrecondition): Promise<void> {
      await change(viewer, id, { state: 'released' }, precondition);
    },

    /** A registry's claims; `concealedUntil` is the end of a surprise that keeps them from the viewer. */
    async ofRegistry(viewer: Viewer, registryId: number) {
      if (vouchesForOwner(viewer)) {
        const isTrusted = await access.isTrustedAdminOf(viewer, registryId);
        const found = isTrusted ? await store.ofRegistry(registryId, now()) : [];
        return { claims: await withAllSendTo(viewer, found), concealedUntil: null };
      }
      const { post, mayWrite } = await access.readNow(viewer, registryId);
      if (access.sightOf(viewer, post) !== 'shown') return { claims: [], concealedUntil: post.surpriseUntil };
      const found = await store.ofRegistry(registryId, now(), mayWrite ? undefined : giverOf(viewer));
      return { claims: await withAllSendTo(viewer, found), concealedUntil: null };
    },

    /** Lists claims across registries: the viewer's own, another person's, or those named by id. */
    async list(viewer: Viewer, { ids, skip, limit, ...whose }: ClaimQuery): Promise<StoredClaim[]> {
      if (ids !== undefined) {
        if (personIn(whose) || skip !== undefined || limit !== undefined)
          throw new Problem('invalid', 'ids: not with email, user_id, skip or limit');
        return withAllSendTo(viewer, await named(viewer, [...new Set(ids.split(','))]));
      }
      const other = personIn(whose);
      if (other) refuseUnlessAdmin(viewer, whose);
      const giver = other ?? giverOf(viewer);
      const page = (own: OwnRegistries) => {
        const view = { userId: viewer.id, email: viewer.email, concealed: concealed(own), open: own.open };
        return store.ofGiver(giver, view, now(), skip ?? 0, limit ?? DEFAULT_LIMIT);
      };
      if (vouchesForOwner(viewer)) {
        const found = await page({ hidden: [], counted: [], open: [] });
        const isVisible = visibleTo(viewer, await access.ownRegistries(viewer, registriesOf(found)));
        return withAllSendTo(viewer, found.filter(isVisible));
      }
      for (let own = await access.ownRegistries(viewer, []); ; ) {
        const found = await page(own);
        // Only if something was found there may the answer show that the viewer co-owns a registry.
        const fresh = await access.ownRegistries(viewer, registriesOf(found));
        if (concealed(fresh).length === concealed(own).length) return withAllSendTo(viewer, found);
        own = fresh;
      }
    },

    /** Erases a person, or all givers of a registry, from claims. Returns how many claims changed. */
    async erase(viewer: Viewer, asked: ClaimErasure): Promise<number> {
      refuseUnlessAdmin(viewer, asked);
      const { registry_id: registryId, unchanged_for: seconds } = asked;
      const person = personIn(asked);
      if ((person === undefined) === (registryId === undefined))
        throw new Problem('invalid', 'name a person, by email or user_id or both, or a registry_id');
      if (person && seconds !== undefined)
        throw new Problem('invalid', 'unchanged_for: only with registry_id');
      const unchangedSince = now() - 1000 * (seconds ?? 0);
      const target = person ?? { registryId: registryId!, unchangedSince };
      const erased = await store.erase(target, viewer.id, now());
      access.lookAgain(viewer, registryId);
      return erased;
    },
  };
}

const missing = () => new Problem('not_found', 'Claim not found');
const endless = () => new Problem('invalid', 'expires_in: a purchased claim never expires');

const registriesOf = (found: readonly StoredClaim[]) => found.map(({ registryId }) => registryId);

const concealed = ({ hidden, counted }: OwnRegistries): number[] => [...hidden, ...counted];

/** The claims that the viewer may see: those they made themselves, and those that aren't concealed. */
const visibleTo = (viewer: Viewer, own: OwnRegistries) => (claim: StoredClaim) =>
  own.open.includes(claim.registryId) ||
  (claim.ownerId !== viewer.id && !concealed(own).includes(claim.registryId)) ||
  (claim.recordedBy === viewer.id && isGiver(claim, viewer));

const giverOf = ({ id, email }: Viewer): Giver => ({ userId: id, email: email || null });

// Hosts allow longer names and addresses than the service.
const nameOf = ({ name }: Viewer): string => [...name].slice(0, 100).join('');
const giverAddress = ({ email }: Viewer): string | null =>
  /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= 254 ? email : null;

type Person = Pick<ClaimQuery, 'email' | 'user_id'>;

const personIn = ({ email, user_id }: Person): Giver | undefined =>
  email === undefined && user_id === undefined
    ? undefined
    : { userId: user_id ?? null, email: email?.trim() ?? null };

function refuseUnlessAdmin({ admin }: Viewer, { email }: Person): void {
  if (!admin) throw new Problem('forbidden', "Only admins may read or erase someone else's claims");
  if (email?.trim() === '') throw new Problem('invalid', 'email: must not be blank');
}

const isConfirmed = ({ state }: Pick<StoredClaim, 'state'>): boolean =>
  state === 'reserved' || state === 'purchased';

function tooFew({ pieces, currency }: Left, wanted: number): Problem {
  const why = currency
    ? `${amountOf(pieces, currency)} are left: ${amountOf(wanted, currency)} cannot be pledged`
    : `${pieces} left of this item: ${wanted} cannot be taken`;
  return new Problem('conflict', why);
}

function refusal(obstacle: NonNullable<ClaimObstacle>, quantity: number, time: number): Problem {
  switch (obstacle.kind) {
    case 'no item':
      return new Problem('not_found', 'Item not found');
    case 'too many':
      return new Problem('conflict', `A registry holds at most ${MAX_CLAIMS.toLocaleString('en')} claims`);
    case 'too few':
      return tooFew(obstacle.left, quantity);
    case 'unconfirmed': {
      const { registry, giver } = MAX_PENDING;
      const seconds = Math.max(1, Math.ceil((obstacle.until - time) / 1000));
      const why = `At most ${registry} claims of a registry and ${giver} of a giver wait for confirmation`;
      return tooManyRequests(why, seconds);
    }
  }
}

function refuseUnlessAllowed(rights: ClaimRights, claim: StoredClaim, body: ClaimUpdate): void {
  const { thanked, state, quantity } = body;
  if (thanked !== undefined && !rights.thank) throw notYours('Only the owner and admins may thank');
  const others = CLAIM_FIELDS.filter((field) => field !== 'thanked' && body[field] !== undefined);
  if (others.length === 0 || rights.change) return;
  const isOnlyAmount = others.every((field) => field === 'state' || field === 'quantity');
  const releases = state === 'released' && (quantity === undefined || rights.shrink);
  const shrinks = state === undefined && rights.shrink;
  if (isOnlyAmount && rights.release && (releases || shrinks) && (quantity ?? 0) <= claim.quantity) return;
  throw notYours(rights.release ? 'You may only take this claim back' : 'Only the giver may change a claim');
}

const notYours = (why: string) => new Problem('forbidden', why);

const CLAIM_FIELDS = ['state', 'quantity', 'message', 'expires_in', 'thanked', 'buys', 'pay_to'] as const;

/** Returns the claim after a change, or the same object if nothing changes. */
function changed(claim: StoredClaim, body: ClaimUpdate, time: number): StoredClaim {
  const supplied = CLAIM_FIELDS.filter((field) => body[field] !== undefined);
  if (supplied.length === 0) return claim;
  const { state = claim.state, quantity = claim.quantity, thanked } = body;
  const message = body.message === undefined ? claim.message : body.message;
  if (!isLive(claim)) {
    if (supplied.length === 1 && body.state === claim.state) return claim;
    throw new Problem('conflict', `The claim is ${claim.state}, which is final: make a new one`);
  }
  const isAllowed = state === claim.state || state === 'released' || BECOMES[claim.state]?.includes(state);
  if (!isAllowed) throw new Problem('conflict', `A ${claim.state} claim cannot become ${state}`);
  if (body.expires_in !== undefined && state !== 'reserved')
    throw new Problem('conflict', 'expires_in: only a reserved claim can be given another time');
  if (thanked !== undefined && state !== 'reserved' && state !== 'purchased')
    throw new Problem('conflict', `thanked: not while a claim is ${state}`);

  const thankedAt = thanked === undefined ? claim.thankedAt : thanked ? (claim.thankedAt ?? time) : null;
  const expiresAt = expiryOf(claim, state, body.expires_in, time);
  const next = { state, quantity, message, thankedAt, expiresAt, ...roleOf(claim, state, body) };
  const isSame = Object.entries(next).every(([key, value]) => claim[key as keyof StoredClaim] === value);
  return isSame ? claim : { ...claim, ...next, updatedAt: time };
}

/** After a change: whether the giver buys the item, and where the others then send their shares. */
function roleOf(claim: StoredClaim, state: StoredClaim['state'], { buys, pay_to: payTo }: ClaimUpdate) {
  const field = buys !== undefined ? 'buys' : payTo !== undefined ? 'pay_to' : undefined;
  if (field && claim.currency === null)
    throw new Problem('invalid', `${field}: only where several pay for an item`);
  if (buys && !isConfirmed({ state })) throw new Problem('conflict', `buys: not while a claim is ${state}`);
  if (!isConfirmed({ state }) || !(buys ?? claim.buys)) {
    if (payTo !== undefined && !(buys === false && payTo === null))
      throw new Problem('conflict', 'pay_to: only the buyer can say where to send shares');
    return BUYS_NOTHING;
  }
  return { buys: true, payTo: payTo === undefined ? claim.payTo : payTo || null };
}

const BECOMES: Partial<Record<StoredClaim['state'], StoredClaim['state'][]>> = {
  pending: ['reserved', 'purchased'],
  reserved: ['purchased'],
};

function expiryOf(claim: StoredClaim, state: ClaimState, expiresIn: number | undefined, time: number) {
  if (state === 'purchased' || state === 'released') return null;
  if (expiresIn === undefined && state === claim.state) return claim.expiresAt;
  return time + 1000 * (expiresIn ?? DEFAULT_EXPIRY.reserved);
}
