// The ways from a shop to the page that adds a gift: the bookmark in a real browser on pages that let no script in, and
// the manifest as that browser reads it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { type Case, PAGES } from '../../api/test/shop/pages.ts';
import { SHAPES } from '../../api/test/shop/shapes.ts';
import { buildAssets } from '../../dev/build/plugin.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';
import { decoded } from '../../dev/wordpress/site.ts';
import { giftIn } from '../src/Gifts/scripts/gift-address.ts';

const STRICT =
  "default-src 'none'; script-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

// The pages have each kind of markup, and that of the shop systems.
const KINDS = [
  'an offer of the thing',
  'microdata',
  'RDFa',
  'product properties',
  'statt',
  'an article about a product',
];
const PAGES_TO_TRY = [
  ...KINDS.map((kind) => PAGES.find(({ what }) => what === kind)!),
  ...SHAPES.filter(({ what }) => /Shopify|WooCommerce|Magento|PrestaShop|Shopware|BigCommerce/.test(what)),
];

describeWordPress('from a shop', { skip: skipWithoutChromium() }, (site) => {
  const { alice } = site.visitors;
  let context: BrowserContext;
  let bookmark: string;
  const requests: Request[] = [];

  before(async () => {
    await buildAssets();
    const { text } = await alice('/registries/add/?bookmark=1');
    bookmark = decoded(/href="(javascript:[^"]*)"/.exec(text)![1]!);
    context = (await site.tab()).context();
    context.on('request', (request) => requests.push(request));
  });

  /** Opens a shop's page and presses the bookmark; gives the page that opens. */
  async function press(page: Page, address: string, body: string, policy = STRICT): Promise<Page> {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    await page.route(address, (route) => route.fulfill({ body, headers }));
    await page.goto(address);
    await page.unroute(address);
    requests.length = 0;
    const session = await context.newCDPSession(page);
    const opened = context.waitForEvent('page');
    // A bookmark navigates to its script. The browser then reports an error, since a script is no page.
    await session.send('Page.navigate', { url: bookmark });
    const added = await opened;
    await added.waitForLoadState();
    return added;
  }

  test('the bookmark reads pages that let no script in, and tells no server what it read', async () => {
    const page = await context.newPage();
    for (const made of PAGES_TO_TRY as Case[]) {
      const address = made.address ?? 'https://www.teaco.example/p/teapot';
      const added = await press(page, address, made.html);
      const { origin, pathname, search, hash } = new URL(added.url());
      assert.equal(origin + pathname + search, `${site.url}/registries/add/`, made.what);
      const { name, price, currency } = giftIn(hash)!;
      assert.deepEqual([name, price, currency], [made.name, made.price, made.currency], made.what);
      for (const request of requests) {
        const url = request.url();
        // A blob of the page's script asks no server: newer WordPresses look for emoji in a worker.
        if (url.startsWith(`blob:${site.url}/`)) continue;
        assert.ok(url.startsWith(site.url), `${made.what}: ${url}`);
        const told = `${new URL(url).pathname}${new URL(url).search} ${(await request.allHeaders()).referer ?? ''}`;
        assert.doesNotMatch(told, /teaco|teapot/i, made.what);
      }
      assert.equal(page.url(), address, 'the shop stays open');
      await added.close();
    }
    assert.ok(PAGES_TO_TRY.length > KINDS.length, 'of shop systems, too');
    await page.close();
  });

  test('the bookmark reads nothing that styles hide', async () => {
    const page = await context.newPage();
    const html =
      '<title>Blue Teapot</title><style>.off{display:none}</style><h1>Blue Teapot</h1>' +
      '<p class="price off">59,90 €</p><p class="price">43,90 €</p><button>Add to cart</button>';
    const address = 'https://www.teaco.example/p/styled';
    const policy = STRICT.replace("default-src 'none'", "default-src 'none'; style-src 'unsafe-inline'");
    const added = await press(page, address, html, policy);
    assert.equal(giftIn(new URL(added.url()).hash)?.price, 43.9);
    await added.close();
    await page.close();
  });

  test('the bookmark’s link is whole, and short enough for every browser', async () => {
    assert.match(bookmark, /^javascript:\(\(\)=>\{const TROUSSEAU_ADD="http/);
    assert.ok(bookmark.length < 60_000, `${bookmark.length}`);
    const page = await context.newPage();
    await page.setContent('<a>Add a gift</a>');
    const kept = await page.evaluate((href) => {
      const link = document.querySelector('a')!;
      link.href = href;
      return decodeURIComponent(link.href);
    }, bookmark);
    assert.equal(kept, decodeURIComponent(bookmark));
    await page.close();
  });

  test('what the bookmark read is still there once its sender has logged in', async () => {
    await site.rest('alice', 'POST', '/wp/v2/registry', { title: 'Our home' });
    const page = await context.newPage();
    const html = '<h1>Blue Teapot</h1><p class="price">43,90 €</p><button>Add to cart</button>';
    const added = await press(page, 'https://www.teaco.example/p/teapot', html);
    assert.equal(await added.locator('[data-found]').count(), 0, 'nobody is logged in');
    await context.addCookies(alice.cookies().map((cookie) => ({ ...cookie, url: site.url })));
    await added.goto(`${site.url}/registries/add/`);
    assert.equal(await added.locator('[data-found-name]').innerText(), 'Blue Teapot');
    await added.reload();
    assert.ok(await added.locator('[data-found]').isHidden(), 'once');
    await context.clearCookies();
    await added.close();
    await page.close();
  });

  test('the browser accepts the manifest, which shares shops with the page that adds a gift', async () => {
    const page = await context.newPage();
    await context.addCookies(alice.cookies().map((cookie) => ({ ...cookie, url: site.url })));
    await page.goto(`${site.url}/registries/add/`);
    const session = await context.newCDPSession(page);
    const { url, errors, data } = await session.send('Page.getAppManifest');
    assert.equal(url, `${site.url}/manifest.webmanifest`);
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data!);
    const params = { title: 'title', text: 'text', url: 'url' };
    const form = { method: 'GET', enctype: 'application/x-www-form-urlencoded', params };
    assert.deepEqual(manifest.share_target, { action: `${site.url}/registries/add/`, ...form });
    assert.ok(manifest.share_target.action.startsWith(manifest.scope));
    const answer = await page.request.get(url);
    assert.match(answer.headers()['content-type']!, /^application\/manifest\+json/);
    assert.equal((await page.request.get(manifest.icons[0].src)).status(), 200);
    await page.close();
  });
});
