// Whatever others claim, an owner who is to be surprised gets the same bytes.
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
};

type Cast = { owner: Name; others: Name[]; mayNameGivers: boolean };

/** The same in both services: a registry that becomes a surprise, and one that does not. */
type Scene = { registry: number; items: number[]; elsewhere: number; there: number };

async function furnish({ service, own, shared }: Side, { owner, others }: Cast): Promise<Scene> {
  const registry_invitees = ['alice', 'bob', 'carol', 'admin'];
  const registry = await service.registry({ registry_invitees }, owner);
  const items: number[] = [];
  for (let n = 0; n < 3; n++)
    items.push(await service.item(registry, { quantity_needed: 4, quantity_purchased: n }));
  own.push((await service.claim(owner, registry, items[0]!, { quantity: 2 })).id);
  const elsewhere = await service.registry({ registry_invitees }, others[0]!);
  const there = await service.item(elsewhere, { quantity_needed: 99 });
  own.push((await service.claim(owner, elsewhere, there)).id);
  shared.push(...own, (await service.claim(others[1]!, elsewhere, there)).id);
  const meta = { registry_surprise_until: 'always' };
  assert.equal((await service.call(owner, `PATCH /registries/${registry}`, { meta })).status, 200);
  return { registry, items, elsewhere, there };
}

/** Somebody claims, changes or takes back, in the owner's registry alone. */
async function claimSomething(
  { service, theirs }: Side,
  { registry, items }: Scene,
  { others, mayNameGivers, owner }: Cast,
  { a, b, c }: Numbers,
): Promise<void> {
  const as = pick(others, a);
  const known = theirs[b % Math.max(theirs.length, 1)];
  if (c % 3 > 0 || !known) {
    const named = pick<object | undefined>(
      [
        undefined,
        { name: 'Guest', email: `guest-${b % 3}@example.test` },
        { name: 'Owner', email: `${owner}@example.test`, user_id: owner === 'alice' ? 2 : 1 },
      ],
      mayNameGivers ? c : 0,
    );
    const state = pick(['reserved', 'pending', 'purchased'], b);
    const body = { quantity: 1 + (b % 3), state, ...(named && { giver: named }), message: 'For you' };
    const path = `POST /registries/${registry}/items/${pick(items, b)}/claims`;
    const answer = await service.call(as, path, body);
    assert.ok([201, 404, 409, 429].includes(answer.status), answer.text);
    if (answer.status === 201) theirs.push(answer.body.id);
    return;
  }
  const body = pick<object>(
    [{ state: 'released' }, { state: 'purchased' }, { quantity: 1 + (a % 4) }, { message: null }],
    b,
  );
  const { status, text } = await service.call(as, `PATCH /claims/${known}`, body);
  assert.ok([200, 404, 409].includes(status), text);
}

type Request = [target: string, body?: unknown, headers?: Record<string, string>];

/** The owner's request, the same to both services but for the ids of their own claims. */
function requestOf(side: Side, scene: Scene, cast: Cast, { kind, a, b, c }: Round['owner']): Request {
  const { registry, items, elsewhere, there } = scene;
  const item = pick([...items, ...items, 999_999], a);
  const conditions: Record<string, string>[] = [
    {},
    {},
    { prefer: 'wait=0' },
    { 'if-match': side.lastEtag, 'if-none-match': side.lastEtag },
    { 'if-match': `"${item}-1"`, 'if-none-match': `"${item}-1"` },
    { 'if-match': `"${item}-1.${c % 4}-admin"`, 'if-none-match': `"${item}-${b % 4}.${c % 4}"` },
    { 'if-none-match': '*', prefer: 'wait=0', 'if-match': '*' },
  ];
  const headers = pick(conditions, c);
  const own = pick(side.own, b);
  // A stranger's id can hardly be guessed; by chance it helps nobody.
  const foreign = side.theirs[b % Math.max(side.theirs.length, 1)] ?? 'x'.repeat(22);
  const change = pick<object>(
    [
      { name: `Pan ${b}` },
      { quantity_purchased: b % 6 },
      { quantity_purchased: null, quantity_needed: 1 + (b % 5) },
      { is_active: true },
      { is_active: false, name: 'Gone' },
      {},
      { quantity_purchased: -1 },
    ],
    b,
  );
  const gift = { name: 'Pot', url: 'https://shop.example/pot', quantity_needed: 3 };
  const affiliate = { affiliate_url: 'https://partner.example/x' };
  const requests: Request[] = [
    [`GET /items/${item}`, undefined, headers],
    [`GET /items/${item}`, undefined, headers],
    [`HEAD /items/${item}`, undefined, headers],
    [`PUT /items/${item}`, change, headers],
    [`PUT /items/${item}`, change, headers],
    [`PUT /items/${item}`, change],
    [`DELETE /items/${item}`, undefined, headers],
    [`DELETE /registries/${registry}/items/${item}`, undefined, headers],
    ['GET /items?limit=5', undefined, headers],
    [`GET /items?skip=${b % 4}&limit=2`, undefined, headers],
    ['GET /registries', undefined, headers],
    [`GET /registries/${registry}`, undefined, headers],
    [`GET /registries/${registry}/items`, undefined, headers],
    [`HEAD /registries/${registry}/items`, undefined, headers],
    [`GET /registries/${registry}/claims`, undefined, headers],
    [`GET /registries/${registry}/invitees`],
    [`GET /registries/${registry}/items/${item}/affiliate`],
    [`PUT /registries/${registry}/items/${item}/affiliate`, affiliate, headers],
    [`DELETE /registries/${registry}/items/${item}/affiliate`, undefined, headers],
    [`POST /registries/${registry}/items`, gift, key(`${registry}-${a % 3}`)],
    ['POST /items', { registry_id: registry, ...gift }, key(`${registry}-loose-${a % 3}`)],
    [`PATCH /registries/${registry}`, { title: `Ann ${b % 3}`, meta: { registry_item_ids: items } }],
    [`POST /registries/${registry}/items/${item}/claims`, { quantity: 1 + (b % 5) }, key(`${registry}-c`)],
    [`POST /registries/${registry}/items/${item}/claims`, { state: 'pending', giver: { name: 'x' } }],
    [`POST /registries/${registry}/items/${item}/claims`, { state: 'nonsense' }],
    [`GET /claims/${foreign}`, undefined, headers],
    [`PATCH /claims/${foreign}`, { state: 'released' }, headers],
    [`PATCH /claims/${foreign}`, { thanked: true }],
    [`DELETE /claims/${foreign}`, undefined, headers],
    [`GET /claims/${own}`],
    [`PATCH /claims/${own}`, pick<object>([{ quantity: 1 }, { quantity: 3 }, { message: 'x' }, {}], c)],
    [
      `PATCH /claims/${own}`,
      pick<object>([{ state: 'purchased' }, { thanked: true }, { state: 'released' }], c),
    ],
    ['GET /claims', undefined, headers],
    [`GET /claims?skip=${b % 3}&limit=2`],
    [`GET /claims?email=${pick(cast.others, a)}@example.test`],
    [`GET /claims?email=${cast.owner}@example.test`],
    [`GET /claims?email=guest-${b % 3}@example.test&limit=1`],
    ['GET /claims?email='],
    [`GET /claims?email=${pick([...cast.others, cast.owner], a)}@example.test&with=item`],
    ['GET /claims?with=item&limit=5', undefined, headers],
    [`GET /claims?ids=${own},${foreign}`],
    [`GET /claims?ids=${foreign},${own}&with=item`, undefined, headers],
    // Unconfirmed claims are counted over all registries.
    [
      `POST /registries/${elsewhere}/items/${there}/claims`,
      {
        state: 'pending',
        ...(c % 2 && { giver: { name: 'Guest', email: `guest-${b % 3}@example.test` } }),
      },
    ],
    [`GET /items/${there}`, undefined, headers],
    [`GET /registries/${elsewhere}/claims`],
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
  if (method === 'POST' && path.endsWith('/claims') && response.status === 201) {
    const { id } = JSON.parse(answer.text);
    if (!side.own.includes(id)) {
      side.own.push(id);
      side.shared.push(id);
    }
  }
  return bytesOf(side, answer);
}

const casts: [what: string, cast: Cast, env: Record<string, string>][] = [
  ['an owner', { owner: 'alice', others: ['admin', 'bob', 'carol'], mayNameGivers: false }, {}],
  [
    'an owner who is an administrator',
    { owner: 'admin', others: ['bob', 'carol'], mayNameGivers: false },
    {},
  ],
  [
    'an owner among administrators',
    { owner: 'alice', others: ['admin', 'bob'], mayNameGivers: true },
    { ADMIN_ROLES: 'administrator,subscriber' },
  ],
];

for (const [what, cast, env] of casts) {
  describe(`the surprise of ${what}`, () => {
    it('lets no response tell whether anything is claimed', async () => {
      await using here = await openClaimService(env);
      await using there = await openClaimService(env);
      const known: string[][] = [[], []];
      await fc.assert(
        fc.asyncProperty(history, async (rounds) => {
          const sides: Side[] = [here, there].map((service, n) => {
            return { service, theirs: [], own: [], shared: known[n]!, lastEtag: '""' };
          });
          const scenes: Scene[] = [];
          for (const side of sides) scenes.push(await furnish(side, cast));
          assert.deepEqual(scenes[0], scenes[1], 'the two houses began alike');
          // The host dates writes behind an answer: both services finish them before time goes on.
          const settle = async () => {
            for (const { service } of sides)
              assert.equal(
                (await service.call(cast.owner, `PATCH /registries/${scenes[0]!.registry}`, {})).status,
                200,
              );
          };
          const said: string[] = [];
          for (const round of rounds) {
            for (const [n, steps] of [round.here, round.there].entries())
              for (const step of steps) await claimSomething(sides[n]!, scenes[0]!, cast, step);
            if (round.owner.a % 10 === 0) await settle();
            if (round.owner.a % 10 === 0)
              for (const { service } of sides)
                service.advance(pick([1_000, 61 * MINUTE, 15 * DAY], round.owner.b));
            const answers: string[] = [];
            for (const side of sides) {
              const request = requestOf(side, scenes[0]!, cast, round.owner);
              answers.push(await ask(side, cast.owner, request));
            }
            const request = requestOf(sides[0]!, scenes[0]!, cast, round.owner);
            said.push(JSON.stringify(request));
            assert.equal(answers[0], answers[1], said.slice(-6).join('\n'));
          }
          await settle();
          for (const { service } of sides) service.advance(91 * DAY);
        }),
        // Each history begins anew, so that the first that fails tells enough.
        { seed, numRuns: 4 * runs, endOnFailure: true },
      );
    });
  });
}
