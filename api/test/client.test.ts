// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client } from 'trousseau-client';
import { startTestService, type TestService } from './support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };
const link = { affiliate_url: 'https://partner.example/pan' };

describe('the shipped client and the service', () => {
  let service: TestService;
  let alice: Client;
  let admin: Client;
  let bob: Client;

  before(async () => {
    service = await startTestService({ API_KEY: 'gateway' });
    [alice, admin, bob] = [service.client('alice'), service.client('admin'), service.client('bob')];
  });
  after(() => service.close());

  it('work together, every method once', async () => {
    assert.equal(typeof (await alice.welcome())?.message, 'string');
    assert.deepEqual(await alice.health(), { status: 'healthy', service: 'trousseau-api' });

    const registry = (await alice.registries.create({ title: 'Ann & Bob', story: 'We met.' }))!;
    assert.deepEqual(await alice.registries.get(registry.id), registry);
    assert.deepEqual(await alice.registries.list({ skip: 0, limit: 10 }), [registry]);
    assert.deepEqual(await alice.registries.listWithTotals(), {
      registries: [registry],
      total: 1,
      totalPages: 1,
    });
    const changed = await alice.registries.update(registry.id, { status: 'publish' });
    assert.equal(changed?.status, 'publish');

    assert.deepEqual(await alice.registries.invitees.add(registry.id, ['bob', 'a/b ?#']), {
      invitees: ['bob', 'a/b ?#'],
    });
    assert.deepEqual(await bob.registries.invitees.list(registry.id), { invitees: ['bob', 'a/b ?#'] });
    assert.deepEqual(await alice.registries.invitees.remove(registry.id, 'a/b ?#'), { invitees: ['bob'] });

    const created = (await alice.registries.items.create(registry.id, pan))!;
    assert.deepEqual([created.success, created.message], [true, 'Item created successfully']);
    const { id } = created.data;
    assert.deepEqual(await bob.registries.items.list(registry.id), [created.data]);
    const listed = (await bob.registries.items.listWithEtag(registry.id))!;
    assert.deepEqual(listed.items, [created.data]);
    const { etag: ifNoneMatch } = listed;
    const known = { items: undefined, etag: ifNoneMatch };
    assert.deepEqual(await bob.registries.items.listWithEtag(registry.id, { ifNoneMatch }), known);
    assert.deepEqual((await bob.items.listWithEtag({ limit: 1, ifNoneMatch }))?.items, [created.data]);

    const { affiliate } = alice.registries.items;
    const set = { ...link, affiliate_status: 'active' };
    assert.deepEqual(await affiliate.set(registry.id, id, link), set);
    assert.deepEqual(await affiliate.get(registry.id, id), set);
    assert.equal((await admin.items.get(id))?.affiliate_url, link.affiliate_url);
    assert.equal(await affiliate.clear(registry.id, id), true);
    assert.deepEqual(await affiliate.get(registry.id, id), { affiliate_url: null, affiliate_status: null });

    const loose = (await alice.items.create({ registry_id: registry.id, ...pan, name: 'Loose' }))!.data;
    assert.deepEqual(await alice.items.list({ limit: 1 }), [loose]);
    assert.deepEqual(await alice.items.get(loose.id), loose);
    const read = (await alice.items.getWithEtag(loose.id))!;
    const updated = (await alice.items.update(loose.id, { price: 12.5 }, { ifMatch: read.etag }))!;
    assert.deepEqual(updated.data, { ...loose, price: 12.5, updated_at: updated.data.updated_at });
    assert.equal((await alice.items.delete(loose.id))?.data.is_active, false);

    assert.equal(await alice.registries.items.delete(registry.id, id), true);
    assert.deepEqual(await alice.registries.items.list(registry.id), []);
    assert.equal(await alice.registries.delete(registry.id), true);
    assert.equal(await alice.registries.get(registry.id), null);
  });
});
