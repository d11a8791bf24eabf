// The page of a public list is the same for everybody, so that caches may keep it, and each visitor's own part comes behind it:
// with the service as it ships, and a cache in front that keeps everything for everybody.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { temporaryFolder } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite, type List } from '../../dev/wordpress/describe-site.ts';
import type { Visitor } from '../../dev/wordpress/site.ts';
import { assertStill } from '../../theme/test/guest.ts';

describeSite('a visitor', { skip: skipWithoutChromium() }, (site) => {
  let folder: string;
  let browser: Browser;
  site.startWith(async () => {
    folder = site.use(await temporaryFolder()).path;
    browser = site.use(await launchChromium());
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
  const list = (fields: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) =>
    site.list(
      { status: 'publish', meta: { registry_invitees: ['guest@example.org'], ...meta }, ...fields },
      ...['Pan', 'Lamp', 'Kettle'],
    );
  const asked = { 'sec-fetch-site': 'same-origin' };
  const part = (visitor: Visitor, { id }: { id: unknown }, headers: Record<string, string> = asked) =>
    visitor(`/?trousseau_visitor=${id}`, {}, headers);
  async function guestOf({ id }: List, guest?: Visitor): Promise<Visitor> {
    if (!guest) return site.guest(id, 'guest@example.org');
    assert.equal((await guest(await site.guestLink(id, 'guest@example.org'), { do: 'come' })).status, 303);
    return guest;
  }
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
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
    ]) {
      const answer = await part(guest, one, headers as unknown as Record<string, string>);
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
    await guest('/wp-login.php');
    const { username, login } = site.users.alice;
    assert.equal((await guest('/wp-login.php', { log: username, pwd: login, testcookie: '1' })).status, 302);
    const { json } = await part(guest, one);
    assert.match(json.head, /Manage your list/);
    assert.doesNotMatch(json.head, /guest@example/);
    assert.deepEqual([json.giving, json.mine, json.answer], [false, {}, null]);
    assert.deepEqual(new Set(Object.values(json.needs)), new Set(['Available']));
  });

  /** A browser whose requests to the visitor's address wait until they are let go. */
  async function open(context: BrowserContext, path: string) {
    const page = await context.newPage();
    const questions: string[] = [];
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/?trousseau_visitor=*', async (route) => {
      questions.push(route.request().method());
      await released;
      await route.continue();
    });
    await page.goto(site.url + path, { waitUntil: 'load' });
    return { page, questions, letGo };
  }
  const cookiesOf = (visitor: Visitor) => visitor.cookies().map((cookie) => ({ ...cookie, url: site.url }));
  const card = (page: Page, name: string) => page.locator('.trousseau-item', { hasText: name });

  for (const width of mostTelling(1, [390, 1280])) {
    test(`a page that was kept for strangers becomes the visitor’s own without a jump, ${width}`, async () => {
      const one = await list();
      const guest = await guestOf(one);
      await site.setOption('trousseau_anonymous_giving', '');
      try {
        await cached(async () => {
          const stranger = await browser.newContext({ viewport: { width, height: 900 } });
          const first = await open(stranger, one.path);
          assert.deepEqual(first.questions, [], 'who is unknown asks for nothing');
          const giving = (page: Page, name: string) =>
            card(page, name).getByRole('link', { name: 'I’m giving this' });
          assert.equal(await giving(first.page, 'Pan').count(), 0);
          await give(guest, one);

          const context = await browser.newContext({ viewport: { width, height: 900 } });
          await context.addCookies(cookiesOf(guest));
          const { page, questions, letGo } = await open(context, one.path);
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

          const other = await open(stranger, one.path);
          assert.equal(await other.page.getByText(/You’re giving this|guest@example/).count(), 0);
          assert.deepEqual(other.questions, []);
          await Promise.all([context.close(), stranger.close()]);
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
    const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
    try {
      await context.addCookies(cookiesOf(guest));
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`, { waitUntil: 'commit' });
      await page.waitForFunction(`performance.getEntriesByName('first-paint').length`);
      goOn();
      await page.getByText('You’re giving this').waitFor();
      await assertStill(page, 0.01);
      // The server never sends the end of the page.
      const late = await context.newPage();
      await late.goto(page.url(), { waitUntil: 'commit' });
      await late.getByText('Kettle', { exact: true }).waitFor();
      assert.equal(await late.getByText('You’re giving this').count(), 0);
    } finally {
      await context.close();
      slow.close();
    }
  });

  test('the number of folded gifts leaves out those that the visitor gives', async () => {
    const one = await list();
    const guest = await guestOf(one);
    await give(guest, one);
    await give(await guestOf(one), one, 1);
    for (const [cookies, folded] of [
      [[], 'Given: 2'],
      [cookiesOf(guest), 'Given: 1'],
    ] as const) {
      const context = await browser.newContext();
      await context.addCookies([...cookies]);
      const { page, letGo } = await open(context, one.path);
      letGo();
      await page.getByText(folded, { exact: true }).waitFor();
      const mine = await page.getByRole('link', { name: /You’re giving this\s*: Pan/ }).count();
      assert.equal(mine, cookies.length ? 1 : 0);
      await context.close();
    }
  });

  test('an owner to be surprised is not shown what a kept page says', async () => {
    const one = await list({}, { registry_surprise_until: 'always' });
    await give(await guestOf(one), one);
    await cached(async () => {
      const stranger = await browser.newContext();
      const { page: kept } = await open(stranger, one.path);
      assert.match((await card(kept, 'Pan').textContent())!, /Given/);
      await stranger.close();

      const context = await browser.newContext();
      const signing = await context.newPage();
      await signIn(signing, site, site.users.alice);
      const { page, letGo } = await open(context, one.path);
      assert.equal(await page.locator('.trousseau-need').first().isVisible(), false);
      assert.equal(await page.locator('.trousseau-given').isVisible(), false);
      letGo();
      await page.getByText('Manage your list').waitFor();
      assert.equal(await page.getByText(/^Given/).count(), 0);
      assert.ok(await card(page, 'Pan').getByText('Available').isVisible());
      await context.close();
    });
  });

  test('a page that the browser brings back as it was left is asked for again', async () => {
    const shown = await list();
    const hidden = await list({ status: 'private' });
    const guest = await guestOf(shown);
    await guestOf(hidden, guest);
    await give(guest, shown);
    const context = await browser.newContext();
    await context.addCookies(cookiesOf(guest));
    const page = await context.newPage();
    // The event is the browser's for a page from its memory, which Playwright switches off.
    const bringBack = () =>
      page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));

    await page.goto(site.url + shown.path);
    const mine = card(page, 'Pan').getByRole('link', { name: 'You’re giving this' });
    const link = (await part(guest, shown)).json.mine[shown.items[0]!];
    // Another tab releases the gift.
    const form = { do: 'release' };
    const released = await context.request.post(link, { form, headers: { origin: site.url } });
    assert.equal(released.status(), 200);
    await bringBack();
    await mine.waitFor({ state: 'detached' });

    await page.goto(site.url + hidden.path);
    await card(page, 'Lamp').waitFor();
    await site.client().registries.update(hidden.id, { meta: { registry_invitees: [] } });
    await bringBack();
    await card(page, 'Lamp').waitFor({ state: 'detached' });
    await context.close();
  });
});
