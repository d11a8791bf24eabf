// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { startEmbeddedHost } from '../emulator/server.ts';
import { openDatabase } from '../src/store/open.ts';
import { startHostProxy } from './host-proxy.ts';
import { startServiceProcess } from './service-process.ts';
import {
  askHost,
  authorization,
  ONE_PROCESS,
  startTestService,
  type TestService,
  temporaryFolder,
} from './support.ts';

const gift = { name: 'Pan', url: 'https://shop.example/pan' };

describe('a registry that is gone takes its items with it', () => {
  let host: Awaited<ReturnType<typeof startEmbeddedHost>>;
  before(async () => {
    host = await startEmbeddedHost({ file: ':memory:', postType: 'registry', metaPrefix: 'registry_' });
  });
  after(() => host.close());

  const onHost = (method: string, path: string, body?: object) =>
    askHost(host.url, method, `registry/${path}`, 'alice', body);
  const status = async (service: TestService, path: string) =>
    (await service.fetch(path, { as: 'alice' })).status;

  async function registryWithItem(service: TestService) {
    const client = service.client('alice');
    const registry = (await client.registries.create({ title: 'Ann' }))!.id;
    const item = (await client.registries.items.create(registry, gift))!.data.id;
    return { registry, item };
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

  it('but a number that never was a registry keeps its items', async () => {
    await using service = await startTestService({ HOST_URL: host.url });
    const never = { registry_id: 999_999, ...gift };
    const { data: item } = (await service.client('bob').items.create(never))!;
    for (const visit of ['', '/items', '/invitees'])
      assert.equal(await status(service, `/registries/999999${visit}`), 404);
    assert.equal(await status(service, `/items/${item.id}`), 200);
  });

  it('but not where the service is configured with another post type', async () => {
    await using folder = await temporaryFolder();
    const settings = { HOST_URL: host.url, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    const { registry, item } = await (async () => {
      await using service = await startTestService(settings);
      return await registryWithItem(service);
    })();
    const other = await startEmbeddedHost({ file: ':memory:', postType: 'wish' });
    try {
      await using service = await startTestService({
        ...settings,
        HOST_URL: other.url,
        HOST_MOVED_FROM: host.url,
        REGISTRY_POST_TYPE: 'wish',
      });
      assert.equal(await status(service, `/registries/${registry}`), 404);
      assert.equal(await status(service, `/items/${item}`), 200);
    } finally {
      await other.close();
    }
  });

  it('but not while it is a draft or in the trash', async () => {
    await using service = await startTestService({ HOST_URL: host.url, REGISTRY_CACHE_TTL: '0' });
    const { registry, item } = await registryWithItem(service);
    await onHost('POST', String(registry), { status: 'draft' });
    assert.equal(await status(service, `/registries/${registry}`), 404);
    assert.equal(await status(service, `/items/${item}`), 200);
    await onHost('POST', String(registry), { status: 'private' });
    await onHost('DELETE', String(registry));
    assert.equal(await status(service, `/registries/${registry}`), 404);
    assert.equal(await status(service, `/items/${item}`), 200);
    await onHost('POST', String(registry), { status: 'private' });
    assert.equal(await status(service, `/registries/${registry}`), 200);
  });

  it('when the site reports it, which gets success only when all is done', async () => {
    await using folder = await temporaryFolder();
    const settings = { HOST_URL: host.url, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    await using service = await startTestService(settings);
    const { registry, item } = await registryWithItem(service);
    await onHost('DELETE', `${registry}?force=true`);
    const tell = () =>
      service.fetch(`/registries/${registry}`, {
        method: 'DELETE',
        as: 'admin',
        headers: { prefer: 'wait=0' },
      });
    const store = await openDatabase(settings.DATABASE_URL);
    await service.fetch('/items', { as: 'admin' });
    await store.write([
      `create trigger refuse before update on items begin select raise(abort, 'a full disk'); end`,
    ]);
    assert.ok((await tell()).status >= 500);
    await store.write(['drop trigger refuse']);
    await store.close();
    assert.equal((await tell()).status, 404);
    assert.equal(await status(service, `/items/${item}`), 404);
  });

  it('but not on the report of an outdated copy of the site', async () => {
    // A process without the cached account would ask the host first.
    await using service = await startTestService({ HOST_URL: host.url }, ONE_PROCESS);
    const { registry, item } = await registryWithItem(service);
    await service.fetch('/items', { as: 'admin' });
    const told = await service.fetch(`/registries/${registry}`, {
      method: 'DELETE',
      as: 'admin',
      headers: { prefer: 'wait=0' },
    });
    assert.equal(told.status, 409);
    assert.equal(await status(service, `/registries/${registry}`), 200);
    assert.equal(await status(service, `/items/${item}`), 200);
  });

  it('also if the service dies in between, without another request', async () => {
    await using folder = await temporaryFolder();
    const proxy = await startHostProxy(host.url);
    const settings = { HOST_URL: proxy.url, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    try {
      const { registry, item } = await (async () => {
        await using service = await startTestService(settings);
        return await registryWithItem(service);
      })();
      const held = proxy.hold(({ method }) => method === 'DELETE');
      await using doomed = startServiceProcess(settings);
      const deletion = fetch(`${await doomed.url}/registries/${registry}`, {
        method: 'DELETE',
        headers: { authorization: authorization('alice') },
      });
      await held.reached;
      doomed.child.kill('SIGKILL');
      await assert.rejects(deletion);
      await doomed.exit;
      held.release();
      await onHost('DELETE', `${registry}?force=true`);
      // As if the time of the dead process's lease had passed.
      const store = await openDatabase(settings.DATABASE_URL);
      await store.write(['update leases set expires_at = 0']);
      await store.close();

      await using heir = await startTestService(settings, { limits: { jobsEveryMs: 100 } });
      await until('the heir deletes them', async () => (await status(heir, `/items/${item}`)) === 404);
    } finally {
      await proxy.close();
    }
  });

  it('and one that the host kept keeps them', async () => {
    await using folder = await temporaryFolder();
    const proxy = await startHostProxy(host.url);
    const settings = { HOST_URL: proxy.url, DATABASE_URL: `sqlite:${folder.path}/items.db` };
    try {
      await using service = await startTestService(settings, { limits: { jobsEveryMs: 100 } });
      const { registry, item } = await registryWithItem(service);
      const held = proxy.hold(({ method }) => method === 'DELETE');
      const deletion = service.fetch(`/registries/${registry}`, { method: 'DELETE', as: 'alice' });
      await held.reached;
      proxy.setDown(true);
      held.release();
      assert.equal((await deletion).status, 502);
      proxy.setDown(false);
      const looked = proxy.answered(
        ({ authorization }) => authorization === undefined || authorization === '',
      );
      await looked;
      assert.equal(await status(service, `/registries/${registry}`), 200);
      assert.equal(await status(service, `/items/${item}`), 200);
    } finally {
      await proxy.close();
    }
  });
});
