// The pages as visitors see them: a registry's gifts on its page, in blocks and shortcodes; their pictures; the way to the shop.
// @again wordpress
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { addMuPlugin } from '../../dev/wordpress/config.ts';
import {
  addPost,
  ageValues,
  type Call,
  deletePost,
  inSeconds,
  inTurn,
  keptRows,
  permalink,
  runJobs,
  setOptions,
  setUserMeta,
  switchTheme,
  waitingJobs,
} from '../../dev/wordpress/set-up.ts';
import {
  type Answer,
  complaints,
  decoded,
  itemsOf,
  type RecordingService,
  recordingService,
  rest,
  type TestItem,
  type Visitor,
  visit,
  whenShowing,
} from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

describe('pages', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let service: RecordingService;
  let nobody: Visitor;
  let bob: Visitor;
  const items = new Map<number, TestItem>();

  before(async () => {
    service = await recordingService();
    // Every page asks the service: gift-list.test.ts tests the lists that the site keeps.
    site = await startWordPress({
      muPlugins: ['no-kept-gifts', 'rate-limiter'],
    });
    nobody = await visit(site, null);
    bob = await visit(site, site.users.bob);
    await options({
      trousseau_base_url: service.url,
      trousseau_username: 'admin',
      trousseau_app_password: 'of the site',
    });
  });
  after(async () => {
    await site.stop();
    await service.close();
  });
  beforeEach(() => {
    items.clear();
    service.requests.length = 0;
    service.answer = itemsOf(items);
  });

  const options = (values: Record<string, unknown>) => setOptions(site, values);

  const registry = async (fields: Record<string, unknown> = {}) => {
    const answer = await rest(site, site.users.alice, 'POST', '/wp/v2/registry', {
      title: 'Ann & Bob',
      status: 'publish',
      ...fields,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.json as { id: number; link: string; slug: string };
  };

  let nextId = 1;
  const item = (registryId: number, fields: Partial<TestItem> = {}) => {
    const id = nextId++;
    items.set(id, {
      id,
      registry_id: registryId,
      name: `Gift ${id}`,
      url: `https://shop.example/${id}`,
      quantity_needed: 1,
      quantity_purchased: 0,
      ...fields,
    });
    return id;
  };

  const count = (text: string, part: string) => text.split(part).length - 1;
  /** The link of an item's page that leads to giving it. */
  const wayToGive = (page: string, itemId: number) =>
    new RegExp(`<a class="[^"]*trousseau-give"[^>]*href="([^"]*/give/\\?item=${itemId})"`).exec(page)?.[1];
  const pictures = (page: string) =>
    [...page.matchAll(/<li class="trousseau-item.*?<\/li>/gs)].flatMap(([row]) =>
      [...row.matchAll(/<img src="([^"]*)"/g)].map(([, address]) => address!),
    );

  test('no theme signs a registry or dates it, unless it has a template of its own for them', async () => {
    const { id, link } = await registry({ content: 'Our story' });
    const gift = item(id, { name: 'Ladle' });
    await setUserMeta(site, site.users.alice.id, 'description', 'Alice writes about herself');
    const post = await permalink(site, 1);
    for (const theme of ['twentytwentyone', 'twentytwentythree']) {
      await switchTheme(site, theme);
      const { text } = await whenShowing(nobody, link, 'Ladle');
      const main = /<main.*<\/main>/s.exec(text)![0];
      assert.equal(count(main, '<h1'), 1, theme);
      assert.equal(count(main, `id="trousseau-item-${gift}"`), 1, theme);
      assert.match(main, /Our story/);
      assert.doesNotMatch(main, /alice|Alice|Posted|Published|datetime=|comment/, theme);
      assert.match((await nobody(post)).text, /datetime=/, 'posts are as they were');
    }
    // The site’s or theme’s own template for registries comes first.
    const own = await site.call('pages.own_template');
    assert.match((await nobody(link)).text, /Our own template/);
    await deletePost(site, own);
  });

  test('a registry’s page shows occasion, story and gifts in the owner’s order, by one request', async () => {
    const { id, link } = await registry({
      content: 'Our story',
      meta: {
        registry_item_ids: '[4,3,1]',
        registry_event_type: 'Wedding',
        registry_event_date: '2027-05-30',
        registry_currency: 'EUR',
      },
    });
    nextId = 1;
    item(id, {
      name: 'Kettle',
      price: 1234.5,
      retailer: 'Corner shop',
      description: 'Blue\nor green',
      quantity_needed: 3,
      quantity_purchased: 1,
    });
    item(id, { name: 'Unlisted' });
    item(id, { name: 'Pan', price: 24, image_url: 'https://images.example/pan.jpg' });
    item(id, { name: 'Bowl', quantity_needed: 2, quantity_purchased: 5 });
    const { status, text, headers } = await nobody(link);
    assert.equal(status, 200);
    const order = [
      '<time class="trousseau-event__date" datetime="2027-05-30">May 30, 2027</time>',
      'Our story',
      '<h3>Pan</h3>',
      '<h3>Kettle</h3>',
      '<h3>Unlisted</h3>',
      '<details class="trousseau-given">',
      'Already given: 1',
      '<h3>Bowl</h3>',
    ];
    const places = order.map((part) => text.indexOf(part, text.indexOf('<body')));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      JSON.stringify(places),
    );
    for (const part of [
      'Corner shop',
      'Blue<br />\nor green',
      '2 of 3 still needed',
      '<progress max="3" value="1"',
      'Already given',
      '<progress max="2" value="2"',
      'href="https://shop.example/1" rel="nofollow noopener"',
      'trousseau.css',
      'pages.js',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(count(text, '>Wanted</p>'), 2, 'what is wished for once needs no numbers');
    assert.equal(count(text, '<progress'), 2, 'and no bar');
    // Prices are in the reader's language, where PHP can; a price that was left out isn't shown.
    const prices = [...text.matchAll(/<span class="trousseau-price">(.*?)<\/span>/g)].map(
      ([, price]) => price,
    );
    assert.match(prices.join(' '), /^(€24 €1,234\.50|EUR\u00a024 EUR\u00a01,234\.50)$/);
    assert.equal(text.includes('images.example'), false, 'no browser is sent to a shop for a picture');
    assert.equal(wayToGive(text, 1), `${site.url}/registries/${id}/give/?item=1`);
    assert.equal(wayToGive(text, 4), undefined, 'nothing is left of it');
    // A page that a cache may keep holds nothing for one visitor, and no form to send.
    assert.doesNotMatch(text, /_wpnonce|method="post"/);
    assert.deepEqual(headers.getSetCookie(), []);
    assert.deepEqual(
      service.requests.map(({ method, path }) => `${method} ${path}`),
      [`GET /registries/${id}/items`],
    );
    assert.equal(service.requests[0]?.headers.authorization, `Basic ${btoa('admin:of the site')}`);
  });

  /** Follows a link as a click on a page of the site does. */
  const follow = (visitor: Visitor, query: string) =>
    visitor(`/?trousseau_go=${query}`, undefined, { referer: `${site.url}/` });

  test('every field of an item comes out as text, and only web addresses become links', async () => {
    const { id, link } = await registry();
    const nasty = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
    const hostile = item(id, {
      name: nasty,
      description: nasty,
      retailer: nasty,
      url: 'javascript:alert(3)',
      image_url: 'javascript:alert(4)',
      affiliate_url: 'javascript:alert(5)',
      affiliate_status: 'active',
    });
    const quoted = item(id, {
      url: `https://shop.example/" onclick="alert(6)`,
      image_url: `https://images.example/x.jpg" onerror="alert(7)`,
    });
    for (const url of [
      'JaVaScRiPt:alert(8)',
      ' javascript:alert(8)',
      'data:text/html,alert(8)',
      '//evil.example/8',
      '/alert(8)',
      'ftp://files.example/alert(8)',
      'https:alert(8)',
      'java\nscript:alert(8)',
    ]) {
      item(id, { url, image_url: url });
    }
    const visitors = [nobody, bob, await visit(site, site.users.admin)];
    for (const visitor of visitors) {
      const { text } = await visitor(link);
      const list = /<ul class="trousseau-items".*?<\/ul>/s.exec(text)![0];
      assert.equal(count(list, '<h3>'), 10);
      assert.doesNotMatch(list, /<script|onerror="|onclick="|<img src=x/);
      assert.equal(count(list, '&lt;script&gt;alert(1)&lt;/script&gt;') >= 3, true);
      const addresses = [...list.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
      const [own, others] = [true, false].map((isOwn) =>
        addresses.filter(
          (address) => address.startsWith(`${site.url}/registries/${id}/give/?item=`) === isOwn,
        ),
      );
      assert.equal(own!.filter((address) => !address.includes('bought=')).length, 10);
      assert.deepEqual(
        others!.map((address) => address.slice(0, 21)),
        ['https://shop.example/'],
      );
      for (const place of [hostile, quoted]) {
        const page = (await visitor(`/registries/${id}/give/?item=${place}`)).text;
        const content = /<div [^>]*class="trousseau-page">.*?<\/form>.*?<\/div>/s.exec(page)![0];
        assert.doesNotMatch(content, /<script|onerror="|onclick="|<img src=x|javascript:/);
        assert.ok(content.includes(place === hostile ? '&lt;script&gt;alert(1)' : `Gift ${place}`));
      }
    }
    assert.equal((await follow(nobody, `${hostile}&registry=${id}`)).status, 404);
    assert.match(
      (await follow(nobody, `${quoted}&registry=${id}`)).headers.get('location')!,
      /^https:\/\/shop\.example\/[^"\s<>]*$/,
    );
  });

  test('an affiliate link is followed through the site and stands on no page', async () => {
    const { id, link } = await registry();
    const other = await registry({ title: 'Other' });
    const closed = await registry({
      title: 'Closed',
      status: 'private',
      meta: { registry_invitees: '["bob"]' },
    });
    const affiliate = 'https://affiliate.example/?tag=couple-21&to=pan';
    const active = item(id, { affiliate_url: affiliate, affiliate_status: 'active' });
    const states = ['inactive', 'expired', 'none', null, 'ACTIVE'].map((status) =>
      item(id, { affiliate_url: affiliate, affiliate_status: status }),
    );
    const hidden = item(closed.id, { affiliate_url: affiliate, affiliate_status: 'active' });

    const { text } = await nobody(link);
    assert.equal(text.includes('affiliate.example'), false);
    const give = await bob(`/registries/${id}/give/?item=${active}`);
    assert.equal(give.text.includes('affiliate.example'), false);
    assert.ok(give.text.includes(`/?trousseau_go=${active}&#038;registry=${id}"`));
    assert.ok(text.includes(`/?trousseau_go=${active}&#038;registry=${id}"`));
    for (const plain of states) assert.ok(text.includes(`href="https://shop.example/${plain}"`));
    // Guests read it once on each page with such a link, search engines at the link; neither on a page without one.
    const earns = /this site or its list’s owner may earn something/g;
    const plainOne = await registry({ title: 'Unpaid' });
    item(plainOne.id);
    const unpaid = await nobody(plainOne.link);
    for (const [page, links] of [
      [text, 1],
      [give.text, 1],
      [unpaid.text, 0],
    ] as const) {
      assert.equal(decoded(page).match(earns)?.length ?? 0, links);
      assert.equal(page.match(/rel="sponsored nofollow/g)?.length ?? 0, links);
    }

    const go = await follow(nobody, `${active}&registry=${id}`);
    assert.deepEqual([go.status, go.headers.get('location')], [302, affiliate]);
    assert.match(go.headers.get('cache-control')!, /no-store/);
    assert.equal(go.headers.get('referrer-policy'), 'strict-origin');
    for (const plain of states) {
      assert.equal(
        (await follow(nobody, `${plain}&registry=${id}`)).headers.get('location'),
        `https://shop.example/${plain}`,
      );
    }
    for (const query of [
      `${active}&registry=${other.id}`,
      `${active}`,
      `${hidden}&registry=${closed.id}`,
      `${hidden}&registry=${id}`,
      `99999&registry=${id}`,
      `x&registry=${id}`,
      `${active}&registry[]=${id}`,
    ]) {
      const refused = await follow(nobody, query);
      assert.deepEqual([refused.status, refused.headers.get('location')], [404, null], query);
    }
    assert.equal((await follow(bob, `${hidden}&registry=${closed.id}`)).headers.get('location'), affiliate);
  });

  test('visitors who come to a shop’s link from elsewhere are told the shop’s name and asked', async () => {
    const { id, link } = await registry({ title: 'Ann & "Bob"' });
    const closed = await registry({ title: 'Closed', status: 'private' });
    const shop = { affiliate_url: 'https://affiliate.example/?tag=couple-21', affiliate_status: 'active' };
    const gift = item(id, { name: 'Pan <b>&</b> pot', ...shop });
    const hidden = item(closed.id, { name: 'Hidden pan', ...shop });
    const address = `/?trousseau_go=${gift}&registry=${id}`;
    const elsewhere: Record<string, string>[] = [
      {},
      { referer: 'https://mail.example/' },
      { referer: `https://evil.example/${site.url}/` },
      { referer: `${site.url}.evil.example/` },
      { referer: site.url.replace('http:', 'https:') },
      { referer: `${site.url}/`, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const visitor of [nobody, bob]) {
      for (const headers of elsewhere) {
        const about = JSON.stringify(headers);
        const answer = await visitor(address, undefined, headers);
        assert.deepEqual([answer.status, answer.headers.get('location')], [200, null], about);
        assert.match(answer.headers.get('cache-control')!, /no-store/);
        const { text } = answer;
        assert.match(text, /wp-block-template-part|wp-site-blocks/, 'in the looks of the theme');
        assert.match(text, /<title>On to the shop\?/);
        assert.match(text, /leads to another site: affiliate\.example\./);
        assert.match(decoded(text), /may earn something/);
        assert.match(text, /rel="sponsored nofollow/);
        assert.ok(text.includes('“Pan &lt;b&gt;&amp;&lt;/b&gt; pot”'), 'the gift');
        assert.ok(text.includes('“Ann &amp; &quot;Bob&quot;”') && text.includes(link), 'the list');
        assert.equal(text.includes('couple-21'), false, 'an affiliate link stands on no page');
        const on = /<a class="wp-element-button" href="([^"]*)"/.exec(text)![1]!.replaceAll('&#038;', '&');
        assert.equal(on, site.url + address);
      }
      for (const headers of [{ referer: link }, { 'sec-fetch-site': 'same-origin' }] as Record<
        string,
        string
      >[]) {
        const { status, headers: sent } = await visitor(address, undefined, headers);
        assert.deepEqual([status, sent.get('location')], [302, shop.affiliate_url]);
      }
      const forged = await visitor(`${address}&_wp_http_referer=${encodeURIComponent(`${site.url}/`)}`);
      assert.equal(forged.status, 200);
      const secret = await visitor(`/?trousseau_go=${hidden}&registry=${closed.id}`);
      assert.deepEqual([secret.status, /Hidden|affiliate/.test(secret.text)], [404, false]);
    }
    assert.equal((await nobody('/')).text.includes('On to the shop'), false);
  });

  test('flattening gives the promised keys, guests to those who belong to it and affiliate links to administrators', async () => {
    const { id, link } = await registry({
      title: 'Flat & "plain"',
      content: 'Story',
      meta: { registry_item_ids: '[2]', registry_invitees: '["bob"]', registry_event_type: 'Birth' },
    });
    const gift = item(id, { affiliate_url: 'https://affiliate.example/', affiliate_status: 'active' });
    const flat = (user: number) => inTurn(site, ['wp_set_current_user', user], ['pages.flatten', id]);
    const { admin, alice, bob: guest, carol } = site.users;
    const owner = await flat(alice.id);
    assert.deepEqual(Object.keys(owner), [
      'id',
      'user_id',
      'title',
      'description',
      'is_public',
      'permalink',
      'share_key',
      'meta',
      'items',
    ]);
    assert.deepEqual(
      { ...owner, items: owner.items.length },
      {
        id,
        user_id: alice.id,
        title: 'Flat & "plain"',
        description: 'Story',
        is_public: true,
        permalink: link,
        share_key: id,
        meta: {
          registry_item_ids: [2],
          registry_invitees: ['bob'],
          registry_event_type: 'Birth',
          registry_event_date: '',
        },
        items: 1,
      },
    );
    const seen = async (user: number) => {
      const { meta, items } = await flat(user);
      return [
        meta.registry_invitees,
        items[0].id,
        'affiliate_url' in items[0],
        'affiliate_status' in items[0],
      ];
    };
    assert.deepEqual(await seen(admin.id), [['bob'], gift, true, true]);
    assert.deepEqual(await seen(guest.id), [['bob'], gift, false, false]);
    assert.deepEqual(await seen(carol.id), [[], gift, false, false]);
    assert.deepEqual(await seen(0), [[], gift, false, false]);
  });

  test('an account that may not see the items shows no empty list, and an item of another registry is no gift', async () => {
    const { id, link } = await registry({ meta: { registry_item_ids: '[501,502]' } });
    service.answer = () => ({ status: 403, body: { detail: 'Not allowed' } });
    const { text } = await nobody(link);
    assert.match(text, /can’t be shown just now/);
    assert.doesNotMatch(text, /no gifts on this list/);
    const gift = (itemId: number, registryId: number) => ({
      id: itemId,
      registry_id: registryId,
      name: `Gift ${itemId}`,
      url: 'https://shop.example/',
      quantity_needed: 1,
      quantity_purchased: 0,
    });
    service.answer = () => ({ body: [gift(501, id), gift(502, id + 1)] });
    const names = [...(await nobody(link)).text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name);
    assert.deepEqual(names, ['Gift 501']);
  });

  test('when the service fails the page stays, and says so without internals', async () => {
    const { link } = await registry({ content: 'The story stays' });
    const failures: RecordingService['answer'][] = [
      () => ({ status: 500, body: { detail: 'secret-internals' } }),
      () => ({ status: 401, body: { detail: 'secret-internals' } }),
      () => ({ status: 404, body: { detail: 'secret-internals' } }),
      () => ({ status: 200, body: '<html>secret-internals' }),
      () => ({ status: 200, body: { message: 'secret-internals' } }),
      () => ({ status: 200, body: [[1], 'secret-internals'] }),
    ];
    for (const failure of failures) {
      service.answer = failure;
      const { status, text } = await nobody(link);
      assert.equal(status, 200);
      assert.ok(text.includes('The story stays') && text.includes('can’t be shown just now'));
      assert.equal(text.includes('secret-internals') || text.includes(service.url), false);
    }
    service.answer = () => ({ body: [] });
    assert.match((await nobody(link)).text, /There are no gifts on this list yet/);
  });

  test('blocks, shortcodes and the query parameter show a registry once, and only to its readers', async () => {
    const open = await registry({ title: 'Open & wide' });
    const closed = await registry({
      title: 'Closed',
      status: 'private',
      meta: { registry_invitees: '["bob"]', registry_event_type: 'Secret party' },
    });
    item(open.id, { name: 'Open gift' });
    item(closed.id, { name: 'Closed gift' });
    const page = async (content: string) => {
      const id = await addPost(site, {
        post_type: 'page',
        post_status: 'publish',
        post_title: 'Page',
        post_content: content,
      });
      return `/?page_id=${id}`;
    };
    const read = async (visitor: Visitor, path: string) => {
      const answer = await visitor(path);
      return (answer.status === 301 ? await visitor(answer.headers.get('location')!) : answer).text;
    };
    const named = [
      `[trousseau_registry id="${closed.id}"]`,
      `[trousseau_registry id="${closed.slug}"]`,
      `<!-- wp:trousseau/registry {"registry":"${closed.slug}"} /-->`,
      `<!-- wp:trousseau/registry {"registry":"${closed.id}"} /-->`,
    ];
    for (const content of named) {
      const path = await page(content);
      assert.equal(count(await read(bob, path), 'Closed gift</h3>'), 1, content);
      assert.equal((await read(nobody, path)).includes('Closed gift'), false, content);
    }
    const asking = await page('<!-- wp:trousseau/event /--><!-- wp:trousseau/registry /-->');
    for (const reference of [open.id, open.slug])
      assert.equal(count(await read(nobody, `${asking}&registry=${reference}`), 'Open gift</h3>'), 1);
    assert.match(await read(bob, `${asking}&registry=${closed.id}`), /Secret party/);
    for (const reference of [closed.id, closed.slug, 'nothing', '99999', '']) {
      assert.doesNotMatch(await read(nobody, `${asking}&registry=${reference}`), /gift<\/h3>|Secret party/);
    }
    assert.match(await read(nobody, `/?registry=${open.slug}`), /Open gift<\/h3>/);
    assert.equal((await nobody('/?registry=nothing')).status, 404);
    const list = await read(
      nobody,
      await page('[trousseau_registries] <!-- wp:trousseau/registries {"count":100} /-->'),
    );
    assert.equal(count(list, `<a href="${open.link}">Open &amp; wide</a>`), 2);
    assert.equal(list.includes(closed.link), false);

    for (const content of [
      '[trousseau_registry]',
      '<!-- wp:trousseau/registry /--><!-- wp:trousseau/event /-->',
    ]) {
      const self = await registry({ title: 'Self', content, meta: { registry_event_type: 'Housewarming' } });
      item(self.id, { name: 'Own gift' });
      const text = await read(nobody, self.link);
      assert.deepEqual([count(text, 'Own gift</h3>'), count(text, 'Housewarming')], [1, 1], content);
    }
  });

  const isInNoFrame = ({ headers }: Answer) => {
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
  };

  test('no other site shows a page with buttons in a frame; a public list may stand anywhere', async () => {
    const { id, link } = await registry({ title: 'Open' });
    const closed = await registry({ title: 'Closed', status: 'private' });
    item(id);
    const alice = await visit(site, site.users.alice);
    const owners = ['gifts', 'guests', 'given', 'details', 'give'].map(
      (name) => `/registries/${id}/${name}/`,
    );
    const plain = 'new mine add gift my-gifts invitation no-mail'
      .split(' ')
      .map((name) => `/registries/${name}/`);
    for (const visitor of [alice, nobody])
      for (const path of [...owners, ...plain]) isInNoFrame(await visitor(path));
    for (const path of [link, closed.link]) isInNoFrame(await alice(path));
    const open = await nobody(link);
    assert.equal(open.headers.get('content-security-policy'), null);
    assert.equal(open.headers.get('x-frame-options'), null);
    assert.doesNotMatch(open.text, /<form[^>]*trousseau/);
  });

  test('pages of owners and guests stand in pages of the site’s own, for those who may see them', async () => {
    const { id, slug } = await registry({ title: 'Hers', status: 'private' });
    const alice = await visit(site, site.users.alice);
    const path = async (content: string) =>
      `/?page_id=${await addPost(site, { post_type: 'page', post_status: 'publish', post_title: 'Page', post_content: content })}`;
    for (const [content, own, others] of [
      ['[trousseau_page name="new"]', /Name of your list/, /Name of your list/],
      ['<!-- wp:trousseau/page {"page":"mine"} /-->', /Hers/, /Log in to see your lists/],
      [`[trousseau_page name="details" registry="${id}"]`, /Save changes/, null],
      [`<!-- wp:trousseau/page {"page":"guests","registry":"${slug}"} /-->`, /Whom do you invite\?/, null],
      ['[trousseau_page name="gifts"]', null, null],
      ['[trousseau_page name="give" registry="1"]', null, null],
    ] as const) {
      const at = await path(content);
      for (const [visitor, words] of [
        [alice, own],
        [nobody, others],
      ] as const) {
        let answer = await visitor(at);
        if (answer.status === 301) answer = await visitor(answer.headers.get('location')!);
        assert.match(answer.headers.get('cache-control')!, /no-store/, content);
        if (content.includes('trousseau')) isInNoFrame(answer);
        if (words) assert.match(answer.text, words, content);
        else assert.doesNotMatch(answer.text, /class="trousseau-page"|Hers/, content);
      }
    }
  });

  test('a story shows its own gifts only, however many lists it names', async () => {
    const others = [];
    for (let n = 0; n < 5; n++) others.push(await registry({ title: `Other ${n}` }));
    for (const { id } of others) item(id, { name: 'Gift of others' });
    const named = others.flatMap(({ id, slug }) => [
      `[trousseau_registry id="${id}"]`,
      `<!-- wp:trousseau/registry {"registry":"${slug}"} /-->`,
    ]);
    const own = Array.from({ length: 100 }, () => '[trousseau_registry]');
    const { id, link } = await registry({ title: 'Full', content: [...named, ...named, ...own].join('\n') });
    item(id, { name: 'Own gift' });
    service.requests.length = 0;
    const { text } = await nobody(link);
    assert.ok(text.includes('Own gift</h3>') && !text.includes('Gift of others'));
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      [`/registries/${id}/items`],
    );
  });

  test('a story shows no gifts of others by a loop of WordPress’s, and no page of the plugin’s', async () => {
    const blocks = '<!-- wp:trousseau/event /--><!-- wp:trousseau/registry /-->';
    const loop = (inner: string) =>
      `<!-- wp:query {"query":{"perPage":100,"postType":"registry","inherit":false}} --><div class="wp-block-query"><!-- wp:post-template -->${inner}<!-- /wp:post-template --></div><!-- /wp:query -->`;
    const others = await Promise.all(
      [1, 2, 3].map((n) =>
        registry({ title: `Other ${n}`, content: blocks, meta: { registry_event_type: 'Party of others' } }),
      ),
    );
    for (const { id } of others) item(id, { name: 'Gift of others' });
    const asked = () => service.requests.map(({ path }) => path).sort();
    const read = async (link: string) => {
      service.requests.length = 0;
      const { text } = await bob(link);
      assert.equal(/Gift of others<|Party of others/.test(text), false);
      return text;
    };
    for (const inner of [
      blocks,
      '<!-- wp:post-content /-->',
      '<!-- wp:trousseau/page {"page":"mine"} /-->',
    ]) {
      const { id, link } = await registry({ title: 'Full', content: loop(inner) });
      item(id, { name: 'Own gift' });
      assert.equal(count(await read(link), 'Own gift</h3>'), 1, inner);
      assert.deepEqual(asked(), [`/registries/${id}/items`], inner);
    }
    for (const one of [
      '[trousseau_page name="my-gifts"]',
      '<!-- wp:trousseau/page {"page":"my-gifts"} /-->',
    ]) {
      const { id, link } = await registry({ title: 'Full', content: `${one}\n`.repeat(200) });
      item(id, { name: 'Own gift' });
      const text = await read(link);
      assert.ok(text.includes('Own gift</h3>') && !text.includes('class="trousseau-page"'));
      assert.deepEqual(asked(), [`/registries/${id}/items`], one);
    }

    // An editor of the site's own pages may put both there.
    const page = await addPost(site, {
      post_type: 'page',
      post_status: 'publish',
      post_title: 'Page',
      post_content: `${loop(blocks)}[trousseau_page name="my-gifts"]`,
    });
    service.requests.length = 0;
    const { text } = await bob((await bob(`/?page_id=${page}`)).headers.get('location')!);
    const shown = ['Gift of others</h3>', 'Party of others', 'class="trousseau-page"'];
    assert.deepEqual(
      shown.map((part) => count(text, part)),
      [3, 3, 1],
    );
    assert.equal(asked().filter((path) => path.startsWith('/claims?email=')).length, 1);
  });

  test('a story with gifts added keeps feeds, excerpts and REST free of them', async () => {
    const { id, link } = await registry({ title: 'Quiet', content: 'Only words' });
    item(id, { name: 'Loud gift' });
    for (const path of [
      `${link}feed/?withoutcomments=1`,
      '/registry/feed/',
      `${link}embed/`,
      `/wp-json/wp/v2/registry/${id}`,
      '/registry/',
      '/?s=words',
    ]) {
      const { text } = await nobody(path);
      assert.equal(text.includes('Loud gift'), false, path);
    }
    assert.equal(await site.call('get_the_excerpt', id), 'Only words');
  });

  test('reading a registry over REST never asks the service, which reads it so itself', async () => {
    const content = '<!-- wp:trousseau/registry /-->[trousseau_registry]';
    const { id } = await registry({ title: 'Mirror', content });
    service.requests.length = 0;
    for (const path of [`/wp/v2/registry/${id}?context=edit`, '/wp/v2/registry?context=edit']) {
      assert.equal((await rest(site, site.users.alice, 'GET', path)).status, 200);
    }
    assert.deepEqual(service.requests, []);
    const preview = `/wp/v2/block-renderer/trousseau/registry?context=edit&post_id=${id}`;
    assert.match((await rest(site, site.users.alice, 'GET', preview)).json.rendered, /no gifts on this list/);
  });

  test('pictures of shops come from the site, which fetches each once behind the page', async () => {
    const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));
    const shop = await recordingService(({ path }) => {
      if (path === '/gone.png') return { status: 404 };
      const headers = { 'content-type': 'image/png' };
      return { headers, body: path === '/text.png' ? '<script>alert(1)</script>' : picture };
    });
    // The shop has a name, as real ones do: the site would trust its own address.
    const at = (path: string) => `${shop.url.replace('127.0.0.1', 'localhost')}${path}`;
    const clock = async () => assert.equal((await fetch(`${site.url}/wp-cron.php`)).status, 200);
    try {
      const { id, link } = await registry({ title: 'Pictures' });
      item(id, { image_url: at('/inside.png') });
      assert.deepEqual(pictures((await nobody(link)).text), []);
      await clock();
      assert.equal(shop.requests.length, 0, 'nothing is fetched from machines beside the site');

      addMuPlugin(site.folder, 'shop-on-the-web');
      for (const path of ['/pan.png', '/gone.png', '/text.png']) item(id, { image_url: at(path) });
      for (let visits = 0; visits < 3; visits++) assert.deepEqual(pictures((await nobody(link)).text), []);
      await clock();
      for (let visits = 0; visits < 2; visits++) {
        const { text } = await nobody(link);
        const [shown, ...more] = pictures(text);
        assert.deepEqual(more, []);
        assert.match(shown!, new RegExp(`^${site.url}/wp-content/uploads/trousseau/[\\w-]{22}\\.jpg$`));
        assert.equal(text.includes(at('')), false);
        const fetched = await fetch(shown!);
        const jpeg = Buffer.from(await fetched.arrayBuffer());
        const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
        assert.equal(fetched.headers.get('content-type'), 'image/jpeg');
        assert.deepEqual([jpeg.readUInt16BE(frame + 7), jpeg.readUInt16BE(frame + 5)], [900, 675]);
        await clock();
      }
      assert.deepEqual(shop.requests.map(({ path }) => path).sort(), ['/gone.png', '/pan.png', '/text.png']);
      for (const { headers } of shop.requests)
        assert.deepEqual([headers.cookie, headers.authorization], [undefined, undefined]);
    } finally {
      await shop.close();
    }
  });

  test('hundreds of pictures and planned mails make no event each, and leave no rows behind', async () => {
    const { id, link } = await registry({ title: 'Many pictures' });
    for (let n = 0; n < 45; n++) item(id, { image_url: `http://127.0.0.1:9/${n}.png` });
    await nobody(link);
    const cron = async (): Promise<Record<string, object>> => site.call('_get_cron_array');
    const counts = async () => {
      const events = Object.values(await cron()).flatMap((at) => Object.keys(at));
      return [
        await waitingJobs(site, 'picture'),
        events.filter((hook) => hook.startsWith('trousseau')).length,
        (await keptRows(site, 'lock_picture')).length,
      ] as const;
    };
    const [wanted, events, turns] = await counts();
    assert.deepEqual([wanted, events], [45, 2], 'every hour, and now');
    await fetch(`${site.url}/wp-cron.php`);
    assert.deepEqual((await counts()).slice(0, 2), [25, 2]);
    for (let rounds = 0; rounds < 2; rounds++) await fetch(`${site.url}/wp-cron.php`);
    assert.equal((await counts())[0], 0);
    assert.ok(turns >= 45);
    await ageValues(site, 'lock_picture', 864_000);
    await runJobs(site, 'sweep');
    assert.equal((await counts())[2], 0);

    const before = Object.keys(await cron()).length;
    const about = ['my-gifts', { link: 'x' }];
    const mails = Array.from(
      { length: 100 },
      (_, n): Call => ['send_mail', `guest${n}@example.org`, ...about, inSeconds((2 + n) * 3600)],
    );
    await inTurn(site, ...mails);
    assert.equal(Object.keys(await cron()).length, before);
  });

  test('a rate limiter counts each of many requests at once, with and without an object cache', async () => {
    const allowed = (kind: string) =>
      Promise.all(Array.from({ length: 8 }, async () => (await nobody(`/?test_throttle=${kind}`)).text)).then(
        (answers) => answers.filter((answer) => answer === 'yes').length,
      );
    assert.equal(await allowed('at-once'), 5);
    assert.equal(await allowed('at-once'), 0);
    assert.equal(await allowed('another'), 5);
    assert.deepEqual(await site.call('pages.limits_in_cache'), [true, true, false]);
  });

  test('the browser script comes only where it is switched on, and never with the site’s own credentials', async () => {
    const { id, link } = await registry({ title: 'Live', meta: { registry_invitees: '["bob"]' } });
    item(id);
    const settings = (text: string) => JSON.parse(/window\.trousseau = (\{.*?\});/.exec(text)?.[1] ?? 'null');
    assert.equal(settings((await bob(link)).text), null, 'off');
    await options({ trousseau_browser_client: '1', trousseau_api_key: 'gate' });
    assert.equal(settings((await bob(link)).text), null, 'no credentials handed out');
    addMuPlugin(site.folder, 'own-credentials');
    const { text } = await bob(link);
    assert.deepEqual(
      [settings(text).username, settings(text).password, settings(text).apiKey, settings(text).registry],
      ['bob', '</script>own', 'gate', id],
    );
    assert.ok(text.includes('/assets/trousseau.js'));
    assert.equal(text.includes('of the site'), false);
    assert.equal(settings((await nobody(link)).text), null, 'not signed in');
    assert.equal(settings((await (await visit(site, site.users.carol))(link)).text), null, 'a stranger');
    await options({ trousseau_browser_client: '' });
  });

  test('WordPress logged nothing about the plugin', () => {
    assert.deepEqual(complaints(site), []);
  });
});
