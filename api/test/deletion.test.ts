// @again postgres workers
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { basic, sendJson, startFakeHost } from './fake-host.ts';
import { startHostProxy } from './host-proxy.ts';
import { hostAnswers, startServiceProcess } from './service-process.ts';
import {
  askHost,
  authorization,
  freshSqlite,
  memoryHost,
  ONE_PROCESS,
  openedDatabase,
  PAN,
  partsOf,
  startTestService,
  type TestService,
} from './support.ts';

const host = await memoryHost();
after(() => host.close());

describe('a registry that is gone takes its items with it', () => {
  const onHost = (method: string, path: string, body?: object) =>
    askHost(host.url, method, `registry/${path}`, 'alice', body);
  const status = async (service: TestService, path: string) =>
    (await service.fetch(path, { as: 'alice' })).status;

  const report = ({ fetch }: TestService, registry: number) =>
    fetch(`/registries/${registry}`, { method: 'DELETE', as: 'admin', headers: { prefer: 'wait=0' } });

  const bothAre = async (service: TestService, { registry, item }: Made, of: number, ofItem: number) => {
    const found = [await status(service, `/registries/${registry}`), await status(service, `/items/${item}`)];
    assert.deepEqual(found, [of, ofItem]);
  };

  type Made = { registry: number; item: number };
  async function registryWithItem(service: TestService): Promise<Made> {
    const client = service.client('alice');
    const registry = (await client.registries.create({ title: 'Ann' }))!.id;
    const item = (await client.registries.items.create(registry, PAN))!.data.id;
    return { registry, item };
  }

  async function leftBy(settings: Record<string, string>) {
    await using service = await startTestService(settings);
    return await registryWithItem(service);
  }

  it('on the next visit, however it was deleted', async () => {
    await using service = await startTestService({ HOST_URL: host.url });
    for (const visit of ['', '/items', '/invitees']) {
      const { registry, item } = await registryWithItem(service);
      assert.equal((await onHost('DELETE', `${registry}?force=true`)).status, 200);
      assert.equal(await status(service, `/items/${item}`), 200);
      // Cached data of it may be shown for a while.
      const other = visit === '/items' ? 'admin' : 'alice';
      const answer = await service.fetch(`/registries/${registry}${visit}`, { as: other });
      assert.equal(answer.status, 404);
      assert.equal(await status(service, `/items/${item}`), 404);
    }
  });

  it('also one that is stored by what was remembered of the registry', async () => {
    const settings = { HOST_URL: host.url, REGISTRY_CACHE_TTL: '300' };
    await using service = await startTestService(settings, ONE_PROCESS);
    const { registry } = await registryWithItem(service);
    assert.equal(await status(service, `/registries/${registry}/items`), 200);
    assert.equal((await onHost('DELETE', `${registry}?force=true`)).status, 200);
    const late = await service.client('alice').registries.items.create(registry, PAN);
    assert.equal(await status(service, `/items/${late!.data.id}`), 404);
  });

  it('but a number that never was a registry keeps its items', async () => {
    await using service = await startTestService({ HOST_URL: host.url });
    const never = { registry_id: 999_999, ...PAN };
    const { data: item } = (await service.client('bob').items.create(never))!;
    for (const visit of ['', '/items', '/invitees'])
      assert.equal(await status(service, `/registries/999999${visit}`), 404);
    assert.equal(await status(service, `/items/${item.id}`), 200);
  });

  it('but not where the service is configured with another post type', async () => {
    await using file = await freshSqlite();
    const settings = { HOST_URL: host.url, DATABASE_URL: file.url };
    const made = await leftBy(settings);
    await using other = await memoryHost({ postType: 'wish' });
    const moved = { HOST_URL: other.url, HOST_MOVED_FROM: host.url, REGISTRY_POST_TYPE: 'wish' };
    await using service = await startTestService({ ...settings, ...moved });
    await bothAre(service, made, 404, 200);
  });

  it('but not while it is a draft or in the trash', async () => {
    await using service = await startTestService({ HOST_URL: host.url, REGISTRY_CACHE_TTL: '0' });
    const made = await registryWithItem(service);
    for (const hide of [['POST', { status: 'draft' }], ['DELETE']] as const) {
      const [method, body] = hide;
      await onHost(method, String(made.registry), body);
      await bothAre(service, made, 404, 200);
      await onHost('POST', String(made.registry), { status: 'private' });
      await bothAre(service, made, 200, 200);
    }
  });

  it('when the site reports it, which gets success only when all is done', async () => {
    await using file = await freshSqlite();
    const settings = { HOST_URL: host.url, DATABASE_URL: file.url };
    await using service = await startTestService(settings);
    const { registry, item } = await registryWithItem(service);
    await onHost('DELETE', `${registry}?force=true`);
    const tell = () => report(service, registry);
    await using store = await openedDatabase(settings.DATABASE_URL);
    await service.fetch('/items', { as: 'admin' });
    await store.write([
      `create trigger refuse before update on items begin select raise(abort, 'a full disk'); end`,
    ]);
    assert.ok((await tell()).status >= 500);
    await store.write(['drop trigger refuse']);
    assert.equal((await tell()).status, 404);
    assert.equal(await status(service, `/items/${item}`), 404);
  });

  it('but not on the report of an outdated copy of the site', async () => {
    // A process without the cached account would ask the host first.
    await using service = await startTestService({ HOST_URL: host.url }, ONE_PROCESS);
    const made = await registryWithItem(service);
    await service.fetch('/items', { as: 'admin' });
    assert.equal((await report(service, made.registry)).status, 409);
    await bothAre(service, made, 200, 200);
  });

  it('also if the service dies in between, without another request', async () => {
    await using file = await freshSqlite();
    await using proxy = await startHostProxy(host.url);
    const settings = { HOST_URL: proxy.url, DATABASE_URL: file.url };
    const made = await leftBy(settings);
    const held = proxy.hold(({ method }) => method === 'DELETE');
    await using doomed = startServiceProcess(settings);
    const headers = { authorization: authorization('alice') };
    const url = `${await doomed.url}/registries/${made.registry}`;
    await hostAnswers(url, headers);
    const deletion = fetch(url, { method: 'DELETE', headers });
    await held.reached;
    doomed.child.kill('SIGKILL');
    await assert.rejects(deletion);
    await doomed.exit;
    held.release();
    await onHost('DELETE', `${made.registry}?force=true`);
    // As if the time of the dead process's lease had passed.
    await using store = await openedDatabase(settings.DATABASE_URL);
    await store.write(['update leases set expires_at = 0']);

    await using heir = await startTestService(settings, { limits: { jobsEveryMs: 100 } });
    await until('the heir deletes them', async () => (await status(heir, `/items/${made.item}`)) === 404);
  });

  it('and one that the host kept keeps them', async () => {
    await using file = await freshSqlite();
    await using proxy = await startHostProxy(host.url);
    const settings = { HOST_URL: proxy.url, DATABASE_URL: file.url };
    await using service = await startTestService(settings, { limits: { jobsEveryMs: 100 } });
    const made = await registryWithItem(service);
    const held = proxy.hold(({ method }) => method === 'DELETE');
    const deletion = service.fetch(`/registries/${made.registry}`, { method: 'DELETE', as: 'alice' });
    await held.reached;
    proxy.setDown(true);
    held.release();
    assert.equal((await deletion).status, 502);
    proxy.setDown(false);
    await proxy.answered(({ authorization }) => authorization === undefined || authorization === '');
    await bothAre(service, made, 200, 200);
  });

  it('and of one that the host kept, its plugin is asked once: it reports a deletion by itself', async (t) => {
    const parts = partsOf(t);
    const file = parts.use(await freshSqlite());
    const site = parts.use(await startFakeHost());
    const look = '/trousseau/v1/registries/7/look';
    site.misbehave = ({ method, route }, response, usual) => {
      if (method === 'DELETE') response.destroy();
      else if (route === look) sendJson(response, 200, { asked: true });
      else usual();
    };
    const settings = { HOST_URL: site.url, DATABASE_URL: file.url };
    const service = parts.use(await startTestService(settings, { limits: { jobsEveryMs: 20 } }));
    const headers = { authorization: basic('alice') };
    const { status } = await fetch(`${service.url}/registries/7`, { method: 'DELETE', headers });
    assert.equal(status, 502);
    const store = parts.use(await openedDatabase(file.url));
    await until(
      'nothing is left to ask',
      async () => (await store.read('select 1 from deletions')).length === 0,
    );
    assert.equal(
      site.count(({ route }) => route === look),
      1,
    );
  });
});
