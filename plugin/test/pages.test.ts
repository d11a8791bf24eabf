// The pages as visitors see them, where themes, headers, forms and pictures are concerned. PagesTest.php has the rest.
// @again wordpress
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addMuPlugin } from '../../dev/wordpress/config.ts';
import { describeSite, type Gift } from '../../dev/wordpress/describe-site.ts';
import { type Answer, recordingService, whenShowing } from '../../dev/wordpress/site.ts';

// Every page asks the service: gift-list.test.ts tests the lists that the site keeps.
describeSite('pages', { muPlugins: ['no-kept-gifts'] }, (site) => {
  const { alice, nobody } = site.visitors;
  const open = (fields: object = {}, ...gifts: Gift[]) =>
    site.list({ status: 'publish', ...fields }, ...gifts);

  const count = (text: string, part: string) => text.split(part).length - 1;
  const pictures = (page: string) =>
    [...page.matchAll(/<li class="trousseau-item.*?<\/li>/gs)].flatMap(([row]) =>
      [...row.matchAll(/<img src="([^"]*)"/g)].map(([, address]) => address!),
    );

  test('no theme signs a registry or dates it, unless it has a template of its own for them', async () => {
    const { path: link, items } = await open({ story: 'Our story' }, 'Ladle');
    const closed = await site.list();
    await site.setUserMeta(site.users.alice.id, 'description', 'Alice writes about herself');
    const post = await site.permalink(1);
    for (const theme of ['twentytwentyone', 'twentytwentythree']) {
      await site.switchTheme(theme);
      const { text } = await whenShowing(nobody, link, 'Ladle');
      const main = /<main.*<\/main>/s.exec(text)![0];
      assert.equal(count(main, '<h1'), 1, theme);
      assert.equal(count(main, `id="trousseau-item-${items[0]}"`), 1, theme);
      assert.match(main, /Our story/);
      assert.doesNotMatch(main, /alice|Alice|Posted|Published|datetime=|comment/, theme);
      assert.match((await nobody(post)).text, /datetime=/, 'posts are as they were');
      const away = await nobody(closed.path);
      assert.deepEqual([away.status, /Resend my invitation/.test(away.text)], [404, true], theme);
    }
    // The site’s or theme’s own template for registries comes first.
    const own = await site.call('pages.own_template');
    assert.match((await nobody(link)).text, /Our own template/);
    await site.deletePost(own);
  });

  test('the way to a shop is in no cache, and tells the shop which site it comes from and no page', async () => {
    const { id, items } = await open({}, 'Pan');
    const affiliate_url = 'https://affiliate.example/?tag=couple-21';
    await site.askAsSite('set_affiliate', id, items[0], affiliate_url);
    const path = `/?trousseau_go=${items[0]}&registry=${id}`;
    const go = await nobody(path, undefined, { referer: `${site.url}/` });
    assert.deepEqual([go.status, go.headers.get('location')], [302, affiliate_url]);
    assert.equal(go.headers.get('referrer-policy'), 'strict-origin');
    for (const { headers } of [go, await nobody(path)])
      assert.match(headers.get('cache-control')!, /no-store/);
  });

  const isInNoFrame = ({ headers }: Answer) => {
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
  };

  test('no other site shows a page with buttons in a frame; a public list may stand anywhere', async () => {
    const { id, path: link } = await open({}, 'Pan');
    const closed = await site.list();
    const ofList = ['gifts', 'guests', 'given', 'details', 'give'].map((name) => `${id}/${name}`);
    const pages = [...ofList, 'new', 'mine', 'add', 'gift', 'my-gifts', 'invitation', 'no-mail'];
    for (const visitor of [alice, nobody])
      for (const name of pages) isInNoFrame(await visitor(`/registries/${name}/`));
    for (const path of [link, closed.path]) isInNoFrame(await alice(path));
    const { headers, text } = await nobody(link);
    for (const name of ['content-security-policy', 'x-frame-options', 'set-cookie'])
      assert.equal(headers.get(name), null, name);
    assert.doesNotMatch(text, /<form[^>]*trousseau/);
  });

  test('pages of owners and guests stand in pages of the site’s own, for those who may see them', async () => {
    const { id, path: own } = await site.list({ title: 'Hers' });
    const slug = own.split('/').at(-2);
    const page = { post_type: 'page', post_status: 'publish', post_title: 'Page' };
    for (const [content, own, others] of [
      ['[trousseau_page name="new"]', /Name of your list/, /Name of your list/],
      ['<!-- wp:trousseau/page {"page":"mine"} /-->', /Hers/, /Log in to see your lists/],
      [`[trousseau_page name="details" registry="${id}"]`, /Save changes/, null],
      [`<!-- wp:trousseau/page {"page":"guests","registry":"${slug}"} /-->`, /Who would you like to/, null],
      ['[trousseau_page name="gifts"]', null, null],
      ['[trousseau_page name="give" registry="1"]', null, null],
    ] as const) {
      const at = `/?page_id=${await site.addPost({ ...page, post_content: content })}`;
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

  test('pictures of shops come from the site, which fetches each once behind the page', async () => {
    const image = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));
    await using shop = await recordingService(({ path }) => {
      if (path === '/gone.png') return { status: 404 };
      const headers = { 'content-type': 'image/png' };
      return { headers, body: path === '/text.png' ? '<script>alert(1)</script>' : image };
    });
    // The shop has a name, as real ones do: the site would trust its own address.
    const at = (path: string) => `${shop.url.replace('127.0.0.1', 'localhost')}${path}`;
    const clock = async () => assert.equal((await fetch(`${site.url}/wp-cron.php`)).status, 200);
    const picture = (name: string) => ({ name, image_url: at(`/${name}.png`) });
    const { id, path: link } = await open({}, picture('inside'));
    assert.deepEqual(pictures((await nobody(link)).text), []);
    await clock();
    assert.equal(shop.requests.length, 0, 'nothing is fetched from machines beside the site');

    addMuPlugin(site.folder, 'shop-on-the-web');
    for (const name of ['pan', 'gone', 'text'])
      await site.client().registries.items.create(id, { url: 'https://shop.example/', ...picture(name) });
    for (let visits = 0; visits < 3; visits++) assert.deepEqual(pictures((await nobody(link)).text), []);
    await clock();
    for (let visits = 0; visits < 2; visits++) {
      const { text } = await nobody(link);
      const [shown, ...more] = pictures(text);
      assert.deepEqual(more, []);
      assert.match(
        shown!,
        new RegExp(`^${site.url}/wp-content/uploads/trousseau/[\\w-]{22}/[\\w-]{22}\\.jpg$`),
      );
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
  });
});
