// The third choice beside private and public: a private list that opens for anyone who has its link, and for nobody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

const NAME = 'Thistledown';
const STORY = 'zmarigold';

describeSite('the link of a list', {}, (site) => {
  const { alice } = site.visitors;

  const client = () => site.client();
  const stranger = () => site.visit();
  const pathOf = (url: string) => url.replace(site.url, '');

  async function choose(id: number, status: 'private' | 'link' | 'publish') {
    const details = `/registries/${id}/details/`;
    await alice.press(details, 'change', { status });
  }
  async function linkOf(id: number): Promise<string> {
    const shared = /data-share="([^"]+)"/.exec((await alice(`/registries/${id}/guests/`)).text)?.[1];
    return pathOf(decoded(shared ?? assert.fail('nothing to share')));
  }
  async function list(status: 'private' | 'link' = 'link') {
    const fields = { title: NAME, story: STORY, meta: { registry_invitees: ['guest@example.org'] } };
    const { id, items, path } = await site.list(fields, { name: 'Pram', quantity_needed: 2 });
    if (status === 'link') await choose(id, 'link');
    return { id, gift: items[0]!, path, link: status === 'link' ? await linkOf(id) : '' };
  }
  /** Presses the button behind a link. */
  async function open(visitor: Visitor, link: string) {
    const answer = await visitor(link, fieldsOf((await visitor(link)).text, 'open') ?? { do: 'open' });
    return answer.status;
  }
  const sees = async (visitor: Visitor, path: string) => {
    const { status, text } = await visitor(path);
    assert.equal(text.includes('Pram'), status === 200);
    return status;
  };

  test('a list is private until its owner chooses the link, and its address is offered to nobody before', async () => {
    const { id, path } = await list('private');
    const guests = `/registries/${id}/guests/`;
    const before = (await alice(guests)).text;
    assert.doesNotMatch(before, /data-share|data-qr/);
    assert.match(before, /Your list is private/);
    await choose(id, 'link');
    assert.equal(await site.postStatus(id), 'private', 'for WordPress');
    assert.match((await alice(`/registries/${id}/details/?part=privacy`)).text, /value="link"[^>]* checked/);
    const link = await linkOf(id);
    assert.match(link, /^\/registries\/link\/\?to=/);
    assert.match((await alice(guests)).text, /data-qr/);
    await choose(id, 'link');
    assert.equal(await linkOf(id), link, 'what is saved again keeps its link');
    assert.doesNotMatch(JSON.stringify(await site.postMeta(id, '_trousseau_link')), /secret/, 'encrypted');
    assert.equal(await sees(await stranger(), path), 404);
  });

  test('a new list may have a link from its first moment', async () => {
    const made = await alice.press('/registries/new/', 'make', { title: 'Hazel', status: 'link' });
    const id = Number(/registries\/(\d+)/.exec(made.headers.get('location')!)![1]);
    const visitor = await stranger();
    assert.equal(await open(visitor, await linkOf(id)), 303);
  });

  test('opens the list on the device on which somebody presses, with name and picture and nothing else before', async () => {
    const { id, path, link } = await list();
    const picture = await site.addPicture({ post_author: site.users.alice.id, post_title: NAME }, id);
    await site.setFeaturedImage(id, picture.id);
    const visitor = await stranger();
    const asked = await visitor(link);
    assert.equal(asked.status, 200);
    assert.match(asked.text, new RegExp(`<h1[^>]*>${NAME}<`));
    assert.match(asked.text, new RegExp(`property="og:title" content="${NAME}"`));
    assert.match(asked.text, /property="og:image" content="http[^"]+\.png"/);
    assert.match(asked.text, /property="og:image:width" content="\d+"/);
    assert.ok(decoded(asked.text).includes(`property="og:url" content="${site.url}${link}"`));
    assert.doesNotMatch(asked.text, new RegExp(`${STORY}|Pram|og:description|name="description"`));
    assert.match(asked.headers.get('cache-control')!, /no-store/);
    assert.match(asked.headers.get('x-robots-tag')!, /noindex/);
    assert.match(asked.headers.get('referrer-policy')!, /same-origin/);
    assert.equal(await sees(visitor, path), 404, 'a link does nothing by being looked at');
    assert.equal((await visitor(link, { do: 'open' }, { origin: 'https://elsewhere.example' })).status, 403);
    assert.equal(await sees(visitor, path), 404);

    const answer = await visitor(link, fieldsOf(asked.text, 'open')!);
    assert.deepEqual(
      [answer.status, pathOf(answer.headers.get('location')!)],
      [303, path],
      'to an address without the secret',
    );
    const shown = await visitor(path);
    assert.equal(shown.status, 200);
    assert.match(shown.text, new RegExp(STORY));
    assert.match(shown.headers.get('cache-control')!, /no-store/);
    assert.equal(await sees(await stranger(), path), 404, 'on this device only');
  });

  test('the list stands nowhere else, also on a device that opened it', async () => {
    const { id, link, path } = await list();
    const visitor = await stranger();
    assert.equal(await open(visitor, link), 303);
    for (const place of [
      '/',
      `/?s=${NAME}`,
      '/registry/',
      '/feed/?post_type=registry',
      '/wp-sitemap-posts-registry-1.xml',
      `/wp-json/wp/v2/registry?search=${NAME}&status=private`,
      '/wp-json/wp/v2/registry',
      `/wp-json/wp/v2/registry/${id}`,
      `/wp-json/wp/v2/search?search=${NAME}`,
      `/wp-json/oembed/1.0/embed?url=${encodeURIComponent(site.url + path)}`,
    ])
      assert.doesNotMatch(
        (await visitor(place)).text.replaceAll(/\?s=\w+|“\w+”|value="\w+"/g, ''),
        /Thistledown</,
        place,
      );
    const bob = await site.visit('bob');
    assert.equal(await open(bob, link), 303);
    assert.equal((await site.rest('bob', 'GET', `/wp/v2/registry/${id}`)).status, 403);
  });

  test('its reader gives like a visitor of a public list, who confirms by mail', async () => {
    const { id, gift, link } = await list();
    const visitor = await stranger();
    assert.equal(await open(visitor, link), 303);
    await site.mails();
    const page = `/registries/${id}/give/?item=${gift}`;
    const form = await visitor.form(page, 'give');
    const typed = { giver: 'Vera', email: 'vera@example.org', since: await site.formStamp() };
    const given = await visitor(page, { ...form, ...typed });
    assert.equal(given.status, 303, given.text);
    const states = async () => (await client().registries.claims.list(id))!.claims.map(({ state }) => state);
    assert.deepEqual(await states(), ['pending']);
    const [mail] = await site.mails();
    assert.deepEqual([mail!.to, mail!.subject], ['vera@example.org', 'Please confirm your gift']);
    const { pathname, search } = new URL(/https?:\/\/\S*\/gift\/\S*/.exec(mail!.text)![0]);
    const other = await stranger();
    await other.press(pathname + search, 'confirm');
    assert.deepEqual(await states(), ['reserved']);
  });

  test('people with an account need no invitation, and only the link lets them in', async () => {
    const { id, gift, path, link } = await list();
    const bob = await site.visit('bob');
    assert.equal(await sees(bob, path), 404);
    assert.equal(await open(bob, link), 303);
    assert.equal(await sees(bob, path), 200);
    const page = `/registries/${id}/give/?item=${gift}`;
    assert.equal((await bob(page, await bob.form(page, 'give'))).status, 303);
    assert.equal((await bob(`/registries/${id}/details/`)).status, 403);
    await choose(id, 'private');
    assert.equal(await sees(bob, path), 404);
  });

  test('a new link, another choice and publishing end the old one everywhere', async () => {
    const { id, path, link } = await list();
    const visitor = await stranger();
    assert.equal(await open(visitor, link), 303);
    const guests = `/registries/${id}/guests/`;
    const renewed = await alice(guests, await alice.form(guests, 'renew'));
    assert.equal(renewed.status, 303);
    const next = await linkOf(id);
    assert.notEqual(next, link);
    assert.equal(await sees(visitor, path), 404);
    assert.equal(await open(visitor, link), 403);
    assert.match((await visitor(link)).text, /This link has expired or isn’t complete/);
    assert.equal(await open(visitor, next), 303);
    assert.equal(await sees(visitor, path), 200);

    await choose(id, 'private');
    assert.equal(await sees(visitor, path), 404);
    assert.equal(await open(visitor, next), 403);

    await choose(id, 'link');
    const third = await linkOf(id);
    assert.equal(await open(visitor, third), 303);
    for (const post_status of ['publish', 'private']) await site.changePost(id, { post_status });
    assert.equal(await sees(visitor, path), 404, 'a list that was public is private again');
    assert.equal(await open(visitor, third), 403);
  });

  test('no other text opens a list', async () => {
    const [one, other] = [await list(), await list()];
    const visitor = await stranger();
    const token = (link: string) => new URL(link, site.url).searchParams.get('to')!;
    const [about, signature] = token(one.link).split('.') as [string, string];
    const foreign = token(other.link).split('.')[1];
    const made = Buffer.from(`${one.id} `).toString('base64url');
    for (const to of [
      '',
      'x',
      about,
      `${about}.`,
      `${about}.${foreign}`,
      `${made}.${signature}`,
      '.',
      `${about}.${signature}x`,
    ])
      assert.equal(await open(visitor, `/registries/link/?to=${to}`), 403, to);
    assert.equal((await visitor(`/registries/link/?to[]=${token(one.link)}`)).status, 403);
    assert.equal(await sees(visitor, one.path), 404);
  });
});
