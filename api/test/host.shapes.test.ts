import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, describe, it } from 'node:test';
import { askAt } from './answers.ts';
import { basic, post, refuse, sendJson, startFakeHost } from './fake-host.ts';
import { startTestService } from './support.ts';

const host = await startFakeHost();
const service = await startTestService({ HOST_URL: host.url, AUTH_CACHE_TTL: '0', REGISTRY_CACHE_TTL: '0' });
after(async () => {
  await service.close();
  await host.close();
});
afterEach(() => {
  host.misbehave = undefined;
  host.posts.clear();
  host.posts.set(7, post(7));
});

async function send(path: string, method = 'GET', json?: unknown, as = 'alice') {
  const { status, body } = await askAt(service.url, basic)(as, `${method} ${path}`, json);
  return { status, body };
}

// Items 1 and 2 of registry 7.
for (const name of ['First', 'Second'])
  await send('/items', 'POST', { registry_id: 7, name, url: 'https://shop.example/' });

const UNUSABLE = { detail: 'The registry host gave an answer that cannot be used' };

describe('the current user', () => {
  const user = { id: 1, username: 'alice', email: 'alice@example.test', roles: ['subscriber'] };
  const good: [string, object, boolean][] = [
    ['as it should be', user, false],
    ['with an e-mail address withheld', { ...user, email: '' }, false],
    ['without roles on this site', { ...user, roles: [] }, false],
    ['with a list of roles that has gaps', { ...user, roles: { 1: 'editor', 3: 'administrator' } }, true],
    ['with several roles', { ...user, roles: ['editor', 'administrator'] }, true],
    ['with more than was asked for', { ...user, capabilities: { administrator: true }, meta: [] }, false],
    ['with what only looks like an admin', { ...user, roles: ['Administrator', 'administrators'] }, false],
  ];
  it('is an admin by the roles that the host gives, however it writes them', async () => {
    for (const [what, body, admin] of good) {
      host.answerMe((response) => sendJson(response, 200, body));
      host.posts.set(8, post(8));
      const gift = { registry_id: 8, name: 'Kettle', url: 'https://shop.example/kettle' };
      const answer = await send('/items', 'POST', gift);
      assert.equal(answer.status, 201);
      assert.equal('affiliate_url' in answer.body.data, admin, what);
    }
  });

  const bad: [string, object][] = [
    ['an id as text', { ...user, id: '1' }],
    ['the id 0, which is nobody', { ...user, id: 0 }],
    ['a fractional id', { ...user, id: 1.5 }],
    ['no id', { ...user, id: undefined }],
    ['no user name', { ...user, username: undefined }],
    ['an empty user name', { ...user, username: '' }],
    ['no e-mail address', { ...user, email: undefined }],
    ['no roles', { ...user, roles: undefined }],
    ['roles that are null', { ...user, roles: null }],
    ['roles that are text', { ...user, roles: 'administrator' }],
    ['roles that are no names', { ...user, roles: [['administrator']] }],
    ['the short form without edit context', { id: 1, name: 'Alice', slug: 'alice', meta: [] }],
  ];
  it('gets 502 when the host’s answer makes no sense', async () => {
    for (const [what, body] of bad) {
      host.answerMe((response) => sendJson(response, 200, body));
      assert.deepEqual(await send('/items'), { status: 502, body: UNUSABLE }, what);
    }
  });
});

describe('a registry on the host', () => {
  const empty = {
    ...{ registry_item_ids: [], registry_invitees: [], registry_owners: [], registry_pay_to: null },
    ...{ registry_event_type: null, registry_event_date: null, registry_currency: null },
    ...{ registry_surprise_until: null, registry_surprise_keeps: 'all' },
  };
  const BOB = { registry_invitees: ['bob'] };
  const BOTH = { registry_invitees: ['bob', 'carol'] };
  const said = {
    ...{ registry_event_type: 'Wedding', registry_event_date: '2027-06-05' },
    ...{ registry_currency: 'EUR', registry_surprise_until: '2027-06-06' },
  };
  // How PHP writes a list from which an entry was taken.
  const [GAPS, ITEM_GAPS] = [
    { 1: 'bob', 3: 'carol' },
    { 0: 2, 2: 1 },
  ];
  const metas: [string, unknown, object][] = [
    ['is an empty list', [], empty],
    ['is null', null, empty],
    ['is text', 'nothing', empty],
    ['holds nothing of ours', { footnotes: '' }, empty],
    ['holds JSON text', { registry_item_ids: '[2,1]', ...said }, said],
    ['holds lists', { registry_item_ids: [2, 1], registry_invitees: ['bob'] }, BOB],
    ['holds lists with gaps', { registry_item_ids: ITEM_GAPS, registry_invitees: GAPS }, BOTH],
    [
      'holds JSON text of lists with gaps',
      { registry_item_ids: JSON.stringify(ITEM_GAPS), registry_invitees: JSON.stringify(GAPS) },
      BOTH,
    ],
    ['holds numbers as text', { registry_item_ids: ['2', '1'], registry_invitees: '["bob"]' }, BOB],
    ['holds JSON text of numbers as text', { registry_item_ids: '["2","1"]' }, {}],
    ['holds JSON text twice over', { registry_item_ids: '"[2,1]"' }, {}],
    [
      'holds each entry more than once, blanks and padding',
      { registry_item_ids: '[2,2,1,2]', registry_invitees: '[" bob ","BOB","",null,7,["x"]]' },
      BOB,
    ],
    [
      'is rubbish',
      {
        ...{ registry_item_ids: 'a:2:{i:0;i:2;}', registry_invitees: '[broken', registry_currency: 'euro' },
        ...{ registry_event_type: { a: 1 }, registry_event_date: 'in June' },
        // A value that nobody understands conceals.
        registry_surprise_until: 'in June',
      },
      { registry_item_ids: [1, 2], registry_surprise_until: 'always' },
    ],
    [
      'has a day and a currency that do not exist',
      { registry_item_ids: '[2,1]', registry_event_date: '2027-02-30', registry_currency: 'ZZZ' },
      {},
    ],
    ['holds ids that are none', { registry_item_ids: [0, -1, 1.5, 'x', null, {}, 1e300, 99, 2] }, {}],
  ];

  it('can be read whatever its meta is', async () => {
    // The service repairs the order after each answer, which could change the post of the next case.
    host.misbehave = ({ method }, response, usual) =>
      method === 'POST' ? refuse(response, 503, 'maintenance') : usual();
    for (const [what, meta, expected] of metas) {
      host.posts.set(7, post(7, { meta }));
      const { status, body } = await send('/registries/7');
      assert.equal(status, 200);
      const order = expected === empty || what === 'is rubbish' ? [1, 2] : [2, 1];
      assert.deepEqual(body.meta, { ...empty, ...expected, registry_item_ids: order }, what);
    }
  });

  it('is not written where what is sent back is what was read', async () => {
    host.posts.set(7, post(7, { meta: { registry_surprise_until: '2027-06-13' } }));
    const { meta } = (await send('/registries/7')).body;
    assert.equal(meta.registry_surprise_until, '2027-06-13');
    host.seen.length = 0;
    assert.equal((await send('/registries/7', 'PATCH', { meta })).status, 200);
    assert.equal(
      host.count(({ method }) => method === 'POST'),
      0,
    );
  });

  it('keeps its guests when one is added to a list with gaps', async () => {
    host.posts.set(7, post(7, { meta: { registry_invitees: GAPS } }));
    const { body } = await send('/registries/7/invitees', 'POST', { invitees: ['dave'] });
    assert.deepEqual(body, { invitees: ['bob', 'carol', 'dave'] });
    assert.deepEqual(JSON.parse(host.posts.get(7).meta.registry_invitees), ['bob', 'carol', 'dave']);
  });

  it('loses a guest also where it has more than a registry takes', async () => {
    const guests = Array.from({ length: 1200 }, (_, n) => `guest${n}`);
    host.posts.set(7, post(7, { meta: { registry_invitees: guests } }));
    assert.equal((await send('/registries/7/invitees', 'POST', { invitees: ['dave'] })).status, 422);
    assert.equal((await send('/registries/7/invitees/guest0', 'DELETE')).status, 200);
    assert.equal(JSON.parse(host.posts.get(7).meta.registry_invitees).length, 1199);
  });

  const bad: [string, object][] = [
    ['an id as text', { id: '7' }],
    ['no author', { author: undefined }],
    ['no edit context', { title: { rendered: 'Ann &amp; Bob' }, content: { rendered: '' } }],
    ['a title that is text', { title: 'Ann & Bob' }],
    ['no status', { status: undefined }],
    ['no dates', { date_gmt: null }],
    ['dates that are none', { modified_gmt: '0000-00-00T00:00:00' }],
  ];
  it('is refused as unusable when the answer makes no sense, alone and in a list', async () => {
    host.posts.set(6, post(6));
    for (const [what, fields] of bad) {
      host.posts.set(7, post(7, fields));
      assert.deepEqual(await send('/registries/7'), { status: 502, body: UNUSABLE }, what);
      assert.deepEqual(await send('/registries'), { status: 502, body: UNUSABLE }, what);
    }
  });

  it('is read, alone and in a list, on a day whose time PHP cannot write', async () => {
    host.posts.set(6, post(6));
    for (const fields of [{ date_gmt: false }, { date_gmt: false, modified_gmt: false }]) {
      host.posts.set(7, post(7, fields));
      const { status, body } = await send('/registries/7');
      assert.deepEqual([status, body.created_at], [200, '9999-12-31T23:59:59.000Z']);
      assert.equal((await send('/registries')).status, 200);
    }
  });

  it('is not there while it is a draft or in the trash; it does not hide the others of a list', async () => {
    host.posts.set(6, post(6));
    for (const status of ['draft', 'trash', 'pending', 'future', 'archived']) {
      host.posts.set(7, post(7, { status }));
      const alone = await send('/registries/7');
      assert.deepEqual(alone, { status: 404, body: { detail: 'Registry not found' } }, status);
      const list = await send('/registries');
      assert.notEqual(list.status, 404, `a list is always there, with a ${status} in it too`);
    }
  });

  it('cannot be listed without its totals', async () => {
    host.misbehave = (request, response, usual) =>
      /registry\?/.test(request.path) ? sendJson(response, 200, []) : usual();
    assert.deepEqual(await send('/registries'), { status: 502, body: UNUSABLE });
  });

  it('is written on a site that keeps lists as lists, by many at once', async () => {
    const ids = Array.from({ length: 10 }, (_, i) => i + 11);
    for (const id of ids)
      host.posts.set(id, post(id, { meta: { registry_item_ids: [], registry_invitees: [] } }));
    host.misbehave = ({ method, body }, response, usual) => {
      const lists = method === 'POST' ? Object.values(body.meta ?? {}) : [];
      if (lists.every(Array.isArray)) usual();
      else refuse(response, 400, 'rest_invalid_type');
    };
    const invite = (id: number) => send(`/registries/${id}/invitees`, 'POST', { invitees: ['bob'] });
    for (const answer of await Promise.all(ids.map(invite)))
      assert.deepEqual(answer, { status: 200, body: { invitees: ['bob'] } });
    for (const id of ids) assert.deepEqual(host.posts.get(id).meta.registry_invitees, ['bob']);

    const gift = { name: 'Kettle', url: 'https://shop.example/kettle' };
    const added = await Promise.all(ids.map((id) => send(`/registries/${id}/items`, 'POST', gift)));
    for (const [i, { status, body }] of added.entries()) {
      assert.equal(status, 201);
      assert.deepEqual(host.posts.get(ids[i]!).meta.registry_item_ids, [body.data.id]);
    }
  });
});

it('a refusal of the host keeps its meaning for the caller', async () => {
  const FORBIDDEN = 'The registry host does not allow this';
  const title = { title: 'x' };
  const refused = 'The registry host refuses this: No: rest_invalid_param';
  const cases: [string, unknown, number, string, number, string][] = [
    ['GET /registries/7', undefined, 401, 'rest_forbidden', 401, 'Invalid credentials'],
    ['GET /registries/7', undefined, 403, 'rest_forbidden_context', 403, FORBIDDEN],
    ['GET /registries/7', undefined, 404, 'rest_post_invalid_id', 404, 'Registry not found'],
    ['PATCH /registries/7', title, 403, 'rest_cannot_edit', 403, FORBIDDEN],
    ['PATCH /registries/7', title, 400, 'rest_invalid_param', 422, refused],
    ['POST /registries', title, 403, 'rest_cannot_create', 403, FORBIDDEN],
    ['DELETE /registries/7', undefined, 403, 'rest_cannot_delete', 403, FORBIDDEN],
    // The plugin's words about its limits reach the caller.
    ['POST /registries', title, 403, 'trousseau_limit', 403, 'No: trousseau_limit'],
    ['POST /registries', title, 429, 'trousseau_limit', 429, 'No: trousseau_limit'],
    ['GET /registries', undefined, 400, 'rest_invalid_param', 502, 'The registry host refuses this query'],
    ['DELETE /registries/7', undefined, 410, 'rest_already_trashed', 502, UNUSABLE.detail],
  ];
  for (const [target, json, hostStatus, code, status, detail] of cases) {
    const [method = '', path = ''] = target.split(' ');
    const sent = method === 'PATCH' ? 'POST' : method;
    host.misbehave = (request, response, usual) =>
      request.method === sent && request.path.includes('registry')
        ? refuse(response, hostStatus, code)
        : usual();
    const answer = await send(path, method, json);
    assert.deepEqual(answer, { status, body: { detail } }, `${target} ${code}`);
  }
});

it('drafts that the host refuses to list are not there, but without an answer they may be', async () => {
  const boss = { id: 9, username: 'boss', email: 'boss@example.test', roles: ['administrator'] };
  const list = (answer: (response: ServerResponse) => void) => {
    host.misbehave = ({ route, path }, response, usual) => {
      if (route === '/wp/v2/users/me') sendJson(response, 200, boss);
      else if (path.includes('draft')) answer(response);
      else usual();
    };
    return send('/events', 'GET', undefined, 'boss');
  };
  for (const status of [400, 403])
    assert.equal((await list((response) => refuse(response, status, 'rest_invalid_param'))).status, 200);
  for (const pages of ['', '-1', 'many']) {
    const answer = await list((response) => sendJson(response, 200, [], { 'x-wp-totalpages': pages }));
    assert.equal(answer.status, 502, pages);
  }
  assert.equal((await list((response) => refuse(response, 503, 'busy'))).status, 502);
  assert.equal((await list((response) => response.destroy())).status, 502);
});

it('an invitee is named by address or by user name, and neither passes for the other', async () => {
  await send('/registries/7');
  const invited = ['aunt@example.test', 'bob'];
  host.posts.set(7, post(7, { meta: { registry_invitees: JSON.stringify(invited) } }));
  const cases: [username: string, email: string, status: number][] = [
    ['aunt', 'Aunt@Example.test', 200],
    ['BOB', 'bob@elsewhere.test', 200],
    ['aunt@example.test', 'stranger@example.test', 403],
    ['stranger', 'bob', 403],
    ['stranger', '', 403],
  ];
  for (const [username, email, status] of cases) {
    host.answerMe((response) => sendJson(response, 200, { id: 9, username, email, roles: ['subscriber'] }));
    assert.equal((await send('/registries/7', 'GET', undefined, 'x')).status, status, username);
  }
});
