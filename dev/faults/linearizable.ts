/**
 * One operation of a history, with the times between which it took effect. Without an answer it ends at infinity: it may
 * take effect at any later time, or never.
 */
export type Operation<What> = { what: What; by: string; start: number; end: number };

/** The rules of an object that operations read and change. */
export type Model<State, What> = {
  initial: State;
  /** Returns the state after the operation, or the reason why its answer is impossible in this state. */
  apply(state: State, what: What, isAnswered: boolean): State | string;
  key(state: State): string;
  /** Reports whether every history that could continue from `tight` could also continue from `loose`. */
  covers(loose: State, tight: State): boolean;
  /** Returns a text that is the same for all unanswered operations with the same effect. */
  effect(what: What): string;
};

export type Finding<What> =
  | { is: 'possible' }
  /** The search was given up after too many steps. */
  | { is: 'undecided' }
  /** `placed` is the longest order found; each operation that could come next is impossible for a reason. */
  | { is: 'impossible'; placed: Operation<What>[]; stuck: { operation: Operation<What>; why: string }[] };

/**
 * The answered operations placed so far are all before `first`, and those in `beyond`; those without an answer are `used`. The
 * last of them, `chain`, came after `base`, the state when an answered operation was last placed.
 */
type Place<State> = {
  first: number;
  beyond: readonly number[];
  used: readonly number[];
  state: State;
  base: State;
  chain: readonly number[];
};
type Frame<State, What> = Place<State> & { operation: Operation<What> | undefined; next: Place<State>[] };

const NO_STEPS_LEFT = { is: 'undecided' } as const;

/**
 * Looks for an order of the operations that fits their times and the model (Wing and Gong's search, with Lowe's memory
 * of places already tried). An operation without an answer is placed only directly before one that needs it: any
 * other order could be rearranged into such an order.
 */
export function findOrder<State, What>(
  history: readonly Operation<What>[],
  model: Model<State, What>,
  mostSteps = 300_000,
): Finding<What> {
  const byStart = history.toSorted((a, b) => a.start - b.start);
  const answered = byStart.filter(({ end }) => end !== Number.POSITIVE_INFINITY);
  const unknown = byStart.filter(({ end }) => end === Number.POSITIVE_INFINITY);
  const effects = unknown.map(({ what }) => model.effect(what));
  const seen = new Set<string>();
  let steps = 0;
  let best = -1;
  let bestUsed = -1;
  let placed: Operation<What>[] = [];
  let stuck: { operation: Operation<What>; why: string }[] = [];
  const path: Frame<State, What>[] = [];

  /** Goes to a place and finds out where the search can go from there. */
  function enter(place: Place<State>, operation: Operation<What> | undefined): void {
    const { first, beyond, used, state, base, chain } = place;
    const reasons: typeof stuck = [];
    const next: { place: Place<State>; end: number }[] = [];
    const isPlaced = new Set(beyond);
    let isFree = false;
    // An operation cannot come before another one that ended before it started.
    let bound = Number.POSITIVE_INFINITY;
    for (let i = first; i < answered.length && answered[i]!.start <= bound; i++) {
      if (isPlaced.has(i)) continue;
      const one = answered[i]!;
      bound = Math.min(bound, one.end);
    }
    for (let i = first; !isFree && i < answered.length && answered[i]!.start <= bound; i++) {
      if (isPlaced.has(i)) continue;
      const one = answered[i]!;
      const after = model.apply(state, one.what, true);
      if (typeof after === 'string') reasons.push({ operation: one, why: after });
      else if (!chain.some((u) => canWait(u, place, one.what, after))) {
        const there = { ...withPlaced(first, beyond, i), used, state: after, base: after, chain: [] };
        // An operation that changes nothing may always be placed at once.
        isFree = model.covers(after, state);
        next.push({ place: there, end: one.end });
      }
    }
    if (isFree) next.splice(0, next.length - 1);
    next.sort((a, b) => b.end - a.end);
    const lazily: Place<State>[] = [];
    const tried = new Set<string>();
    for (let i = 0; !isFree && i < unknown.length && unknown[i]!.start <= bound; i++) {
      if (used.includes(i) || tried.has(effects[i]!)) continue;
      tried.add(effects[i]!);
      const after = model.apply(state, unknown[i]!.what, false);
      if (typeof after !== 'string' && model.key(after) !== model.key(state))
        lazily.push({ first, beyond, used: [...used, i], state: after, base, chain: [...chain, i] });
    }
    path.push({ ...place, operation, next: [...lazily.reverse(), ...next.map((one) => one.place)] });
    const count = first + beyond.length;
    // Of two dead ends of the same length, the one that tried more explains more.
    if (count > best || (count === best && next.length === 0 && used.length > bestUsed)) {
      best = count;
      bestUsed = next.length === 0 ? used.length : -1;
      placed = path.flatMap((frame) => frame.operation ?? []);
      stuck = next.length === 0 ? reasons : [];
    }
  }

  /** Reports whether an unanswered operation could just as well come after this answered one, or never. */
  function canWait(u: number, { base, chain }: Place<State>, what: What, tight: State): boolean {
    let state: State | string = base;
    for (const other of chain)
      if (other !== u && typeof state !== 'string') state = model.apply(state, unknown[other]!.what, false);
    if (typeof state !== 'string') state = model.apply(state, what, true);
    if (typeof state === 'string') return false;
    if (model.covers(state, tight)) return true;
    const after = model.apply(state, unknown[u]!.what, false);
    return typeof after !== 'string' && model.covers(after, tight);
  }

  function withPlaced(first: number, beyond: readonly number[], i: number) {
    if (i !== first) return { first, beyond: [...beyond, i].sort((a, b) => a - b) };
    let end = first + 1;
    let skip = 0;
    while (beyond[skip] === end) {
      end++;
      skip++;
    }
    return { first: end, beyond: beyond.slice(skip) };
  }

  function operationBetween(before: Place<State>, after: Place<State>): Operation<What> {
    if (after.used.length > before.used.length) return unknown[after.used.at(-1)!]!;
    const had = new Set(before.beyond);
    for (let i = before.first; i < after.first; i++) if (!had.has(i)) return answered[i]!;
    return answered[after.beyond.find((i) => !had.has(i))!]!;
  }

  const isNew = ({ first, beyond, used, state, chain }: Place<State>) => {
    const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
    const key = `${first}|${beyond}|${sorted(used)}|${sorted(chain)}|${model.key(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };

  const { initial } = model;
  enter({ first: 0, beyond: [], used: [], state: initial, base: initial, chain: [] }, undefined);
  for (let frame = path.at(-1); frame; frame = path.at(-1)) {
    if (frame.first === answered.length) return { is: 'possible' };
    const place = frame.next.pop();
    if (!place) path.pop();
    else if (isNew(place)) {
      if (++steps > mostSteps) return NO_STEPS_LEFT;
      enter(place, operationBetween(frame, place));
    }
  }
  return { is: 'impossible', placed, stuck };
}

/**
 * Reduces an impossible history to the operations that make it impossible. Any read may be left out of a history; a write
 * may only lose its answer, since it may have happened.
 */
export function shrink<State, What>(
  history: readonly Operation<What>[],
  model: Model<State, What>,
  changes: (what: What) => boolean,
  mostMs: number,
): Operation<What>[] {
  const weaken = (operation: Operation<What>) =>
    changes(operation.what) ? [{ ...operation, end: Number.POSITIVE_INFINITY }] : [];
  // CPU time, so that a busy machine shrinks a history as far as an idle one.
  const begun = process.threadCpuUsage();
  const isInTime = () => process.threadCpuUsage(begun).user < mostMs * 1_000;
  let left = history.toSorted((a, b) => a.start - b.start);
  for (let size = Math.ceil(left.length / 2); ; size = Math.ceil(size / 2)) {
    for (let from = left.length; from > 0 && isInTime(); from -= size) {
      const low = Math.max(0, from - size);
      const part = left.slice(low, from);
      if (part.every(({ what, end }) => end === Number.POSITIVE_INFINITY && changes(what))) continue;
      const fewer = [...left.slice(0, low), ...part.flatMap(weaken), ...left.slice(from)];
      if (findOrder(fewer, model, 5_000).is === 'impossible') left = fewer;
    }
    if (size === 1) return left;
  }
}
