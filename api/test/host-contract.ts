import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { basic } from './fake-host.ts';
import type { Name } from './support.ts';

type Credentials = { username: string; email: string; password: string };
/** A registry host with the plugin active: `admin` is an administrator, the others are subscribers. */
export type HostUnderTest = {
  url: string;
  users: Record<Name, Credentials>;
  version?: string;
  close(): Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
type RestResponse = { status: number; headers: Headers; body: any };
type Query = Record<string, string | number>;

const REGISTRIES = '/wp/v2/registry';
const ME = '/wp/v2/users/me';
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** The contract between service and host: one suite for every host, over HTTP, with its users only. */
export function describeHost(name: string, start: () => Promise<HostUnderTest>): void {
  describe(name, () => {
    let host: HostUnderTest;
    let root: string;
    const ids = {} as Record<Name, number>;
    const created = new Set<number>();

    before(async () => {
      host = await start();
      root = await announcedRoot(host.url);
      for (const who of ['admin', 'alice', 'bob', 'carol'] as const)
        ids[who] = (await call(who, 'GET', ME)).body.id;
    });

    let passed = 0;
    afterEach((context) => {
      if ('passed' in context && context.passed) passed++;
    });

    after(async () => {
      console.log(`host contract: ${passed} cases passed on ${name} ${host?.version ?? ''}`.trim());
      for (const id of created)
        await call('admin', 'DELETE', `${REGISTRIES}/${id}`, { query: { force: 'true' } });
      await host?.close();
    });

    async function call(
      who: Name | Credentials | undefined,
      method: string,
      path: string,
      { query = {}, body }: { query?: Query; body?: unknown } = {},
    ): Promise<RestResponse> {
      const user = typeof who === 'string' ? host.users[who] : who;
      const answer = await fetch(address(root, path, query), {
        method,
        headers: {
          ...(user && { authorization: basic(user.username, user.password) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    }

    async function create(who: Name, body: object): Promise<RestResponse['body']> {
      const answer = await call(who, 'POST', REGISTRIES, { body });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      created.add(answer.body.id);
      return answer.body;
    }

    const at = (post: { id: number }) => `${REGISTRIES}/${post.id}`;
    const read = (who: Name | undefined, post: { id: number }, context = 'edit') =>
      call(who, 'GET', at(post), { query: { context } });
    const update = (who: Name | undefined, post: { id: number }, body: unknown = { title: 'x' }) =>
      call(who, 'POST', at(post), { body });
    const remove = (who: Name | undefined, post: { id: number }) =>
      call(who, 'DELETE', at(post), { query: { force: 'true' } });
    const invite = (...invitees: string[]) => ({ registry_invitees: JSON.stringify(invitees) });

    it('the REST root is announced by the Link header of any page', async () => {
      assert.equal(await announcedRoot(`${host.url}/no-such-page-${Date.now()}/`), root);
      const { status, body } = await call(undefined, 'GET', '/');
      assert.equal(status, 200);
      assert.equal(typeof body.name, 'string');
      assert.equal(body.url, host.url);
      assert.ok(body.namespaces.includes('wp/v2'));
      assert.ok(Object.keys(body.routes).includes(REGISTRIES));
    });

    it('the current user is told in full in edit context', async () => {
      const { status, headers, body } = await call('alice', 'GET', ME, { query: { context: 'edit' } });
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      const { username, email } = host.users.alice;
      const found = [body.id, body.username, body.email, body.roles];
      assert.deepEqual(found, [ids.alice, username, email, ['subscriber']]);
    });

    it('creating answers the whole registry as its owner sees it', async () => {
      const title = unique('Our wedding');
      const event = { registry_event_type: 'wedding', registry_event_date: '2027-06-05' };
      const meta = { registry_item_ids: '[3,1,2]', registry_invitees: '["bob"]', ...event };
      const body = { title, content: 'Our story', meta };
      const answer = await call('alice', 'POST', REGISTRIES, { body });
      created.add(answer.body.id);
      assert.equal(answer.status, 201);
      const location = decodeURIComponent(answer.headers.get('location') ?? '');
      assert.equal(location, decodeURIComponent(address(root, at(answer.body), {})));
      const { id, author, status, type, slug, link } = answer.body;
      assert.ok(Number.isSafeInteger(id));
      assert.deepEqual([author, status, type], [ids.alice, 'private', 'registry']);
      assert.equal(answer.body.title.raw, title);
      assert.equal(answer.body.content.raw, 'Our story');
      const lists = { itemIds: [3, 1, 2], invitees: ['bob'] };
      assert.deepEqual(metaOf(answer.body), { ...lists, eventType: 'wedding', eventDate: '2027-06-05' });
      assert.match(slug, /^our-wedding-[a-z0-9-]+$/);
      // Pretty permalinks carry the slug, plain ones the id.
      assert.ok(link.startsWith(host.url) && (link.includes(slug) || link.endsWith(`=${id}`)), link);
      for (const time of ['date_gmt', 'modified_gmt']) assert.match(answer.body[time], TIMESTAMP);
      assert.deepEqual((await read('alice', answer.body)).body.meta, answer.body.meta);
    });

    describe('text', () => {
      it('is stored with entities for a subscriber, and saving it again changes nothing', async () => {
        const suffix = unique('');
        const post = await create('alice', { title: `Ann & Bob <3 ${suffix}`, status: 'private' });
        assert.equal(post.title.raw, `Ann &amp; Bob &lt;3 ${suffix}`);
        const again = await update('alice', post, { title: post.title.raw });
        assert.equal(again.body.title.raw, post.title.raw);
      });

      it('loses the tags that WordPress does not allow', async () => {
        const title = `<script>alert(1)</script><b>Bold</b> <h1>${unique('head')}</h1>`;
        const content =
          '<p class="a" onclick="evil()">One <em>two</em><script>alert(1)</script></p><iframe src="https://example.test"></iframe><a href="javascript:alert(1)">x</a> <a href="https://example.test/?a=1&b=2">y</a>';
        const post = await create('alice', { title, content });
        assert.match(post.title.raw, /^alert\(1\)<b>Bold<\/b> head/);
        assert.equal(
          post.content.raw,
          '<p class="a">One <em>two</em>alert(1)</p><a href="alert(1)">x</a> <a href="https://example.test/?a=1&amp;b=2">y</a>',
        );
      });
    });

    describe('meta', () => {
      it('is written key by key, other keys kept, unknown ones ignored, null resets', async () => {
        const meta = { registry_item_ids: '[1]', registry_event_type: 'wedding', ...invite('bob') };
        const post = await create('alice', { title: unique('Keys'), meta });
        const changes = { registry_item_ids: '[2,1]', registry_event_type: null, registry_other: 'x' };
        const { status, body } = await update('alice', post, { meta: changes });
        assert.equal(status, 200);
        assert.deepEqual(metaOf(body), { itemIds: [2, 1], invitees: ['bob'], eventType: '', eventDate: '' });
        assert.ok(!('registry_other' in body.meta));
      });

      it('refuses by name what it does not mean, and then changes nothing', async () => {
        const post = await create('alice', { title: unique('Nonsense'), meta: invite('bob') });
        const long = `["${'x'.repeat(255)}"]`;
        for (const [key, values] of Object.entries({
          registry_item_ids: ['', '[', '7', '["1"]', '[0]', '[1.5]'],
          registry_invitees: ['', 'bob', '"bob"', '{"a":"bob"}', '[1]', '[""]', '["  "]', long],
          registry_event_type: ['x'.repeat(1001)],
          registry_event_date: ['soon', '2027-02-30', '2027-6-5', '2027-06-05T00:00:00'],
        }))
          for (const value of values) {
            const answer = await update('alice', post, { title: 'Changed', meta: { [key]: value } });
            refusedParameter(answer, `meta.${key}`);
          }
        const { body } = await read('alice', post);
        assert.deepEqual([body.title.raw, metaOf(body)], [post.title.raw, metaOf(post)]);
      });
    });

    describe('reading', () => {
      it('a private registry is closed to strangers and open to its owner and administrators', async () => {
        const post = await create('alice', { title: unique('Closed'), meta: invite('bob') });
        refused(await read('carol', post, 'view'), 403, 'rest_forbidden');
        refused(await read('carol', post), 403, 'rest_forbidden_context');
        refused(await read(undefined, post, 'view'), 401, 'rest_forbidden');
        refused(await read(undefined, post), 401, 'rest_forbidden_context');
        for (const who of ['alice', 'admin'] as const)
          assert.equal((await read(who, post)).body.title.raw, post.title.raw);
      });

      it('tells a missing registry before it tells a forbidden one', async () => {
        for (const who of ['carol', 'admin'] as const) {
          refused(await read(who, { id: 999_999_999 }), 404, 'rest_post_invalid_id');
          refused(await update(who, { id: 999_999_999 }), 404, 'rest_post_invalid_id');
          refused(await remove(who, { id: 999_999_999 }), 404, 'rest_post_invalid_id');
        }
        refused(await read('alice', { id: 0 }), 404, 'rest_post_invalid_id');
      });

      it('tells who has not signed in the same of a missing registry as of a private one, or that it is missing', async () => {
        const post = await create('alice', { title: unique('Unseen'), status: 'private' });
        const missing = { id: 999_999_999 };
        for (const ask of [read, update, remove]) {
          const [none, closed] = [await ask(undefined, missing), await ask(undefined, post)];
          assert.equal(closed.status, 401);
          if (none.status !== 404) assert.deepEqual([none.status, none.body], [closed.status, closed.body]);
          else refused(none, 404, 'rest_post_invalid_id');
        }
      });
    });

    describe('an invitee', () => {
      it('is named whole', async () => {
        const { username, email } = host.users.bob;
        const meta = invite(`x${email}`, `${email}x`, email.slice(1), `${username}@`, `@${username}`);
        for (const status of ['publish', 'private']) {
          const post = await create('alice', { title: unique('Guests'), status, meta });
          refused(await read('bob', post), 403, 'rest_forbidden_context');
        }
      });

      it('sees a registry no more while it is a draft or in the trash', async () => {
        const meta = invite(host.users.bob.username);
        const post = await create('alice', { title: unique('Guests'), status: 'private', meta });
        await update('alice', post, { status: 'draft' });
        refused(await read('bob', post), 403, 'rest_forbidden_context');
        refused(await read('bob', post, 'view'), 403, 'rest_forbidden');
        await call('alice', 'DELETE', at(post));
        refused(await read('bob', post), 403, 'rest_forbidden_context');
      });
    });

    const owners = (...names: string[]) => ({ registry_owners: JSON.stringify(names) });
    const shared = (meta: object = owners(host.users.bob.username), status = 'private') =>
      create('alice', { title: unique('Ours'), status, meta });

    it('a co-owner finds it among their own where they ask so, and nobody else finds it there', async () => {
      const post = await shared(undefined, 'publish');
      const hidden = await shared(owners(host.users.bob.email));
      const query = { status: 'publish,private', context: 'edit', orderby: 'id', per_page: 100 };
      const list = async (who: Name | undefined, also: Query) => {
        const { headers, body } = await call(who, 'GET', REGISTRIES, { query: { ...query, ...also } });
        const found = body.map(({ id }: { id: number }) => id);
        const these = [post.id, hidden.id].filter((id) => found.includes(id));
        const total = Number(headers.get('x-wp-total')) - found.length;
        return { found: these, said: headers.get('x-trousseau-co-owned'), total };
      };
      const all = { found: [post.id, hidden.id], said: '1', total: 0 };
      const none = { found: [], said: '1', total: 0 };
      assert.deepEqual(await list('bob', { author: ids.bob, co_owned: 1 }), all);
      assert.deepEqual(await list('admin', { author: ids.bob, co_owned: 1 }), all);
      assert.deepEqual(await list('bob', { author: ids.bob }), { ...none, said: null });
      assert.deepEqual(await list('carol', { author: ids.bob, co_owned: 1 }), none);
      const open = { status: 'publish', context: 'view', author: ids.bob, co_owned: 1 };
      assert.deepEqual(await list(undefined, open), none);
      assert.deepEqual(await list('carol', open), none);
    });

    const own = { status: 'publish,private', context: 'edit', orderby: 'id', order: 'desc' };

    it('lists tell a stranger nothing of private registries, not even their number', async () => {
      // Other registries of the same author may stand on the site, so the list is narrowed by slug.
      const { slug } = await create('alice', { title: unique('List') });
      const list = (who: Name, query: Query) =>
        call(who, 'GET', REGISTRIES, { query: { author: ids.alice, slug, ...query } });
      assert.deepEqual(totals(await list('alice', own)), ['1', '1']);
      for (const context of ['edit', 'view'])
        for (const status of ['private', 'publish,private', 'any', 'draft']) {
          const answer = await list('carol', { ...own, context, status });
          assert.deepEqual([answer.status, answer.body, ...totals(answer)], [200, [], '0', '0']);
        }
      const everybody = await call('carol', 'GET', REGISTRIES, { query: { ...own, slug } });
      assert.deepEqual(everybody.body, []);
      assert.deepEqual((await list('carol', { context: 'edit' })).body, []);
    });
  });
}

/** Texts of this run alone, so that their slugs are free. */
let counter = 0;
const run = Date.now().toString(36);
const unique = (text: string) => `${text} ${run}-${++counter}`;

async function announcedRoot(page: string): Promise<string> {
  const answer = await fetch(page);
  await answer.body?.cancel();
  const link = /<([^>]+)>; rel="https:\/\/api\.w\.org\/"/.exec(answer.headers.get('link') ?? '');
  assert.ok(link?.[1], `no REST root announced by ${page}`);
  return link[1];
}

/** The root is `…/wp-json/` with pretty permalinks and `…/?rest_route=/` with plain ones. */
function address(root: string, path: string, query: Query): string {
  const url = new URL(root);
  const prefix = url.searchParams.get('rest_route');
  if (prefix === null) url.pathname = url.pathname.replace(/\/$/, '') + path;
  else url.searchParams.set('rest_route', path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

/** The values of the meta: lists are JSON text, however it is spelled, and other plugins may add keys. */
function metaOf({ meta }: RestResponse['body']) {
  const { registry_item_ids, registry_invitees, registry_event_type, registry_event_date } = meta;
  return {
    itemIds: JSON.parse(registry_item_ids || '[]'),
    invitees: JSON.parse(registry_invitees || '[]'),
    eventType: registry_event_type,
    eventDate: registry_event_date,
  };
}

const totals = ({ headers }: RestResponse) => [headers.get('x-wp-total'), headers.get('x-wp-totalpages')];

function refused({ status, body }: RestResponse, expected: number, code: string): void {
  assert.deepEqual([status, body.code], [expected, code], JSON.stringify(body));
  assert.equal(body.data.status, expected);
  assert.equal(typeof body.message, 'string');
}

function refusedParameter(answer: RestResponse, name: string): void {
  refused(answer, 400, 'rest_invalid_param');
  assert.equal(typeof answer.body.data.params[name], 'string', name);
}
