import assert from 'node:assert/strict';
import type { Role } from '../accounts.ts';
import { alone, section } from '../case.ts';
import { ok, type World } from '../world.ts';
import { atOnce, aWish, etagOf, STRONG_ETAG, statusesOf } from './kit.ts';

const link = { affiliate_url: 'https://partner.example' };

/** Makes an item, and functions for the owner's requests about it. */
async function anItem(world: World) {
  const registry = `/registries/${(await world.registry()).id}`;
  const { id } = await world.item({ id: Number(registry.split('/')[2]) });
  return {
    id,
    item: `/items/${id}`,
    inRegistry: `${registry}/items/${id}`,
    affiliate: `${registry}/items/${id}/affiliate`,
    read: (headers = {}) => world.call('owner', `GET /items/${id}`, undefined, headers),
    update: (headers = {}) => world.call('owner', `PUT /items/${id}`, { name: 'Pot' }, headers),
  };
}

/** Reads a list of items, with a known ETag. */
async function listed(world: World, as: Role, path: string, known = '') {
  const answer = await world.call(as, `GET ${path}`, undefined, known ? { 'if-none-match': known } : {});
  assert.match(etagOf(answer), STRONG_ETAG, path);
  return answer;
}

export const etags = [
  ...section('items.md#etags', {
    'item-etag-is-strong-and-new-with-every-change': async (world) => {
      const { item, inRegistry, affiliate, read } = await anItem(world);
      const etag = etagOf(await read());
      assert.match(etag, STRONG_ETAG);
      assert.equal(etagOf(await read()), etag);
      assert.equal(etagOf(await world.call('owner', `PUT ${item}`, {})), etag);
      const seen = new Set([etag]);
      for (const [target, body] of [
        ...[[`PUT ${item}`, { name: 'Pot' }], [`PUT ${affiliate}`, link], [`DELETE ${affiliate}`]],
        ...[[`DELETE ${item}`], [`PUT ${item}`, { is_active: true }]],
      ] as const) {
        const answer = await world.call('owner', target, body);
        const now = answer.body?.data ? etagOf(answer) : etagOf(await read());
        assert.match(now, STRONG_ETAG, target);
        assert.ok(!seen.has(now), target);
        seen.add(now);
      }
      assert.ok(seen.has(etagOf(await read())));
      ok(204, await world.call('owner', `DELETE ${inRegistry}`));
    },

    'item-etag-comes-with-every-answer-that-holds-one': async (world) => {
      const { item, update, read } = await anItem(world);
      assert.equal(etagOf(await update()), etagOf(await read()));
      const { id: registry_id } = await world.registry();
      const pot = { name: 'Pot', url: 'https://shop.example/pot' };
      for (const [target, body] of [
        ['POST /items', { registry_id, ...pot }],
        [`POST /registries/${registry_id}/items`, pot],
      ] as const) {
        const made = await world.call('owner', target, body);
        const seen = await world.call('owner', `GET /items/${ok(201, made).data.id}`);
        assert.equal(etagOf(seen), etagOf(made));
      }
      assert.match(etagOf(await world.call('owner', `DELETE ${item}`)), STRONG_ETAG);
    },

    'item-etag-differs-for-an-admin-whose-body-differs': async (world) => {
      const { item, read } = await anItem(world);
      const [open, admin] = [etagOf(await read()), etagOf(await world.call('administrator', `GET ${item}`))];
      assert.notEqual(open, admin);
      ok(200, await world.call('administrator', `GET ${item}`, undefined, { 'if-none-match': open }));
      ok(200, await read({ 'if-none-match': admin }));
    },

    'item-if-none-match-is-304-for-what-is-known': async (world) => {
      const { read, update } = await anItem(world);
      const etag = etagOf(await read());
      for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/${etag} , "x"`]) {
        const answer = await read({ 'if-none-match': known });
        assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag], known);
      }
      const others = ['"other"', 'W/"other"', etag.slice(1, -1), '', 'rubbish,,', `${etag.slice(0, -1)}0"`];
      for (const other of others) ok(200, await read({ 'if-none-match': other }));
      await update();
      ok(200, await read({ 'if-none-match': etag }));
    },

    'items-list-etag-is-304-for-what-is-known': async (world) => {
      const { id } = await world.registry();
      await world.item({ id });
      const list = `/registries/${id}/items`;
      const etag = etagOf(await listed(world, 'guest', list));
      assert.equal(etagOf(await listed(world, 'owner', list)), etag);
      for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
        const answer = await listed(world, 'guest', list, known);
        assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag], known);
      }
      const head = await world.call('guest', `HEAD ${list}`, undefined, { 'if-none-match': etag });
      assert.deepEqual([head.status, etagOf(head)], [304, etag]);
      for (const other of ['"other"', etag.slice(1, -1), '', 'rubbish,,', `${etag.slice(0, -1)}0"`])
        ok(200, await listed(world, 'guest', list, other));
      for (const known of [etag, '*']) {
        ok(403, await world.call('stranger', `GET ${list}`, undefined, { 'if-none-match': known }));
        ok(401, await world.call(undefined, `GET ${list}`, undefined, { 'if-none-match': known }));
      }
      ok(204, await world.call('owner', `DELETE /registries/${id}`));
      ok(404, await world.call('owner', `GET ${list}`, undefined, { 'if-none-match': '*' }));
    },

    'items-list-etag-is-new-with-every-change-of-the-list': async (world) => {
      const { item, inRegistry, affiliate } = await anItem(world);
      const list = inRegistry.slice(0, inRegistry.lastIndexOf('/'));
      const { id } = await world.item({ id: Number(list.split('/')[2]) });
      const seen = new Set<string>();
      const change = async (as: Role, target: string, body?: object) => {
        const answer = await world.call(as, target, body);
        assert.ok(answer.status < 300, `${target} ${answer.text}`);
        return answer.body;
      };
      for (const step of [
        async () => {},
        () => change('owner', `PUT ${item}`, { name: 'Pot' }),
        () => change('guest', `POST ${inRegistry}/claims`, {}),
        () => change('owner', `DELETE ${item}`),
        () => change('owner', `PUT ${item}`, { is_active: true }),
        () => change('owner', `PUT ${affiliate}`, link),
        () => change('owner', `DELETE ${list}/${id}`),
        () => world.item({ id: Number(list.split('/')[2]) }),
      ]) {
        await step();
        for (const known of seen) ok(200, await listed(world, 'guest', list, known));
        seen.add(etagOf(await listed(world, 'guest', list)));
      }
      assert.equal(seen.size, 8);
    },

    'items-list-etag-differs-for-an-admin-whose-body-differs': async (world) => {
      const { id } = await world.registry();
      await world.item({ id });
      for (const list of [
        `/registries/${id}/items`,
        ...(world.itemAccess === 'authenticated' ? ['/items?limit=1'] : []),
      ]) {
        const open = etagOf(await listed(world, 'owner', list));
        const admin = etagOf(await listed(world, 'administrator', list));
        assert.notEqual(open, admin);
        ok(200, await listed(world, 'administrator', list, open));
        ok(200, await listed(world, 'owner', list, admin));
      }
    },

    'items-list-of-all-honours-if-none-match': alone(async (world) => {
      const { item } = await anItem(world);
      const etag = etagOf(await listed(world, 'administrator', '/items?limit=1'));
      const known = await listed(world, 'administrator', '/items?limit=1', etag);
      assert.deepEqual([known.status, known.text, etagOf(known)], [304, '', etag]);
      ok(200, await world.call('owner', `PUT ${item}`, { name: 'Pot' }));
      ok(200, await listed(world, 'administrator', '/items?limit=1', etag));
    }),

    'item-if-match-refuses-every-change-of-another-state': async (world) => {
      const { item, inRegistry, affiliate, read } = await anItem(world);
      const before = await read();
      const etag = etagOf(before);
      for (const [target, body] of [
        ...[[`PUT ${item}`, { name: 'Pot' }], [`PUT ${item}`, {}], [`DELETE ${item}`]],
        ...[[`DELETE ${inRegistry}`], [`PUT ${affiliate}`, link], [`DELETE ${affiliate}`]],
      ] as const) {
        for (const stale of ['"other"', `W/${etag}`, '', etag.slice(1, -1), '"a", "b"', 'rubbish']) {
          const answer = await world.call('owner', target, body, { 'if-match': stale });
          assert.equal(answer.status, 412, `${target} with If-Match: ${stale}`);
          assert.equal(etagOf(answer), etag, 'a 412 names the current state');
        }
      }
      assert.equal((await read()).text, before.text);
    },

    'item-if-match-lets-the-current-state-through': async (world) => {
      const { inRegistry, affiliate, read, update } = await anItem(world);
      const current = async () => ({ 'if-match': etagOf(await read()) });
      for (const match of [(etag: string) => etag, () => '*', (etag: string) => `"x" , ${etag},"y"`])
        ok(200, await update({ 'if-match': match(etagOf(await read())) }));
      ok(200, await world.call('owner', `PUT ${affiliate}`, link, await current()));
      ok(204, await world.call('owner', `DELETE ${affiliate}`, undefined, await current()));
      ok(204, await world.call('owner', `DELETE ${inRegistry}`, undefined, await current()));
    },

    'item-if-match-lets-one-of-many-through': async (world) => {
      const { read, update } = await anItem(world);
      const etag = etagOf(await read());
      const answers = await atOnce(20, () => update({ 'if-match': etag }));
      assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(412)]);
    },

    'item-that-is-gone-is-404-whatever-was-expected': async (world) => {
      const { item, read, update } = await anItem(world);
      ok(200, await world.call('owner', `DELETE ${item}`));
      for (const match of ['*', '"other"']) {
        ok(404, await update({ 'if-match': match }));
        ok(404, await world.call('owner', `DELETE ${item}`, undefined, { 'if-match': match }));
        ok(404, await read({ 'if-none-match': match }));
      }
    },
  }),

  ...section('claims.md#claim-endpoints', {
    'claim-honours-if-match-and-if-none-match': async (world) => {
      const { to } = await aWish(world);
      const made = await world.call('guest', to, {});
      const path = `/claims/${ok(201, made).id}`;
      const etag = etagOf(made);
      for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`]) {
        const answer = await world.call('guest', `GET ${path}`, undefined, { 'if-none-match': known });
        assert.deepEqual([answer.status, answer.text, etagOf(answer)], [304, '', etag], known);
      }
      const head = await world.call('guest', `HEAD ${path}`);
      assert.deepEqual([head.status, head.text, etagOf(head)], [200, '', etag]);
      for (const stale of ['"x"', `W/${etag}`, '', etag.slice(1, -1)])
        for (const [target, body] of [
          [`PATCH ${path}`, { message: 'x' }],
          [`PATCH ${path}`, {}],
          [`DELETE ${path}`],
        ] as const) {
          const answer = await world.call('guest', target, body, { 'if-match': stale });
          assert.deepEqual([answer.status, etagOf(answer)], [412, etag], `${target} ${stale}`);
        }
      const changed = await world.call('guest', `PATCH ${path}`, { message: 'x' }, { 'if-match': etag });
      ok(200, changed);
      ok(412, await world.call('guest', `DELETE ${path}`, undefined, { 'if-match': etag }));
      ok(204, await world.call('guest', `DELETE ${path}`, undefined, { 'if-match': etagOf(changed) }));
    },

    'claim-if-match-lets-one-of-many-through': async (world) => {
      const { to } = await aWish(world);
      const made = await world.call('guest', to, {});
      const path = `PATCH /claims/${ok(201, made).id}`;
      const match = { 'if-match': etagOf(made) };
      const answers = await atOnce(20, (n) => world.call('guest', path, { message: `${n}` }, match));
      assert.deepEqual(statusesOf(answers), [200, ...Array(19).fill(412)]);
    },
  }),
];
