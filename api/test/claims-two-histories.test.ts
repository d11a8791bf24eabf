// Whatever others claim, an owner who is to be surprised gets the same bytes; where only names are concealed, whoever claims it.
// @slow
// @again postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Answer } from './answers.ts';
import { type ClaimService, DAY, etagOf, key, MINUTE, openClaimService } from './claim-service.ts';
import type { Name } from './support.ts';

const seed = Number(process.env.SEED ?? 14);
const runs = Number(process.env.RUNS ?? 1);

type Numbers = { a: number; b: number; c: number };
type Round = { here: Numbers[]; there: Numbers[]; owner: { kind: number } & Numbers };

const numbers = { a: fc.nat(999), b: fc.nat(999), c: fc.nat(999) };
const others = fc.array(fc.record(numbers), { maxLength: 3, size: 'max' });
const history: fc.Arbitrary<Round[]> = fc.array(
  fc.record({ here: others, there: others, owner: fc.record({ kind: fc.nat(999), ...numbers }) }),
  { minLength: 10, maxLength: 24, size: 'max' },
);

const pick = <T>(of: readonly T[], n: number): T => of[n % of.length]!;

/** One of two houses in which the same owner does the same, and others do not. */
type Side = {
  service: ClaimService;
  /** Claims of others in the owner's registry. */
  theirs: string[];
  /** The owner's claims: from before the surprise, and in somebody else's registry. */
  own: string[];
  /** Every claim that is the same in both houses, from earlier histories, too. */
  shared: string[];
  lastEtag: string;
  /** The last ETag of a list. */
  listEtag: string;
  /** The last cursor of each feed of events. */
  cursors: Map<string, string>;
};

/** `author`: somebody else whose registry the owner co-owns. `mayNameGivers`: everybody is an administrator. */
type Cast = { owner: Name; author?: Name; others: Name[]; mayNameGivers?: true };

/** The same in both services: a registry that becomes a surprise, another to which its items may move, and one that is none. */
type Scene = { registry: number; items: number[]; attic: number; elsewhere: number; there: number };

async function furnish(
  { service, own, shared }: Side,
  { owner, author, others }: Cast,
  surprise: object,
): Promise<Scene> {
  const registry_invitees = ['alice', 'bob', 'carol', 'admin'];
  const registry_owners = author ? [`${owner}@example.test`] : [];
  const money = { registry_currency: 'EUR', registry_pay_to: 'Ann, at home' };
  const meta = { registry_invitees, registry_owners, ...money };
  const registry = await service.registry(meta, author ?? owner);
  const items: number[] = [];
  for (let n = 0; n < 3; n++)
    items.push(await service.item(registry, { quantity_needed: 4, quantity_purchased: n }));
  items.push(await service.item(registry, { unit: 'money', quantity_needed: 4, quantity_purchased: 1 }));
  own.push((await service.claim(owner, registry, items[0]!, { quantity: 2 })).id);
  own.push((await service.claim(owner, registry, items[3]!, { quantity: 1 })).id);
  const elsewhere = await service.registry({ registry_invitees }, others[0]!);
  const there = await service.item(elsewhere, { quantity_needed: 99 });
  own.push((await service.claim(owner, elsewhere, there)).id);
  shared.push(...own, (await service.claim(others[1]!, elsewhere, there)).id);
  const ends = { meta: { registry_surprise_until: 'always', ...surprise } };
  assert.equal((await service.call(owner, `PATCH /registries/${registry}`, ends)).status, 200);
  const attic = await service.registry({ ...meta, ...ends.meta }, author ?? owner);
  return { registry, items, attic, elsewhere, there };
}

/** Somebody claims, changes or takes back, in the owner's registry alone. */
async function claimSomething(
  { service, theirs }: Side,
  { registry, items, attic }: Scene,
  { others, mayNameGivers, owner }: Cast,
  { a, b, c }: Numbers,
): Promise<void> {
  const as = pick(others, a);
  const known = theirs[b % Math.max(theirs.length, 1)];
  if (c % 3 > 0 || !known) {
    const guest = { name: 'Guest', email: `guest-${b % 3}@example.test` };
    const oneself = { name: 'Owner', email: `${owner}@example.test`, user_id: owner === 'alice' ? 2 : 1 };
    const named = mayNameGivers && pick([undefined, guest, oneself], c);
    const state = pick(['reserved', 'pending', 'purchased'], b);
    const body = { quantity: 1 + (b % 3), state, ...(named && { giver: named }), message: 'For you' };
    const path = `POST /registries/${pick([registry, registry, attic], a)}/items/${pick(items, b)}/claims`;
    const answer = await service.call(as, path, body);
    assert.ok([201, 404, 409, 429].includes(answer.status), answer.text);
    if (answer.status === 201) theirs.push(answer.body.id);
    return;
  }
  const changes = [
    ...[{ state: 'released' }, { state: 'purchased' }, { quantity: 1 + (a % 4) }, { message: null }],
    ...[{ buys: true, pay_to: `Me ${a}` }, { buys: false }],
  ];
  const { status, text } = await service.call(as, `PATCH /claims/${known}`, pick<object>(changes, b));
  assert.ok([200, 404, 409, 422].includes(status), text);
}

/** As many pieces are taken or given back in both houses: by one giver here, there by others in other words and states. */
async function claimAlike(
  [here, there]: Side[],
  { registry, items }: Scene,
  { others }: Cast,
  n: number,
): Promise<void> {
  const [one, another] = [others[0]!, others[1]!];
  const give = async (side: Side, as: Name, body: object) => {
    const path = `POST /registries/${registry}/items/${pick(items, n)}/claims`;
    const { status, body: claim } = await side.service.call(as, path, body);
    if (status === 201) side.theirs.push(claim.id);
    return status;
  };
  const takeBack = async (side: Side, as: Name) => {
    for (const id of side.theirs.splice(0))
      await side.service.call(as, `PATCH /claims/${id}`, { state: 'released' });
  };
  if (n % 4 === 0) {
    await takeBack(here!, one);
    await takeBack(there!, another);
    return;
  }
  const quantity = 1 + (n % 2);
  if ((await give(here!, one, { quantity, message: 'For you' })) !== 201) return;
  for (let piece = 0; piece < quantity; piece++)
    assert.equal(await give(there!, another, { state: pick(['reserved', 'purchased'], n >> 2) }), 201);
  const buys = { buys: n % 3 > 0, pay_to: n % 3 > 0 ? 'Here' : null };
  await there!.service.call(another, `PATCH /claims/${there!.theirs.at(-1)}`, buys);
}

type Request = [target: string, body?: unknown, headers?: Record<string, string>];

/** The owner's request, the same to both services but for the ids of their own claims. */
function requestOf(side: Side, scene: Scene, cast: Cast, { kind, a, b, c }: Round['owner']): Request {
  const { registry, items, attic, elsewhere, there } = scene;
  const item = pick([...items, ...items, 999_999], a);
  const conditions: Record<string, string>[] = [
    {},
    {},
    { prefer: 'wait=0' },
    { 'if-match': side.lastEtag, 'if-none-match': `${side.lastEtag}, ${side.listEtag}` },
    { 'if-match': `"${item}-1"`, 'if-none-match': `"${item}-1"` },
    { 'if-match': `"${item}-1.${c % 4}-admin"`, 'if-none-match': `"${item}-${b % 4}.${c % 4}"` },
    { 'if-none-match': '*', prefer: 'wait=0', 'if-match': '*' },
  ];
  const headers = pick(conditions, c);
  const own = pick(side.own, b);
  // A stranger's id can hardly be guessed; by chance it helps nobody.
  const foreign = side.theirs[b % Math.max(side.theirs.length, 1)] ?? 'x'.repeat(22);
  const changes = [
    ...[{ name: `Pan ${b}` }, { quantity_purchased: b % 6 }, { quantity_purchased: -1 }, {}, { price: 3 }],
    ...[{ quantity_purchased: null, quantity_needed: 1 + (b % 5) }, { unit: 'money' }, { unit: null }],
    ...[{ is_active: true }, { is_active: false, name: 'Gone' }],
  ];
  const change = pick<object>(changes, b);
  const gift = { name: 'Pot', url: 'https://shop.example/pot', quantity_needed: 3 };
  const affiliate = { affiliate_url: 'https://partner.example/x' };
  const released = { state: 'released' };
  const giver = { name: 'Guest', email: `guest-${b % 3}@example.test` };
  const reads = [
    ...[`GET /items/${item}`, `GET /items/${item}`, `HEAD /items/${item}`, `DELETE /items/${item}`],
    ...[`GET /registries/${attic}/items`, `DELETE /registries/${registry}/items/${item}`],
    ...['GET /items?limit=5', `GET /items?skip=${b % 4}&limit=2`, 'GET /registries', 'GET /claims'],
    ...['', '/items', '/claims'].map((path) => `GET /registries/${registry}${path}`),
    ...[`HEAD /registries/${registry}/items`, `DELETE /registries/${registry}/items/${item}/affiliate`],
    ...[`GET /claims/${foreign}`, `DELETE /claims/${foreign}`, `GET /items/${there}`],
    ...[`GET /claims?ids=${foreign},${own}&with=item`, 'GET /claims?with=item&limit=5'],
  ];
  const bare = [
    ...[`GET /registries/${attic}/claims`, `GET /registries/${elsewhere}/claims`, `GET /claims/${own}`],
    ...[`GET /registries/${registry}/invitees`, `GET /registries/${registry}/items/${item}/affiliate`],
    ...[`skip=${b % 3}&limit=2`, `email=${pick(cast.others, a)}@example.test`, `ids=${own},${foreign}`],
    ...[`email=${cast.owner}@example.test`, `email=guest-${b % 3}@example.test&limit=1`, 'email='],
    `email=${pick([...cast.others, cast.owner], a)}@example.test&with=item`,
  ].map((target) => (target.startsWith('GET') ? target : `GET /claims?${target}`));
  const feeds = [...[registry, attic, elsewhere].map((id) => `/registries/${id}/events`), '/events'];
  const requests: Request[] = [
    ...reads.map((target): Request => [target, undefined, headers]),
    ...bare.map((target): Request => [target]),
    [`PUT /items/${item}`, change, headers],
    [`PUT /items/${item}`, change, headers],
    [`PUT /items/${item}`, change],
    [`POST /items/${item}/move`, { registry_id: pick([attic, registry], b) }],
    [`POST /items/${item}/move`, { registry_id: pick([attic, registry, elsewhere], b) }, headers],
    [`PUT /registries/${registry}/items/${item}/affiliate`, affiliate, headers],
    [`POST /registries/${registry}/items`, gift, key(`${registry}-${a % 3}`)],
    [`POST /registries/${registry}/items`, { ...gift, unit: 'money' }],
    [`PATCH /registries/${registry}`, { meta: { registry_currency: pick(['EUR', 'CHF', null], b) } }],
    [`PATCH /registries/${registry}`, { meta: { registry_pay_to: `Ann ${b % 2}` } }],
    [`PATCH /claims/${own}`, pick<object>([{ buys: true }, { buys: false }, { pay_to: 'Ann' }], c)],
    [`PATCH /claims/${foreign}`, { buys: true, pay_to: 'Ann' }],
    ['POST /items', { registry_id: registry, ...gift }, key(`${registry}-loose-${a % 3}`)],
    [`PATCH /registries/${registry}`, { title: `Ann ${b % 3}`, meta: { registry_item_ids: items } }],
    [`POST /registries/${registry}/items/${item}/claims`, { quantity: 1 + (b % 5) }, key(`${registry}-c`)],
    [`POST /registries/${registry}/items/${item}/claims`, { state: 'pending', giver: { name: 'x' } }],
    [`POST /registries/${registry}/items/${item}/claims`, { state: 'nonsense' }],
    [`PATCH /claims/${foreign}`, released, headers],
    [`PATCH /claims/${foreign}`, { thanked: true }],
    [`PATCH /claims/${own}`, pick<object>([{ quantity: 1 }, { quantity: 3 }, { message: 'x' }, {}], c)],
    [`PATCH /claims/${own}`, pick<object>([{ state: 'purchased' }, { thanked: true }, released], c)],
    // Unconfirmed claims are counted over all registries.
    [`POST /registries/${elsewhere}/items/${there}/claims`, { state: 'pending', ...(c % 2 && { giver }) }],
    ...feeds.flatMap((feed): Request[] => [
      [`GET ${feed}`],
      [`GET ${feed}?limit=${1 + (b % 4)}`],
      [`GET ${feed}?limit=${1 + (b % 9)}&after=${side.cursors.get(feed) ?? 'none'}`],
    ]),
  ];
  return pick(requests, kind);
}

/** All of an answer but what is new in each; the claims that both houses have by their number. */
function bytesOf(
  { service, shared }: Side,
  { status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>,
): string {
  const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  const whole = `${status}\n${kept.map((header) => header.join(': ')).join('\n')}\n\n${text}`;
  return shared
    .reduce((bytes, id, n) => bytes.replaceAll(id, `claim-${n}`), whole)
    .replaceAll(service.host.url, 'https://host.example');
}

async function ask(side: Side, owner: Name, [target, body, headers = {}]: Request): Promise<string> {
  const [method = '', path = ''] = target.split(' ');
  // HEAD is not in the document that `call` holds answers against.
  const response = await side.service.services[0]!.fetch(path, { method, json: body, headers, as: owner });
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  assert.ok(response.status < 500, `${target}: ${answer.text}`);
  if (/^\w+ \/items\/\d+$/.test(target) && response.headers.has('etag'))
    side.lastEtag = etagOf(answer as Answer);
  if (/^GET \/(items|registries\/\d+\/items)(\?|$)/.test(target) && response.headers.has('etag'))
    side.listEtag = etagOf(answer as Answer);
  const [feed = ''] = path.split('?');
  if (feed.endsWith('/events') && response.status === 200)
    side.cursors.set(feed, JSON.parse(answer.text).next);
  if (method === 'POST' && path.endsWith('/claims') && response.status === 201) {
    const { id } = JSON.parse(answer.text);
    if (!side.own.includes(id)) for (const known of [side.own, side.shared]) known.push(id);
  }
  return bytesOf(side, answer);
}

const casts: Record<string, Cast> = {
  'an owner': { owner: 'alice', others: ['admin', 'bob', 'carol'] },
  'an administrator': { owner: 'admin', others: ['bob', 'carol'] },
  'an owner among administrators': { owner: 'alice', others: ['admin', 'bob'], mayNameGivers: true },
  'a co-owner': { owner: 'alice', author: 'carol', others: ['admin', 'bob'] },
  'a co-owner who is an administrator': { owner: 'admin', author: 'alice', others: ['bob', 'carol'] },
};

/** Two houses with the same scene, and what happens in them in turn, history after history. */
async function compare(
  cast: Cast,
  { numRuns, surprise }: { numRuns: number; surprise: object },
  happens: (sides: Side[], scene: Scene, round: Round) => Promise<void>,
): Promise<void> {
  const env: Record<string, string> = cast.mayNameGivers ? { ADMIN_ROLES: 'administrator,subscriber' } : {};
  await using here = await openClaimService(env);
  await using there = await openClaimService(env);
  const known: string[][] = [[], []];
  await fc.assert(
    fc.asyncProperty(history, async (rounds) => {
      const sides = [here, there].map((service, n): Side => {
        const none = { theirs: [], own: [], cursors: new Map(), lastEtag: '""', listEtag: '""' };
        return { service, shared: known[n]!, ...none };
      });
      const scene = await furnish(sides[0]!, cast, surprise);
      assert.deepEqual(scene, await furnish(sides[1]!, cast, surprise), 'the two houses began alike');
      const said: string[] = [];
      for (const round of rounds) {
        await happens(sides, scene, round);
        // The owner asks both houses the same, and hears the same.
        const requests = sides.map((side) => requestOf(side, scene, cast, round.owner));
        said.push(JSON.stringify(requests[0]));
        const answers: string[] = [];
        for (const [n, side] of sides.entries()) answers.push(await ask(side, cast.owner, requests[n]!));
        assert.equal(answers[0], answers[1], said.slice(-6).join('\n'));
      }
      await settle(sides, scene, cast);
      for (const { service } of sides) service.advance(91 * DAY);
    }),
    // Each history begins anew, so that the first that fails tells enough.
    { seed, numRuns: numRuns * runs, endOnFailure: true },
  );
}

/** The host dates writes behind an answer: both services finish them before time goes on. */
async function settle(sides: Side[], { registry }: Scene, { owner }: Cast): Promise<void> {
  for (const { service } of sides)
    assert.equal((await service.call(owner, `PATCH /registries/${registry}`, {})).status, 200);
}

for (const [what, cast] of Object.entries(casts)) {
  describe(`the surprise of ${what}`, () => {
    it('lets no response tell whether anything is claimed', () =>
      compare(cast, { numRuns: 4, surprise: {} }, async (sides, scene, { here, there, owner }) => {
        for (const [n, steps] of [here, there].entries())
          for (const step of steps) await claimSomething(sides[n]!, scene, cast, step);
        if (owner.a % 10 > 0) return;
        await settle(sides, scene, cast);
        for (const { service } of sides) service.advance(pick([1_000, 61 * MINUTE, 15 * DAY], owner.b));
      }));

    it('lets no response tell more than numbers where only names are kept', () => {
      const options = { numRuns: 2, surprise: { registry_surprise_keeps: 'names' } };
      return compare(cast, options, (sides, scene, { here }) =>
        claimAlike(sides, scene, cast, here[0]?.a ?? 0),
      );
    });
  });
}
