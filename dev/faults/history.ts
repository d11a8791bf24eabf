import type { Answer } from '../../api/test/answers.ts';
import {
  described,
  FIELDS,
  itemModel,
  mayChange,
  type SeenItem,
  type What,
  withoutUnseenValues,
} from './item-model.ts';
import type { Tally } from './kit.ts';
import { findOrder, type Operation, shrink } from './linearizable.ts';

/** Sends a request such as `'POST /items'`; returns undefined if no answer came. */
export type Send = (
  target: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer | undefined>;

type Times = Pick<Operation<What>, 'by' | 'start' | 'end'>;
/** The parts of a request's path: the item, the claim or the registry that it is about. */
type Place = { item?: string; claim?: string; registry?: string; list?: 'items' | 'claims' };
/** A write that was sent; `item` is unknown until a creation is answered, and so is the `id` of what was created. */
type Write = {
  operation: Operation<What>;
  item: string | undefined;
  registry: string | undefined;
  id?: unknown;
};
// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, which are checked elsewhere
type Body = any;

const NO_ANSWER_YET = 'The first request with this Idempotency-Key has no answer yet';
const NEVER = Number.POSITIVE_INFINITY;
const MOST_SHOWN = 10;

/**
 * The requests of a run with their times. At the end, the answers about each item must fit one order in which the requests
 * took effect one by one, each between its start and its answer, or, without an answer, later or never.
 *
 * ```ts
 * const history = new History();
 * const send = history.record('alice', (...request) => tally.send(url, 'alice', ...request));
 * await send('POST /items', json);     // and reads, changes, deletions, claims, lists of items and claims, as before
 * history.judge(tally);                // best after a last read of everything
 * ```
 *
 * It expects that nothing is concealed from the callers and that no claim expires during the run.
 */
export class History {
  readonly #items = new Map<string, Operation<What>[]>();
  readonly #owners = new Map<string, { registry: string; by: string }>();
  readonly #itemOfClaim = new Map<string, string>();
  /** Requests under an `Idempotency-Key`: all repeats together are one operation. */
  readonly #repeatable = new Map<string, Write>();
  readonly #doubled: string[] = [];

  /** Returns a `send` that also records its requests. `by` is the user whose credentials it sends. */
  record(by: string, send: Send): Send {
    return async (target, json, headers) => {
      const [method = '', path = ''] = target.split(' ');
      const start = performance.now();
      const idempotencyKey = headers?.['idempotency-key'];
      const key = idempotencyKey && `${by} ${target} ${idempotencyKey}`;
      const write = this.#begin({ by, start, end: NEVER }, method, path, json ?? {}, headers ?? {}, key);
      const answer = await send(target, json, headers);
      // An answer of 500 or above, or none at all, leaves open whether the write happened.
      if (!answer || answer.status >= 500) return answer;
      const times = { by, start, end: performance.now() };
      if (write) this.#finish(write, times, key, answer);
      else if (method === 'GET') this.#read(placeOf(path), times, answer);
      return answer;
    };
  }

  get operations(): Operation<What>[] {
    return [...this.#items.values()].flat();
  }

  /** Returns the contradictions between answers; each names its item and the requests that do not fit together. */
  contradictions(shrinkMs?: number): string[] {
    const stories = [...this.#items].map(([item, operations]) => {
      const story = contradiction(operations, shrinkMs);
      return story && `item ${item}: ${story}`;
    });
    return [...this.#doubled, ...stories.filter((story) => story !== undefined)];
  }

  /** Records each contradiction in the tally as a broken promise. */
  judge(tally: Tally): void {
    const found = this.contradictions();
    for (const story of found) tally.check(false, story);
    const { operations } = this;
    const unanswered = operations.filter(({ end }) => end === NEVER).length;
    const verdict = found.length > 0 ? `${found.length} contradictions` : 'one order fits all answers';
    tally.notes.push(
      `${verdict}: ${operations.length} operations on ${this.#items.size} items, ${unanswered} without an answer`,
    );
  }

  /** Adds a write to the history when it starts, because it may never be answered. */
  #begin(
    times: Times,
    method: string,
    path: string,
    json: Body,
    headers: Record<string, string>,
    key: string | undefined,
  ): Write | undefined {
    const earlier = key && this.#repeatable.get(key);
    if (earlier) return earlier;
    const place = placeOf(path);
    const what = writeOf(times.by, method, place, json, headers);
    if (!what) return undefined;
    const item = place.claim === undefined ? place.item : this.#itemOfClaim.get(place.claim);
    const registry = place.registry ?? (json.registry_id && String(json.registry_id));
    const write: Write = { operation: { what, ...times }, item, registry };
    if (key) this.#repeatable.set(key, write);
    if (item !== undefined) this.#add(item, write.operation);
    return write;
  }

  #finish(write: Write, times: Times, key: string | undefined, { status, body, headers }: Answer): void {
    const { operation } = write;
    if (status === 409 && body.detail === NO_ANSWER_YET) return;
    const id = status === 201 ? (body.data?.id ?? body.id) : undefined;
    if (operation.end !== NEVER) {
      if (id !== write.id) this.#doubled.push(`one Idempotency-Key was answered as ${write.id} and as ${id}`);
      return;
    }
    const saw = answerTo(operation.what, status, body, headers);
    const isRepeat = operation.start < times.start;
    if (status >= 300 && isRepeat) {
      // This repeat was refused; an earlier one may still have happened.
      if (saw !== undefined && write.item !== undefined)
        this.#add(write.item, { ...times, what: { ...operation.what, saw } as What });
      return;
    }
    // The service doesn't remember refusals under a key, so the next request with this key is a new operation.
    if (status >= 300 && key) this.#repeatable.delete(key);
    if (saw === undefined) {
      this.#remove(write);
      return;
    }
    operation.what = { ...operation.what, saw } as What;
    operation.end = times.end;
    write.id = id;
    if (operation.what.does === 'create' && id !== undefined) {
      write.item = String(id);
      this.#add(write.item, operation);
      if (write.registry) this.#owners.set(write.item, { registry: write.registry, by: times.by });
    }
    if (operation.what.does === 'claim' && id !== undefined) this.#itemOfClaim.set(id, write.item!);
  }

  #read({ item, claim, registry, list }: Place, times: Times, { status, body, headers }: Answer): void {
    const viewer = times.by;
    const isFound = status === 200;
    const add = (to: string, what: What) => this.#add(to, { what, ...times });
    if (!isFound && status !== 404 && status !== 304) return;
    if (claim !== undefined) {
      const of = this.#itemOfClaim.get(claim);
      if (of) add(of, { does: 'read claim', id: claim, saw: isFound ? body : 'not found' });
    } else if (item !== undefined && status === 304)
      add(item, { does: 'read tag', viewer, saw: headers.get('etag')! });
    else if (item !== undefined) {
      const saw = isFound ? seenItem(body.data, headers.get('etag')) : 'not found';
      add(item, { does: 'read', viewer, saw });
    } else if (list && registry && isFound) {
      const listed = Map.groupBy(list === 'items' ? body : body.claims, (one: Body) =>
        String(list === 'items' ? one.id : one.item_id),
      );
      // Owners and admins see every claim; others see their own.
      const ofRegistry = [...this.#owners]
        .filter(([, owner]) => owner.registry === registry && [owner.by, 'admin'].includes(viewer))
        .map(([id]) => id);
      for (const id of ofRegistry) {
        const here = listed.get(id) ?? [];
        if (list === 'claims') add(id, { does: 'list claims', saw: here });
        else add(id, { does: 'read', viewer, saw: here[0] ? seenItem(here[0]) : 'not found' });
      }
      if (list === 'claims')
        for (const one of body.claims) this.#itemOfClaim.set(one.id, String(one.item_id));
    }
  }

  #add(item: string, operation: Operation<What>): void {
    const operations = this.#items.get(item);
    if (operations) operations.push(operation);
    else this.#items.set(item, [operation]);
  }

  #remove({ item, operation }: Write): void {
    const operations = this.#items.get(item ?? '') ?? [];
    const at = operations.indexOf(operation);
    if (at >= 0) operations.splice(at, 1);
  }
}

function placeOf(path: string): Place {
  const plain = path.split('?')[0]!;
  const [, registry] = /^\/registries\/(\d+)\//.exec(plain) ?? [];
  const [, item] = /\/items\/(\d+)(?:\/claims)?$/.exec(plain) ?? [];
  const [, claim] = /^\/claims\/([^/]+)$/.exec(plain) ?? [];
  const [, list] = /^(?:\/registries\/\d+)?\/(items|claims)$/.exec(plain) ?? [];
  return {
    ...(registry && { registry }),
    ...(item && { item }),
    ...(claim && { claim }),
    ...(list && { list: list as 'items' | 'claims' }),
  };
}

const fieldsIn = (json: Body) =>
  Object.fromEntries(FIELDS.filter((name) => json[name] !== undefined).map((name) => [name, json[name]]));

const seenItem = (data: Body, tag?: string | null): SeenItem => ({
  fields: fieldsIn(data),
  purchased: data.quantity_purchased,
  isActive: Boolean(data.is_active),
  ...(tag && { tag }),
});

/** Returns the write that a request asks for; undefined for requests that aren't about one item. */
function writeOf(
  viewer: string,
  method: string,
  { item, claim, list }: Place,
  json: Body,
  headers: Record<string, string>,
): What | undefined {
  if (claim !== undefined) {
    if (method === 'DELETE') return { does: 'change claim', id: claim, state: 'released' };
    const { state, quantity, message } = json;
    return method === 'PATCH' ? { does: 'change claim', id: claim, state, quantity, message } : undefined;
  }
  if (method === 'POST' && item !== undefined) {
    const { quantity, state, message } = json;
    return { does: 'claim', quantity: quantity ?? 1, state: state ?? 'reserved', message: message ?? null };
  }
  if (method === 'POST' && list === 'items') return creation(json);
  const ifMatch = headers['if-match'] && { ifMatch: headers['if-match'] };
  if (method === 'DELETE' && item) return { does: 'change', viewer, fields: {}, isActive: false, ...ifMatch };
  if (method !== 'PUT' || !item) return undefined;
  return {
    does: 'change',
    viewer,
    fields: fieldsIn(json),
    ...(json.quantity_purchased !== undefined && { purchased: json.quantity_purchased ?? 0 }),
    ...(json.is_active !== undefined && { isActive: Boolean(json.is_active) }),
    ...ifMatch,
  };
}

const creation = (json: Body): What => ({
  does: 'create',
  fields: {
    ...Object.fromEntries(FIELDS.map((name) => [name, null])),
    quantity_needed: 1,
    ...fieldsIn(json),
  },
  purchased: json.quantity_purchased ?? 0,
});

/** Returns the answer to a write; undefined if it was refused regardless of the item's state. */
function answerTo({ does }: What, status: number, body: Body, headers: Headers): What['saw'] {
  if (status === 404) return 'not found';
  if (status === 204) return 'done';
  if (status < 300) return does.includes('claim') ? body : seenItem(body.data, headers.get('etag'));
  if (status === 412 && does === 'change') return { changed: headers.get('etag') ?? '' };
  if (status !== 409) return undefined;
  return does === 'claim' ? 'none left' : does === 'change' ? 'too few' : 'refused';
}

/** Returns why the answers about one item contradict each other; undefined if they don't. */
export function contradiction(history: readonly Operation<What>[], shrinkMs = 3_000): string | undefined {
  const operations = withoutUnseenValues(history);
  const model = itemModel(!operations.some(({ what }) => what.does === 'create'));
  const { is } = findOrder(operations, model);
  if (is === 'possible') return undefined;
  if (is === 'undecided')
    return `no order was found for ${operations.length} operations, but not all were tried`;
  const few = shrink(operations, model, mayChange, shrinkMs);
  const finding = findOrder(few, model);
  const answered = few.filter(({ end }) => end !== NEVER);
  const stuck = finding.is === 'impossible' ? finding.stuck : [];
  return [
    'these answers do not fit together',
    ...(answered.length > MOST_SHOWN ? [`${answered.length - MOST_SHOWN} earlier ones`] : []),
    ...answered.slice(-MOST_SHOWN).map(described),
    ...stuck.map(({ operation, why }) => `at the ${operation.what.does} of ${operation.by} ${why}`),
  ].join('\n  ');
}
