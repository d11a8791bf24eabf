// Events pushed to addresses: signed, at least once, and silent about what is concealed.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import type { Limits } from '../src/app/service.ts';
import { webhookRules } from '../src/domain/webhooks.ts';
import { webhookSender } from '../src/internet/webhook-sender.ts';
import { askAt } from './answers.ts';
import {
  type ClaimService,
  DAY,
  everythingSent,
  expected,
  key,
  MINUTE,
  openClaimService,
  openStore,
} from './claim-service.ts';
import { basic, refuse, sendJson, startFakeHost } from './fake-host.ts';
import { refuseWalks } from './plans.ts';
import { type Answering, isSigned, type Receiver, startLiar, startReceiver } from './receiver.ts';
import { manualClock, type Name, partsOf, startTestService } from './support.ts';

refuseWalks();

const SECOND = 1_000;
const HOUR = 60 * MINUTE;
// Whatever stores events must say so: no round looks for them.
const QUICK = { limits: { dueEveryMs: 20, eventsEveryMs: DAY } };
const never = new Promise<number>(() => {});

type Made = { id: string; registry_id: number | null; url: string; types: string[]; secret: string };
type Delivery = { event_id: string; attempt: number; status: number | null; next_attempt_at: string | null };

const allowing = (...receivers: { host: string }[]) => ({
  LOOKUP_ALLOW: receivers.map(({ host }) => host).join(),
});

async function open(t: TestContext, answer?: Answering, limits: Limits = {}) {
  const parts = partsOf(t);
  const receiver = parts.use(await startReceiver(answer));
  const service = parts.use(await openClaimService(allowing(receiver), limits, { webhooks: QUICK }));
  return { receiver, service, registry: await service.registry() };
}

const pathOf = (registry?: number) =>
  registry === undefined ? '/webhooks' : `/registries/${registry}/webhooks`;

const hook = async (
  { call }: ClaimService,
  as: Name,
  url: string,
  registry?: number,
  types?: readonly string[] | null,
): Promise<Made> =>
  expected(201, await call(as, `POST ${pathOf(registry)}`, { url, ...(types !== undefined && { types }) }));

const deliveriesOf = async (
  { call }: ClaimService,
  as: Name,
  { id, registry_id }: Made,
): Promise<Delivery[]> =>
  expected(200, await call(as, `GET ${pathOf(registry_id ?? undefined)}/${id}/deliveries`));

const listed = async ({ call }: ClaimService, as: Name, registry?: number) =>
  expected(200, await call(as, `GET ${pathOf(registry)}`));

const came = (receiver: Receiver, count: number, path = '/hook') =>
  until(`${count} messages at ${path}`, async () => receiver.types(path).length >= count);

const sent = ({ store, now }: ClaimService) => everythingSent(store, now());

/** A service on a host that says of who signs in what the test has it say: at first that they are administrators. */
async function openOnHost(
  t: TestContext,
  env: Record<string, string> = {},
  options: Parameters<typeof startTestService>[1] = {},
) {
  const parts = partsOf(t);
  const host = parts.use(await startFakeHost());
  const store = parts.use(await openStore());
  const settings = { DATABASE_URL: store.url, HOST_URL: host.url, ...env };
  const as = (role: string) => (response: ServerResponse, username: string) => {
    const id = username === 'admin' ? 1 : 2;
    sendJson(response, 200, { id, username, email: `${username}@example.test`, roles: [role] });
  };
  const numbers = async (where: string) => (await store.query(`select id from webhooks ${where}`)).length;
  const service = parts.use(await startTestService(settings, options));
  const ask = askAt<string>(service.url, basic);
  const it = {
    ...{ host, as, ask, me: as('administrator') as (response: ServerResponse, name: string) => void },
    count: () => numbers(''),
    /** How many of the webhooks were made by somebody who is known for an admin. */
    ofAdmins: () => numbers('where maker_admin = 1'),
    make: async (headers = {}) =>
      (await ask('admin', 'POST /webhooks', { url: 'https://books.example/hook' }, headers)).status,
  };
  host.misbehave = ({ route, authorization }, response, usual) => {
    const name = authorization === basic('keeper') ? 'keeper' : 'admin';
    return route === '/wp/v2/users/me' ? it.me(response, name) : usual();
  };
  return it;
}

describe('webhooks', () => {
  it('have secrets that are kept encrypted and are in no log', async () => {
    await using service = await openClaimService();
    const registry = await service.registry();
    const json = { url: 'https://books.example/hook' };
    const made = [
      await hook(service, 'alice', json.url, registry),
      expected(201, await service.call('admin', 'POST /webhooks', json, key('kept'))),
    ];
    const [hooks, keys] = ['webhooks', 'idempotency_keys'].map((table) =>
      service.store.query(`select * from ${table}`),
    );
    const text = JSON.stringify([await hooks, await keys, service.services.map(({ log }) => log)]);
    for (const { secret } of made) assert.ok(!text.includes(secret.slice(6, 30)));
  });

  it('refuse addresses that are none or not allowed', async (t) => {
    const { receiver, service, registry } = await open(t);
    for (const url of [
      ...['https:books.example/hook', 'https:///books.example/hook', 'https:\\\\books.example\\hook'],
      ...[' https://books.example/hook', 'https://books.example/hook ', 'https://books.example/ho\nok'],
      ...['https://bo\u00adoks.example/hook', 'https://', 'https://0x7f000001/hook'],
      ...['https://books.example:8443/hook', 'https://books.example:80/hook'],
      ...['https://169.254.169.254/latest', 'https://localhost/hook', 'https://api.localhost./hook'],
      receiver.url().replace('127.0.0.1', 'localhost'),
    ])
      expected(422, await service.call('alice', `POST ${pathOf(registry)}`, { url }));
    assert.deepEqual(await listed(service, 'alice', registry), []);
    for (const [url, types, called] of [
      [receiver.url(), [], receiver.url()],
      ['https://books.example/hook?a=b', null, 'https://books.example/hook?a=b'],
      ['HTTPS://Bücher.example#top', ['items.*', 'registry.*'], 'https://xn--bcher-kva.example/'],
    ] as const) {
      const made = await hook(service, 'alice', url, registry, types);
      assert.deepEqual([made.url, made.types], [called, types ?? []]);
    }
  });

  it('are twenty at most for the site, whoever asks at once, and ten for a registry, unseen ones too', async () => {
    await using service = await openClaimService();
    const registry = await service.registry();
    const ask = (as: Name, path: string) =>
      service.call(as, `POST ${path}`, { url: 'https://books.example/hook' });
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask('admin', '/webhooks')));
    assert.equal(answers.filter(({ status }) => status === 201).length, 20);
    for (let n = 0; n < 10; n++)
      await hook(service, n < 3 ? 'alice' : 'admin', 'https://books.example/hook', registry);
    const refused = expected(409, await ask('alice', pathOf(registry)));
    assert.match(refused.detail, /those that only administrators see/, 'the owner sees three');
  });

  it('are tried again after 5 s, 5 min, … 24 h, and then given up', async (t) => {
    const { receiver, service, registry } = await open(t, () => 500);
    const made = await hook(service, 'alice', receiver.url(), registry);
    await service.item(registry);
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
    const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...hours];
    for (const [attempt, pause] of pauses.entries()) {
      const next_attempt_at = service.iso(pause);
      await until(`attempt ${attempt + 1} is written down`, async () => {
        const [delivery] = await deliveriesOf(service, 'alice', made);
        return delivery?.attempt === attempt + 1 && delivery.next_attempt_at === next_attempt_at;
      });
      assert.equal(receiver.received.length, attempt + 1);
      service.advance(pause);
    }
    const delivery = await until('the last attempt is written down', async () => {
      const [last] = await deliveriesOf(service, 'alice', made);
      return last!.attempt === 10 && last;
    });
    assert.deepEqual([delivery.status, delivery.next_attempt_at], [500, null]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(new Set(ids), new Set([delivery.event_id]));
    assert.ok(receiver.received.every((one) => isSigned(made.secret, one)));
    assert.equal((await listed(service, 'alice', registry))[0].disabled_at, null);
  });

  it('end by five days without a success', async (t) => {
    const { receiver, service, registry } = await open(t);
    await hook(service, 'alice', receiver.url(), registry);
    const disabled = async () => (await listed(service, 'alice', registry))[0].disabled_at;
    /** The status of the message about a new item, so long after the one before. */
    const answerNext = async (status: number, after = 0) => {
      service.advance(after);
      await sent(service);
      const before = receiver.received.length;
      receiver.answer(() => status);
      await service.item(registry);
      await came(receiver, before + 1);
      await sent(service);
    };
    await answerNext(503);
    await answerNext(200, 2 * DAY);
    await answerNext(503);
    await answerNext(503, 4 * DAY);
    assert.equal(await disabled(), null, 'a success in between begins the five days anew');
    service.advance(DAY);
    await until('it is disabled', async () => (await disabled()) === service.iso());
    const before = receiver.received.length;
    service.advance(DAY);
    await service.item(registry);
    await sent(service);
    assert.equal(receiver.received.length, before, 'a disabled webhook gets nothing');
  });

  it('to a slow, lying, redirecting or dead receiver delay nobody else', async () => {
    await using good = await startReceiver();
    await using slow = await startReceiver(() => never);
    await using redirecting = await startReceiver(() => 302);
    let heardInSilence = 0;
    /** One that begins like this, and goes on like that for ever. */
    const lying = (begins: string, goesOn: () => string) =>
      startLiar((socket) => {
        socket.write(begins);
        const timer = setInterval(() => socket.write(goesOn()), 5);
        socket.on('close', () => clearInterval(timer));
      });
    await using silent = await startLiar(() => void heardInSilence++);
    await using headers = await lying('HTTP/1.1 200 OK\r\n', () => `x-${Math.random()}: 1\r\n`);
    const accepted = 'HTTP/1.1 202 Accepted\r\ncontent-length: 1000000\r\n\r\n';
    await using body = await lying(accepted, () => 'x'.repeat(1000));
    await using interim = await lying('', () => 'HTTP/1.1 102 Processing\r\n\r\n');
    const dead = await startReceiver();
    await dead[Symbol.asyncDispose]();
    const all = { good, slow, redirecting, silent, headers, body, interim, dead };
    const { limit, advance } = manualClock();
    const options = { clock: { limit }, webhooks: QUICK };
    await using service = await openClaimService(allowing(...Object.values(all)), {}, options);
    /** Waits while every request takes as long as it may. */
    const inTheEnd = <T>(what: string, ask: () => T | Promise<T>) =>
      until(what, () => {
        advance(150_000);
        return ask();
      });
    const registry = await service.registry();
    const made: Record<string, Made> = {};
    for (const [name, { url }] of Object.entries(all))
      made[name] = await hook(service, 'alice', typeof url === 'string' ? url : url(), registry);
    // Beside each other at one address, too.
    good.answer(({ path }) => (path === '/hook' ? 204 : never));
    made.besides = await hook(service, 'alice', good.url('/slow'), registry);
    for (let n = 0; n < 8; n++) await service.item(registry);
    // Nobody else's request has reached its limit yet.
    await came(good, 8);
    const statuses = async (name: string) => {
      const deliveries = await deliveriesOf(service, 'alice', made[name]!);
      return new Set(deliveries.map(({ status, attempt }) => attempt > 0 && status));
    };
    const expectedStatuses = { good: 204, redirecting: 302, body: 202 };
    const HANGING = ['slow', 'silent', 'headers', 'besides'];
    for (const name of [...Object.keys(made).filter((name) => !HANGING.includes(name)), ...HANGING]) {
      const status = expectedStatuses[name as 'good'] ?? null;
      await (HANGING.includes(name) ? inTheEnd : until)(`everything is tried at ${name}`, async () => {
        const found = await statuses(name);
        return found.size === 1 && found.has(status);
      });
    }
    assert.ok(!redirecting.received.some(({ path }) => path === '/elsewhere'), 'a redirect is not followed');
    for (const [name, status, code] of [
      ['good', 204],
      ['redirecting', 302],
      ['silent', null, 'late'],
      ['interim', null, 'unreachable'],
      ['dead', null, 'unreachable'],
    ] as const) {
      const path = `POST ${pathOf(registry)}/${made[name]!.id}/test`;
      const before = heardInSilence;
      const asked = service.call('alice', path);
      if (code === 'late') {
        await until(`${name} is asked`, () => heardInSilence > before);
        advance(150_000);
      }
      const answer = expected(200, await asked);
      assert.deepEqual([answer.status, answer.problem?.code], [status, code], name);
    }
  });

  for (const isQuickFirst of [false, true])
    it(`${isQuickFirst ? 'that were quick' : 'new'} whose receivers hang, however many one account makes, delay nobody else’s`, async () => {
      await using hanging = await startReceiver(() => (isQuickFirst ? 204 : never));
      await using good = await startReceiver();
      const { limit } = manualClock();
      const sender = { toHost: 20, toAll: 20, ofOneSite: 20, toSlow: 6, toSlowOfHost: 6 };
      const limits = { ...QUICK.limits, ...sender, ofOneMaker: 12, slowOfOneMaker: 3, endMs: 20 };
      const options = { clock: { limit }, webhooks: { limits } };
      await using service = await openClaimService(allowing(hanging, good), {}, options);
      for (let list = 0; list < 3; list++) {
        const registry = await service.registry();
        for (let n = 0; n < 8; n++) await hook(service, 'alice', hanging.url(`/${list}/${n}`), registry);
        if (isQuickFirst) {
          await service.item(registry);
          await until('each has answered', () => hanging.received.length >= 8 * (list + 1));
          await sent(service);
        }
      }
      const quick = hanging.received.length;
      hanging.answer(() => never);
      const lists = expected(200, await service.call('alice', 'GET /registries'));
      for (const { id } of lists) for (let n = 0; n < 4; n++) await service.item(id);
      const most = isQuickFirst ? 12 : 3;
      await until('they hang', () => hanging.received.length >= quick + most);
      const theirs = await service.registry({}, 'carol');
      await hook(service, 'carol', good.url(), theirs);
      await hook(service, 'carol', hanging.url('/theirs'), theirs);
      await service.item(theirs);
      await came(good, 1);
      await came(hanging, 1, '/theirs');
      assert.equal(hanging.received.length, quick + most + 1, 'the account has its share');
    });

  it('reach no private address, also where a name leads to one', async () => {
    const inside: Record<string, string> = { 'books.example': '127.0.0.1', 'inside.example': '10.1.2.3' };
    const rules = {
      async resolve(name: string) {
        if (!inside[name]) throw new Error('no such name');
        return [inside[name]];
      },
    };
    await using service = await openClaimService({}, {}, { webhooks: { ...QUICK, rules } });
    const registry = await service.registry();
    const problems = new Set<string>();
    for (const host of [...Object.keys(inside), 'nowhere.example']) {
      const made = await hook(service, 'alice', `https://${host}/hook`, registry);
      const tested = expected(200, await service.call('alice', `POST ${pathOf(registry)}/${made.id}/test`));
      assert.deepEqual([tested.status, tested.problem.code], [null, 'unreachable']);
      problems.add(JSON.stringify(tested.problem));
    }
    assert.equal(problems.size, 1, 'nobody learns which names there are');
    await service.item(registry);
    await sent(service);
  });

  it('are not begun when the service stops', async () => {
    await using receiver = await startReceiver();
    const sender = webhookSender({ version: '0', allowed: [receiver.host] });
    const target = { name: 'one', url: new URL(receiver.url()), site: '1', maker: '1 1' };
    const message = { id: 'evt_1', body: '{}', secret: 'whsec_eA==', time: 0 };
    const stopped = AbortSignal.abort(new Error('the service stops'));
    await assert.rejects(sender.send(target, message, stopped), /the service stops/);
    assert.deepEqual(receiver.received, []);
  });

  it('send a ping thirty times a minute at most, which is no delivery', async (t) => {
    const { receiver, service, registry } = await open(t, () => 202);
    const own = await hook(service, 'alice', receiver.url(), registry, ['claim.*']);
    const test = () => service.call('alice', `POST ${pathOf(registry)}/${own.id}/test`);
    let answer = await test();
    for (let n = 0; n < 40 && answer.status === 200; n++) answer = await test();
    expected(429, answer);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.deepEqual(await deliveriesOf(service, 'alice', own), []);
  });

  it('send no ping once the key of their secret is lost', async (t) => {
    const { receiver, service, registry } = await open(t);
    const own = await hook(service, 'alice', receiver.url(), registry);
    await service.store.query("update webhooks set secret = 'encrypted otherwise' returning id");
    expected(409, await service.call('alice', `POST ${pathOf(registry)}/${own.id}/test`));
  });

  it('drop what is due again after a surprise has begun', async (t) => {
    const { receiver, service, registry } = await open(t, () => 503);
    const pan = await service.item(registry);
    const made = await hook(service, 'alice', receiver.url(), registry);
    await service.claim('bob', registry, pan);
    await came(receiver, 1);
    await sent(service);
    const meta = { registry_surprise_until: 'always' };
    expected(200, await service.call('alice', `PATCH /registries/${registry}`, { meta }));
    receiver.answer(() => 200);
    service.advance(5 * SECOND);
    await came(receiver, 2);
    await sent(service);
    assert.deepEqual(receiver.types(), ['claim.created', 'registry.updated']);
    const statuses = (await deliveriesOf(service, 'alice', made)).map(({ status }) => status);
    assert.deepEqual(statuses, [200]);
  });

  it('for the whole site conceal what is a surprise to the admin who made them', async (t) => {
    const { receiver, service } = await open(t);
    const meta = { registry_surprise_until: 'always' };
    const [own, other] = [await service.registry(meta, 'admin'), await service.registry(meta)];
    await service.registry({ registry_owners: ['admin'], ...meta });
    const made = await hook(service, 'admin', receiver.url());
    for (const registry of [own, other]) {
      const item = await service.item(registry);
      await service.claim('bob', registry, item);
    }
    await came(receiver, 3);
    await sent(service);
    const got = receiver.received.map(({ event }) => `${event.type} ${event.registry_id}`).sort();
    assert.deepEqual(got, [`claim.created ${other}`, `item.created ${own}`, `item.created ${other}`].sort());
    assert.equal((await deliveriesOf(service, 'admin', made)).length, 3);
  });

  it('stop when the host’s plugin tells that their maker is no admin, or nobody says so for 30 days', async (t) => {
    for (const ends of ['told', 'silent', 'neither'] as const) {
      const { receiver, service, registry } = await open(t);
      await hook(service, 'admin', receiver.url('/site'));
      await hook(service, 'admin', receiver.url('/registry'), registry);
      await hook(service, 'alice', receiver.url('/alice'), registry);
      const tell = (as: Name, roles: unknown, id: number | string = 1) =>
        service.call(as, `PUT /users/${id}/roles`, { roles });
      expected(403, await tell('alice', []));
      for (const roles of [null, 'administrator', [7], ['']]) expected(422, await tell('admin', roles));
      expected(404, await tell('admin', [], 'x'));
      expected(204, await tell('admin', [], 2));
      service.advance(20 * DAY);
      if (ends !== 'silent')
        expected(204, await tell('admin', ends === 'told' ? ['editor'] : ['administrator']));
      service.advance(10 * DAY);
      await service.item(registry);
      await came(receiver, 1, '/alice');
      await sent(service);
      const count = ends === 'neither' ? 1 : 0;
      assert.deepEqual([receiver.types('/site').length, receiver.types('/registry').length], [count, count]);
    }
  });

  it('stop when a host without the plugin says that their maker is gone', async (t) => {
    for (const isGone of [true, false]) {
      const it = await openOnHost(t, {}, { limits: { jobsEveryMs: 10 } });
      it.host.misbehave = ({ route, authorization }, response, usual) => {
        if (route !== '/wp/v2/users/1') return usual();
        assert.equal(authorization, undefined);
        if (isGone) refuse(response, 404, 'rest_user_invalid_id');
        else refuse(response, 401, 'rest_user_cannot_view');
      };
      assert.equal(await it.make(), 201);
      const asked = () => it.host.count(({ route }) => route === '/wp/v2/users/1') > (isGone ? 0 : 2);
      await until('the host was asked', asked);
      await until('its answer is kept', async () => (await it.ofAdmins()) === (isGone ? 0 : 1));
    }
  });

  it('are made by an admin of this moment, whatever the service remembers', async (t) => {
    const it = await openOnHost(t);
    assert.equal(await it.make(), 201);
    it.me = (response) => void response.destroy();
    assert.equal(await it.make(), 502);
    assert.deepEqual([await it.count(), await it.ofAdmins()], [1, 1], 'what nobody confirmed is gone');
    it.me = it.as('subscriber');
    assert.equal(await it.make(), 403);
    assert.deepEqual([await it.count(), await it.ofAdmins()], [1, 0], 'and the earlier one ends');
  });

  it('end with their maker’s rights also where the host may not be asked during the request', async (t) => {
    const it = await openOnHost(t);
    assert.equal((await it.ask('admin', 'GET /webhooks')).status, 200);
    it.me = it.as('subscriber');
    assert.equal(await it.make({ prefer: 'wait=0' }), 201);
    await until('the host’s answer is kept', async () => (await it.ofAdmins()) === 0);
  });

  it('keep no rights by a sign-in that is older than the report of their end', async (t) => {
    const it = await openOnHost(t, { AUTH_CACHE_TTL: '0' });
    const held: (() => void)[] = [];
    assert.equal(await it.make(), 201);
    it.me = (response, name) => {
      const tell = () => it.as('administrator')(response, name);
      if (name === 'admin') held.push(tell);
      else tell();
    };
    const late = it.ask('admin', 'GET /webhooks');
    await until('the host is asked', async () => held.length > 0);
    const told = await it.ask('keeper', 'PUT /users/1/roles', { roles: ['subscriber'] });
    assert.equal(told.status, 204);
    held[0]!();
    assert.equal((await late).status, 200);
    assert.equal(await it.ofAdmins(), 0, 'the report is newer');
    it.me = it.as('administrator');
    // Later by two milliseconds, in which a fast machine has come this far.
    await until('a later sign-in counts again', async () => {
      assert.equal((await it.ask('admin', 'GET /webhooks')).status, 200);
      return (await it.ofAdmins()) === 1;
    });
  });

  it('have all their makers asked about in turn, also where a slow host answers for one an hour', async () => {
    const asked: number[] = [];
    let now = 0;
    const rules = webhookRules({
      ...{ store: { makers: async () => [3, 5, 9] }, now: () => now, clock: () => 0 },
      host: { lookAtUser: async (id: number) => void asked.push(id) },
    } as unknown as Parameters<typeof webhookRules>[0]);
    for (; now < 4 * HOUR; now += HOUR) await rules.askForMakers(() => true);
    assert.deepEqual(asked, [3, 9, 5, 3]);
    asked.length = 0;
    await rules.askForMakers();
    assert.deepEqual(asked, [9, 3, 5]);
  });

  it('go with their registry, after its last event', async (t) => {
    const { receiver, service, registry } = await open(t);
    const pan = await service.item(registry);
    await service.claim('bob', registry, pan);
    await hook(service, 'alice', receiver.url(), registry);
    await hook(service, 'alice', receiver.url('/claims'), registry, ['claim.*']);
    const other = await service.registry();
    await hook(service, 'alice', receiver.url('/other'), other);
    receiver.answer(() => 503);
    expected(204, await service.call('alice', `DELETE /registries/${registry}`));
    await came(receiver, 3);
    await sent(service);
    const left = async () => (await service.store.query('select id from webhooks')).length;
    assert.equal(await left(), 3, 'nothing is lost of a registry that is gone');
    receiver.answer(() => 200);
    service.advance(5 * SECOND);
    await until('its webhooks are gone', async () => (await left()) === 1);
    const found = new Set(receiver.types());
    assert.deepEqual(found, new Set(['item.deleted', 'claim.released', 'registry.deleted']));
    assert.deepEqual(new Set(receiver.types('/claims')), new Set(['claim.released']));
    assert.deepEqual(receiver.types('/other'), []);
  });

  it('do not name an erased person in what is tried again', async (t) => {
    const { receiver, service, registry } = await open(t, () => 503);
    const pan = await service.item(registry);
    await hook(service, 'alice', receiver.url(), registry);
    await service.claim('bob', registry, pan, { message: 'For you' });
    await came(receiver, 1);
    await sent(service);
    assert.equal(receiver.received[0]!.event.data.giver.name, 'Bob');
    expected(200, await service.call('admin', 'DELETE /claims?email=bob@example.test'));
    receiver.answer(() => 200);
    service.advance(5 * SECOND);
    await came(receiver, 3);
    const stored = JSON.stringify(await service.store.query('select * from deliveries'));
    for (const text of [stored, ...receiver.received.slice(1).map(({ body }) => body)])
      assert.doesNotMatch(text, /\bbob\b|For you/i);
  });

  it('are forgotten with the events that they were to bring', async (t) => {
    const { receiver, service, registry } = await open(t, undefined, { jobsEveryMs: 10 });
    const made = await hook(service, 'alice', receiver.url(), registry);
    await service.item(registry);
    await came(receiver, 1);
    await sent(service);
    service.advance(31 * DAY);
    await until('they are forgotten', async () => (await deliveriesOf(service, 'alice', made)).length === 0);
    await service.item(registry);
    await came(receiver, 2);
  });
});
