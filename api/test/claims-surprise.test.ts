// @again postgres workers
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { until } from '../../dev/until.ts';
import { askAt } from './answers.ts';
import { DAY, expected, openClaimService } from './claim-service.ts';
import { basic, startFakeHost } from './fake-host.ts';
import { manualClock, PAN, startTestService } from './support.ts';

const service = await openClaimService();
const { call } = service;
after(() => service.close());

describe('a registry that is to be a surprise', () => {
  for (const owner of ['alice', 'admin'] as const)
    it(`lasts until the beginning of its day in UTC, to the millisecond, for ${owner}`, async () => {
      const until = service.iso(3 * DAY).slice(0, 10);
      const registry = await service.registry({ registry_surprise_until: until }, owner);
      const item = await service.item(registry, { quantity_needed: 5, quantity_purchased: 1 });
      const claim = await service.claim('bob', registry, item, { quantity: 2 });
      const list = `GET /registries/${registry}/claims`;
      service.advance(Date.parse(`${until}T00:00:00Z`) - service.now() - 1);
      assert.deepEqual(expected(200, await call(owner, list)), { claims: [], concealed_until: until });
      assert.equal(await service.purchased(item, owner), 1);
      service.advance(1);
      assert.deepEqual(expected(200, await call(owner, list)), { claims: [claim], concealed_until: null });
      assert.equal(await service.purchased(item, owner), 3);
    });

  it('is none for a former owner once the registry was handed over, but one for the new owner', async () => {
    const registry = await service.registry({ registry_surprise_until: 'always' }, 'admin');
    const claim = await service.claim('bob', registry, await service.item(registry));
    const seen = async (as: 'admin' | 'alice') => {
      await call(as, `GET /registries/${registry}`);
      return (await call(as, `GET /claims?ids=${claim.id}`)).body.length;
    };
    assert.equal(await seen('admin'), 0);
    const { id: author } = await (await service.onHost('GET', 'users/me', 'alice')).json();
    await service.onHost('POST', `registry/${registry}`, 'admin', { author });
    service.advance(6_000);
    await until('the service has looked', async () => (await seen('admin')) === 1);
    const own = `GET /registries/${registry}/claims`;
    assert.deepEqual(expected(200, await call('alice', own)).claims, []);
  });

  it('conceals when the host holds a value that nobody understands', async () => {
    await using host = await startFakeHost();
    const today = '2027-06-13';
    const clock = manualClock(Date.parse(`${today}T12:00:00Z`));
    await using service = await startTestService(
      { HOST_URL: host.url, ITEM_ACCESS: 'registry', AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '0' },
      { clock },
    );
    const asked = askAt(service.url, basic);
    const ask = async (...request: Parameters<typeof asked>) => (await asked(...request)).body;
    // The first who signs in is the author of registry 7.
    await ask('alice', 'GET /claims');
    const { data } = await ask('alice', 'POST /registries/7/items', { ...PAN, quantity_needed: 9 });
    await ask('admin', `POST /registries/7/items/${data.id}/claims`, {});
    const shown = async () => {
      const { quantity_purchased } = (await ask('alice', `GET /items/${data.id}`)).data;
      const { claims, concealed_until } = await ask('alice', 'GET /registries/7/claims');
      return [quantity_purchased, claims.length, concealed_until];
    };
    for (const rubbish of ['2030-02-31', 'in June', 5, true, ['x'], { a: 1 }, '2020-01-01T00:00:00Z', ' ']) {
      host.posts.get(7).meta.registry_surprise_until = rubbish;
      assert.deepEqual(await shown(), [0, 0, 'always'], JSON.stringify(rubbish));
    }

    // The plugin tells when the day begins where the site is; it counts where that is later than in UTC.
    host.posts.get(7).meta.registry_surprise_until = today;
    const isOn = [0, 0, today];
    const isOver = [1, 1, null];
    for (const ends of [
      ...[`${today}T12:00:01Z`, `${today}T13:00:00+01:00`, '2020-01-01T08:00:00Z', '2999-01-01T08:00:00Z'],
      ...[`${today}T99:00:00Z`, 'soon', 7, undefined],
    ]) {
      host.posts.get(7).registry_surprise_ends = ends;
      assert.deepEqual(await shown(), ends === `${today}T12:00:01Z` ? isOn : isOver, `${ends}`);
    }
    const tomorrow = '2027-06-14';
    host.posts.get(7).meta.registry_surprise_until = tomorrow;
    host.posts.get(7).registry_surprise_ends = `${tomorrow}T00:00:00+12:00`;
    assert.deepEqual(await shown(), [0, 0, tomorrow], 'no earlier than in UTC');
  });

  it('doesn’t count concealed unconfirmed claims against its owner', async () => {
    await using other = await openClaimService({ ADMIN_ROLES: 'administrator,subscriber' });
    const secret = await other.registry({ registry_surprise_until: 'always' });
    const elsewhere = await other.registry({ registry_invitees: ['alice'] }, 'bob');
    const many = { quantity_needed: 99 };
    const [hidden, there] = [await other.item(secret, many), await other.item(elsewhere, many)];
    const giver = { name: 'May', email: 'may@example.test' };
    const own = { name: 'Alice', user_id: 2 };
    for (let n = 0; n < 10; n++)
      for (const each of [giver, own])
        await other.claim('bob', secret, hidden, { state: 'pending', giver: each });
    const to = `POST /registries/${elsewhere}/items/${there}/claims`;
    // The same giver: everybody but the owner would be refused.
    for (const body of [{ giver }, {}]) {
      expected(201, await other.call('alice', to, { state: 'pending', ...body }));
    }
    expected(429, await other.call('bob', to, { state: 'pending', giver }));
  });

  it('keeps the log lines of the owner’s requests the same', async () => {
    const registry = await service.registry({ registry_surprise_until: 'always' });
    const item = await service.item(registry);
    await service.claim('bob', registry, item, { message: 'secret-soup' });
    const giver = { name: 'Secret-May', email: 'secret-may@example.test' };
    await service.claim('admin', registry, await service.item(registry), { giver });
    expected(200, await call('admin', 'DELETE /claims?email=secret-may@example.test'));
    const log = service.services.flatMap(({ log }) => log).join('');
    assert.doesNotMatch(log, /secret-|Secret-|bob@example/);
  });
});
