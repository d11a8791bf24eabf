// @again postgres
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { ApiError } from 'trousseau-client';
import type { Limits } from '../src/app/service.ts';
import { isUpdate, isUpdateOf, startHostProxy } from './host-proxy.ts';
import { hostAnswers, startServiceProcess } from './service-process.ts';
import {
  askHost,
  authorization,
  freshSqlite,
  memoryHost,
  openedDatabase,
  partsOf,
  startTestService,
} from './support.ts';

const gift = (name: string) => ({ name, url: 'https://shop.example/gift' });
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix} ${i}`);

const parts = partsOf({ after });
const store = parts.use(await freshSqlite());
const host = parts.use(await memoryHost());
const proxy = parts.use(await startHostProxy(host.url));
const env = { HOST_URL: proxy.url, DATABASE_URL: store.url };
let service = await startTestService(env);
parts.defer(() => service.close());

describe('registry_item_ids', () => {
  const alice = () => service.client('alice').registries;
  const create = async (invitees: string[] = []) =>
    (await alice().create({ title: 'Ann & Bob', meta: { registry_invitees: invitees } }))!.id;
  const add = async (registry: number, name: string, by = service) =>
    (await by.client('alice').registries.items.create(registry, gift(name)))!.data.id;
  const addInTurn = async (registry: number, count: number) => {
    const ids: number[] = [];
    for (const name of names('Gift', count)) ids.push(await add(registry, name));
    return ids;
  };
  const listed = async (registry: number, by = service) =>
    (await by.client('alice').registries.items.list(registry))!.map(({ id }) => id);

  async function hosted(registry: number): Promise<number[]> {
    const answer = await askHost(host.url, 'GET', `registry/${registry}?context=edit`);
    const { meta } = (await answer.json()) as { meta: Record<string, string> };
    return JSON.parse(meta.registry_item_ids || '[]');
  }

  it('takes twenty simultaneous additions in far fewer updates of the host', async () => {
    const registry = await create();
    const before = { updates: proxy.count(isUpdate), all: proxy.seen.length };
    await Promise.all(names('Gift', 20).map((name) => add(registry, name)));
    assert.equal((await hosted(registry)).length, 20);
    const [updates, all] = [proxy.count(isUpdate) - before.updates, proxy.seen.length - before.all];
    assert.ok(updates >= 1 && updates <= 6, `${updates} updates of the host`);
    assert.ok(all <= 20, `${all} requests to the host`);
  });

  it('lists items that are missing on the host last, and repairs the host on a visit', async () => {
    const registry = await create();
    const [a, b] = await addInTurn(registry, 2);
    await alice().update(registry, { meta: { registry_item_ids: [b!, a!] } });
    const items = service.client('alice').items;
    const c = (await items.create({ registry_id: registry, ...gift('Beside') }))!.data.id;
    await items.delete(a!);
    assert.deepEqual(await hosted(registry), [b, a]);
    const mended = proxy.answered(isUpdate);
    assert.deepEqual((await alice().get(registry))!.meta.registry_item_ids, [b, c]);
    await mended;
    assert.deepEqual(await hosted(registry), [b, c]);
  });

  it('is not reset by one service while another reorders it', async () => {
    const registry = await create();
    const [a, b] = await addInTurn(registry, 2);
    await using other = await startTestService(env, { limits: { waits: { lockMs: 100 } } });
    let updates = 0;
    const held = proxy.hold((request) => isUpdateOf(registry)(request) && ++updates === 1);
    const adding = add(registry, 'New');
    await held.reached;
    const order = { meta: { registry_item_ids: [b!, a!] } };
    const reorder = () => other.client('alice').registries.update(registry, order);
    await assert.rejects(reorder(), { data: { status: 503 } });
    held.release();
    const added = await adding;
    await reorder();
    assert.deepEqual(await hosted(registry), [b, a, added]);
  });

  for (const who of ['alice', 'admin'] as const) {
    it(`is mended by a visit of ${who} after the host was down, and not by a guest's`, async () => {
      const registry = await create(['bob']);
      const [first] = await addInTurn(registry, 1);
      // She is cached, so that her sign-in needs no host.
      await listed(registry);
      proxy.setDown(true);
      const dark = { method: 'POST', as: 'alice', json: gift('In the dark') } as const;
      const answer = await service.fetch(`/registries/${registry}/items`, dark);
      proxy.setDown(false);
      const stored = (await answer.json()).data.id;
      assert.equal(answer.status, 201);
      assert.deepEqual(await hosted(registry), [first]);

      const updates = proxy.count(isUpdate);
      const seen = await service.client('bob').registries.items.list(registry);
      assert.equal(seen!.length, 2);
      await service.client('bob').registries.get(registry);
      // A stopped service has finished its work.
      await service.close();
      assert.equal(proxy.count(isUpdate), updates);
      assert.deepEqual(await hosted(registry), [first]);

      service = await startTestService(env);
      await service.client(who).registries.items.list(registry);
      await service.close();
      service = await startTestService(env);
      assert.deepEqual(await hosted(registry), [first, stored]);
    });
  }

  describe('waiting for a host or a lock', () => {
    it('answers without a host that is too slow, and follows later', async (t) => {
      const { slow, by } = await startSeparately(t, { waits: { orderMs: 300 } });
      const registry = (await by.client('alice').registries.create({ title: 'Slow' }))!.id;
      await listed(registry, by);
      const held = slow.hold(isUpdate);
      const id = await add(registry, 'Slowly', by);
      assert.deepEqual(await hosted(registry), []);
      const updated = slow.answered(isUpdate);
      held.release();
      await updated;
      assert.deepEqual(await hosted(registry), [id]);
    });

    it('waits until the lease of a dead process expires, and then finishes its work', async (t) => {
      const { slow, by, settings } = await startSeparately(t);
      const registry = (await by.client('alice').registries.create({ title: 'Left' }))!.id;
      await by.close();

      await using doomed = startServiceProcess(settings);
      const body = JSON.stringify(gift('Left behind'));
      const headers = { authorization: authorization('alice'), 'content-type': 'application/json' };
      const url = `${await doomed.url}/registries/${registry}/items`;
      await hostAnswers(url, headers);
      const held = slow.hold(isUpdate);
      const post = fetch(url, { method: 'POST', headers, body });
      await held.reached;
      doomed.child.kill('SIGKILL');
      await assert.rejects(post);
      await doomed.exit;
      held.release();

      await using heir = await startTestService(settings, { limits: { waits: { lockMs: 300 } } });
      const update = () => heir.client('alice').registries.update(registry, { title: 'Found' });
      await assert.rejects(update, (error: ApiError) => {
        assert.deepEqual([error.data.status, error.message], [503, 'This registry is being changed']);
        assert.ok(error.retryAfter! > 0);
        return true;
      });
      // As if the time of the dead process's lease had passed.
      await using store = await openedDatabase(settings.DATABASE_URL);
      await store.write(['update leases set expires_at = 0']);
      assert.equal((await update())!.title, 'Found');
      const [item] = await listed(registry, heir);
      assert.ok(item);
      await heir.close();
      assert.deepEqual(await hosted(registry), [item]);
    });
  });

  /** A host, a proxy and a service of its own, for tests that would delay the others. */
  async function startSeparately(t: TestContext, limits: Limits = {}) {
    const own = partsOf(t);
    const store = own.use(await freshSqlite());
    const slow = own.use(await startHostProxy(host.url));
    const settings = { HOST_URL: slow.url, DATABASE_URL: store.url };
    const by = own.use(await startTestService(settings, { limits }));
    return { slow, by, settings };
  }
});
