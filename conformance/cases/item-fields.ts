import assert from 'node:assert/strict';
import { section, type Test } from '../case.ts';
import { ok, type World } from '../world.ts';
import { MAX_INTEGER, pan } from './kit.ts';

const noText = [12, true, [], {}, ['x'], { x: 1 }];
const unclean = ['a\0b', '\0', '\ud800', 'x\udc00y', '\udc00\ud800'];
const noNumber = ['12', '', true, [], {}, [1]];

/** JSON that JavaScript cannot produce: a number beyond its range. */
class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}
const beyond = [new Raw('1e400'), new Raw('-1e400')];

const written = (body: object) =>
  JSON.stringify(body, (_key, value) => (value instanceof Raw ? `raw ${value.json}` : value)).replace(
    /"raw ([^"]*)"/g,
    '$1',
  );

type Rule = { good: unknown[]; bad: unknown[] };
const free: Rule = {
  good: ['', 'no address at all', '😀'.repeat(300), 'a'.repeat(2000), null],
  bad: ['a'.repeat(2001), '😀'.repeat(2001), ...noText, ...unclean],
};
const rules: Record<string, Rule> = {
  name: {
    good: ['x', ' ', 'a'.repeat(100), '😀'.repeat(100), 'e\u0301'.repeat(50)],
    bad: ['', 'a'.repeat(101), '😀'.repeat(101), null, ...noText, ...unclean],
  },
  description: {
    good: ['', 'a'.repeat(500), '😀'.repeat(500), null],
    bad: ['a'.repeat(501), '😀'.repeat(501), ...noText, ...unclean],
  },
  url: {
    good: ['ten chars!', '😀'.repeat(10), `https://x.example/${'a'.repeat(1982)}`],
    bad: ['nine char', '😀'.repeat(9), 'a'.repeat(2001), '', null, ...noText, 'https://a\0b.example'],
  },
  retailer: free,
  image_url: free,
  affiliate_url: free,
  affiliate_status: {
    good: ['active', 'inactive', 'expired', 'none', null],
    bad: ['Active', 'active ', '', 'other', 'null', ...noText],
  },
  price: {
    good: [0.01, 1, 129.5, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, null],
    bad: [0, -0, -0.01, -5, ...beyond, ...noNumber],
  },
  quantity_needed: {
    good: [1, 2, MAX_INTEGER],
    bad: [0, -1, 1.5, MAX_INTEGER + 1, 1e300, ...beyond, ...noNumber],
  },
  quantity_purchased: { good: [0, 1, MAX_INTEGER], bad: [-1, 0.5, MAX_INTEGER + 1, ...beyond, ...noNumber] },
  is_active: { good: [true, 1], bad: ['true', '1', 'yes', 2, -1, 0.5, [], {}] },
};

/** Checks that the one invalid field is reported, once. */
async function refuses({ call }: World, target: string, body: object, field: string): Promise<void> {
  const answer = await call('administrator', target, written(body));
  const { detail } = ok(422, answer);
  assert.match(detail, new RegExp(`^${field}: \\w`), `${target} ${written(body).slice(0, 200)}`);
  assert.ok(!detail.includes(';'), `one fault, said once: ${detail}`);
}

/** Tests both limits of a field, on every route that takes it. */
const bothEdges =
  (field: string, { good, bad }: Rule): Test =>
  async (world) => {
    const { call } = world;
    const { id } = await world.registry();
    const item = await world.item({ id });
    const everywhere = (value: unknown): [target: string, body: object][] => [
      ['POST /items', { registry_id: id, ...pan, [field]: value }],
      [`POST /registries/${id}/items`, { ...pan, [field]: value }],
      [`PUT /items/${item.id}`, { [field]: value }],
    ];
    for (const value of good) {
      for (const [target, body] of everywhere(value)) {
        const answer = await call('administrator', target, written(body));
        assert.ok(answer.status < 300, `${target} ${field}: ${answer.text}`);
        const given = answer.body.data[field];
        assert.deepEqual(given, field === 'is_active' ? Boolean(value) : value, `${target} ${field}`);
      }
    }
    const before = await world.listed(id, 'administrator');
    for (const value of bad)
      for (const [target, body] of everywhere(value)) await refuses(world, target, body, field);
    assert.deepEqual(await world.listed(id, 'administrator'), before, 'what was refused left a trace');
  };

const fieldCases = Object.fromEntries(
  Object.entries(rules).map(([field, rule]) => [
    `item-field-${field.replaceAll('_', '-')}-both-edges`,
    bothEdges(field, rule),
  ]),
);

export const itemFields = [
  ...section('items.md#fields', {
    ...fieldCases,

    'item-registry-id-is-needed-by-post-items-alone': async (world) => {
      const { call } = world;
      const { id } = await world.registry();
      const most = Number.MAX_SAFE_INTEGER;
      for (const registry_id of [0, -1, 1.5, most + 1, null, ...beyond, ...noNumber])
        await refuses(world, 'POST /items', { ...pan, registry_id }, 'registry_id');
      await refuses(world, 'POST /items', pan, 'registry_id');
      const there = await call('owner', `POST /registries/${id}/items`, { ...pan, registry_id: most });
      assert.equal(ok(201, there).data.registry_id, id, 'the path says which registry');
    },
  }),

  ...section('items.md#affiliate-links', {
    'affiliate-put-limits-of-its-own': async (world) => {
      const { call } = world;
      const registry = await world.registry();
      const item = await world.item(registry);
      const target = `PUT /registries/${registry.id}/items/${item.id}/affiliate`;
      const url = 'https://partner.example/';
      for (const affiliate_url of ['ten chars!', '😀'.repeat(10), 'a'.repeat(500), '😀'.repeat(500)]) {
        const set = ok(200, await call('owner', target, { affiliate_url }));
        assert.deepEqual(set, { affiliate_url, affiliate_status: 'active' });
      }
      for (const affiliate_status of ['', 'paused', '😀'.repeat(50), 'a'.repeat(50)]) {
        const body = { affiliate_url: url, affiliate_status };
        assert.deepEqual(ok(200, await call('owner', target, body)), body);
      }
      const [before] = await world.listed(registry.id, 'administrator');
      const noUrl = [undefined, null, '', 'nine char', '😀'.repeat(9), 'a'.repeat(501), 'ten chars!\0'];
      for (const bad of [...noUrl, ...noText])
        await refuses(world, target, { affiliate_url: bad, affiliate_status: 'active' }, 'affiliate_url');
      for (const bad of ['a'.repeat(51), '😀'.repeat(51), ...noText, ...unclean])
        await refuses(world, target, { affiliate_url: url, affiliate_status: bad }, 'affiliate_status');
      assert.deepEqual(await world.listed(registry.id, 'administrator'), [before]);
    },
  }),

  ...section('errors-and-limits.md#status-codes', {
    'validation-names-every-field-at-fault': async (world) => {
      const { id } = await world.registry();
      const item = await world.item({ id });
      const all = Object.fromEntries(Object.keys(rules).map((field) => [field, {}]));
      for (const [target, body, required] of [
        ['POST /items', { registry_id: 0, ...all }, []],
        ['POST /items', {}, ['registry_id', 'name', 'url']],
        [`POST /registries/${id}/items`, {}, ['name', 'url']],
        [`PUT /items/${item.id}`, { name: '', url: 'short', price: -1 }, []],
      ] as const) {
        const { detail } = ok(422, await world.call('administrator', target, body));
        for (const field of [...Object.keys(body), ...required])
          assert.match(detail, new RegExp(`(^|; )${field}: `), `${target}: ${field} is not named: ${detail}`);
      }
    },

    'a-body-that-is-no-object-is-422': async (world) => {
      const { id } = await world.registry();
      const item = await world.item({ id });
      const creations = ['POST /items', `POST /registries/${id}/items`, 'POST /registries'];
      for (const body of ['null', '[]', '"text"', '12', 'true', '[{}]'])
        for (const target of [...creations, `PUT /items/${item.id}`])
          ok(422, await world.call('administrator', target, body));
    },
  }),
];
