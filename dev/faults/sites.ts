import { styleText } from 'node:util';
import fc from 'fast-check';
import pino from 'pino';
import { Pool } from 'undici';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import { startService } from '../../api/src/app/service.ts';
import { readConfig } from '../../api/src/config.ts';
import { openDatabase } from '../../api/src/store/open.ts';
import { type SiteSettings, siteStore } from '../../api/src/store/sites.ts';
import { type EmptyStore, freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { authorization, freshSqlite, startTestService } from '../../api/test/support.ts';
import type { Part } from './kit.ts';
import { type Documented, furniture, REGISTRIES, requestsTo, type Sent } from './requests.ts';
import { watchTheMachine } from './time.ts';

/** Two sites with the same users, numbers and addresses. */
const SITES = ['A', 'B'] as const;
type SiteName = (typeof SITES)[number];

/** A request to a site, or directly to its host. */
type Asked = Omit<Sent, 'body'> & {
  body?: string | undefined;
  /** Whether to send the `ETag` that the same caller last received for this address. */
  isConditional?: boolean;
  hasNoApiKey?: boolean;
};

/** Simultaneous requests, so many milliseconds after the previous ones. */
type Step = { afterMs: number } & Partial<Record<SiteName, Asked>>;

/** An answer without the parts that are random by contract. */
type Seen = { status: number; headers: string[]; body: string };
type Difference = { at: number; site: SiteName; asked: Asked; ofMany: Seen; ofOne: Seen };

const START = Date.parse('2027-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const API_KEY = 'gate';
const TO_HOST = 'host:';
// In longer rounds, most data would be deleted.
const STEPS_OF_A_ROUND = 250;
const MOST_TRIES = 5;
const SHRINKING_MS = 90_000;

// Nothing may time out on a slow machine, and no requests go to shops.
const LIMITS = {
  waits: { lockMs: 60_000, orderMs: 60_000 },
  host: { totalMs: 60_000, connectMs: 60_000 },
  storeMs: 60_000,
  slowSignInMs: 0,
  jobsEveryMs: DAY_MS,
};
const NO_SHOP = { rules: { resolve: () => Promise.reject(new Error('nowhere')) } };

/** Returns the settings of a round, with each site's ITEM_ACCESS. */
const settingsOf = (round: number) => ({
  env: {
    ...{ PORT: '0', TRUST_PROXY: '127.0.0.1', CORS_ORIGINS: 'https://site.example' },
    ...(round % 2 === 1 && { API_KEY }),
  },
  itemAccess: {
    A: round % 3 === 1 ? 'authenticated' : 'registry',
    B: round % 3 === 2 ? 'authenticated' : 'registry',
  } as const satisfies Record<SiteName, SiteSettings['itemAccess']>,
});
type Settings = ReturnType<typeof settingsOf>;

/** Connects to one site and its host, as a caller would. */
function connection(ends: AsyncDisposableStack, url: string, hostUrl: string) {
  const { origin, pathname } = new URL(url);
  const base = pathname === '/' ? '' : pathname;
  const pools = { service: new Pool(origin, { connections: 2 }), host: new Pool(hostUrl) };
  for (const pool of Object.values(pools)) ends.defer(() => pool.destroy());
  const claims: string[] = [];
  const etags = new Map<string, string>();

  const numbered = (id: string) => {
    if (!claims.includes(id)) claims.push(id);
    return `claim-${claims.indexOf(id)}`;
  };
  const withoutIds = (text: string) =>
    text
      .replaceAll(hostUrl, 'http://host')
      // Background jobs run at times of their own.
      .replace(/"claims_expired_at":(null|"[^"]*")/, '"claims_expired_at":"then"')
      .replace(/"secret":"whsec_[^"]*"/, '"secret":"whsec_random"')
      .replace(/^\{"key":"[\w-]{22}"\}$/, '{"key":"random"}')
      .replaceAll(/"((?:claim_)?id)":"([\w-]{22})"/g, (_, field, id) => `"${field}":"${numbered(id)}"`);

  function seen(status: number, headers: Record<string, string | string[] | undefined>, body: string): Seen {
    const compared = Object.entries(headers).flatMap(([name, value]) => {
      if (name === 'date') return [];
      let text = String(value);
      if (name === 'x-request-id') text = text.replace(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'random');
      // The addresses of two hosts may have different lengths.
      if (name === 'content-length') text = `${Number(text) - Buffer.byteLength(body)} more than the body`;
      if (name === 'etag') text = text.replace(/^"([\w-]{22})-/, (_, id) => `"${numbered(id)}-`);
      return [withoutIds(`${name}: ${text}`)];
    });
    return { status, headers: compared.sort(), body: withoutIds(body) };
  }

  return async (asked: Asked, apiKey: string | undefined): Promise<Seen> => {
    const { role, body, headers, isConditional, hasNoApiKey } = asked;
    const [method = '', address = ''] = asked.target
      .replace(/claim-(\d+)/, (whole, n) => claims[n % claims.length] ?? whole)
      .split(' ');
    const isToHost = address.startsWith(TO_HOST);
    const known = `${role} ${address.split('?')[0]}`;
    const etag = isConditional ? etags.get(known) : undefined;
    const isRead = method === 'GET' || method === 'HEAD';
    const answer = await pools[isToHost ? 'host' : 'service'].request({
      method,
      path: isToHost ? address.slice(TO_HOST.length) : base + address || '/',
      headers: {
        ...(role !== 'nobody' && { authorization: authorization(role) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && !hasNoApiKey && { 'x-api-key': apiKey }),
        ...(etag !== undefined && { [isRead ? 'if-none-match' : 'if-match']: etag }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    if (answer.headers.etag) etags.set(known, String(answer.headers.etag));
    return seen(answer.statusCode, answer.headers, await answer.body.text());
  };
}

/** Starts one service with both sites, and two services with one site each, all with the same clock. */
async function deploy(open: () => Promise<EmptyStore>, { env, itemAccess }: Settings) {
  await using ends = new AsyncDisposableStack();
  let now = START;
  const clock = { wall: () => now, steady: () => now - START };
  const options = { clock, limits: LIMITS, pages: NO_SHOP };
  const log = pino({ level: 'silent' });
  const start = async (more: Record<string, string>) => {
    const service = await startService(readConfig({ ...env, ...more }), log, options);
    ends.defer(() => service.close());
    return service.url;
  };
  const startHost = async () => {
    const host = await startEmbeddedHost({ file: ':memory:', now: clock.wall });
    ends.defer(() => host.close());
    return host.url;
  };

  const shared = ends.use(await open());
  const hosts = { A: await startHost(), B: await startHost() };
  const database = await openDatabase(shared.url);
  const stored = await siteStore(database).add(
    SITES.map((site) => ({ url: hosts[site], adminRoles: ['administrator'], itemAccess: itemAccess[site] })),
    new Date(START).toISOString(),
  );
  await database.close();
  const manyUrl = await start({ SITES: 'on', DATABASE_URL: shared.url });

  const connections = {} as Record<SiteName, Record<'ofMany' | 'ofOne', ReturnType<typeof connection>>>;
  for (const [n, site] of SITES.entries()) {
    const store = ends.use(await open());
    const hostUrl = await startHost();
    const own = { DATABASE_URL: store.url, HOST_URL: hostUrl, ITEM_ACCESS: itemAccess[site] };
    connections[site] = {
      ofMany: connection(ends, `${manyUrl}/sites/${stored[n]!.key}`, hosts[site]),
      ofOne: connection(ends, await start(own), hostUrl),
    };
  }
  const { API_KEY: apiKey } = env;
  const toEnd = ends.move();
  return {
    /** Sends a step's requests to both sites at once, on both sides. */
    async take(step: Step, at: number): Promise<{ seen: Seen[]; difference: Difference | undefined }> {
      now += step.afterMs;
      const seen: Seen[] = [];
      let difference: Difference | undefined;
      await Promise.all(
        SITES.map(async (site) => {
          const asked = step[site];
          if (!asked) return;
          const [ofMany, ofOne] = await Promise.all([
            connections[site].ofMany(asked, apiKey),
            connections[site].ofOne(asked, apiKey),
          ]);
          seen.push(ofMany);
          const isEqual = JSON.stringify(ofMany) === JSON.stringify(ofOne);
          if (!isEqual || ofMany.status === 500) difference ??= { at, site, asked, ofMany, ofOne };
        }),
      );
      return { seen, difference };
    },
    [Symbol.asyncDispose]: () => toEnd.disposeAsync(),
  };
}

const asked = (role: Asked['role'], target: string, headers: Record<string, string> = {}): Asked => ({
  ...{ role, target, headers },
});

// Besides the documented routes: other methods and addresses, and callers from another site.
const ODD = [
  ...['', '/items', '/registries/1', '/registries/1/items', '/claims', '/lookups', '/nothing', '/items/'],
  ...['//items', '/sites', '/sites/', '/items/1?x=%', '/items/%ZZ', '/?limit=1', '/status', '/health/'],
].flatMap((path) => ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'DELETE'].map((verb) => `${verb} ${path}`));
const FROM_ELSEWHERE = { origin: 'https://site.example', 'access-control-request-method': 'PUT' };
const HOST = `${TO_HOST}/wp-json/wp/v2/registry`;

type Twins = { role: Asked['role']; registry: number; second: boolean; n: number };

/** Requests sent to both sites at once that differ only in a text naming the site, which must not appear on the other. */
const TWINS: Record<string, (about: { r: number; item: number; text: string }) => [string, object?]> = {
  list: ({ r }) => [`GET /registries/${r}/items`],
  page: () => ['GET /items?limit=50'],
  item: ({ item }) => [`GET /items/${item}`],
  registry: ({ r }) => [`GET /registries/${r}`],
  registries: () => ['GET /registries'],
  claims: ({ r }) => [`GET /registries/${r}/claims`],
  own: () => ['GET /claims'],
  rename: ({ item, text }) => [`PUT /items/${item}`, { name: text }],
  add: ({ r, text }) => [`POST /registries/${r}/items`, { name: text, url: 'https://shop.example/gift' }],
  title: ({ r, text }) => [`PATCH /registries/${r}`, { title: text }],
  claim: ({ r, item, text }) => [`POST /registries/${r}/items/${item}/claims`, { message: text }],
};
const twinsOf = (kind: string, { role, registry: r, second, n }: Twins, site: SiteName): Asked => {
  const [target, body] = TWINS[kind]!({ r, item: 2 * r - (second ? 0 : 1), text: `${site} ${n}` });
  return { ...asked(role, target), ...(body && { body: JSON.stringify(body) }) };
};

/** Returns the steps of one round; the same seed gives the same steps. */
function stepsOf(document: Documented, seed: number): Step[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      // Without registries, most later steps would be refused.
      weight: method !== 'delete' ? 8 : path === '/registries/{id}' ? 1 : 2,
      arbitrary: requestsTo(document, method, path) as fc.Arbitrary<Asked>,
    })),
  );
  const roles = fc.constantFrom<Asked['role']>('alice', 'admin', 'bob', 'carol', 'nobody');
  const registryOnHost = fc.integer({ min: 1, max: 8 });
  const onHost = fc
    .tuple(
      fc.constantFrom<Asked['role']>('alice', 'admin'),
      registryOnHost,
      fc.constantFrom('private', 'private', 'publish', 'publish', 'publish', 'draft', 'delete'),
    )
    .map(([role, id, change]): Asked => {
      if (change === 'delete') return asked(role, `DELETE ${HOST}/${id}?force=true`);
      return { ...asked(role, `POST ${HOST}/${id}`), body: JSON.stringify({ status: change }) };
    });
  const odd = fc
    .tuple(roles, fc.constantFrom(...ODD), fc.boolean())
    .map(([role, target, isElsewhere]) => asked(role, target, isElsewhere ? FROM_ELSEWHERE : {}));
  const one = fc
    .record({
      sent: fc.oneof(...operations, { weight: 12, arbitrary: odd }, { weight: 4, arbitrary: onHost }),
      isConditional: fc.nat({ max: 2 }).map((n) => n === 0),
      hasNoApiKey: fc.nat({ max: 30 }).map((n) => n === 0),
      key: fc.option(fc.integer({ min: 1, max: 40 }).map(String), { freq: 3 }),
    })
    .map(({ sent, isConditional, hasNoApiKey, key }): Asked => {
      const mayHaveKey = sent.target.startsWith('POST /') && key !== null;
      const headers = { ...(mayHaveKey && { 'idempotency-key': key }), ...sent.headers };
      return { ...sent, headers, isConditional, hasNoApiKey };
    });
  const whole = fc.record({
    afterMs: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(60_000, 3_600_000, 15 * DAY_MS) },
    ),
    A: one,
    B: one,
    to: fc.constantFrom('A', 'B', 'both', 'the same to both'),
    // Repeats the request of so many steps ago, perhaps on the other site.
    again: fc.option(fc.integer({ min: 1, max: 30 }), { freq: 5 }),
    twins: fc.record({
      role: fc.constantFrom<Asked['role']>('alice', 'alice', 'admin', 'bob'),
      registry: fc.integer({ min: 1, max: REGISTRIES }),
      second: fc.boolean(),
      n: fc.nat({ max: 999 }),
      key: fc.option(fc.integer({ min: 1, max: 40 }).map(String), { freq: 2 }),
      kind: fc.constantFrom('list', 'list', 'rename', ...Object.keys(TWINS)),
      chance: fc.nat({ max: 39 }),
    }),
  });

  // Deliveries happen at times of their own, and disable a webhook when the clock is moved forward.
  const compared = furniture.filter(({ target }) => !target.endsWith('/webhooks'));
  const steps: Step[] = compared.map(({ as, target, body }) => {
    const sent = { ...asked(as, target), body: JSON.stringify(body) };
    return { afterMs: 1_000, A: sent, B: sent };
  });
  const sampled = fc.sample(whole, { seed, numRuns: STEPS_OF_A_ROUND });
  for (const [n, { afterMs, A, B, to, again, twins }] of sampled.entries()) {
    // At first, both sites get the same requests, so that the same ids mean different things on each.
    if (twins.chance < (n < STEPS_OF_A_ROUND / 2 ? 39 : 20)) {
      const [a, b] = SITES.map((site) => {
        const one = twinsOf(twins.kind, twins, site);
        return one.body === undefined || twins.key === null
          ? one
          : { ...one, headers: { 'idempotency-key': twins.key } };
      });
      steps.push({ afterMs, A: a!, B: b! });
      continue;
    }
    const before = again === null ? undefined : steps[steps.length - again];
    const [first, second] = before ? [before.A ?? before.B!, before.B ?? before.A!] : [A, B];
    steps.push({
      afterMs,
      ...(to !== 'B' && { A: first }),
      ...(to !== 'A' && { B: to === 'the same to both' ? first : second }),
    });
  }
  return steps;
}

const wasLate = ({ ofMany, ofOne }: Difference) =>
  [ofMany, ofOne].some(({ status }) => status === 503 || status === 504);

type Open = () => Promise<EmptyStore>;

/** Plays these steps until two answers differ. */
async function play(
  open: Open,
  settings: Settings,
  steps: readonly Step[],
  look: (seen: Seen) => void = () => {},
): Promise<Difference | undefined> {
  for (let tries = 1; ; tries++) {
    const wasStarved = watchTheMachine();
    await using deployed = await deploy(open, settings);
    const all: Seen[] = [];
    let found: Difference | undefined;
    for (const [at, step] of steps.entries()) {
      const { seen, difference } = await deployed.take(step, at);
      all.push(...seen);
      found = difference;
      if (found) break;
    }
    // A machine that is too busy proves nothing.
    if (found && tries < MOST_TRIES && wasLate(found) && wasStarved()) continue;
    for (const one of all) look(one);
    return found;
  }
}

/** Finds fewer steps that still end in a difference, by leaving out halves, quarters and so on. */
async function shrink(open: Open, settings: Settings, whole: readonly Step[]): Promise<readonly Step[]> {
  const until = performance.now() + SHRINKING_MS;
  let steps = whole;
  for (let size = steps.length >> 1; size >= 1; size >>= 1)
    for (let at = 0; at < steps.length && performance.now() < until; ) {
      const fewer = steps.toSpliced(at, size);
      const found = await play(open, settings, fewer);
      if (found) steps = fewer.slice(0, found.at + 1);
      else at += size;
    }
  return steps;
}

function described({ role, target, headers, body, isConditional, hasNoApiKey }: Asked): string {
  const notes = [isConditional && 'with the known ETag', hasNoApiKey && 'without x-api-key'].filter(Boolean);
  const parts = [role, target, JSON.stringify(headers), body ?? '', ...notes];
  return parts.join(' ').slice(0, 500);
}

function report(steps: readonly Step[], { site, ofMany, ofOne }: Difference): string {
  const before = steps.flatMap(({ afterMs, ...of }) =>
    SITES.flatMap((name) => {
      const one = of[name];
      return one ? [`  ${afterMs} ms later, ${name}: ${described(one)}`] : [];
    }),
  );
  const answer = ({ status, headers, body }: Seen) =>
    `${status}\n    ${headers.join('\n    ')}\n    ${body.slice(0, 2_000)}`;
  return [
    ...(before.length > 40 ? [`  (${before.length - 40} requests before)`] : []),
    ...before.slice(-40),
    `  ${styleText('bold', `site ${site}`)} of a service of many answered ${answer(ofMany)}`,
    `  a service of one site answered ${answer(ofOne)}`,
  ].join('\n');
}

export type Compared = { answers: number; statuses: Map<number, number>; difference: string | undefined };

/** Compares so many answers, or those up to the first difference, which it describes with as few requests as possible. */
export async function compareSites(open: Open, seed: number, answers: number): Promise<Compared> {
  const outline = await startTestService();
  const document = (await (await outline.fetch('/openapi.json')).json()) as Documented;
  await outline.close();
  const statuses = new Map<number, number>();
  let count = 0;
  for (let round = 0; count < answers; round++) {
    const settings = settingsOf(seed + round);
    const steps = stepsOf(document, seed + round).slice(0, answers - count);
    const found = await play(open, settings, steps, ({ status }) => {
      count++;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    if (!found) continue;
    const fewer = await shrink(open, settings, steps.slice(0, found.at + 1));
    const last = (await play(open, settings, fewer)) ?? found;
    const difference = `round ${round} of seed ${seed}:\n${report(fewer, last)}`;
    return { answers: count, statuses, difference };
  }
  return { answers: count, statuses, difference: undefined };
}

/** Compares one service with two sites to two services with one site each: every answer must be the same. */
export const sites: Part = async ({ seed, long }, tally) => {
  const each = long ? 50_000 : 1_000;
  const without = await withoutPostgres();
  for (const { name, open, skip } of [
    { name: 'SQLite', open: freshSqlite, skip: false as const },
    { name: 'PostgreSQL', open: () => freshPostgres(), skip: without },
  ]) {
    if (skip) {
      tally.skip(`sites on ${name}`, skip);
      continue;
    }
    const { answers, statuses, difference } = await compareSites(open, seed, each);
    tally.requests += answers;
    if (difference !== undefined) {
      console.error(difference);
      tally.check(false, `on ${name} two answers differ: see above`);
    }
    const counts = [...statuses].sort().map(([status, many]) => `${many} × ${status}`);
    tally.notes.push(`${answers} answers compared on ${name}: ${counts.join(', ')}`);
  }
};
