// Webhooks: events sent to an address of this machine.
import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import type { Events, RegistryEvent, WebhookWithSecret } from 'trousseau-client';
import type { Role } from '../accounts.ts';
import { section } from '../case.ts';
import type { Message } from '../receiver.ts';
import { NO_ID, ok, unique, type World } from '../world.ts';
import { atOnce, aWish, isNow, key } from './kit.ts';

/** The longest time that a message may take. */
const MOST_SECONDS = 30;
// No request is sent there until an event happens.
const SOMEWHERE = 'https://receiver.invalid/hook';

type Hook = WebhookWithSecret & { path: string };

const make = (world: World, target: string, body: object, as: Role = 'owner', headers = {}) =>
  world.call(as, `POST ${target}`, body, headers);

/** Makes a webhook of a registry that sends to the receiver. */
async function hookOf(world: World, { id }: { id: number }, types?: string[], as?: Role): Promise<Hook> {
  const path = `/${unique()}`;
  const body = { url: world.receiver().url(path), ...(types && { types }) };
  return { ...ok(201, await make(world, `/registries/${id}/webhooks`, body, as)), path };
}

/** Waits for so many messages, and verifies each as a receiver would. */
async function came(world: World, { path, secret }: Hook, count: number): Promise<RegistryEvent[]> {
  const receiver = world.receiver();
  for (let waited = 0; receiver.received(path).length < count; waited += 0.1) {
    assert.ok(waited < MOST_SECONDS, `${receiver.received(path).length} of ${count} messages came`);
    await world.pass(0.1);
  }
  return receiver.received(path).map((message: Message) => {
    const headers = message.headers as Record<string, string>;
    const event = new Webhook(secret).verify(message.body, headers) as RegistryEvent;
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['content-type'], 'application/json');
    return event;
  });
}

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type).sort();

export const webhooks = [
  ...section('events.md#webhooks', {
    'webhook-brings-each-event-as-the-feed-of-its-maker-has-it': async (world) => {
      const { registry, item } = await aWish(world);
      const own = await hookOf(world, registry);
      const admins = await hookOf(world, registry, undefined, 'administrator');
      ok(200, await world.call('owner', `PUT /items/${item.id}`, { name: 'Pot' }));
      await world.claim('guest', item, { message: 'For you' });
      for (const [hook, as] of [
        [own, 'owner'],
        [admins, 'administrator'],
      ] as const) {
        const found: Events = ok(200, await world.call(as, `GET /registries/${registry.id}/events`));
        const byId = (events: RegistryEvent[]) => [...events].sort((a, b) => (a.id < b.id ? -1 : 1));
        assert.deepEqual(byId(await came(world, hook, 2)), byId(found.events.slice(-2)));
      }
      const path = `GET /registries/${registry.id}/webhooks/${own.id}/deliveries`;
      const [delivery] = ok(200, await world.call('owner', path));
      assert.deepEqual(Object.keys(delivery).sort(), ['attempt', 'event_id', 'next_attempt_at', 'status']);
    },

    'webhook-is-looked-after-by-owners-and-admins-and-tells-its-secret-once': async (world) => {
      const registry = await world.registry();
      const path = `/registries/${registry.id}/webhooks`;
      const named = key(unique());
      const body = { url: SOMEWHERE, types: ['claim.*', 'item.created'] };
      const answer = await make(world, path, body, 'owner', named);
      const { secret, ...made } = ok(201, answer);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32,}=*$/);
      isNow(made.created_at, answer);
      const { registry_id, url, types, disabled_at } = made;
      assert.deepEqual([registry_id, { url, types }, disabled_at], [registry.id, body, null]);
      assert.equal(ok(201, await make(world, path, body, 'owner', named)).secret, secret);
      assert.deepEqual(ok(200, await world.call('owner', `GET ${path}`)), [made]);
      const admins = ok(201, await make(world, path, { url: SOMEWHERE }, 'administrator'));
      assert.equal(ok(200, await world.call('owner', `GET ${path}`)).length, 1);
      assert.equal(ok(200, await world.call('administrator', `GET ${path}`)).length, 2);
      for (const target of [`GET ${path}`, `GET ${path}/${made.id}/deliveries`, 'GET /webhooks'])
        for (const [as, status] of [
          ['guest', 403],
          ['stranger', 403],
          [undefined, 401],
        ] as const)
          ok(status, await world.call(as, target));
      const site = ok(201, await make(world, '/webhooks', { url: SOMEWHERE }, 'administrator'));
      for (const [as, target, status, sent] of [
        ['guest', `POST ${path}`, 403, body],
        ['guest', `POST ${path}/${made.id}/test`, 403],
        ['owner', 'GET /webhooks', 403],
        ['owner', 'POST /webhooks', 403, body],
        ['owner', `DELETE /webhooks/${site.id}`, 403],
        ['owner', `GET ${path}/${admins.id}/deliveries`, 404],
        ['owner', `GET ${path}/${unique()}/deliveries`, 404],
        ['owner', `DELETE ${path}/${admins.id}`, 404],
        ['owner', `POST ${path}/${admins.id}/test`, 404],
        ['administrator', `DELETE ${path}/${site.id}`, 404],
        ['administrator', `DELETE /webhooks/${made.id}`, 404],
        ['administrator', `GET /registries/${NO_ID}/webhooks`, 404],
      ] as const)
        ok(status, await world.call(as, target, sent));
      ok(204, await world.call('administrator', `DELETE /webhooks/${site.id}`));
      ok(204, await world.call('owner', `DELETE ${path}/${made.id}`));
      ok(404, await world.call('owner', `DELETE ${path}/${made.id}`));
      assert.deepEqual(ok(200, await world.call('owner', `GET ${path}`)), []);
    },

    'webhook-refuses-addresses-that-are-none-or-not-allowed-and-types-that-do-not-exist': async (world) => {
      const registry = await world.registry();
      const path = `POST /registries/${registry.id}/webhooks`;
      for (const body of [
        ...[{}, { url: null }, { url: 5 }, { url: 'x' }, { url: 'ftp://receiver.invalid/' }],
        ...[{ url: 'https://user:secret@receiver.invalid/' }, { url: 'http://receiver.invalid/' }],
        ...[{ url: 'https://10.0.0.1/' }, { url: 'https://127.0.0.1/' }, { url: 'https://[::1]/' }],
        ...['item', 'item.bought', '*', 'ping'].map((type) => ({ url: SOMEWHERE, types: [type] })),
        { url: SOMEWHERE, types: 'claim.*' },
      ])
        ok(422, await world.call('owner', path, body));
    },

    'registry-has-ten-webhooks-at-most-whoever-asks-at-once': async (world) => {
      const registry = await world.registry();
      const path = `/registries/${registry.id}/webhooks`;
      await make(world, path, { url: SOMEWHERE });
      const answers = await atOnce(13, () => make(world, path, { url: SOMEWHERE }));
      assert.equal(answers.filter(({ status }) => status === 201).length, 9);
      assert.equal(answers.filter(({ status }) => status === 409).length, 4);
      assert.equal(ok(200, await world.call('owner', `GET ${path}`)).length, 10);
    },

    'webhook-gets-the-types-that-it-names': async (world) => {
      const { registry, item } = await aWish(world);
      const all = await hookOf(world, registry, []);
      const claims = await hookOf(world, registry, ['claim.*']);
      const created = await hookOf(world, registry, ['item.created', 'registry.*']);
      await world.claim('guest', item);
      await world.item(registry);
      ok(200, await world.call('owner', `PATCH /registries/${registry.id}`, { title: '[conformance] b' }));
      const every = ['claim.created', 'item.created', 'registry.updated'];
      assert.deepEqual(typesOf(await came(world, all, 3)), every);
      assert.deepEqual(typesOf(await came(world, claims, 1)), ['claim.created']);
      assert.deepEqual(typesOf(await came(world, created, 2)), ['item.created', 'registry.updated']);
    },

    'message-that-was-not-received-comes-again-after-five-seconds': async (world) => {
      const registry = await world.registry();
      const hook = await hookOf(world, registry);
      world.receiver().answer(hook.path, 302);
      const since = performance.now();
      await world.item(registry);
      const [first] = await came(world, hook, 1);
      world.receiver().answer(hook.path, 200);
      const [, again] = await came(world, hook, 2);
      assert.deepEqual(again, first);
      assert.ok(performance.now() - since > 4_500, 'not before');
    },

    'answer-of-410-ends-a-webhook': async (world) => {
      const registry = await world.registry();
      const [hook, other] = [await hookOf(world, registry), await hookOf(world, registry)];
      world.receiver().answer(hook.path, 410);
      await world.item(registry);
      await came(world, hook, 1);
      const path = `GET /registries/${registry.id}/webhooks`;
      const disabled = async () =>
        ok(200, await world.call('owner', path)).find(({ id }: Hook) => id === hook.id).disabled_at;
      for (let waited = 0; (await disabled()) === null; waited += 0.1) {
        assert.ok(waited < MOST_SECONDS, 'it is disabled');
        await world.pass(0.1);
      }
      await world.item(registry);
      await came(world, other, 2);
      assert.equal(world.receiver().received(hook.path).length, 1);
    },

    'test-sends-a-ping-that-is-no-event-of-the-feed': async (world) => {
      const registry = await world.registry();
      const hook = await hookOf(world, registry, ['claim.*']);
      const path = `/registries/${registry.id}/webhooks/${hook.id}/test`;
      for (const status of [202, 404]) {
        world.receiver().answer(hook.path, status);
        const tested = ok(200, await world.call('owner', `POST ${path}`));
        assert.deepEqual([tested.status, tested.problem], [status, null]);
        assert.ok(Number.isInteger(tested.ms) && tested.ms >= 0);
      }
      for (const { type, registry_id, item_id, claim_id, data } of await came(world, hook, 2))
        assert.deepEqual([type, registry_id, item_id, claim_id, data], ['ping', registry.id, null, null, {}]);
      const feed = await world.call('owner', `GET /registries/${registry.id}/events`);
      assert.deepEqual(ok(200, feed).events, []);
    },
  }),

  ...section('events.md#events-in-a-surprise', {
    'webhook-of-a-surprised-owner-tells-nothing-of-claims': async (world) => {
      const registry = await world.registry({ meta: { registry_surprise_until: 'always' } });
      const item = await world.item(registry, { quantity_needed: 5 });
      const own = await hookOf(world, registry);
      const admins = await hookOf(world, registry, undefined, 'administrator');
      await world.claim('guest', item, { quantity: 2 });
      ok(200, await world.call('owner', `PUT /items/${item.id}`, { name: 'Pot' }));
      const told = await came(world, admins, 2);
      assert.deepEqual(typesOf(told), ['claim.created', 'item.updated']);
      const [seen, ...more] = await came(world, own, 1);
      assert.deepEqual([seen!.type, seen!.data!.quantity_purchased, more], ['item.updated', 0, []]);
      const path = `GET /registries/${registry.id}/webhooks/${own.id}/deliveries`;
      assert.equal(ok(200, await world.call('owner', path)).length, 1);
    },
  }),
];
