import assert from 'node:assert/strict';
import type { Registry } from 'trousseau-client';
import { alone, section } from '../case.ts';
import { MARK, ok, type World } from '../world.ts';
import { idsOf, isNow, pan, TIMESTAMP } from './kit.ts';

const noMeta = {
  ...{ registry_item_ids: [], registry_invitees: [], registry_owners: [], registry_pay_to: null },
  ...{ registry_event_type: null, registry_event_date: null, registry_currency: null },
  ...{ registry_surprise_until: null, registry_surprise_keeps: 'all' },
};

// WordPress removes tags and bare `<` from a text, but these must be stored unchanged.
const texts = [
  ...['Ann & Bob <3', `"double" 'single' “curly”`, '<script>alert(1)</script>'],
  '<b>bold</b> &amp; &lt; &#60; &nbsp; &copy &notanentity; &amp;lt;p&gt;',
  ...['Zoë 👩‍👩‍👧 日本語 مرحبا e\u0301', 'a\u00a0b\u2003c'],
  ...['100 % <5 >3 <!-- no comment --> \\ \\n $1', '%41'],
];

const make = async ({ call }: World, body: object, as: 'owner' | 'administrator' = 'owner') =>
  ok(201, await call(as, 'POST /registries', { title: MARK, ...body })) as Registry;
const get = async ({ call }: World, id: number, as: 'owner' | 'guest' | 'administrator' = 'owner') =>
  ok(200, await call(as, `GET /registries/${id}`)) as Registry;
const patch = ({ call }: World, id: number, body: unknown) => call('owner', `PATCH /registries/${id}`, body);

/** Checks that each invalid value gets 422 with its field's name and changes nothing, on creation and on update. */
async function refusesEach(world: World, bad: [field: string, body: object][]): Promise<void> {
  const { id } = await world.registry();
  const before = await get(world, id);
  for (const [field, body] of bad) {
    const named = new RegExp(`^${field.replaceAll('.', '\\.')}[.: ]`);
    const made = await world.call('owner', 'POST /registries', { title: MARK, ...body });
    for (const answer of [await patch(world, id, body), made]) {
      const { detail } = ok(422, answer);
      assert.match(detail, named, JSON.stringify(body).slice(0, 200));
    }
  }
  assert.deepEqual(await get(world, id), before);
}

const each = (field: string, values: unknown[]): [string, object][] =>
  values.map((value) => [field, { [field]: value }]);
const eachMeta = (key: string, values: unknown[]): [string, object][] =>
  values.map((value) => [`meta.${key}`, { meta: { [key]: value } }]);

export const registries = [
  ...section('registries.md#meta', {
    'registry-meta-names-its-items-in-their-order': async (world) => {
      const registry = await world.registry();
      const ids = [(await world.item(registry)).id, (await world.item(registry)).id];
      assert.deepEqual((await get(world, registry.id)).meta.registry_item_ids, ids);
    },

    'registry-currency-is-an-iso-4217-code-in-capitals': async (world) => {
      const bad = ['', 'eur', 'EURO', 'E', 'ZZZ', '€', 5, ['EUR']];
      await refusesEach(world, eachMeta('registry_currency', bad));
      for (const registry_currency of ['EUR', 'JPY', 'CHF']) {
        const { meta } = await make(world, { meta: { registry_currency } });
        assert.equal(meta.registry_currency, registry_currency);
      }
    },

    'registry-invitees-and-item-ids-are-lists-of-their-kind': async (world) => {
      const noInvitees = [5, '', '   ', 'a'.repeat(255), '\ud800', 'a\0', null, ['bob']].map((one) => [one]);
      const tooMany = Array.from({ length: 1001 }, (_, n) => `guest${n}`);
      const noIds = [null, '[]', [0], [-1], [1.5], ['1'], [null], {}];
      await refusesEach(world, [
        ...eachMeta('registry_invitees', [null, 'bob', {}, ...noInvitees, tooMany]),
        ...eachMeta('registry_item_ids', noIds),
        ...each('meta', ['text', 5, [], true]),
      ]);
    },
  }),

  ...section('registries.md#endpoints', {
    'registry-create-makes-the-caller-its-owner': async (world) => {
      for (const as of ['owner', 'administrator'] as const) {
        const { user_id } = await make(world, {}, as);
        assert.equal(user_id, world.people[as].id);
      }
    },

    'registries-list-is-newest-first-in-pages-with-the-hosts-totals': alone(async (world) => {
      const page = async (query: string) => {
        const { status, headers, body } = await world.call('stranger', `GET /registries${query}`);
        assert.equal(status, 200);
        const totals = ['x-host-total', 'x-host-totalpages'].map((name) => Number(headers.get(name)));
        return [idsOf(body as Registry[]), totals[0]!, totals[1]!] as const;
      };
      const [, before] = await page('?limit=1');
      const ids: number[] = [];
      for (let n = 0; n < 5; n++)
        ids.unshift((await world.registry({ status: n % 2 ? 'publish' : 'private' }, 'stranger')).id);
      const total = before + 5;
      const pages = (limit: number) => Math.ceil(total / limit);
      const [all, , allPages] = await page('');
      assert.deepEqual([all.slice(0, 5), allPages], [ids, pages(100)]);
      assert.deepEqual(await page('?limit=2'), [ids.slice(0, 2), total, pages(2)]);
      assert.deepEqual(await page('?skip=1&limit=2'), [ids.slice(1, 3), total, pages(2)]);
      assert.deepEqual(await page('?skip=2&limit=3'), [ids.slice(2), total, pages(3)]);
      assert.deepEqual((await page(`?skip=${total + 50}`))[0], []);
    }),

    'registries-list-holds-the-callers-own-alone': alone(async (world) => {
      const registry_invitees = [world.people.guest.username, world.people.stranger.email];
      const { id } = await world.registry({ status: 'publish', meta: { registry_invitees } });
      for (const as of ['owner', 'guest', 'stranger', 'administrator'] as const) {
        const list = ok(200, await world.call(as, 'GET /registries')) as Registry[];
        assert.equal(idsOf(list).includes(id), as === 'owner', as);
      }
    }),

    'registry-delete-is-for-good-and-takes-its-items-with-it': async (world) => {
      const { call } = world;
      const { id } = await world.registry();
      const items = [await world.item({ id }), await world.item({ id })];
      const other = await world.item(await world.registry());
      const deleted = await call('owner', `DELETE /registries/${id}`);
      assert.deepEqual([deleted.status, deleted.text], [204, '']);
      const at = `/registries/${id}`;
      for (const target of [`GET ${at}`, `DELETE ${at}`, `GET ${at}/items`])
        assert.deepEqual(ok(404, await call('owner', target)), { detail: 'Registry not found' }, target);
      ok(404, await call('owner', `POST ${at}/items`, pan));
      for (const item of items) {
        for (const as of ['owner', 'administrator', 'stranger'] as const)
          ok(404, await call(as, `GET /items/${item.id}`));
        ok(404, await call('administrator', `DELETE /items/${item.id}`));
        if (world.itemAccess === 'registry')
          ok(404, await call('owner', `PUT /items/${item.id}`, { is_active: true }));
      }
      ok(200, await call('administrator', `GET /items/${other.id}`));
      assert.deepEqual(idsOf(await world.listed(other.registry_id)), [other.id]);
    },

    'registries-list-refuses-other-pages': async ({ call }) => {
      const limits = ['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2'];
      for (const query of [...limits, 'skip=-1', 'skip=1.5', 'skip='])
        ok(422, await call('stranger', `GET /registries?${query}`));
    },
  }),

  ...section('registries.md#fields', {
    'registry-has-one-shape-wherever-it-is-read': async (world) => {
      const meta = {
        registry_invitees: [world.people.guest.username],
        registry_event_type: 'wedding',
        registry_event_date: '2027-06-12',
        registry_currency: 'EUR',
        registry_surprise_until: '2027-06-13',
      };
      const fields = { title: `${MARK} Ann & Bob`, status: 'publish', story: 'We met.\n\nTwice.' };
      const answer = await world.call('owner', 'POST /registries', { ...fields, meta });
      const { id, permalink, slug, created_at, updated_at, ...rest } = ok(201, answer);
      const user_id = world.people.owner.id;
      assert.deepEqual(rest, { user_id, ...fields, share_key: id, meta: { ...noMeta, ...meta } });
      assert.ok(Number.isSafeInteger(id));
      assert.match(permalink, /^https?:\/\//);
      assert.match(slug, /ann-bob/);
      isNow(created_at, answer);
      assert.match(updated_at, TIMESTAMP);
      for (const as of ['owner', 'guest', 'administrator'] as const)
        assert.deepEqual(await get(world, id, as), answer.body, as);
      const own = ok(200, await world.call('owner', 'GET /registries')) as Registry[];
      const listed = own.find((one) => one.id === id);
      assert.deepEqual(listed, answer.body);
      const changed = ok(200, await patch(world, id, { story: 'Thrice.' }));
      assert.equal(changed.story, 'Thrice.');
      assert.deepEqual(await get(world, id), changed);
    },

    'registry-is-private-and-empty-unless-it-says-otherwise': async (world) => {
      const nulls = { status: null, story: null, meta: null };
      for (const body of [{}, nulls, { meta: {} }, { meta: { colour: 1 } }]) {
        const { status, story, meta } = await make(world, body);
        assert.deepEqual([status, story, meta], ['private', '', noMeta]);
      }
    },

    'registry-title-and-story-are-read-as-they-were-sent': async (world) => {
      for (const as of ['owner', 'administrator'] as const) {
        for (const text of texts) {
          const sent = { title: `${MARK} ${text}`, story: `${text}\n${text}` };
          const { id, title, story } = await make(world, sent, as);
          assert.deepEqual({ title, story }, sent, as);
          const read = await get(world, id, as);
          assert.deepEqual({ title: read.title, story: read.story }, sent, as);
        }
      }
    },

    'registry-story-that-is-changed-is-read-as-it-was-sent': async (world) => {
      const { id } = await world.registry();
      for (const story of ['1 < 2 & 3', '<b>not bold</b>', 'A &amp; B', '&amp;lt;p&gt;', 'Ann <3 Bob', '']) {
        assert.equal(ok(200, await patch(world, id, { story })).story, story);
        assert.equal((await get(world, id)).story, story);
      }
    },

    'registry-may-be-sent-back-as-it-was-read': async (world) => {
      for (const text of texts) {
        const registry_invitees = [`${text}@guests.invalid`, 'A & B <3@guests.invalid'];
        const meta = { registry_event_type: text, registry_event_date: '2028-02-29', registry_invitees };
        const registry = await make(world, { title: `${MARK} ${text}`, story: text, meta });
        await world.item(registry);
        const read = await get(world, registry.id);
        assert.deepEqual({ ...read.meta, ...meta }, read.meta);
        assert.deepEqual(ok(200, await patch(world, registry.id, read)), read);
        assert.deepEqual(await get(world, registry.id), read);
      }
    },

    'registry-update-changes-what-is-sent-alone': async (world) => {
      const meta = { registry_event_type: 'wedding', registry_event_date: '2027-06-12' };
      let expected = await world.registry({ story: 'Once', meta });
      const { id } = expected;
      const changes: { title?: string; status?: 'publish'; story?: string; meta?: object }[] = [
        { title: `${MARK} New` },
        { status: 'publish' },
        { story: 'Twice' },
        { meta: { registry_event_type: 'birthday' } },
        { meta: { registry_event_date: '2028-02-29' } },
        { meta: { registry_invitees: ['somebody@guests.invalid'] } },
        { meta: { registry_currency: 'CHF' } },
        { meta: { registry_event_type: null, registry_event_date: null, registry_currency: null } },
        { story: '' },
      ];
      for (const change of changes) {
        const body = ok(200, await patch(world, id, change));
        expected = { ...expected, ...change, meta: { ...expected.meta, ...change.meta } };
        assert.deepEqual({ ...body, updated_at: expected.updated_at }, expected, JSON.stringify(change));
        assert.deepEqual(await get(world, id), body);
      }
      const fixed = {
        ...{ id: 1, user_id: 1, share_key: 1, slug: 'x', permalink: 'x', created_at: 'x' },
        colour: 1,
      };
      for (const nothing of [{}, { meta: {} }, { meta: null }, { meta: { colour: 1 } }, fixed]) {
        const body = ok(200, await patch(world, id, nothing));
        assert.deepEqual({ ...body, updated_at: expected.updated_at }, expected, JSON.stringify(nothing));
      }
    },

    'registry-title-has-1-to-200-characters': async (world) => {
      const noTitle = ['', ' ', '\n\t\u00a0', 'a'.repeat(201), '😀'.repeat(201), 5, null, 'a\0', '\ud800'];
      await refusesEach(world, each('title', noTitle));
      assert.equal(ok(422, await world.call('owner', 'POST /registries', {})).detail, 'title: is required');
      const rest = 200 - [...MARK].length;
      for (const title of ['x', MARK + 'a'.repeat(rest), MARK + '😀'.repeat(rest)])
        assert.equal((await make(world, { title })).title, title);
      assert.equal((await make(world, { title: `  ${MARK} Ann  ` })).title, `${MARK} Ann`);
    },

    'registry-status-is-publish-or-private': async (world) => {
      const other = ['draft', 'pending', 'future', 'trash', 'any', 'PUBLISH', '', 'inherit', 5, ['publish']];
      await refusesEach(world, each('status', other));
    },

    'registry-story-has-up-to-20000-characters': async (world) => {
      const bad = ['a'.repeat(20_001), '😀'.repeat(20_001), 5, {}, 'a\0', '\udfff'];
      await refusesEach(world, each('story', bad));
      for (const story of ['a'.repeat(20_000), '😀'.repeat(20_000), '&<>'.repeat(6_000)])
        assert.equal((await make(world, { story })).story, story);
    },

    'registry-event-type-has-up-to-100-characters': async (world) => {
      const bad = ['a'.repeat(101), '😀'.repeat(101), 5, {}, 'a\0', '\ud800'];
      await refusesEach(world, eachMeta('registry_event_type', bad));
      for (const registry_event_type of ['x', '😀', '&'].map((letter) => letter.repeat(100))) {
        const { meta } = await make(world, { meta: { registry_event_type } });
        assert.equal(meta.registry_event_type, registry_event_type);
      }
    },

    'registry-event-date-is-a-real-day': async (world) => {
      const bad = ['', '2027-02-29', '2027-13-01', '27-01-01', '2027-6-1', '2027-06-12T00:00:00Z', 'soon', 5];
      await refusesEach(world, eachMeta('registry_event_date', bad));
      const { meta } = await make(world, { meta: { registry_event_date: '2028-02-29' } });
      assert.equal(meta.registry_event_date, '2028-02-29');
    },
  }),
];
