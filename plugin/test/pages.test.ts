// What visitors see: a registry's gifts on its page, in blocks and shortcodes; the way to the shop; marking a gift as given.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../dev/wordpress.ts';
import {
  complaints,
  evaluate,
  itemsOf,
  php,
  type RecordingService,
  recordingService,
  rest,
  type TestItem,
  type Visitor,
  visit,
} from './site.ts';

describe('pages', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let service: RecordingService;
  let nobody: Visitor;
  let bob: Visitor;
  const items = new Map<number, TestItem>();

  before(async () => {
    service = await recordingService();
    site = await startWordPress();
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

  const options = (values: Record<string, unknown>) =>
    site.wp(`foreach ( ${php(values)} as $name => $value ) { update_option( $name, $value ); }`);

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
  const form = (page: string, itemId: number) => {
    const html = new RegExp(
      `<form class="trousseau-give"(?:(?!</form>).)*name="item" value="${itemId}".*?</form>`,
      's',
    ).exec(page)?.[0];
    if (!html) return undefined;
    const fields = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => [
      /name="([^"]*)"/.exec(tag)![1]!,
      /value="([^"]*)"/.exec(tag)![1]!,
    ]);
    return Object.fromEntries(fields) as Record<string, string>;
  };

  test('a registry’s page shows occasion, story and gifts in the owner’s order, by one request', async () => {
    const { id, link } = await registry({
      content: 'Our story',
      meta: { registry_item_ids: '[3,1]', registry_event_type: 'Wedding', registry_event_date: '2027-05-30' },
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
    item(id, {
      name: 'Pan',
      quantity_needed: 2,
      quantity_purchased: 5,
      image_url: 'https://images.example/pan.jpg',
    });
    const { status, text } = await nobody(link);
    assert.equal(status, 200);
    const order = [
      '<time class="trousseau-event__date" datetime="2027-05-30">May 30, 2027</time>',
      'Our story',
      '<h3>Pan</h3>',
      '<h3>Kettle</h3>',
      '<h3>Unlisted</h3>',
    ];
    const places = order.map((part) => text.indexOf(part));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      JSON.stringify(places),
    );
    for (const part of [
      '1,234.50',
      'Corner shop',
      'Blue<br />\nor green',
      '2 of 3 still needed',
      '<progress max="3" value="1"',
      'Already given',
      '<progress max="2" value="2"',
      'src="https://images.example/pan.jpg" alt=""',
      'href="https://shop.example/1" rel="nofollow noopener"',
      'trousseau.css',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(
      count(text, '<form class="trousseau-give"'),
      0,
      'visitors who are not signed in give nothing',
    );
    assert.deepEqual(
      service.requests.map(({ method, path }) => `${method} ${path}`),
      [`GET /registries/${id}/items`],
    );
    assert.equal(service.requests[0]?.headers.authorization, `Basic ${btoa('admin:of the site')}`);
  });

  test('whatever is in an item comes out as text, and only web addresses become links', async () => {
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
      assert.ok(addresses.length >= 2);
      for (const address of addresses) assert.match(address, /^https:\/\/(shop|images)\.example\//);
    }
    assert.equal((await nobody(`/?trousseau_go=${hostile}&registry=${id}`)).status, 404);
    assert.match(
      (await nobody(`/?trousseau_go=${quoted}&registry=${id}`)).headers.get('location')!,
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
    assert.ok(text.includes(`/?trousseau_go=${active}&#038;registry=${id}"`));
    for (const plain of states) assert.ok(text.includes(`href="https://shop.example/${plain}"`));

    const go = await nobody(`/?trousseau_go=${active}&registry=${id}`);
    assert.deepEqual([go.status, go.headers.get('location')], [302, affiliate]);
    assert.match(go.headers.get('cache-control')!, /no-store/);
    assert.equal(go.headers.get('referrer-policy'), 'strict-origin');
    for (const plain of states) {
      assert.equal(
        (await nobody(`/?trousseau_go=${plain}&registry=${id}`)).headers.get('location'),
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
      const refused = await nobody(`/?trousseau_go=${query}`);
      assert.deepEqual([refused.status, refused.headers.get('location')], [404, null], query);
    }
    assert.equal(
      (await bob(`/?trousseau_go=${hidden}&registry=${closed.id}`)).headers.get('location'),
      affiliate,
    );
  });

  test('flattening gives the promised keys, guests to those who belong to it and affiliate links to administrators', async () => {
    const { id, link } = await registry({
      title: 'Flat & "plain"',
      content: 'Story',
      meta: { registry_item_ids: '[2]', registry_invitees: '["bob"]', registry_event_type: 'Birth' },
    });
    const gift = item(id, { affiliate_url: 'https://affiliate.example/', affiliate_status: 'active' });
    const flat = (user: number) =>
      evaluate(
        site,
        `wp_set_current_user( ${user} ); return Trousseau\\Registry::flatten( get_post( ${id} ) );`,
      );
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

  test('a site account that is no administrator’s falls back to single items', async () => {
    const { id, link } = await registry({ meta: { registry_item_ids: '[501,502,503]' } });
    for (const itemId of [501, 503])
      items.set(itemId, {
        id: itemId,
        registry_id: id,
        name: `Gift ${itemId}`,
        url: 'https://shop.example/',
        quantity_needed: 1,
        quantity_purchased: 0,
      });
    const answer = itemsOf(items, false);
    service.answer = (request) =>
      request.path.startsWith('/registries')
        ? { status: 403, body: { detail: 'Not allowed' } }
        : answer(request);
    const { text } = await nobody(link);
    assert.ok(text.indexOf('Gift 501') < text.indexOf('Gift 503') && text.includes('Gift 501'));
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      [`/registries/${id}/items`, '/items/501', '/items/502', '/items/503'],
    );
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
      const id = await evaluate(
        site,
        `return wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Page', 'post_content' => ${php(content)} ) );`,
      );
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
    assert.equal(await evaluate(site, `return get_the_excerpt( ${id} );`), 'Only words');
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

  test('a signed-in reader marks a gift as given, and reads what came of it', async () => {
    const { id, link } = await registry({ status: 'private', meta: { registry_invitees: '["bob"]' } });
    const gift = item(id, { name: 'Glasses', quantity_needed: 6 });
    const { text } = await bob(link);
    assert.doesNotMatch(text, /Private:/, 'the title is the couple’s');
    const fields = form(text, gift)!;
    const outcome = async (changes: Record<string, string> = {}) => {
      const answer = await bob('/wp-admin/admin-post.php', { ...fields, ...changes });
      assert.equal(answer.status, 303, answer.text);
      const target = new URL(answer.headers.get('location')!, site.url);
      assert.equal(target.origin, site.url);
      return /<p class="trousseau-note is-answer" role="status">(.*?)<\/p>/.exec(
        (await bob(target.pathname + target.search)).text,
      )?.[1];
    };
    assert.match((await outcome({ count: '4' }))!, /marked as given/);
    assert.equal(items.get(gift)?.quantity_purchased, 4);
    assert.match((await outcome({ count: '3' }))!, /somebody may have been faster/);
    for (const wrong of ['0', '-1', '1000', 'x', ''])
      assert.match((await outcome({ count: wrong }))!, /somebody may have been faster/);
    service.answer = () => ({ status: 503, body: { detail: 'busy' } });
    assert.match((await outcome({ count: '1' }))!, /try again later/);
    service.answer = itemsOf(items);
    assert.equal(items.get(gift)?.quantity_purchased, 4);
    assert.match((await outcome({ count: '2' }))!, /marked as given/);
    assert.equal(form((await bob(link)).text, gift), undefined, 'nothing is left to give');
  });

  test('nobody gives where they may not', async () => {
    const mine = await registry({ meta: { registry_invitees: '[]' } });
    const closed = await registry({ status: 'private' });
    const gift = item(mine.id);
    const foreign = item(closed.id);
    const fields = form((await bob(mine.link)).text, gift)!;
    const post = (visitor: Visitor, changes: Record<string, string> = {}) =>
      visitor('/wp-admin/admin-post.php', { ...fields, ...changes });
    assert.equal((await post(bob, { _wpnonce: 'forged' })).status, 403, 'a forged form');
    assert.equal(
      (await post(bob, { registry: String(closed.id), item: String(foreign) })).status,
      403,
      'a private registry',
    );
    assert.equal((await post(bob, { item: String(foreign) })).status, 403, 'the form of another item');
    assert.equal((await post(nobody)).status, 403, 'not signed in');
    assert.equal(items.get(gift)?.quantity_purchased, 0);
    assert.equal(items.get(foreign)?.quantity_purchased, 0);

    // An item of another registry, with a form that is right otherwise.
    items.get(gift)!.registry_id = closed.id;
    assert.match((await post(bob)).headers.get('location')!, /trousseau_given=gone/);
    assert.equal(items.get(gift)?.quantity_purchased, 0);
    items.get(gift)!.registry_id = mine.id;

    await options({ trousseau_anonymous_giving: '1' });
    const open = form((await nobody(mine.link)).text, gift)!;
    assert.match(
      (await nobody('/wp-admin/admin-post.php', open)).headers.get('location')!,
      /trousseau_given=thanks/,
    );
    assert.equal(items.get(gift)?.quantity_purchased, 1);
    assert.equal(
      (
        await nobody('/wp-admin/admin-post.php', {
          ...open,
          registry: String(closed.id),
          item: String(foreign),
        })
      ).status,
      403,
    );
    await options({ trousseau_anonymous_giving: '' });
  });

  test('the browser script comes only where it is switched on, and never with the site’s own credentials', async () => {
    const { id, link } = await registry({ title: 'Live', meta: { registry_invitees: '["bob"]' } });
    item(id);
    const settings = (text: string) => JSON.parse(/window\.trousseau = (\{.*?\});/.exec(text)?.[1] ?? 'null');
    assert.equal(settings((await bob(link)).text), null, 'off');
    await options({ trousseau_browser_client: '1', trousseau_api_key: 'gate' });
    assert.equal(settings((await bob(link)).text), null, 'no credentials handed out');
    await site.wp(
      `file_put_contents( WPMU_PLUGIN_DIR . '/credentials.php', '<?php add_filter( "trousseau_browser_credentials", fn( $none, $user ) => array( "username" => $user->user_login, "password" => "</script>own" ), 10, 2 );' );`,
    );
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
