import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Call, callsOf, type RegistryCalls, registryCalls } from './answers.ts';
import { startTestService, type TestService } from './support.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const noMeta = {
  registry_item_ids: [],
  registry_invitees: [],
  registry_event_type: null,
  registry_event_date: null,
};

// WordPress cuts tags and bare `<` from a text; what arrives must be what was written.
const texts = [
  'Ann & Bob <3',
  `"double" 'single' “curly”`,
  '<script>alert(1)</script>',
  '<b>bold</b> &amp; &lt; &#60; &nbsp; &copy &notanentity;',
  'Zoë 👩‍👩‍👧 日本語 مرحبا e\u0301',
  'a\u00a0b\u2003c',
  '100 % <5 >3 <!-- no comment --> %41 \\ \\n $1',
];

describe('registries', () => {
  let service: TestService;
  let call: Call;
  let { create, get, update, add } = {} as RegistryCalls;

  before(async () => {
    service = await startTestService();
    call = await callsOf(service);
    ({ create, get, update, add } = registryCalls(call));
  });
  after(() => service.close());

  it('have one shape wherever they are read', async () => {
    const meta = {
      registry_invitees: ['bob'],
      registry_event_type: 'wedding',
      registry_event_date: '2027-06-12',
    };
    const made = await create({ title: 'Ann & Bob', status: 'publish', story: 'We met.\n\nTwice.', meta });
    const { id, permalink, created_at, updated_at, ...rest } = made;
    assert.deepEqual(rest, {
      user_id: rest.user_id,
      title: 'Ann & Bob',
      status: 'publish',
      story: 'We met.\n\nTwice.',
      share_key: id,
      slug: 'ann-bob',
      meta: { ...noMeta, ...meta },
    });
    assert.ok(Number.isInteger(id) && Number.isInteger(rest.user_id));
    assert.equal(permalink, `${service.hostUrl}/registry/ann-bob/`);
    for (const time of [created_at, updated_at]) assert.match(time, TIMESTAMP);
    assert.deepEqual(await get(id), made);
    assert.deepEqual(await get(id, 'bob'), made);
    assert.deepEqual((await call('alice', 'GET /registries?limit=1')).body, [made]);
    const changed = await update(id, { title: 'Bob & Ann' });
    assert.deepEqual([changed.status, changed.body.title], [200, 'Bob & Ann']);
    assert.deepEqual(await get(id), changed.body);
  });

  it('are private and empty unless they say otherwise', async () => {
    for (const body of [
      {},
      { status: null, story: null, meta: null },
      { meta: {} },
      { meta: { colour: 1 } },
    ]) {
      const { status, story, meta } = await create(body);
      assert.deepEqual([status, story, meta], ['private', '', noMeta]);
    }
  });

  it('keep titles and stories as they were written', async () => {
    for (const as of ['alice', 'admin'] as const) {
      for (const text of texts) {
        const { id, title, story } = await create({ title: text, story: `${text}\n${text}` }, as);
        assert.deepEqual([title, story], [text, `${text}\n${text}`], as);
        const read = await get(id, as);
        assert.deepEqual([read.title, read.story], [text, `${text}\n${text}`], as);
      }
    }
  });

  it('show no markup of theirs on the host’s page', async () => {
    const { permalink } = await create({
      title: '<img src=x> Ann',
      story: '<script>x()</script>',
      status: 'publish',
    });
    const page = await (await fetch(permalink)).text();
    assert.doesNotMatch(page, /<img|<script/);
  });

  it('take back what was read, and nothing changes', async () => {
    for (const text of texts) {
      const meta = {
        registry_event_type: text,
        registry_event_date: '2028-02-29',
        registry_invitees: ['A & B <3', 'bob'],
      };
      const { id } = await create({ title: text, story: text, meta });
      await add(id);
      await add(id);
      const read = await get(id);
      const { status, body } = await update(id, read);
      assert.equal(status, 200);
      assert.deepEqual(body, read);
      assert.deepEqual(await get(id), read);
    }
  });

  it('keep the occasion and the invitees as they were written', async () => {
    for (const text of ['Ann & Bob <3', `"it's"`, 'Zoë 👩‍👩‍👧', '&amp; &lt;b&gt;', '50% off']) {
      const { id } = await create({ meta: { registry_event_type: text, registry_invitees: [text] } });
      const { meta } = await get(id);
      assert.deepEqual([meta.registry_event_type, meta.registry_invitees], [text, [text]]);
    }
  });

  it('change only what is sent', async () => {
    const meta = {
      registry_invitees: ['bob'],
      registry_event_type: 'wedding',
      registry_event_date: '2027-06-12',
    };
    let expected = await create({ story: 'Once', meta });
    const { id } = expected;
    const changes: { title?: string; status?: string; story?: string; meta?: object }[] = [
      { title: 'New' },
      { status: 'publish' },
      { story: 'Twice' },
      { meta: { registry_event_type: 'birthday' } },
      { meta: { registry_event_date: '2028-02-29' } },
      { meta: { registry_invitees: ['carol'] } },
      { meta: { registry_event_type: null, registry_event_date: null } },
      { story: '' },
    ];
    for (const change of changes) {
      const { status, body } = await update(id, change);
      expected = { ...expected, ...change, meta: { ...expected.meta, ...change.meta } };
      assert.equal(status, 200, JSON.stringify(change));
      assert.deepEqual({ ...body, updated_at: expected.updated_at }, expected, JSON.stringify(change));
      assert.deepEqual(await get(id), body);
    }
    const fixed = { id: 1, user_id: 1, share_key: 1, slug: 'x', permalink: 'x', created_at: 'x', colour: 1 };
    for (const nothing of [{}, { meta: {} }, { meta: null }, { meta: { colour: 1 } }, fixed]) {
      const { status, body } = await update(id, nothing);
      assert.equal(status, 200);
      assert.deepEqual({ ...body, updated_at: expected.updated_at }, expected, JSON.stringify(nothing));
    }
  });

  it('refuse what breaks their rules, and name every field at fault', async () => {
    const { id } = await create({ title: 'Kept', meta: { registry_invitees: ['bob'] } });
    const item = await add(id);
    const before = await get(id);
    const total = (await call('alice', 'GET /registries?limit=1')).headers.get('x-host-total');
    const metas: [string, unknown[]][] = [
      ['registry_event_type', ['a'.repeat(101), '😀'.repeat(101), 5, {}, 'a\0', '\ud800']],
      [
        'registry_event_date',
        ['', '2027-02-29', '2027-13-01', '27-01-01', '2027-6-1', '2027-06-12T00:00:00Z', 'soon', 5],
      ],
      [
        'registry_invitees',
        [null, 'bob', {}, [5], [''], ['   '], ['a'.repeat(255)], ['\ud800'], ['a\0'], [null], [['bob']]],
      ],
      ['registry_invitees', [Array.from({ length: 1001 }, (_, i) => `guest${i}`)]],
      ['registry_item_ids', [null, '[]', [0], [-1], [1.5], ['1'], [null], [item, 'x'], {}]],
    ];
    const bad: [field: string, body: object][] = [
      ...['', ' ', '\n\t\u00a0', 'a'.repeat(201), '😀'.repeat(201), 5, null, 'a\0', '\ud800'].map(
        (title): [string, object] => ['title', { title }],
      ),
      ...['draft', 'pending', 'future', 'trash', 'any', 'PUBLISH', '', 'inherit', 5, ['publish']].map(
        (status): [string, object] => ['status', { status }],
      ),
      ...['a'.repeat(20_001), '😀'.repeat(20_001), 5, {}, 'a\0', '\udfff'].map((story): [string, object] => [
        'story',
        { story },
      ]),
      ...metas.flatMap(([key, values]) =>
        values.map((value): [string, object] => [`meta.${key}`, { meta: { [key]: value } }]),
      ),
      ...['text', 5, [], true].map((meta): [string, object] => ['meta', { meta }]),
    ];
    for (const [field, body] of bad) {
      for (const answer of [
        await update(id, body),
        await call('alice', 'POST /registries', { title: 'x', ...body }),
      ]) {
        assert.equal(answer.status, 422, `${field} ${JSON.stringify(body)}: ${answer.text}`);
        assert.match(answer.body.detail, new RegExp(`^${field.replaceAll('.', '\\.')}[.: ]`));
      }
    }
    const { body } = await update(id, {
      title: '',
      status: 'x',
      meta: { registry_event_date: 'x', registry_invitees: [5] },
    });
    for (const field of ['title', 'status', 'meta.registry_event_date', 'meta.registry_invitees.0'])
      assert.ok(body.detail.includes(`${field}: `), `${field} is not named: ${body.detail}`);
    assert.equal((await call('alice', 'POST /registries', {})).body.detail, 'title: is required');
    assert.deepEqual(await get(id), before);
    assert.equal((await call('alice', 'GET /registries?limit=1')).headers.get('x-host-total'), total);
  });

  it('take what just keeps their rules', async () => {
    for (const text of ['x', 'a'.repeat(200), '😀'.repeat(200)])
      assert.equal((await create({ title: text })).title, text);
    for (const text of ['a'.repeat(20_000), '😀'.repeat(20_000), '&<>'.repeat(6_000)])
      assert.equal((await create({ story: text })).story, text);
    for (const letter of ['x', '😀', '&']) {
      const longest = {
        registry_event_type: letter.repeat(100),
        registry_event_date: '2028-02-29',
        registry_invitees: [letter.repeat(254)],
      };
      assert.deepEqual((await create({ meta: longest })).meta, { ...noMeta, ...longest });
    }
    assert.equal((await create({ title: '  Ann  ' })).title, 'Ann');
  });

  it('are gone for good when deleted, and so are their items', async () => {
    const { id } = await create();
    const ids = [await add(id), await add(id)];
    const other = await add((await create()).id);
    const answer = await call('alice', `DELETE /registries/${id}`);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    for (const target of [`GET /registries/${id}`, `DELETE /registries/${id}`, `GET /registries/${id}/items`])
      assert.deepEqual((await call('alice', target)).body, { detail: 'Registry not found' }, target);
    for (const one of ids) {
      assert.equal((await call('admin', `GET /items/${one}`)).status, 404);
      assert.equal((await call('admin', `DELETE /items/${one}`)).status, 404);
    }
    assert.equal((await call('alice', `GET /items/${other}`)).status, 200);
    const listed = (await call('alice', 'GET /items?limit=1000')).body.map(
      (entry: { id: number }) => entry.id,
    );
    assert.deepEqual(
      ids.filter((one) => listed.includes(one)),
      [],
    );
  });
});
