import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiError, Claim, Client } from 'trousseau-client';
import { type Name, startTestService, type TestService } from '../../api/test/support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };

describe('claims through the client, against the service itself', () => {
  let service: TestService;
  let [alice, bob, admin]: Client[] = [];
  const as = (name: Name) => service.client(name);

  before(async () => {
    service = await startTestService();
    [alice, bob, admin] = [as('alice'), as('bob'), as('admin')];
  });
  after(() => service.close());

  /** Makes a public registry of Alice's with one item, to which Bob is invited. */
  async function wish(quantity_needed = 2, meta: { registry_surprise_until?: string } = {}) {
    const registry = (await alice!.registries.create({
      title: 'Ann & Bob',
      meta: { registry_invitees: ['bob'], ...meta },
    }))!;
    const item = (await alice!.registries.items.create(registry.id, { ...pan, quantity_needed }))!.data;
    return { registry: registry.id, item: item.id };
  }

  const purchased = async (item: number) => (await admin!.items.get(item))?.quantity_purchased;

  it('reserved, bought, thanked and taken back', async () => {
    const { registry, item } = await wish();
    const claim = (await bob!.registries.items.claims.create(registry, item))!;
    assert.deepEqual([claim.state, claim.quantity, claim.giver.name], ['reserved', 1, 'Bob']);
    assert.equal(await purchased(item), 1);
    assert.deepEqual(await bob!.claims.get(claim.id), claim);
    assert.deepEqual(await alice!.registries.claims.list(registry), {
      claims: [claim],
      concealed_until: null,
    });
    assert.ok((await bob!.claims.list({ limit: 1 }))?.some(({ id }) => id === claim.id));

    const bought = (await bob!.claims.update(claim.id, { state: 'purchased', message: 'With love' }))!;
    assert.deepEqual([bought.state, bought.expires_at, bought.message], ['purchased', null, 'With love']);
    const thanked = (await alice!.claims.update(claim.id, { thanked: true }))!;
    assert.ok(thanked.thanked_at);

    assert.equal(await bob!.claims.release(claim.id), true);
    assert.equal(await bob!.claims.release(claim.id), true, 'twice is once');
    assert.equal((await bob!.claims.get(claim.id))?.state, 'released');
    assert.equal(await purchased(item), 0);
  });

  it('the same key makes one claim, and gives its first answer', async () => {
    const { registry, item } = await wish();
    const { claims } = bob!.registries.items;
    const idempotencyKey = crypto.randomUUID();
    const answers: (Claim | null)[] = await Promise.all(
      [1, 2, 3].map(() => sent(() => claims.create(registry, item, {}, { idempotencyKey }))),
    );
    assert.deepEqual(answers, Array(3).fill(answers[0]));
    assert.equal(await purchased(item), 1);
    await assert.rejects(claims.create(registry, item, { quantity: 2 }, { idempotencyKey }), {
      data: { status: 422 },
    });
  });

  it('an ETag guards a change, and a release', async () => {
    const { registry, item } = await wish();
    const { id } = (await bob!.registries.items.claims.create(registry, item))!;
    const { claim, etag } = (await bob!.claims.getWithEtag(id))!;
    assert.equal(claim.id, id);
    assert.equal((await bob!.claims.update(id, { quantity: 2 }, { ifMatch: etag }))?.quantity, 2);
    const stale = { code: 'api_error', data: { status: 412 } };
    await assert.rejects(bob!.claims.update(id, { quantity: 1 }, { ifMatch: etag }), stale);
    await assert.rejects(bob!.claims.release(id, { ifMatch: etag }), stale);
    assert.equal((await bob!.claims.get(id))?.quantity, 2);
    const current = (await bob!.claims.getWithEtag(id))!.etag;
    assert.equal(await bob!.claims.release(id, { ifMatch: current }), true);
  });

  it('the last piece is given once, and the other hears how many are left', async () => {
    const { registry, item } = await wish(1);
    const { claims } = bob!.registries.items;
    const outcomes = await Promise.allSettled([1, 2].map(() => claims.create(registry, item)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 1);
    const { data, message } = refused[0]!.reason as ApiError;
    assert.deepEqual([data, message], [{ status: 409 }, '0 left of this item: 1 cannot be taken']);
    assert.equal(await purchased(item), 1);
  });

  it('an owner who is to be surprised gets no claims but the day', async () => {
    const { registry, item } = await wish(2, { registry_surprise_until: 'always' });
    const claim = (await bob!.registries.items.claims.create(registry, item))!;
    const { claims, concealed_until } = (await alice!.registries.claims.list(registry))!;
    assert.deepEqual([claims, concealed_until], [[], 'always']);
    assert.equal(await alice!.claims.get(claim.id), null);
    assert.deepEqual((await alice!.registries.items.list(registry))?.[0]?.quantity_purchased, 0);
  });

  it('an admin records for somebody without an account, finds and erases them', async () => {
    const { registry, item } = await wish();
    const giver = { name: 'Aunt May', email: 'May+gifts@example.test' };
    const claim = (await admin!.registries.items.claims.create(registry, item, { giver }))!;
    assert.deepEqual(claim.giver, { ...giver, user_id: null });
    const theirs = await admin!.claims.list({ email: giver.email });
    assert.deepEqual(
      theirs?.map(({ id }) => id),
      [claim.id],
    );
    assert.deepEqual(await admin!.claims.erase(giver.email), { erased: 1 });
    assert.deepEqual(await admin!.claims.list({ email: giver.email }), []);
    const blank = { user_id: null, name: '', email: null };
    assert.deepEqual((await admin!.claims.get(claim.id))?.giver, blank);
    assert.equal(await purchased(item), 1);
    await assert.rejects(bob!.claims.erase(giver.email), { data: { status: 403 } });
  });

  it('a missing claim is null', async () => {
    const { registry } = await wish();
    assert.equal(await bob!.claims.get('nothing'), null);
    assert.equal(await bob!.claims.update('nothing', { quantity: 1 }), null);
    assert.equal(await bob!.claims.release('nothing'), null);
    assert.equal(await bob!.registries.items.claims.create(registry, 999_999), null);
    assert.equal(await bob!.registries.claims.list(999_999), null);
  });
});

/** Repeats a request, as a client would, while the first one with its key is still being processed. */
async function sent<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if ((error as ApiError).data.status !== 409) throw error;
    }
  }
}
