// What a host that means harm can cost with its answers.
// @slow
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../dev/until.ts';
import { keepFields } from '../emulator/protocol.ts';
import { hostBodies } from '../src/host/bodies.ts';
import { wordpress } from '../src/host/wordpress.ts';
import { cpuOf } from './cpu-of.ts';
import { basic, type FakeHost, type HostRequest, post, sendJson, startFakeHost } from './fake-host.ts';
import { manualClock, ONE_PROCESS, partsOf, startTestService } from './support.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const UNUSABLE = 'The registry host gave an answer that cannot be used';
const TOTALS = { 'x-wp-total': '1', 'x-wp-totalpages': '1' };

async function start(t: TestContext, env = {}) {
  const parts = partsOf(t);
  const host = parts.use(await startFakeHost());
  const service = parts.use(await startTestService({ HOST_URL: host.url, ...env }, ONE_PROCESS));
  const send = async (path: string) => {
    const answer = await service.fetch(path, { headers: { authorization: basic('ann') } });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    host,
    send,
    answer(match: (request: HostRequest) => boolean, json: string) {
      const text = Buffer.from(json);
      host.misbehave = (request, response, usual) => (match(request) ? sendText(response, text) : usual());
    },
  };
}

const sendText = (response: ServerResponse, text: Buffer) =>
  void response.writeHead(200, { 'content-type': 'application/json', ...TOTALS }).end(text);

const padded = (value: object, bytes: number) => {
  const json = JSON.stringify({ ...value, pad: '' });
  return `${json.slice(0, -2)}${'x'.repeat(bytes - json.length)}"}`;
};

const ANN = { id: 1, username: 'ann', email: 'ann@example.test', roles: [] };
const isIndex = ({ route }: HostRequest) => route === '/';
const isUser = ({ route }: HostRequest) => route === '/wp/v2/users/me';
const isPost = ({ route }: HostRequest) => route === '/wp/v2/registry/7';
const isPage = ({ route }: HostRequest) => route === '/wp/v2/registry';

describe('an answer of the host', () => {
  const kinds = [
    ['the index', isIndex, '/items', 64 * KIB, (bytes: number) => padded({ namespaces: [] }, bytes)],
    ['the current user', isUser, '/items', 64 * KIB, (bytes: number) => padded(ANN, bytes)],
    ['a post', isPost, '/registries/7', 8 * MIB, (bytes: number) => padded(post(7), bytes)],
    ['a page of posts', isPage, '/registries', 8 * MIB, (bytes: number) => `[${padded(post(7), bytes - 2)}]`],
  ] as const;
  for (const [what, match, path, most, json] of kinds) {
    it(`that is ${what} has at most ${most / KIB} kB, nested at most 100 levels deep`, async (t) => {
      const it = await start(t);
      const nested = (levels: number) =>
        json(1 * KIB).replace('"pad"', `"deep":${'['.repeat(levels)}${']'.repeat(levels)},"pad"`);
      // Where the index is none, the root of the REST API is looked for elsewhere.
      for (const large of [json(most + 1), ...(match === isIndex ? [] : [nested(100)])]) {
        it.answer(match, large);
        const { status, text } = await it.send(path);
        assert.deepEqual([status, JSON.parse(text)], [502, { detail: UNUSABLE }]);
      }
      for (const fits of [json(most), nested(98)]) {
        it.answer(match, fits);
        assert.equal((await it.send(path)).status, 200);
      }
    });
  }

  it('that is large costs the thread that serves requests as much as one long text', async (t) => {
    const it = await start(t);
    await it.send('/registries');
    const costOf = async (json: string) => {
      it.answer(isPage, json);
      return cpuOf(async () => assert.equal((await it.send('/registries')).status, 502));
    };
    const ofSize = (piece: string, around = ['[', ']']) =>
      `${around[0]}${Array(Math.floor((3.9 * MIB) / (piece.length + 1))).fill(piece)}${around[1]}`;
    const [before, after] = JSON.stringify([post(7, { meta: { registry_item_ids: '!' } })]).split('!');
    const text = await costOf(ofSize(`"${'x'.repeat(MIB)}"`));
    for (const [what, json] of Object.entries({
      'empty objects': ofSize('{}'),
      'lists in lists': ofSize('[[[[[[[[]]]]]]]]'),
      'empty objects in the text of a list': ofSize('{}', [`${before}[`, `]${after}`]),
    })) {
      const cpu = await costOf(json);
      // To parse it here would take eight times as much.
      assert.ok(cpu < 5 * text, `${what}: ${cpu} µs instead of ${text}`);
    }
  });

  it('about a user’s registries has no pages without end', async (t) => {
    const it = await start(t);
    it.host.misbehave = (request, response, usual) => {
      if (!isPage(request) || it.host.count(isPage) > 200) return usual();
      sendJson(response, 200, [post(7)], { ...TOTALS, 'x-wp-totalpages': '1e9' });
    };
    assert.equal((await it.send('/claims')).status, 502);
    assert.equal(it.host.count(isPage), 1);
  });

  it('about a user’s registries has no more posts on a page than were asked for', async (t) => {
    const it = await start(t);
    for (const path of ['/claims', '/registries']) {
      it.answer(isPage, JSON.stringify(Array.from({ length: 101 }, (_, n) => post(n + 1))));
      assert.equal((await it.send(path)).status, 502, path);
      it.answer(isPage, JSON.stringify(Array.from({ length: 100 }, (_, n) => post(n + 1))));
      assert.equal((await it.send(path === '/claims' ? path : `${path}?limit=100`)).status, 200, path);
    }
  });

  it('about a registry names no more owners than a store is to keep', async (t) => {
    const it = await start(t);
    const owned = (count: number) => {
      const names = Array.from({ length: count }, (_, n) => `u${n}`);
      return JSON.stringify(post(7, { meta: { registry_owners: JSON.stringify(names) } }));
    };
    it.answer(isPost, owned(101));
    assert.equal((await it.send('/registries/7')).status, 502);
    it.answer(isPost, owned(100));
    assert.equal((await it.send('/registries/7')).status, 200);
  });

  it('is kept as long as there is room for what it has', async (t) => {
    const it = await start(t, { REGISTRY_CACHE_TTL: '300' });
    const asksFor = async (id: number, bytes: number) => {
      const isIt = ({ route }: HostRequest) => route === `/wp/v2/registry/${id}`;
      const before = it.host.count(isIt);
      it.answer(isIt, JSON.stringify(post(id, { content: { raw: 'x'.repeat(bytes) } })));
      assert.equal((await it.send(`/registries/${id}/items`)).status, 200);
      return it.host.count(isIt) > before;
    };
    for (let id = 1; id <= 12; id++) assert.ok(await asksFor(id, MIB));
    assert.ok(!(await asksFor(12, MIB)));
    assert.ok(await asksFor(1, MIB));
    for (let id = 101; id <= 150; id++) assert.ok(await asksFor(id, KIB));
    for (let id = 101; id <= 150; id++) assert.ok(!(await asksFor(id, KIB)));
  });

  it('that tells of a change makes no endless event', async (t) => {
    const it = await start(t);
    for (const title of ['A', '\u0001'.repeat(50 * KIB)]) {
      const meta = { ...post(7).meta, registry_event_type: title };
      it.answer(isPost, JSON.stringify(post(7, { title: { raw: title }, slug: title, link: title, meta })));
      assert.equal((await it.send('/registries/7')).status, 200);
    }
    const { text } = await it.send('/registries/7/events');
    assert.match(text, /registry\.updated/);
    assert.ok(text.length < 64 * KIB, `${text.length} bytes`);
  });

  it('that announces a REST API is searched in a moment', async (t) => {
    const it = await start(t);
    let header = '';
    it.host.misbehave = (request, response, usual) =>
      request.route === '/' || request.route === undefined
        ? void response.writeHead(200, { link: header }).end()
        : usual();
    const costOf = async (link: string) => {
      header = link;
      return cpuOf(async () => assert.equal((await it.send('/items')).status, 502));
    };
    const usual = await costOf('x'.repeat(15_000));
    const many = await costOf('<'.repeat(15_000));
    assert.ok(many < usual + 50_000, `${many} µs instead of ${usual}`);
  });

  it('has no more of another user’s list than our keys, whatever WordPress or a plugin lets them fill', async (t) => {
    const it = await start(t);
    // As newer versions of WordPress store them for anyone who may write a list.
    const notes = (count: number, content: string) =>
      JSON.stringify(Array.from({ length: count }, () => ({ id: 'a', content })));
    for (const footnotes of [notes(90_000, 'b'), notes(1, 'x'.repeat(9 * MIB))]) {
      const meta = { ...post(8).meta, registry_owners: '["ann"]', footnotes };
      answerAsWordPress(it.host, [post(8, { author: 2, meta }), post(7)]);
      const { status, text } = await it.send('/registries');
      assert.equal(status, 200, text);
      assert.deepEqual(idsIn(text), [8, 7]);
      for (const path of ['/claims', '/registries/8']) assert.equal((await it.send(path)).status, 200, path);
    }
  });

  it('that others have made too large hides none of a user’s own lists', async (t) => {
    const it = await start(t);
    // A thousand guests with the longest addresses that a list takes, as WordPress writes them.
    const guests = JSON.stringify(Array.from({ length: 1000 }, (_, n) => `${'🎁'.repeat(248)}@${n}`));
    const escaped = guests.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
    const meta = { ...post(8).meta, registry_owners: '["ann"]', registry_invitees: escaped };
    answerAsWordPress(it.host, [...[10, 9, 8].map((id) => post(id, { author: 2, meta })), post(7)]);
    const { status, text } = await it.send('/registries');
    assert.equal(status, 200, text);
    assert.deepEqual(idsIn(text), [7]);
    for (const path of ['/claims', '/registries/8']) assert.equal((await it.send(path)).status, 200, path);
  });

  it('that is large and honest is read', async (t) => {
    const it = await start(t);
    const ids = JSON.stringify(Array.from({ length: 1000 }, (_, n) => n + 1));
    const guests = Array.from({ length: 1000 }, (_, n) => `guest${n}`);
    const meta = { registry_item_ids: ids, registry_invitees: guests, registry_pay_to: '['.repeat(101) };
    const posts = Array.from({ length: 100 }, (_, n) => post(n + 1, { meta }));
    const story = { content: { raw: `[${','.repeat(20_000)}` } };
    it.answer(isPage, JSON.stringify(posts.map((each) => ({ ...each, ...story }))));
    const { status, text } = await it.send('/registries');
    assert.equal(status, 200, text.slice(0, 200));
    const found = JSON.parse(text);
    assert.equal(found.length, 100);
    assert.ok(found.every((each: { story: string }) => each.story === story.content.raw));
  });
});

/** Answers about registries with the fields that are asked for, without `co_owned` about Ann's own alone. */
function answerAsWordPress(host: FakeHost, posts: ReturnType<typeof post>[]): void {
  host.misbehave = (request, response, usual) => {
    const { pathname, searchParams } = new URL(request.path, 'http://host.example');
    const [isRegistry, id] = /^\/wp-json\/wp\/v2\/registry(?:\/(\d+))?$/.exec(pathname) ?? [];
    if (!isRegistry) return usual();
    const isListed = ({ author }: { author: number }) => searchParams.get('co_owned') === '1' || author === 1;
    const found = id ? posts.find((each) => each.id === Number(id)) : posts.filter(isListed);
    const fields = searchParams.get('_fields')?.split(',') ?? [];
    sendJson(response, 200, keepFields(found, fields), { ...TOTALS, 'x-trousseau-co-owned': '1' });
  };
}
const idsIn = (json: string): number[] => JSON.parse(json).map(({ id }: { id: number }) => id);

const largeHost = async (): Promise<FakeHost> => {
  const host = await startFakeHost();
  const text = Buffer.from(`[${padded(post(7), MIB)}]`);
  host.misbehave = (request, response, usual) => (isPage(request) ? sendText(response, text) : usual());
  return host;
};
const get = (path: string) =>
  ({ method: 'GET', path: `wp/v2/${path}`, authorization: basic('ann'), answerSize: 'posts' }) as const;

it('room for large answers is there for a host while others begin some and never end them', async () => {
  await using honest = await largeHost();
  await using one = await startFakeHost();
  await using other = await startFakeHost();
  for (const host of [one, other])
    host.misbehave = (request, response, usual) =>
      isPage(request)
        ? void response.writeHead(200, { 'content-type': 'application/json' }).write('['.padEnd(MIB))
        : usual();
  const bodies = hostBodies();
  const ask = ({ url }: FakeHost) => wordpress(url, bodies, { totalMs: 60_000 }, manualClock());
  const [dripping, waiting] = [[ask(one), ask(other)], ask(honest)] as const;
  try {
    const never = Array.from({ length: 8 }, (_, n) => dripping[n % 2]!.call(get('registry')));
    for (const each of never) each.catch(() => {});
    await until('all have begun', () => one.count(isPage) + other.count(isPage) === never.length);
    const answers: unknown[] = [];
    const asked = waiting.call(get('registry')).then(({ body }) => answers.push(body));
    await until('the honest one is answered', () => answers.length > 0);
    await asked;
  } finally {
    await one.close();
    await other.close();
    for (const host of [...dripping, waiting]) await host.close();
  }
});
