// The page of a public list is the same for everybody, so that caches may keep it, and each visitor's own part comes behind it:
// with the service as it ships, and a cache in front that keeps everything for everybody.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { temporaryFolder } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite, type List } from '../../dev/wordpress/describe-site.ts';
import type { Visitor } from '../../dev/wordpress/site.ts';
import { assertStill } from '../../theme/test/guest.ts';

describeSite('a visitor', { skip: skipWithoutChromium() }, (site) => {
  let folder: string;
  site.startWith(async () => {
    folder = site.use(await temporaryFolder()).path;
    return { env: { TROUSSEAU_CARELESS_CACHE: folder }, muPlugins: ['careless-cache'] };
  });

  const cached = async (run: () => Promise<void>) => {
    writeFileSync(join(folder, 'on'), '^/registry/');
    try {
      await run();
    } finally {
      for (const name of readdirSync(folder)) {
        if (/^(on|[0-9a-f]{32})$/.test(name)) rmSync(join(folder, name));
      }
    }
  };
  const list = (fields: object = {}, meta: object = {}) => {
    const all = { registry_invitees: ['guest@example.org'], ...meta };
    return site.list({ status: 'publish', meta: all, ...fields }, 'Pan', 'Lamp', 'Kettle');
  };
  const asked = { 'sec-fetch-site': 'same-origin' };
  const part = (visitor: Visitor, { id }: { id: unknown }, headers: Record<string, string> = asked) =>
    visitor(`/?trousseau_visitor=${id}`, {}, headers);
  const guestOf = ({ id }: List) => site.guest(id, 'guest@example.org');
  const give = (visitor: Visitor, one: List, place = 0) =>
    visitor.press(one.give(place), 'give', { giver: 'Gus' });

  test('gets the same page of a public list as everybody, and what is theirs by an address of its own', async () => {
    const one = await list();
    const guest = await guestOf(one);
    await give(guest, one);
    const html = (await guest(one.path)).text;
    const without = (text: string) => text.replace(/<noscript>.*?<\/noscript>/gs, '');
    const stranger = await site.visit();
    assert.equal(without(html), without((await stranger(one.path)).text));
    const filtered = await stranger(`${one.path}?gifts-of=${one.id}&words=pan`);
    assert.match(filtered.headers.get('cache-control')!, /no-store/, 'nobody would clear it');
    assert.match(filtered.text, /<meta name='robots' content='[^']*noindex/);
    assert.doesNotMatch(html, /noindex/);
    assert.doesNotMatch(without(html), /guest@example\.org|Thank you|class="trousseau-mine"|\/gift\//);
    assert.match(html, /<noscript><p[^>]*>Thank you! /, 'a browser without scripts says it, too');

    const own = await part(guest, one);
    assert.equal(own.status, 200);
    assert.match(own.headers.get('cache-control')!, /no-store/);
    assert.equal(own.headers.get('access-control-allow-origin'), null);
    assert.match(own.json.head, /You’re here with .*guest@example\.org/);
    assert.deepEqual(Object.keys(own.json.mine), [String(one.items[0])]);
    assert.match((await guest(own.json.mine[one.items[0]!])).text, /Pan/);
    assert.equal(own.json.giving, true);
    assert.equal(own.json.answer.item, one.items[0]);
    assert.match(own.json.answer.html, /role="status"[^>]*>Thank you! /);
    assert.equal((await part(guest, one)).json.answer, null, 'it is said once');
    assert.doesNotMatch((await guest(one.path)).text, /Thank you/);

    const strangers = (await part(stranger, one)).json;
    assert.deepEqual([strangers.head.trim(), strangers.mine, strangers.answer], ['', {}, null]);
  });

  test('asks from the site’s own pages only, and about what may be read', async () => {
    const one = await list();
    const hidden = await list({ status: 'private' });
    const guest = await guestOf(one);
    const from = ['cross-site', 'none', 'same-site'].map((place) => ({ 'sec-fetch-site': place }));
    for (const headers of [...from, { origin: 'https://elsewhere.example' }]) {
      const answer = await part(guest, one, headers as Record<string, string>);
      assert.deepEqual([answer.status, answer.text], [403, 'null'], JSON.stringify(headers));
      assert.match(answer.headers.get('cache-control')!, /no-store/);
    }
    assert.equal((await guest(`/?trousseau_visitor=${one.id}`)).status, 403, 'by no link');
    for (const id of [hidden.id, 0, 999_999, 'x'])
      assert.equal((await part(guest, { id })).status, 404, String(id));
    const owner = await site.visit('alice');
    assert.match((await part(owner, hidden)).json.head, /Manage your list/);
  });

  test('a signed-in owner sees nothing that the device remembers, and not what is given', async () => {
    const one = await list({}, { registry_surprise_until: 'always' });
    const guest = await guestOf(one);
    await give(guest, one);
    const { username, login } = site.users.alice;
    assert.equal((await guest('/wp-login.php', { log: username, pwd: login })).status, 302);
    const { json } = await part(guest, one);
    assert.match(json.head, /Manage your list/);
    assert.doesNotMatch(json.head, /guest@example/);
    assert.deepEqual([json.giving, json.mine, json.answer], [false, {}, null]);
    assert.deepEqual(new Set(Object.values(json.needs)), new Set(['Available']));
  });

  /** Opens a page in a browser of its own, as this visitor or person; its requests to the visitor's address wait until they are let go. */
  async function open(path: string, who?: Visitor | 'alice', options?: BrowserContextOptions) {
    const page = await site.tab(who === 'alice' ? who : null, options);
    if (who && who !== 'alice')
      await page.context().addCookies(who.cookies().map((cookie) => ({ ...cookie, url: site.url })));
    const questions: string[] = [];
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/?trousseau_visitor=*', async (route) => {
      questions.push(route.request().method());
      await released;
      await route.continue();
    });
    if (path) await page.goto(site.url + path, { waitUntil: 'load' });
    return { page, questions, letGo };
  }
  const card = (page: Page, name: string) => page.locator('.trousseau-item', { hasText: name });

  for (const width of mostTelling(1, [390, 1280])) {
    test(`a page that was kept for strangers becomes the visitor’s own without a jump, ${width}`, async () => {
      const one = await list();
      const guest = await guestOf(one);
      await site.setOption('trousseau_anonymous_giving', '');
      try {
        await cached(async () => {
          const options = { viewport: { width, height: 900 } };
          const first = await open(one.path, undefined, options);
          assert.deepEqual(first.questions, [], 'who is unknown asks for nothing');
          const giving = (page: Page, name: string) =>
            card(page, name).getByRole('link', { name: 'I’m giving this' });
          assert.equal(await giving(first.page, 'Pan').count(), 0);
          await card(first.page, 'Pan')
            .getByRole('link', { name: 'View in shop' })
            .evaluate((link: HTMLElement) => {
              link.addEventListener('click', (event) => event.preventDefault());
              link.click();
              dispatchEvent(new PageTransitionEvent('pageshow'));
            });
          const asked = first.page.getByText('Did you buy it?').filter({ visible: true });
          assert.equal(await asked.count(), 0, 'nobody is asked who can’t give');
          await give(guest, one);

          const { page, questions, letGo } = await open(one.path, guest, options);
          assert.equal(await page.getByText('Thank you!').count(), 0, 'it is the stranger’s page');
          const mine = card(page, 'Pan').getByRole('link', { name: 'You’re giving this' });
          const found = (await mine.getAttribute('href'))!;
          assert.match(found, /my-gifts/, 'it leads somewhere before all is known');
          letGo();
          await page.getByText('Thank you!').waitFor();
          assert.deepEqual(questions, ['POST']);
          assert.match((await mine.getAttribute('href'))!, /\/gift\//);
          assert.ok(await page.getByText(/guest@example\.org.{0,2}’s invitation/).isVisible());
          assert.ok(await giving(page, 'Lamp').isVisible());
          assert.equal(await giving(page, 'Pan').count(), 0);
          await assertStill(page, 0.01);

          const other = await open(one.path, undefined, options);
          assert.equal(await other.page.getByText(/You’re giving this|guest@example/).count(), 0);
          assert.deepEqual(other.questions, []);
        });
      } finally {
        await site.setOption('trousseau_anonymous_giving', '1');
      }
    });
  }

  test('a page that the browser reads in pieces doesn’t jump either', async () => {
    const one = await list();
    const guest = await guestOf(one);
    await give(guest, one);
    const html = (await (await site.visit())(one.path)).text;
    const end = html.lastIndexOf('<script', html.indexOf('</section>', html.indexOf('trousseau-registry-')));
    let goOn = () => {};
    const slow = createServer(({ url }, response) => {
      if (url !== '/') return response.writeHead(404).end();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.write(html.slice(0, end));
      goOn = () => response.end(html.slice(end));
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { page, letGo } = await open('', guest, { viewport: { width: 390, height: 900 } });
    letGo();
    try {
      await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`, { waitUntil: 'commit' });
      await page.waitForFunction(`performance.getEntriesByName('first-paint').length`);
      goOn();
      await page.getByText('You’re giving this').waitFor();
      await assertStill(page, 0.01);
      // The server never sends the end of the page.
      const late = await page.context().newPage();
      await late.goto(page.url(), { waitUntil: 'commit' });
      await late.getByText('Kettle', { exact: true }).waitFor();
      assert.equal(await late.getByText('You’re giving this').count(), 0);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

  test('the number of folded gifts leaves out those that the visitor gives', async () => {
    const one = await list();
    const guest = await guestOf(one);
    await give(guest, one);
    await give(await guestOf(one), one, 1);
    for (const who of [undefined, guest]) {
      const { page, letGo } = await open(one.path, who);
      letGo();
      await page.getByText(who ? 'Given: 1' : 'Given: 2', { exact: true }).waitFor();
      const mine = await page.getByRole('link', { name: /You’re giving this\s*: Pan/ }).count();
      assert.equal(mine, who ? 1 : 0);
    }
  });

  test('an owner to be surprised is not shown what a kept page says', async () => {
    const one = await list({}, { registry_surprise_until: 'always' });
    await give(await guestOf(one), one);
    await cached(async () => {
      const { page: kept } = await open(one.path);
      assert.match((await card(kept, 'Pan').textContent())!, /Given/);
      const { page, letGo } = await open(one.path, 'alice');
      assert.equal(await page.locator('.trousseau-need').first().isVisible(), false);
      assert.equal(await page.locator('.trousseau-given').isVisible(), false);
      letGo();
      await page.getByText('Manage your list').waitFor();
      assert.equal(await page.getByText(/^Given/).count(), 0);
      assert.ok(await card(page, 'Pan').getByText('Available').isVisible());
      const telling = page.locator('.trousseau-give:visible, [data-back-from-shop] a[href]');
      assert.equal(await telling.count(), 0, 'nothing tells which gifts are free');
    });
  });

  test('a page that the browser brings back as it was left is asked for again', async () => {
    const shown = await list();
    const hidden = await list({ status: 'private' });
    const guest = await guestOf(shown);
    const link = await site.guestLink(hidden.id, 'guest@example.org');
    assert.equal((await guest(link, { do: 'come' })).status, 303);
    await give(guest, shown);
    const { page, letGo } = await open(shown.path, guest);
    letGo();
    // The event is the browser's for a page from its memory, which Playwright switches off.
    const bringBack = () =>
      page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

    const mine = card(page, 'Pan').getByRole('link', { name: 'You’re giving this' });
    await mine.waitFor();
    const gift = (await part(guest, shown)).json.mine[shown.items[0]!];
    // Another tab releases the gift.
    const form = { do: 'release' };
    const released = await page.request.post(gift, { form, headers: { origin: site.url } });
    assert.equal(released.status(), 200);
    await bringBack();
    await mine.waitFor({ state: 'detached' });

    await page.goto(site.url + hidden.path);
    await card(page, 'Lamp').waitFor();
    await site.client().registries.update(hidden.id, { meta: { registry_invitees: [] } });
    await bringBack();
    await card(page, 'Lamp').waitFor({ state: 'detached' });
  });
});
