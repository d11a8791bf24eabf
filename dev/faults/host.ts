import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../api/test/answers.ts';
import {
  basic,
  type FakeHost,
  type HostRequest,
  refuse,
  sendHtml,
  sendJson,
  startFakeHost,
} from '../../api/test/fake-host.ts';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { gift, isAnswer, judged, type Part, type Run, randomFrom, type Tally, tellsOfNoTime } from './kit.ts';
import { comesAbout, Late } from './time.ts';

const UNUSABLE = 'The registry host gave an answer that cannot be used';
const UNREACHABLE = 'The registry host cannot be reached';
const LATE = 'The registry host did not answer in time';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The requests to the host that each route makes, in order. */
const STEPS = {
  'sign-in': ({ route }: HostRequest) => route === '/wp/v2/users/me',
  list: ({ method, route }: HostRequest) => method === 'GET' && route === '/wp/v2/registry',
  read: ({ method, route }: HostRequest) => method === 'GET' && route === '/wp/v2/registry/7',
  write: ({ method }: HostRequest) => method === 'POST',
  delete: ({ method }: HostRequest) => method === 'DELETE',
};
type Step = keyof typeof STEPS;

type Route = {
  target: string;
  json?: unknown;
  steps: Step[];
  /** Whether the item is stored although the host fails, which learns of it later. */
  follows?: true;
};

const ROUTES: Route[] = [
  { target: 'GET /items', steps: ['sign-in'] },
  { target: 'POST /items', json: { registry_id: 7, ...gift('Kettle') }, steps: ['sign-in'] },
  { target: 'GET /items/1', steps: ['sign-in'] },
  { target: 'PUT /items/1', json: { quantity_purchased: 1 }, steps: ['sign-in'] },
  { target: 'DELETE /items/1', steps: ['sign-in'] },
  { target: 'GET /registries', steps: ['sign-in', 'list'] },
  { target: 'POST /registries', json: { title: 'New' }, steps: ['sign-in', 'write'] },
  { target: 'GET /registries/7', steps: ['sign-in', 'read'] },
  { target: 'PATCH /registries/7', json: { title: 'New' }, steps: ['sign-in', 'read', 'write'] },
  { target: 'DELETE /registries/7', steps: ['sign-in', 'read', 'delete'] },
  { target: 'GET /registries/7/items', steps: ['sign-in', 'read'] },
  {
    target: 'POST /registries/7/items',
    json: gift('Kettle'),
    steps: ['sign-in', 'read', 'write'],
    follows: true,
  },
  { target: 'DELETE /registries/7/items/1', steps: ['sign-in', 'read', 'write'], follows: true },
  { target: 'GET /registries/7/invitees', steps: ['sign-in', 'read'] },
  {
    target: 'POST /registries/7/invitees',
    json: { invitees: ['dora'] },
    steps: ['sign-in', 'read', 'write'],
  },
  { target: 'DELETE /registries/7/invitees/bob', steps: ['sign-in', 'read', 'write'] },
  { target: 'GET /registries/7/items/1/affiliate', steps: ['sign-in', 'read'] },
  {
    target: 'PUT /registries/7/items/1/affiliate',
    json: { affiliate_url: 'https://partner.example' },
    steps: ['sign-in', 'read'],
  },
  { target: 'DELETE /registries/7/items/1/affiliate', steps: ['sign-in', 'read'] },
];

type Fault = { does(response: ServerResponse, usual: () => void): void; status: number; detail: string };
const fault = (status: number, detail: string, does: Fault['does']): Fault => ({ does, status, detail });
const answers = (status: number, headers: Record<string, string>, body: string): Fault['does'] => {
  return (response) => void response.writeHead(status, headers).end(body);
};

const FAULTS: Record<string, Fault> = {
  'resets the connection': fault(502, UNREACHABLE, (response) => void response.socket?.destroy()),
  'never answers': fault(504, LATE, () => {}),
  'never ends its answer': fault(
    504,
    LATE,
    (response) => void response.writeHead(200, JSON_TYPE).write('{"id":1,'),
  ),
  'breaks off in its answer': fault(502, UNREACHABLE, (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' }).write('{"id":1,');
    setImmediate(() => response.socket?.destroy());
  }),
  'truncates its JSON': fault(502, UNUSABLE, answers(200, JSON_TYPE, '{"id":1,"username":"al')),
  'answers with too much': fault(502, UNUSABLE, (response) => {
    response.writeHead(200, JSON_TYPE).end(TOO_MUCH);
  }),
  'fails with a page': fault(502, UNUSABLE, (response) => void sendHtml(response, 500)),
  'fails with JSON': fault(502, UNUSABLE, (response) => void refuse(response, 500, 'internal_server_error')),
  'is down for maintenance': fault(502, UNUSABLE, (response) => void sendHtml(response, 503)),
  'answers with a page': fault(502, UNUSABLE, (response) => void sendHtml(response, 200)),
  'is shut by a firewall': fault(502, UNUSABLE, (response) => void sendHtml(response, 403)),
  'redirects to a login page': fault(
    502,
    UNUSABLE,
    (response) => void sendHtml(response, 302, { location: '/wp-login.php?redirect_to=elsewhere' }),
  ),
  'sends JSON as text': fault(502, UNUSABLE, answers(200, { 'content-type': 'text/plain' }, '{"id":1}')),
  'sends nothing': fault(502, UNUSABLE, answers(200, JSON_TYPE, '')),
  'asks for patience': fault(503, 'The registry host is too busy', (response) => {
    sendJson(response, 429, { code: 'too_many', message: 'Slow down' }, { 'retry-after': '17' });
  }),
};

// The service reads at most 8 MiB of an answer.
const TOO_MUCH = Buffer.alloc(34_000_000, '"too much",');
// As the service ships.
const LIMIT_MS = 5_000;
const SLOW_MS = 700;
const CONVERGES_MS = 30_000;
const AT_ONCE = 24;

/** Starts a service with its own store for one route. */
async function stage(tally: Tally, folder: string, hostUrl: string) {
  const file = `${folder}/items.db`;
  const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: hostUrl };
  const service = await startTestService(
    { ...env, AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '0' },
    { limits: { host: { totalMs: LIMIT_MS } } },
  );
  const db = new DatabaseSync(file, { readOnly: true });
  return {
    service,
    send: ({ target, json }: Pick<Route, 'target' | 'json'>) =>
      tally.send(service.url, { authorization: basic('alice') }, target, json),
    items: () => db.prepare('select * from items order by id').all(),
    active: () =>
      db
        .prepare('select id from items where registry_id = 7 and is_active = 1')
        .all()
        .map(({ id }) => id),
    close: async () => {
      db.close();
      await service.close();
      tally.readLog(service.log.join(''));
    },
  };
}

type Stage = Awaited<ReturnType<typeof stage>>;

// Restores item 1 and its registry before each fault.
async function setUp(host: FakeHost, { send, items }: Stage): Promise<void> {
  host.misbehave = undefined;
  const original = structuredClone(ORIGINAL);
  if (items().length === 0) {
    host.posts.set(7, original);
    succeeds(await send({ target: 'POST /registries/7/items', json: gift('Original') }));
  }
  succeeds(await send({ target: 'PUT /items/1', json: { is_active: true, quantity_purchased: 0 } }));
  const listed = await send({ target: 'GET /items' });
  succeeds(listed);
  const ids = (listed!.body as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b);
  original.meta.registry_item_ids = JSON.stringify(ids);
  host.posts.clear();
  host.posts.set(7, original);
}

const ORIGINAL = {
  id: 7,
  author: 1,
  status: 'private',
  slug: 'ann',
  link: 'http://host.example/registry/ann/',
  date_gmt: '2026-11-20T07:09:36',
  modified_gmt: '2026-11-20T07:09:36',
  title: { raw: 'Ann' },
  content: { raw: 'Our story' },
  meta: {
    registry_item_ids: '[]',
    registry_invitees: '["bob"]',
    registry_event_type: '',
    registry_event_date: '',
  },
};

function succeeds(answer: Answer | undefined, where = 'answered'): void {
  if (!answer || answer.status >= 300) throw judged(answer, `${where} ${answer?.status} ${answer?.text}`);
}

/** Checks that the owner's next visit brings the host's order up to date. */
async function converges(host: FakeHost, { send, active }: Stage): Promise<void> {
  const inOrder = () => host.posts.get(7)?.meta.registry_item_ids === JSON.stringify(active());
  const visited = await comesAbout(
    async () => inOrder() || !(await send({ target: 'GET /registries/7' })) || inOrder(),
    CONVERGES_MS,
  );
  if (!visited) throw new Late('registry_item_ids stays behind the item table');
}

async function tryStep(route: Route, step: Step, tally: Tally): Promise<void> {
  await using host = await startFakeHost();
  await using folder = await temporaryFolder();
  const stageOfRoute = await stage(tally, folder.path, host.url);
  const { send, items } = stageOfRoute;
  try {
    for (const [name, { does, status, detail }] of Object.entries(FAULTS)) {
      await tally.fault(`${route.target}, the host ${name} at ${step}`, async () => {
        await setUp(host, stageOfRoute);
        const before = [items(), structuredClone(host.posts)];
        let met = 0;
        host.misbehave = (request, response, usual) => {
          if (!STEPS[step](request)) return usual();
          met++;
          does(response, usual);
        };
        const answer = await send(route);
        assert.ok(met > 0, 'the fault was not met');
        if (route.follows && step === 'write') {
          succeeds(answer);
          assert.notDeepEqual(items(), before[0], 'the success is no change');
        } else {
          isAnswer(answer, status, detail);
          assert.deepEqual([items(), host.posts], before, 'left something half done');
          if (status === 503) assert.equal(answer?.headers.get('retry-after'), '17');
        }
        const health = await tally.send(stageOfRoute.service.url, undefined, 'GET /health');
        assert.equal(health?.status, 200, 'health is not answered');
        host.misbehave = undefined;
        if (route.follows && step === 'write') await converges(host, stageOfRoute);
        else succeeds(await send(route), 'once the host is well again');
      });
    }
    await tally.fault(`${route.target}, the host is slow at ${step}`, async () => {
      await setUp(host, stageOfRoute);
      host.misbehave = async (request, _, usual) => {
        if (STEPS[step](request)) await sleep(SLOW_MS);
        usual();
      };
      succeeds(await send(route), 'slow is no failure, but answered');
      host.misbehave = undefined;
    });
    // A host that refuses connections already fails the first request, so later steps needn't be tried.
    if (step === 'sign-in')
      await tally.fault(`${route.target}, the host refuses connections`, async () => {
        await host.close();
        const port = Number(new URL(host.url).port);
        {
          await using present = await startFakeHost({ port });
          await setUp(present, stageOfRoute);
        }
        const before = items();
        const answer = await send(route);
        isAnswer(answer, 502, UNREACHABLE);
        assert.deepEqual(items(), before, 'left something half done');
        await using again = await startFakeHost({ port });
        again.posts.set(7, structuredClone(host.posts.get(7)));
        succeeds(await send(route), 'once the host is well again');
      });
  } finally {
    await stageOfRoute.close();
  }
}

/** Tests that a caller may try again when the host deletes the registry but its answer is lost. */
async function lostAnswers(tally: Tally): Promise<void> {
  await using host = await startFakeHost();
  await using folder = await temporaryFolder();
  const own = await stage(tally, folder.path, host.url);
  await tally.fault('DELETE /registries/7, the answer is lost and the caller tries again', async () => {
    await setUp(host, own);
    host.misbehave = (request, response, usual) => {
      if (!STEPS.delete(request)) return usual();
      host.posts.delete(7);
      response.socket?.destroy();
    };
    await own.send({ target: 'DELETE /registries/7' });
    host.misbehave = undefined;
    const second = await own.send({ target: 'DELETE /registries/7' });
    if (tellsOfNoTime(second)) throw judged(second, 'tried again');
    assert.deepEqual(own.active(), [], 'the registry is gone, its items are not');
  });
  await own.close();
}

/** Tests that no caller gets another user's answer, even when the host's answers to logins are late. */
async function anothersAnswer({ seed, long }: Run, tally: Tally): Promise<void> {
  await using host = await startFakeHost();
  await using folder = await temporaryFolder();
  const own = await stage(tally, folder.path, host.url);
  const random = randomFrom(seed);
  let signIns = 0;
  await tally.fault("another user's answer comes late", async () => {
    await setUp(host, own);
    host.misbehave = async (request, response, usual) => {
      if (!STEPS['sign-in'](request)) return usual();
      // Some answers arrive after the service's time limit: they must not reach the next caller on the same connection.
      await sleep(++signIns % 10 === 0 ? LIMIT_MS + 200 : random(200));
      if (!response.destroyed) usual();
    };
    const asked = Array.from({ length: long ? 2_000 : 200 }, async (_, i) => {
      await sleep(i * 5);
      const admin = i % 2 === 0;
      const answer = await tally.send(
        own.service.url,
        { authorization: basic(admin ? 'admin' : 'bob') },
        'GET /items/1',
      );
      if (answer?.status === 504) return 'late';
      succeeds(answer);
      assert.equal('affiliate_url' in answer!.body.data, admin, 'answered as somebody else');
      return 'answered';
    });
    const outcomes = await Promise.allSettled(asked);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    for (const wanted of ['late', 'answered'])
      if (!outcomes.some((one) => one.status === 'fulfilled' && one.value === wanted))
        throw new Late(`nobody was ${wanted}`);
  });
  host.misbehave = undefined;
  await own.close();
}

/** Tests every route under every fault of the host, at every request that the route makes to it. */
export const hostFaults: Part = async (run, tally) => {
  const steps = ROUTES.flatMap((route) => route.steps.map((step): [Route, Step] => [route, step]));
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, async () => {
      for (let next = steps.shift(); next; next = steps.shift()) await tryStep(...next, tally);
    }),
    lostAnswers(tally),
    anothersAnswer(run, tally),
  ]);
  tally.notes.push(
    `${ROUTES.length} routes, ${Object.keys(FAULTS).length + 2} faults at each request to the host`,
  );
};
