import assert from 'node:assert/strict';
import type { Claim } from 'trousseau-client';
import type { Answer } from '../answers.ts';
import { alone, section } from '../case.ts';
import { MARK, ok, unique, type World } from '../world.ts';
import { atOnce, aWish, etagOf, key, pan, patchClaim } from './kit.ts';

/** Returns every POST that creates something, with two different valid bodies. */
async function creationsOf(world: World): Promise<[target: string, body: object, other: object][]> {
  const { guest } = world.people;
  const registry = await world.registry();
  const item = await world.item(registry, { quantity_needed: 99 });
  const aunt = 'aunt@guests.invalid';
  const loose = { registry_id: registry.id, ...pan };
  return [
    ['POST /items', loose, { ...loose, name: 'Pot' }],
    ['POST /registries', { title: `${MARK} Once` }, { title: `${MARK} Twice` }],
    [`POST /registries/${registry.id}/items`, pan, { ...pan, name: 'Pot' }],
    [`POST /registries/${registry.id}/invitees`, { invitees: [guest.email] }, { invitees: [aunt] }],
    [`POST /registries/${registry.id}/items/${item.id}/claims`, { message: 'Once' }, { message: 'Twice' }],
  ];
}

const total = async ({ call }: World) =>
  Number((await call('owner', 'GET /registries?limit=1')).headers.get('x-host-total'));

export const idempotency = section('errors-and-limits.md#repeating-a-request', {
  'idempotency-key-makes-a-repeated-request-happen-once': async (world) => {
    for (const [target, body] of await creationsOf(world)) {
      const headers = key(unique());
      const first = await world.call('owner', target, body, headers);
      assert.ok(first.status < 300, first.text);
      const again = await world.call('owner', target, body, headers);
      const parts = (answer: Answer) => [answer.status, answer.text, etagOf(answer)];
      assert.deepEqual(parts(again), parts(first), target);
    }
  },

  'idempotency-key-makes-one-of-many-at-once': alone(async (world) => {
    const creations = await creationsOf(world);
    const registry = Number(creations[2]![0].split('/')[2]);
    const before = await total(world);
    for (const [target, body] of creations) {
      const headers = key(unique());
      const answers = await atOnce(10, () => world.call('owner', target, body, headers));
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1, target);
      assert.ok(answers.every(({ status }) => status === answers[0]?.status && status < 300));
    }
    assert.equal((await world.listed(registry)).length, 3);
    assert.equal(await total(world), before + 1);
  }),

  'idempotency-key-is-for-the-same-bytes': async (world) => {
    const { id: registry_id } = await world.registry();
    const body = { registry_id, ...pan };
    const headers = key(unique());
    const send = (text: string) => world.call('owner', 'POST /items', text, headers);
    ok(201, await send(JSON.stringify(body)));
    ok(201, await send(JSON.stringify(body)));
    ok(422, await send(JSON.stringify(body, null, 1)));
  },

  'idempotency-key-belongs-to-one-request-of-one-caller': async (world) => {
    const creations = await creationsOf(world);
    const [target, body] = creations[0]!;
    const headers = key(unique());
    const own = ok(201, await world.call('owner', target, body, headers));
    for (const [other, same, different] of creations) {
      const refused = await world.call('owner', other, different, headers);
      assert.match(ok(422, refused).detail, /^Idempotency-Key: /, other);
      if (other !== target) ok(422, await world.call('owner', other, same, headers));
    }
    const theirs = ok(201, await world.call('administrator', target, body, headers));
    assert.notEqual(theirs.data.id, own.data.id);
  },

  'idempotency-key-is-free-again-when-nothing-came-of-it': async (world) => {
    for (const [target, body] of await creationsOf(world)) {
      const headers = key(unique());
      const faulty = { ...body, name: '', title: '', invitees: 5, message: 5 };
      ok(422, await world.call('owner', target, faulty, headers));
      const made = await world.call('owner', target, body, headers);
      assert.ok(made.status < 300, `${target} ${made.text}`);
    }
  },

  'idempotency-key-is-text-of-1-to-255-characters-quoted-or-not': async (world) => {
    const { id: registry_id } = await world.registry();
    const send = (text: string) => world.call('owner', 'POST /items', { registry_id, ...pan }, key(text));
    for (const bad of ['', '""', 'a b', 'ä', 'x'.repeat(256), '"a b"']) ok(422, await send(bad));
    const text = unique();
    const plain = await send(text);
    assert.equal((await send(`"${text}"`)).text, plain.text);
    ok(201, await send(unique().padEnd(255, 'x')));
    assert.equal((await world.listed(registry_id)).length, 2);
  },

  'idempotency-key-of-a-claim-gives-its-first-answer-whatever-became-of-it': async (world) => {
    const { item, to } = await aWish(world);
    const headers = key(unique());
    const ask = () => world.call('guest', to, { message: 'Soup', expires_in: 120 }, headers);
    const first = await ask();
    const claim: Claim = ok(201, first);
    const again = async (why: string) => {
      const answer = await ask();
      assert.deepEqual([answer.status, answer.text, etagOf(answer)], [201, first.text, etagOf(first)], why);
    };
    await again('at once');
    ok(200, await patchClaim(world, claim, { quantity: 2, message: 'Stew' }));
    await again('changed');
    ok(200, await patchClaim(world, claim, { state: 'purchased' }));
    ok(200, await patchClaim(world, claim, { thanked: true }, 'owner'));
    await again('bought and thanked');
    ok(204, await world.call('guest', `DELETE /claims/${claim.id}`));
    await again('released');
    assert.equal(await world.purchased(item), 0);
    ok(200, await world.call('owner', `DELETE /items/${item.id}`));
    await again('its item deleted');
  },

  'refusal-of-a-claim-is-not-kept-for-its-key': async (world) => {
    const { item, to } = await aWish(world);
    const headers = key(unique());
    const ask = (body = {}, target = to) => world.call('guest', target, body, headers);
    const claim = await world.claim('stranger', item, { quantity: 4 });
    ok(409, await ask());
    ok(403, await ask({ giver: { name: 'x' } }));
    ok(404, await ask({}, to.replace(/items\/\d+/, 'items/9007199254740991')));
    ok(422, await ask({ quantity: 0 }));
    ok(204, await world.call('stranger', `DELETE /claims/${claim.id}`));
    const made = await ask();
    ok(201, made);
    assert.equal((await ask()).text, made.text);
  },
});
