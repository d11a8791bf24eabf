// Webhooks of services that are killed, of several on a port, and of many sites.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import type { Options } from '../src/app/service.ts';
import { askAt } from './answers.ts';
import { startFakeHost } from './fake-host.ts';
import { freePort } from './free-port.ts';
import { keyOf, startManySitesHere, stores } from './many-sites.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startServiceProcess } from './service-process.ts';
import { authorization, memoryHost, openedDatabase, PAN, partsOf, SECRET_KEY } from './support.ts';

const ITEMS = 60;
// Messages to one webhook.
const AT_A_TIME = 4;

async function ask(url: string, target: string, json?: unknown) {
  const { status, text, body } = await askAt(url, authorization)('admin', target, json);
  assert.ok(status < 300, `${target}: ${status} ${text}`);
  return body;
}

for (const { name, open, skip } of stores) {
  describe(`webhooks on ${name}`, { skip }, () => {
    it('are brought every event, also after a kill -9, and no answered one twice', async () => {
      await using store = await open();
      await using host = await memoryHost();
      let answered = 0;
      const held = new Map<string, () => void>();
      await using receiver = await startReceiver(async ({ headers }) => {
        // From here on nothing is answered until the process is dead.
        if (++answered > ITEMS / 2 && held.size < AT_A_TIME)
          await new Promise<void>((resolve) => held.set(String(headers['webhook-id']), resolve));
        return 204;
      });
      const env = {
        ...{ DATABASE_URL: store.url, HOST_URL: host.url, LOOKUP_ALLOW: receiver.host, SECRET_KEY },
        LOG_LEVEL: 'debug',
      };
      let registry = 0;
      {
        await using first = startServiceProcess(env);
        const url = await first.url;
        // On a busy machine, the host may answer too late for a first request.
        const make = () => ask(url, 'POST /registries', { title: 'Ann' }).catch(() => false);
        registry = (await until('the registry is made', make)).id;
        await ask(url, 'POST /webhooks', { url: receiver.url() });
        const made = Array.from({ length: ITEMS }, (_, n) =>
          ask(url, `POST /registries/${registry}/items`, { ...PAN, name: `Pan ${n}` }),
        );
        await Promise.all(made);
        // Each of these has written down what was answered before it.
        await until('as many attempts are under way as may be', async () => held.size === AT_A_TIME);
        first.child.kill('SIGKILL');
        await first.exit;
      }
      // As if the time of the dead process's attempts had passed.
      await using database = await openedDatabase(store.url);
      await database.write(['update deliveries set leased_until = 0 where leased_until is not null']);
      const before = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      for (const answer of held.values()) answer();
      const port = await freePort();
      await using second = startServiceProcess({ ...env, METRICS_PORT: String(port) });
      const url = await second.url;
      const { events } = await ask(url, `GET /registries/${registry}/events`);
      assert.equal(events.length, ITEMS);
      const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
      await until('every event has come', async () => new Set(ids()).size === ITEMS);
      const [hook] = await ask(url, 'GET /webhooks');
      await until('all are written down', async () =>
        (await ask(url, `GET /webhooks/${hook.id}/deliveries`)).every(
          (one: { status: number }) => one.status === 204,
        ),
      );
      const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      await until('they are counted', async () =>
        /^trousseau_webhook_attempts_total{outcome="delivered"} [1-9]/m.test(await metrics()),
      );
      assert.match(await metrics(), /^trousseau_webhook_oldest_waiting_seconds 0$/m);
      assert.ok(before.size < ITEMS, 'some came before, some after');
      const twice = ids().filter((id, n) => ids().indexOf(id) < n);
      assert.deepEqual(twice.sort(), [...held.keys()].sort(), 'the same as had no answer');
    });

    const path = '/registries/7/webhooks';
    /** Two sites with a webhook each, at `/a` and `/b`. */
    async function startSites(t: TestContext, receiver: Receiver, options: Options = {}) {
      const parts = partsOf(t);
      const store = parts.use(await open());
      const env = { LOOKUP_ALLOW: receiver.host, SECRET_KEY };
      const many = parts.use(await startManySitesHere(store, options, env));
      const sites = [];
      for (const hook of ['/a', '/b']) {
        const base = await many.add(parts.use(await startFakeHost()).url);
        const call = many.at(base);
        const made = await call('ann', `POST ${path}`, { url: receiver.url(hook) });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        const add = async () =>
          assert.equal((await call('ann', 'POST /registries/7/items', PAN)).status, 201);
        sites.push({ call, add, key: keyOf(base), id: made.body.id as string });
      }
      const [a, b] = [sites[0]!, sites[1]!];
      return { a, b, store, many };
    }

    it('are each site’s own', async (t) => {
      await using receiver = await startReceiver();
      const { a, b, many } = await startSites(t, receiver);
      assert.equal((await b.call('ann', `GET ${path}`)).body.length, 1);
      const theirs = `${path}/${a.id}`;
      for (const target of [`DELETE ${theirs}`, `GET ${theirs}/deliveries`, `POST ${theirs}/test`])
        assert.equal((await b.call('ann', target)).status, 404, target);
      await a.add();
      await until('it has come', async () => receiver.types('/a').length === 1);
      assert.deepEqual(receiver.types('/b'), []);
      await b.add();
      await until('the other’s has come', async () => receiver.types('/b').length === 1);
      assert.equal(receiver.types('/a').length, 1);

      await many.command('suspend', a.key);
      await many.command('remove', a.key, '--yes');
      await b.add();
      await until('the other goes on', async () => receiver.types('/b').length === 2);
      assert.deepEqual(receiver.types('/a'), ['item.created']);
    });

    it('wait while their site is suspended, and get everything once it is resumed', async (t) => {
      const held: (() => void)[] = [];
      let isHolding = true;
      let failures = 1;
      await using receiver = await startReceiver(async ({ path }) => {
        if (path === '/b') return failures-- > 0 ? 503 : 204;
        if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
        return 204;
      });
      let now = Date.now();
      const options = { clock: { wall: () => now }, webhooks: { limits: { dueEveryMs: 20 } } };
      const { a, b, store, many } = await startSites(t, receiver, options);
      for (let n = 0; n < 3 * AT_A_TIME; n++) await a.add();
      await until('an attempt is under way', async () => held.length > 0);
      await many.command('suspend', a.key);
      isHolding = false;
      const sent = receiver.types('/a').length;
      for (const answer of held) answer();
      await using database = await openedDatabase(store.url);
      const written = async (status: number) =>
        (await database.read('select status from deliveries where status = $1', [status])).length;
      await until('what was under way is written down', async () => (await written(204)) === sent);
      // Due deliveries are looked for in the order of the sites: once B’s second attempt has come, A was passed over.
      await b.add();
      await until('the other’s first attempt fails', async () => (await written(503)) === 1);
      now += 5_000;
      await until('the other’s second attempt comes', async () => receiver.types('/b').length === 2);
      assert.equal(receiver.types('/a').length, sent);
      await many.command('resume', a.key);
      await until('the others come', async () => receiver.types('/a').length >= 3 * AT_A_TIME);
      const toA = receiver.received.filter(({ path }) => path === '/a');
      assert.equal(new Set(toA.map(({ headers }) => headers['webhook-id'])).size, 3 * AT_A_TIME);
    });
  });
}
