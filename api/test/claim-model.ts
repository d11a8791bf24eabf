import assert from 'node:assert/strict';
import fc from 'fast-check';
import { until } from '../../dev/until.ts';
import type { Claim, ClaimState } from '../src/contract/index.ts';
import type { Answer } from './answers.ts';
import { type ClaimService, DAY, etagOf, expected, key, MINUTE } from './claim-service.ts';
import type { Name } from './support.ts';

/** Random numbers from which a step picks its item, claim and quantity. */
export type Step = { kind: Kind; a: number; b: number; c: number };

const KINDS = {
  claim: 10,
  confirm: 3,
  buy: 3,
  change: 4,
  release: 3,
  thank: 1,
  wait: 3,
  put: 2,
  remove: 1,
  restore: 2,
  repeat: 4,
  erase: 1,
  look: 3,
  twice: 2,
} as const;
type Kind = keyof typeof KINDS;

const kinds = Object.entries(KINDS).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind as Kind),
}));
const number = fc.nat({ max: 9_999 });

/** Random histories; `without` leaves kinds of steps out. */
export const histories = (maxLength: number, without: Kind[] = []): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.oneof(...kinds.filter(({ arbitrary }) => !without.includes(fc.sample(arbitrary, 1)[0]!))),
      a: number,
      b: number,
      c: number,
    }),
    { minLength: 20, maxLength, size: 'max' },
  );

type Known = {
  id: string;
  item: Thing;
  /** The only one beside an admin who may change it. */
  giver: Name | `guest${number}`;
  state: ClaimState;
  quantity: number;
  message: string | null;
  expiresAt: number | null;
  thanked: boolean;
  erased: boolean;
};
type Thing = { id: number; registry: number; needed: number; direct: number; active: boolean };
type Sent = { as: Name; path: string; body: object; key: string; at: number; text: string; etag: string };
type Change = Partial<Pick<Known, 'state' | 'quantity' | 'message'>> & {
  expires_in?: number;
  thanked?: boolean;
};

const pick = <T>(of: readonly T[], n: number): T | undefined => of[n % Math.max(of.length, 1)];
const SECRET = /(?:guest\d+-|msg-)(\w+)-(open|closed)-yak/gi;

/** The rules of docs/contract/claims.md for an open registry and for a surprise, compared with the service. */
export async function follow(service: ClaimService, steps: readonly Step[]): Promise<void> {
  const { call } = service;
  const [open, closed] = [
    await service.registry(),
    await service.registry({ registry_surprise_until: 'always' }),
  ];
  const things: Thing[] = [];
  for (const registry of [open, open, closed]) {
    const needed = 1 + (things.length % 3);
    const id = await service.item(registry, { quantity_needed: needed });
    things.push({ id, registry, needed, direct: 0, active: true });
  }
  const claims: Known[] = [];
  const sent: Sent[] = [];
  const wordOf = (registry: number) => (registry === closed ? 'closed' : 'open');

  const isOver = ({ state, expiresAt }: Known) =>
    (state === 'pending' || state === 'reserved') && expiresAt !== null && expiresAt <= service.now();
  const stateOf = (claim: Known): ClaimState => (isOver(claim) ? 'expired' : claim.state);
  const isLive = (claim: Known) => ['pending', 'reserved', 'purchased'].includes(stateOf(claim));
  const live = (thing: Thing) =>
    claims
      .filter((claim) => claim.item === thing && isLive(claim))
      .reduce((sum, { quantity }) => sum + quantity, 0);
  const left = (thing: Thing) => Math.max(0, thing.needed - thing.direct - live(thing));
  const waiting = (giver: Known['giver']) =>
    claims.filter((claim) => claim.giver === giver && !claim.erased && stateOf(claim) === 'pending').length;

  /** Only those who may see a giver's name and message see them. */
  function discreet(as: Name, answer: Answer): Answer {
    for (const [text, whose, where] of answer.text.matchAll(SECRET)) {
      const own = whose === as;
      const may = as === 'admin' || own || (as === 'alice' && where === 'open');
      assert.ok(may, `${as} sees ${text}`);
    }
    return answer;
  }
  const ask = async (as: Name, target: string, body?: unknown, headers = {}) =>
    discreet(as, await call(as, target, body, headers));

  const isGivers = (as: Name, { giver, erased }: Known) => giver === as && !erased;
  const maySee = (as: Name, claim: Known) =>
    as === 'admin' || isGivers(as, claim) || (as === 'alice' && claim.item.registry === open);

  function shows(answer: Answer, claim: Known): void {
    const { state, quantity, message, thanked_at, giver }: Claim = expected(200, answer);
    assert.deepEqual(
      { state, quantity, message, thanked: thanked_at !== null, erased: giver.name === '' },
      {
        state: stateOf(claim),
        quantity: claim.quantity,
        message: claim.erased ? null : claim.message,
        thanked: claim.thanked,
        erased: claim.erased,
      },
    );
  }

  async function claim({ a, b, c }: Step): Promise<void> {
    const thing = pick(things, a)!;
    const as = pick<Name>(['bob', 'carol', 'admin', 'bob', 'admin', 'alice'], b)!;
    const guest = b % 4;
    const word = wordOf(thing.registry);
    const giver = as === 'admin' ? (`guest${guest}` as const) : as;
    const state = pick(['reserved', 'pending', 'purchased'] as const, c)!;
    const quantity = 1 + (c % 3);
    const message = `msg-${giver}-${word}-yak`;
    const expires_in = state !== 'purchased' && c % 2 ? 60 + c : undefined;
    const name = `guest${guest}-${giver}-${word}-yak`;
    const body = {
      ...{ state, quantity, message, expires_in },
      ...(as === 'admin' && { giver: { name, email: `${name}@example.test` } }),
    };
    const path = `/registries/${thing.registry}/items/${thing.id}/claims`;
    const keyed = c % 3 > 0 ? `${thing.registry}-${sent.length}` : undefined;
    const before = left(thing);
    const answer = await ask(as, `POST ${path}`, body, keyed ? key(keyed) : {});
    if (as === 'alice' && word === 'closed') return void expected(403, answer);
    if (!thing.active) return void expected(404, answer);
    if (before < quantity) {
      const { detail } = expected(409, answer);
      return assert.equal(detail, `${before} left of this item: ${quantity} cannot be taken`);
    }
    // A guest's address differs by registry, so that the limits are tested per registry.
    const same = claims.filter((one) => giver.startsWith('guest') && wordOf(one.item.registry) !== word);
    const counted =
      waiting(giver) -
      same.filter((one) => one.giver === giver && !one.erased && stateOf(one) === 'pending').length;
    if (state === 'pending' && counted >= 10) return void expected(429, answer);
    const { id }: Claim = expected(201, answer);
    assert.ok(!claims.some((one) => one.id === id));
    const ends = { reserved: 14 * DAY, pending: 60 * MINUTE, purchased: null }[state];
    const expiresAt = ends === null ? null : service.now() + (expires_in ? 1000 * expires_in : ends);
    claims.push({
      id,
      item: thing,
      giver,
      state,
      quantity,
      message,
      expiresAt,
      thanked: false,
      erased: false,
    });
    if (keyed)
      sent.push({ as, path, body, key: keyed, at: service.now(), text: answer.text, etag: etagOf(answer) });
  }

  /** The model's result of a change: a status of refusal, or the claim after it. */
  function judged(claim: Known, change: Change): number | Known {
    const { expires_in, thanked, ...fields } = change;
    const names = Object.keys(change);
    const state = stateOf(claim);
    if (!isLive(claim))
      return names.length === 0 || (names.length === 1 && change.state === state) ? claim : 409;
    const next = change.state ?? state;
    const table: Record<string, string[]> = {
      pending: ['pending', 'reserved', 'purchased', 'released'],
      reserved: ['reserved', 'purchased', 'released'],
      purchased: ['purchased', 'released'],
    };
    if (!table[state]!.includes(next)) return 409;
    if (expires_in !== undefined && next !== 'reserved') return 409;
    if (thanked !== undefined && (next === 'pending' || next === 'released')) return 409;
    const more = next === 'released' ? 0 : (change.quantity ?? claim.quantity) - claim.quantity;
    if (more > 0 && (!claim.item.active || left(claim.item) < more)) return 409;
    const expiresAt =
      next === 'purchased' || next === 'released'
        ? null
        : expires_in === undefined && next === state
          ? claim.expiresAt
          : service.now() + (expires_in === undefined ? 14 * DAY : 1000 * expires_in);
    return { ...claim, ...fields, expiresAt, thanked: thanked ?? claim.thanked };
  }

  async function change({ a, b }: Step, body: Change, times = 1): Promise<void> {
    const claim = pick(claims, a);
    if (!claim) return;
    const speaks = claim.giver.startsWith('guest') || claim.erased ? 'admin' : (claim.giver as Name);
    const as =
      b % 5 === 0 ? pick<Name>(['bob', 'carol', 'alice', 'admin'], b)! : b % 7 === 0 ? 'admin' : speaks;
    let last: Answer | undefined;
    for (let n = 0; n < times; n++) {
      const isDelete = body.state === 'released' && b % 2 === 0;
      const target = `${isDelete ? 'DELETE' : 'PATCH'} /claims/${claim.id}`;
      const answer = await ask(as, target, isDelete ? undefined : body);
      if (!maySee(as, claim)) return void expected(404, answer);
      const surprised = as === 'alice' && claim.item.registry === closed;
      const changes = as === 'admin' || (isGivers(as, claim) && !surprised);
      if (!changes && Object.keys(body).some((field) => field !== 'thanked'))
        return void expected(403, answer);
      if (body.thanked !== undefined && as !== 'admin' && as !== 'alice') return void expected(403, answer);
      const verdict = judged(claim, body);
      if (verdict === 409) expected(409, answer);
      else {
        Object.assign(claim, verdict);
        if (isDelete) expected(204, answer);
        else shows(answer, claim);
      }
      if (last && !isDelete && body.expires_in === undefined)
        assert.deepEqual([answer.text, etagOf(answer)], [last.text, etagOf(last)], 'twice is once');
      last = answer;
    }
  }

  async function repeat({ a }: Step): Promise<void> {
    const first = pick(sent, a);
    if (!first || service.now() - first.at >= DAY) return;
    const answer = await ask(first.as, `POST ${first.path}`, first.body, key(first.key));
    const { giver, message, ...others }: Claim = expected(201, answer);
    const { giver: named, message: said, ...same }: Claim = JSON.parse(first.text);
    assert.deepEqual([others, etagOf(answer)], [same, first.etag], 'one key, one claim, the same answer');
    const erased = claims.find(({ id }) => id === others.id)!.erased;
    const blank = { user_id: null, name: '', email: null };
    assert.deepEqual([giver, message], erased ? [blank, null] : [named, said]);
  }

  async function put({ a, b, c }: Step): Promise<void> {
    const thing = pick(things, a)!;
    const [sum, quantity_needed] = [b % 6, 1 + (c % 6)];
    const body = { quantity_purchased: sum, ...(c % 2 && { quantity_needed }) };
    const answer = await ask('admin', `PUT /items/${thing.id}`, body);
    if (!thing.active) return void expected(404, answer);
    if (sum < live(thing)) return void expected(409, answer);
    assert.equal(expected(200, answer).data.quantity_purchased, sum);
    thing.direct = sum - live(thing);
    if (c % 2) thing.needed = quantity_needed;
  }

  async function setActive({ a, b }: Step, active: boolean): Promise<void> {
    const thing = pick(things, a)!;
    const as = pick<Name>(['alice', 'admin'], b)!;
    const answer = active
      ? await ask(as, `PUT /items/${thing.id}`, { is_active: true })
      : await ask(as, `DELETE /items/${thing.id}`);
    expected(!active && !thing.active ? 404 : 200, answer);
    thing.active = active;
  }

  async function erase({ a, b }: Step): Promise<void> {
    const guest = `guest${a % 4}` as const;
    const word = pick(['open', 'closed'], b)!;
    const theirs = claims.filter(
      ({ giver, erased, item }) => giver === guest && !erased && wordOf(item.registry) === word,
    );
    const before = things.map(live);
    const email = `${guest}-${guest}-${word}-YAK@example.test`;
    const { erased } = expected(200, await ask('admin', `DELETE /claims?email=${email}`));
    // The addresses are the same in every history.
    assert.ok(erased >= theirs.length);
    for (const one of theirs) one.erased = true;
    assert.deepEqual(things.map(live), before);
  }

  async function look({ a, b, c }: Step): Promise<void> {
    const as = pick<Name>(['bob', 'carol', 'alice', 'admin'], a)!;
    const one = pick(claims, b);
    if (one) {
      const answer = await ask(as, `GET /claims/${one.id}`);
      if (maySee(as, one)) shows(answer, one);
      else expected(404, answer);
    }
    const registry = pick([open, closed], c)!;
    const list = expected(200, await ask(as, `GET /registries/${registry}/claims`));
    const inIt = claims.filter(({ item }) => item.registry === registry);
    const seen = inIt.filter((each) => maySee(as, each) && !(as === 'alice' && registry === closed));
    const order = list.claims.map(({ id }: Claim) => id);
    assert.deepEqual(order.toSorted(), seen.map(({ id }) => id).sort());
    const lives = list.claims.map(({ id }: Claim) => isLive(claims.find((each) => each.id === id)!));
    assert.deepEqual(
      lives,
      [...lives].sort((x, y) => Number(y) - Number(x)),
      'live ones first',
    );
    const own: Claim[] = expected(200, await ask(as, 'GET /claims?limit=1000'));
    for (const each of claims) {
      const isTheirs = as !== 'admin' && isGivers(as, each);
      assert.equal(
        own.some(({ id }) => id === each.id),
        isTheirs,
      );
    }
    if (as === 'bob' || as === 'carol')
      for (const { giver } of [...own, ...list.claims]) assert.equal(giver.user_id, as === 'bob' ? 3 : 4);
  }

  /** The shown sum is the set quantity plus live claims, and at most those that are over and not yet expired. */
  async function sums(of: readonly Thing[], settled = false): Promise<void> {
    for (const thing of of) {
      if (!thing.active) continue;
      const over = claims
        .filter((one) => one.item === thing && isOver(one))
        .reduce((sum, { quantity }) => sum + quantity, 0);
      const shown = await service.purchased(thing.id);
      const least = thing.direct + live(thing);
      assert.ok(
        shown >= least && shown <= least + (settled ? 0 : over),
        `${shown} shown, ${thing.direct} set, ${live(thing)} live, ${over} over`,
      );
      if (thing.registry !== closed) continue;
      assert.equal(await service.purchased(thing.id, 'alice', closed), thing.direct);
    }
  }

  async function carryOut(step: Step): Promise<void> {
    const { b, c } = step;
    switch (step.kind) {
      case 'claim':
        return claim(step);
      case 'confirm':
        return change(step, { state: 'reserved', ...(c % 2 && { expires_in: 60 + c }) });
      case 'buy':
        return change(step, { state: 'purchased' });
      case 'change':
        return change(step, {
          ...(c % 2 && { quantity: 1 + (c % 4) }),
          ...(c % 3 === 0 && { message: null }),
          ...(c % 5 === 0 && { expires_in: 90 + c }),
        });
      case 'release':
        return change(step, { state: 'released' });
      case 'thank':
        return change(step, { thanked: c % 2 === 0 });
      case 'twice':
        return change(
          step,
          pick<Change>([{ state: 'released' }, { state: 'reserved' }, { state: 'purchased' }], c)!,
          2,
        );
      case 'wait':
        service.advance(pick([1, 1_000, MINUTE, 61 * MINUTE, 15 * DAY], b)!);
        return;
      case 'put':
        return put(step);
      case 'remove':
        return setActive(step, false);
      case 'restore':
        return setActive(step, true);
      case 'repeat':
        return repeat(step);
      case 'erase':
        return erase(step);
      case 'look':
        return look(step);
    }
  }

  for (const step of steps) {
    await carryOut(step);
    await sums([pick(things, step.a)!]);
  }
  await settled(service);
  await sums(things, true);
  // Pending claims must not use up the limits of the next history.
  service.advance(91 * DAY);
}

/** Waits until claims whose time is over are expired. */
export async function settled({ store, now }: ClaimService): Promise<void> {
  const due = `select 1 from claims where state in ('pending', 'reserved') and expires_at <= ${now()} limit 1`;
  await until('what is over has been noted', async () => (await store.query(due)).length === 0, {
    everyMs: 5,
  });
}
