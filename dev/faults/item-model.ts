import { isDeepStrictEqual } from 'node:util';
import { type Claim, type ClaimState, ItemPublic } from '../../api/src/contract/index.ts';
import type { Model, Operation } from './linearizable.ts';

/** Fields that follow from others, depend on the clock, or have a rule of their own in this model. */
const OTHER_FIELDS = ['id', 'registry_id', 'quantity_purchased', 'is_active', 'created_at', 'updated_at'];

/** The fields of an item that answers must show as written. */
export const FIELDS = Object.keys(ItemPublic.properties).filter((name) => !OTHER_FIELDS.includes(name));
type Fields = Record<string, unknown>;

export type SeenItem = { fields: Fields; purchased: number | undefined; isActive: boolean; tag?: string };
export type SeenClaim = Pick<Claim, 'id' | 'quantity' | 'state' | 'message'>;

/** A request about one item, and its answer if there was one. */
export type What =
  | { does: 'create'; fields: Fields; purchased: number; saw?: SeenItem }
  | { does: 'read'; viewer: string; saw: SeenItem | 'not found' }
  | { does: 'read tag'; viewer: string; saw: string }
  | {
      does: 'change';
      viewer: string;
      fields: Fields;
      purchased?: number;
      isActive?: boolean;
      ifMatch?: string;
      saw?: SeenItem | 'done' | 'not found' | 'too few' | { changed: string };
    }
  | {
      does: 'claim';
      quantity: number;
      state: ClaimState;
      message: string | null;
      saw?: SeenClaim | 'not found' | 'none left';
    }
  | {
      does: 'change claim';
      id: string;
      state?: ClaimState;
      quantity?: number;
      message?: string | null;
      saw?: SeenClaim | 'done' | 'not found' | 'refused';
    }
  | { does: 'read claim'; id: string; saw: SeenClaim | 'not found' }
  | { does: 'list claims'; saw: SeenClaim[] };

/** A claim whose id may be unknown: if its request had no answer, until another answer shows it. */
type KnownClaim = Omit<SeenClaim, 'id'> & { id: string | undefined };

/** The state of an item. Fields and tags that no answer has shown yet are absent. */
export type ItemState = {
  isActive: boolean | undefined;
  fields: Fields;
  /** The number that was set directly, in addition to claims. */
  set: number | undefined;
  claims: readonly KnownClaim[];
  tags: Readonly<Record<string, string>>;
};

const isLive = ({ state }: { state: ClaimState }) => state !== 'released' && state !== 'expired';
const taken = ({ claims }: ItemState) =>
  claims.reduce((sum, claim) => sum + (isLive(claim) ? claim.quantity : 0), 0);

const left = (state: ItemState): number | undefined => {
  const needed = state.fields.quantity_needed;
  return typeof needed === 'number' && state.set !== undefined
    ? needed - state.set - taken(state)
    : undefined;
};

const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing';

/** Compares the state with an item in an answer, and learns from it. */
function see(state: ItemState, viewer: string | undefined, item: SeenItem): ItemState | string {
  if (state.isActive !== undefined && state.isActive !== item.isActive)
    return `the item ${state.isActive ? 'is active' : 'is deleted'}`;
  const fields: Fields = { ...state.fields };
  for (const name of FIELDS) {
    if (!(name in item.fields)) continue;
    if (name in fields && !isDeepStrictEqual(fields[name], item.fields[name]))
      return `${name} is ${shown(fields[name])}, not ${shown(item.fields[name])}`;
    fields[name] = item.fields[name];
  }
  const claimed = taken(state);
  let { set } = state;
  if (item.purchased !== undefined) {
    if (set !== undefined && set + claimed !== item.purchased)
      return `quantity_purchased is ${set + claimed} (${set} set, ${claimed} claimed), not ${item.purchased}`;
    set = item.purchased - claimed;
    if (set < 0) return `${claimed} are claimed, but quantity_purchased was ${item.purchased}`;
  }
  const next = { ...state, isActive: item.isActive, fields, set };
  return viewer === undefined || item.tag === undefined ? next : seeTag(next, viewer, item.tag);
}

function seeTag(state: ItemState, viewer: string, tag: string): ItemState | string {
  const known = state.tags[viewer];
  if (known !== undefined && known !== tag) return `the ETag is ${known}, not ${tag}`;
  return { ...state, tags: { ...state.tags, [viewer]: tag } };
}

/** Compares the state with a claim in an answer. A claim that had no answer is recognized by its message. */
function seeClaim(state: ItemState, claim: SeenClaim): ItemState | string {
  let at = state.claims.findIndex(({ id }) => id === claim.id);
  if (at < 0)
    at = state.claims.findIndex(
      ({ id, message, quantity }) =>
        id === undefined && message === claim.message && quantity === claim.quantity,
    );
  const known = state.claims[at];
  if (!known) return `there is no claim ${claim.id}`;
  for (const name of ['quantity', 'state', 'message'] as const)
    if (known[name] !== claim[name])
      return `the claim's ${name} is ${shown(known[name])}, not ${shown(claim[name])}`;
  if (known.id !== undefined) return state;
  return { ...state, claims: state.claims.with(at, { ...known, id: claim.id }) };
}

function create(
  state: ItemState,
  what: Extract<What, { does: 'create' }>,
  isAnswered: boolean,
): ItemState | string {
  if (state.isActive !== undefined) return 'the item exists already';
  const next: ItemState = { ...state, isActive: true, fields: what.fields, set: what.purchased };
  return isAnswered && what.saw ? see(next, undefined, what.saw) : next;
}

function change(
  state: ItemState,
  what: Extract<What, { does: 'change' }>,
  isAnswered: boolean,
): ItemState | string {
  const saw = isAnswered ? what.saw : undefined;
  const isReachable = state.isActive || (what.isActive === true && state.isActive !== undefined);
  if (saw === 'not found') return isReachable ? 'the item is there' : state;
  if (!isReachable) return 'the item is not there';
  const tag = state.tags[what.viewer];
  if (typeof saw === 'object' && 'changed' in saw) {
    if (what.ifMatch !== undefined && tag === what.ifMatch) return `the ETag is ${tag}, as If-Match says`;
    return saw.changed ? seeTag(state, what.viewer, saw.changed) : state;
  }
  if (what.ifMatch !== undefined && tag !== undefined && tag !== what.ifMatch)
    return `the ETag is ${tag}, but If-Match says ${what.ifMatch}`;
  const claimed = taken(state);
  const isTooFew = what.purchased !== undefined && what.purchased < claimed;
  if (saw === 'too few')
    return isTooFew ? state : `only ${claimed} are claimed, and ${what.purchased} is not less`;
  if (isTooFew) return `${claimed} are claimed, more than ${what.purchased}`;
  const next: ItemState = {
    ...state,
    isActive: what.isActive ?? state.isActive,
    fields: { ...state.fields, ...what.fields },
    set: what.purchased === undefined ? state.set : what.purchased - claimed,
    tags: {},
  };
  return saw === undefined || saw === 'done' ? next : see(next, what.viewer, saw);
}

function claim(
  state: ItemState,
  what: Extract<What, { does: 'claim' }>,
  isAnswered: boolean,
): ItemState | string {
  // If only the time of a claim's answer was removed, the claim keeps its id.
  const saw = isAnswered || typeof what.saw === 'object' ? what.saw : undefined;
  if (saw === 'not found') return state.isActive ? 'the item is there' : state;
  if (!state.isActive) return 'the item is not there';
  const rest = left(state);
  if (saw === 'none left')
    return rest === undefined || rest < what.quantity
      ? state
      : `${rest} are left, enough for ${what.quantity}`;
  if (rest !== undefined && rest < what.quantity) return `${rest} are left, too few for ${what.quantity}`;
  const { quantity, message } = what;
  return {
    ...state,
    claims: [...state.claims, { id: saw?.id, quantity, state: what.state, message }],
    tags: {},
  };
}

function changeClaim(
  state: ItemState,
  what: Extract<What, { does: 'change claim' }>,
  isAnswered: boolean,
): ItemState | string {
  const saw = isAnswered ? what.saw : undefined;
  const at = state.claims.findIndex(({ id }) => id === what.id);
  const known = state.claims[at];
  if (!known) return saw === 'not found' ? state : `there is no claim ${what.id}`;
  if (saw === 'not found') return 'the claim is there';
  const next: KnownClaim = {
    ...known,
    state: what.state ?? known.state,
    quantity: what.quantity ?? known.quantity,
    message: what.message === undefined ? known.message : what.message,
  };
  const more = (isLive(next) ? next.quantity : 0) - (isLive(known) ? known.quantity : 0);
  const rest = left(state);
  const isFinal = !isLive(known) && !isDeepStrictEqual(next, known);
  const hasRoom = more <= 0 || (state.isActive === true && (rest === undefined || more <= rest));
  if (saw === 'refused')
    return isFinal || !hasRoom || rest === undefined ? state : `a claim that is ${known.state} may change so`;
  if (isFinal) return `the claim is ${known.state}, which is final`;
  if (!hasRoom) return `${rest} are left, too few for ${more} more`;
  if (isDeepStrictEqual(next, known)) return state;
  const after: ItemState = { ...state, claims: state.claims.with(at, next), tags: {} };
  return saw === undefined || saw === 'done' ? after : seeClaim(after, saw);
}

function listClaims(state: ItemState, claims: readonly SeenClaim[]): ItemState | string {
  let next = state;
  for (const claim of claims) {
    const after = seeClaim(next, claim);
    if (typeof after === 'string') return after;
    next = after;
  }
  const missing = next.claims.find(({ id }) => !claims.some((claim) => claim.id === id));
  return missing
    ? `the claim ${missing.id ?? shown(missing.message)} over ${missing.quantity} is there, too`
    : next;
}

// Cached, because the same state is compared many times.
const keys = new WeakMap<ItemState, string>();

function keyWithoutTags(state: ItemState): string {
  let key = keys.get(state);
  if (key === undefined) {
    const { isActive, fields, set, claims } = state;
    const listed = claims.map((one) => `${one.id} ${one.quantity} ${one.state} ${one.message}`).sort();
    key = JSON.stringify([isActive, FIELDS.map((name) => fields[name]), set, listed]);
    keys.set(state, key);
  }
  return key;
}

/**
 * The model of one item with its claims, for viewers who may see everything and claims that do not expire. An item that
 * existed before is active at first.
 */
export const itemModel = (wasThere: boolean): Model<ItemState, What> => ({
  initial: { isActive: wasThere || undefined, fields: {}, set: undefined, claims: [], tags: {} },
  apply(state, what, isAnswered) {
    switch (what.does) {
      case 'create':
        return create(state, what, isAnswered);
      case 'read':
        if (what.saw !== 'not found')
          return state.isActive ? see(state, what.viewer, what.saw) : 'the item is not there';
        return state.isActive ? 'the item is there' : state;
      case 'read tag':
        return state.isActive ? seeTag(state, what.viewer, what.saw) : 'the item is not there';
      case 'change':
        return change(state, what, isAnswered);
      case 'claim':
        return claim(state, what, isAnswered);
      case 'change claim':
        return changeClaim(state, what, isAnswered);
      case 'read claim':
        if (what.saw !== 'not found') return seeClaim(state, what.saw);
        return state.claims.some(({ id }) => id === what.id) ? 'the claim is there' : state;
      case 'list claims':
        return listClaims(state, what.saw);
    }
  },
  key: (state) => keyWithoutTags(state) + JSON.stringify(Object.entries(state.tags).sort()),
  covers: (loose, tight) =>
    Object.entries(loose.tags).every(([viewer, tag]) => tight.tags[viewer] === tag) &&
    keyWithoutTags(loose) === keyWithoutTags(tight),
  effect: (what) => JSON.stringify(what),
});

/** Reports whether the request could have changed something. */
export const mayChange = ({ does, saw }: What): boolean => {
  if (does.startsWith('read') || does === 'list claims') return false;
  return saw === undefined || saw === 'done' || (typeof saw === 'object' && !('changed' in saw));
};

/**
 * Gives unanswered requests the same value if no answer shows theirs. Then the search needn't distinguish them: without
 * this, twenty requests with unknown outcomes would have a million subsets.
 */
export function withoutUnseenValues(history: readonly Operation<What>[]): Operation<What>[] {
  const seen = new Set<unknown>();
  for (const { what, end } of history) {
    if (end === Number.POSITIVE_INFINITY) continue;
    const { saw } = what;
    if (Array.isArray(saw)) for (const one of saw) seen.add(one.message);
    else if (typeof saw === 'object' && 'id' in saw) seen.add(saw.message);
    else if (typeof saw === 'object' && 'fields' in saw)
      for (const name of FIELDS) seen.add(saw.fields[name]);
  }
  const plain = <V>(value: V): V | string =>
    typeof value === 'string' && !seen.has(value) ? 'unseen' : value;
  return history.map((operation) => {
    const { what, end } = operation;
    if (end !== Number.POSITIVE_INFINITY) return operation;
    if (what.does === 'claim') return { ...operation, what: { ...what, message: plain(what.message) } };
    if (what.does !== 'change') return operation;
    const fields = Object.fromEntries(
      Object.entries(what.fields).map(([name, value]) => [name, plain(value)]),
    );
    return { ...operation, what: { ...what, fields } };
  });
}

const seenItem = ({ fields, purchased, isActive, tag }: SeenItem) =>
  [
    ...Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name} ${shown(value)}`),
    ...(purchased === undefined ? [] : [`quantity_purchased ${purchased}`]),
    ...(isActive ? [] : ['deleted']),
    ...(tag ? [`ETag ${tag}`] : []),
  ].join(', ');

const seenClaim = ({ id, quantity, state }: SeenClaim) => `claim ${id} over ${quantity}, ${state}`;

function answerOf({ saw }: What): string {
  if (saw === undefined) return 'answered';
  if (typeof saw === 'string') return saw;
  if (Array.isArray(saw)) return saw.map(seenClaim).join('; ') || 'no claims';
  if ('changed' in saw) return `refused, the ETag is ${saw.changed}`;
  return 'id' in saw ? seenClaim(saw) : seenItem(saw);
}

function requestOf(what: What): string {
  switch (what.does) {
    case 'create':
      return 'create the item';
    case 'change': {
      const sent = { ...what.fields, quantity_purchased: what.purchased, is_active: what.isActive };
      return `change to ${shown(sent)}${what.ifMatch ? ` if the ETag is ${what.ifMatch}` : ''}`;
    }
    case 'claim':
      return `claim ${what.quantity}`;
    case 'change claim':
      return `change claim ${what.id} to ${shown({ state: what.state, quantity: what.quantity })}`;
    case 'read claim':
      return `read claim ${what.id}`;
    default:
      return what.does === 'list claims' ? 'list the claims' : 'read the item';
  }
}

/** Returns one line such as `1.204 to 1.210 s, alice: claim 2 → claim Ab12 over 2, reserved`. */
export const described = ({ what, by, start, end }: Operation<What>): string =>
  `${seconds(start)} to ${seconds(end)} s, ${by}: ${requestOf(what)} → ${answerOf(what)}`;

const seconds = (ms: number) => (ms / 1000).toFixed(3);
