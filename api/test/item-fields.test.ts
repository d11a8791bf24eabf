import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const pan = { name: 'Pan', url: 'https://shop.example/pan' };
const INTEGER = 2_147_483_647;
const noText = [12, true, [], {}, ['x'], { x: 1 }];
const unclean = ['a\0b', '\0', '\ud800', 'x\udc00y', '\udc00\ud800'];
const noNumber = ['12', '', true, [], {}, [1]];

/** JSON that JavaScript cannot write: a number beyond all numbers. */
class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}
const beyond = [new Raw('1e400'), new Raw('-1e400')];

type Rule = { good: unknown[]; bad: unknown[] };
const free: Rule = { good: ['', 'no address at all', '😀'.repeat(300), null], bad: [...noText, ...unclean] };
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
    bad: [
      'nine char',
      '😀'.repeat(9),
      'a'.repeat(2001),
      '',
      null,
      ...noText,
      `https://${unclean[0]}.example`,
    ],
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
  quantity_needed: { good: [1, 2, INTEGER], bad: [0, -1, 1.5, INTEGER + 1, 1e300, ...beyond, ...noNumber] },
  quantity_purchased: { good: [0, 1, INTEGER], bad: [-1, 0.5, INTEGER + 1, ...beyond, ...noNumber] },
  is_active: { good: [true, 1], bad: ['true', '1', 'yes', 2, -1, 0.5, [], {}] },
};
const registryIds: Rule = {
  good: [1, 2 ** 32, Number.MAX_SAFE_INTEGER],
  bad: [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, null, ...beyond, ...noNumber],
};

const written = (body: object) =>
  JSON.stringify(body, (_key, value) => (value instanceof Raw ? `raw ${value.json}` : value)).replace(
    /"raw ([^"]*)"/g,
    '$1',
  );

describe('the fields of an item', () => {
  let service: TestService;
  let call: Call;
  let item: string;
  let registry: string;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    registry = `/registries/${(await call('admin', 'POST /registries', { title: 'Ann' })).body.id}/items`;
    item = `/items/${(await call('admin', `POST ${registry}`, pan)).body.data.id}`;
  });
  after(() => service.close());

  const everywhere = (field: string, value: unknown): [target: string, body: object][] => [
    ['POST /items', { registry_id: 1, ...pan, [field]: value }],
    [`POST ${registry}`, { ...pan, [field]: value }],
    [`PUT ${item}`, { [field]: value }],
  ];

  async function takes(target: string, body: object, field: string, value: unknown) {
    const answer = await call('admin', target, written(body));
    assert.ok(answer.status < 300, `${target} ${field}: ${answer.text}`);
    const given = answer.body.data[field];
    assert.deepEqual(given, field === 'is_active' ? Boolean(value) : value, `${target} ${field}`);
  }

  async function refuses(target: string, body: object, field: string, value: unknown) {
    const { status, text, body: said } = await call('admin', target, written(body));
    assert.equal(status, 422, `${target} ${field} ${JSON.stringify(value)}: ${text}`);
    assert.match(said.detail, new RegExp(`^${field}: \\w`), `${target} names another field`);
    assert.ok(!said.detail.includes(';'), `one fault, said once: ${said.detail}`);
  }

  for (const [field, { good, bad }] of Object.entries(rules)) {
    it(`${field}: both edges, on every route that takes it`, async () => {
      for (const value of good)
        for (const [target, body] of everywhere(field, value)) await takes(target, body, field, value);
      const before = (await call('admin', `GET ${item}`)).text;
      const count = (await call('admin', 'GET /items?limit=1')).text;
      for (const value of bad)
        for (const [target, body] of everywhere(field, value)) await refuses(target, body, field, value);
      assert.equal((await call('admin', `GET ${item}`)).text, before, 'a refused change left a trace');
      assert.equal((await call('admin', 'GET /items?limit=1')).text, count, 'a refused item was stored');
    });
  }

  it('registry_id: needed by POST /items alone', async () => {
    for (const registry_id of registryIds.good)
      await takes('POST /items', { ...pan, registry_id }, 'registry_id', registry_id);
    for (const registry_id of registryIds.bad)
      await refuses('POST /items', { ...pan, registry_id }, 'registry_id', registry_id);
    await refuses('POST /items', pan, 'registry_id', undefined);
    const { status, body } = await call('admin', `POST ${registry}`, { ...pan, registry_id: 999 });
    assert.deepEqual([status, `/registries/${body.data.registry_id}/items`], [201, registry]);
  });

  it('the affiliate endpoint has limits of its own', async () => {
    const target = `PUT ${registry}/${item.split('/').at(-1)}/affiliate`;
    const url = 'https://partner.example/';
    for (const good of ['ten chars!', '😀'.repeat(10), 'a'.repeat(500), '😀'.repeat(500)]) {
      const { status, body } = await call('admin', target, { affiliate_url: good });
      assert.deepEqual([status, body], [200, { affiliate_url: good, affiliate_status: 'active' }]);
    }
    for (const good of ['', 'paused', '😀'.repeat(50), 'a'.repeat(50)]) {
      const { body } = await call('admin', target, { affiliate_url: url, affiliate_status: good });
      assert.deepEqual(body, { affiliate_url: url, affiliate_status: good });
      assert.equal((await call('admin', `GET ${item}`)).body.data.affiliate_status, good);
    }
    const before = (await call('admin', `GET ${item}`)).text;
    for (const bad of [
      undefined,
      null,
      '',
      'nine char',
      '😀'.repeat(9),
      'a'.repeat(501),
      ...noText,
      'ten chars!\0',
    ])
      await refuses(target, { affiliate_url: bad, affiliate_status: 'active' }, 'affiliate_url', bad);
    for (const bad of ['a'.repeat(51), '😀'.repeat(51), ...noText, ...unclean])
      await refuses(target, { affiliate_url: url, affiliate_status: bad }, 'affiliate_status', bad);
    assert.equal((await call('admin', `GET ${item}`)).text, before);
  });

  it('one answer names every field at fault', async () => {
    const all = { registry_id: 0, ...Object.fromEntries(Object.keys(rules).map((field) => [field, {}])) };
    for (const [target, body] of [
      ['POST /items', all],
      ['POST /items', {}],
      [`POST ${registry}`, {}],
      [`PUT ${item}`, { name: '', url: 'short', price: -1 }],
    ] as const) {
      const { status, body: said } = await call('admin', target, body);
      assert.equal(status, 422);
      const required = target.startsWith('POST /items') ? ['registry_id', 'name', 'url'] : ['name', 'url'];
      for (const field of [...Object.keys(body), ...(target.startsWith('POST') ? required : [])])
        assert.match(said.detail, new RegExp(`(^|; )${field}: `), `${target}: ${field} is not named`);
    }
  });

  it('a body that is no object is refused whole', async () => {
    for (const body of ['null', '[]', '"text"', '12', 'true', '[{}]']) {
      for (const target of ['POST /items', `POST ${registry}`, `PUT ${item}`, 'POST /registries']) {
        const { status, body: said } = await call('admin', target, body);
        assert.deepEqual([status, said], [422, { detail: 'body: must be object' }], `${target} ${body}`);
      }
    }
  });
});
