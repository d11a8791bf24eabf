// @again postgres workers
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError, type Client, createClient } from 'trousseau-client';
import { PASSWORDS, startTestService, type TestService } from './support.ts';

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

  it('turn 404 into null, and every other failure into an error with the service’s message', async () => {
    const { id } = (await alice.registries.create({ title: 'Ann' }))!;
    const item = (await alice.registries.items.create(id, pan))!.data;
    const stale = (await alice.items.getWithEtag(item.id))!.etag;
    await alice.items.update(item.id, { name: 'Pot' });

    const nothing = await Promise.all([
      alice.items.get(999_999),
      alice.items.update(999_999, { name: 'Pot' }),
      alice.items.delete(999_999),
      alice.registries.items.delete(id, 999_999),
      alice.registries.items.list(999_999),
      alice.registries.items.affiliate.get(id, 999_999),
      alice.registries.invitees.list(999_999),
    ]);
    assert.deepEqual(nothing, Array(7).fill(null));

    const nobody = createClient({ env: {}, baseUrl: service.url, apiKey: 'gateway' });
    const stranger = createClient({
      env: {},
      baseUrl: `${service.url}//`,
      apiKey: 'gateway',
      username: 'x',
      password: 'y',
    });
    const keyless = createClient({
      env: {},
      baseUrl: service.url,
      username: 'alice',
      password: PASSWORDS.alice,
    });
    const failures: [() => Promise<unknown>, number, string | RegExp][] = [
      [() => nobody.items.list(), 401, 'Credentials are required'],
      [() => stranger.items.list(), 401, 'Invalid credentials'],
      [() => keyless.items.list(), 403, 'A valid x-api-key is required'],
      [() => bob.registries.get(id), 403, /./],
      [() => alice.items.update(item.id, { name: 'Pan' }, { ifMatch: stale }), 412, /./],
      [() => alice.items.update(item.id, { name: '', price: -1 }), 422, /name: .*price: |price: .*name: /],
      [() => alice.items.create({ registry_id: 1, ...pan, name: 'x'.repeat(2 ** 20) }), 413, /1 MiB/],
      [() => alice.items.list({ limit: 1001 }), 422, /^limit: /],
    ];
    for (const [fail, status, message] of failures) {
      const error = await fail().then(
        () => assert.fail(`${status} ${message}`),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ApiError, String(error));
      assert.deepEqual([error.code, error.data], ['api_error', { status }]);
      assert.match(error.message, message instanceof RegExp ? message : new RegExp(`^${message}$`));
    }
    await assert.rejects(createClient({ env: {} }).items.list(), { code: 'api_not_configured' });
  });

  it('read many items at once, in order, without those that are gone', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => alice.items.create({ registry_id: 1, ...pan })),
    );
    const ids = made.map((answer) => answer!.data.id).sort((a, b) => a - b);
    await alice.items.delete(ids[3]!);
    const wanted = [ids[7]!, 999_999, ids[3]!, ids[0]!, -1, ids[19]!, ids[7]!];
    const found = await alice.items.getMany(wanted);
    assert.deepEqual(
      found.map(({ id }) => id),
      [ids[7], ids[0], ids[19], ids[7]],
    );
    assert.deepEqual(
      (await alice.items.getMany(ids)).map(({ id }) => id),
      ids.filter((id) => id !== ids[3]),
    );
    assert.deepEqual(await alice.items.getMany([]), []);
    const keyless = createClient({ env: {}, baseUrl: service.url });
    assert.deepEqual(await keyless.items.getMany(ids), []);
  });
});
