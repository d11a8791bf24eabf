// The pages of owners and guests in the theme: on a phone and a desktop, in light and dark, for everyone who uses them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { mostTelling } from '../../dev/night.ts';
import { type PeopleSite, startPeopleSite } from '../../dev/sample/people.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { setOption } from '../../dev/wordpress/set-up.ts';
import { skipWithoutWordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';
import {
  assertAccessible,
  assertLargeTargets,
  assertReadableAtNight,
  assertStill,
  type Guest,
  type Width,
  welcome,
  widths,
} from './guest.ts';

/** Pages without a main button: nothing is to be done there. */
const withoutButton = new Set(['given, a surprise', 'gift, money is missing', 'my-gifts', 'no such gift']);

const unfold = (page: Page) =>
  page.locator('main details').evaluateAll((all) => {
    for (const details of all as HTMLDetailsElement[]) details.open = true;
  });

/** Checks that one button of the page is filled, or one of each gift. */
async function assertOneMainButton(page: Page, name: string): Promise<void> {
  // A script presses the button of that page.
  if (name === 'gift, to confirm') return;
  const filled = await page.locator('main :is(button, .wp-element-button)').evaluateAll((buttons) =>
    buttons
      // The card of a gift that is being added only pictures its buttons.
      .filter((button) => button.checkVisibility() && !button.closest('[aria-hidden]'))
      .filter((button) => getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)')
      .map((button) => ({ words: button.textContent!.trim(), gift: button.closest('.trousseau-item')?.id })),
  );
  const gifts = filled.flatMap(({ gift }) => gift ?? []);
  const ofPage = filled.filter(({ gift }) => gift === undefined).map(({ words }) => words);
  assert.equal(gifts.length, new Set(gifts).size, `${name}: one a gift`);
  const most = gifts.length > 0 || withoutButton.has(name) ? 0 : 1;
  assert.equal(ofPage.length, most, `${name}: ${ofPage}`);
}

/** Checks that the page fits a 1280-pixel window at 400 % zoom. */
async function assertNothingSticksOut(page: Page, direction: string, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 256 });
  const found = await page.evaluate(() => ({
    direction: getComputedStyle(document.querySelector('main')!).direction,
    // Elements beyond the edge, reached by scrolling or cut off.
    out: [
      ...document.querySelectorAll('main :is(a, button, input, textarea, select, p, h1, h2, h3, li, img)'),
    ]
      .filter((element) => element.checkVisibility() && !element.closest('.trousseau-trap'))
      .filter((element) => !element.matches('.screen-reader-text, .screen-reader-text *'))
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < -0.5 || right > innerWidth + 0.5;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
    width: document.documentElement.scrollWidth,
  }));
  assert.deepEqual(found, { direction, out: [], width: 320 }, name);
}

describe('pages of people', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: PeopleSite;
  let browser: Browser;
  const guests = new Map<string, Guest>();
  before(async () => {
    [browser, site] = await Promise.all([launchChromium(), startPeopleSite()]);
  });
  after(() => Promise.all([site?.stop(), browser?.close()]));

  const pathOf = (page: string) => site.pages.find(({ name }) => name === page)!.path;
  const guestOf = async (user: WordPressUser | undefined, width: Width) => {
    const who = `${user?.username} ${width}`;
    const guest = guests.get(who) ?? (await welcome(browser, site, { width, ...(user && { user }) }));
    guests.set(who, guest);
    return guest;
  };

  for (const width of mostTelling<Width>(1, ['phone', 'desk']))
    test(`by day and by night, ${width}`, async (t) => {
      assert.ok(site.pages.length >= 37, `${site.pages.length} pages`);
      for (const { name, path, user, status = 200 } of site.pages)
        await t.test(name, async () => {
          const guest = await guestOf(user, width);
          const { page, requests, errors } = guest;
          for (const list of [requests, errors]) list.length = 0;
          await page.emulateMedia({ colorScheme: 'light' });
          assert.equal(await guest.open(path), status);
          await assertStill(page);
          await assertOneMainButton(page, name);
          await unfold(page);
          await assertAccessible(page);
          await assertLargeTargets(page);
          await assertReadableAtNight(page);
          const others = requests.filter((url) => new URL(url).origin !== site.url);
          assert.deepEqual(others, [], 'no request to anybody else');
          assert.deepEqual(
            errors.filter((error) => !/status of 403/.test(error)),
            [],
          );
          const height = await page.evaluate(() => document.body.scrollHeight);
          assert.ok(height < 20_000, `${height} pixels high`);
          if (width !== 'phone') return;
          // And at 400 %.
          await assertNothingSticksOut(page, 'ltr', name);
          await page.setViewportSize({ width: widths.phone, height: 900 });
        });
    });

  for (const width of mostTelling<Width>(1, ['phone', 'desk']))
    test(`rows of pasted links stay where they are, whatever comes of them, ${width}`, async () => {
      const { page, open, leave } = await welcome(browser, site, { width, user: site.users.alice });
      await open(pathOf('gifts'));
      const links = Array.from({ length: 6 }, (_, n) => `https://192.168.0.1/p/link-to-nothing-${n}`);
      await page.getByLabel('Add from a link').fill(links.join('\n'));
      await page.getByRole('button', { name: 'Find it' }).click();
      await page.waitForURL(/links=1/);
      await page.waitForFunction(() => document.querySelectorAll('[data-state="failed"]').length === 6);
      await assertStill(page);
      await leave();
    });

  test('none of the four pages of details is higher than two screens of a phone', async () => {
    const { page, open } = await guestOf(site.users.alice, 'phone');
    const path = pathOf('details');
    // A surprise has one question more.
    const secret = pathOf('given, a surprise').replace('given', 'details');
    const parts = ['about', 'privacy', 'delivery', 'after'].map((part) => `${path}?part=${part}`);
    for (const part of [...parts, `${secret}?part=privacy`]) {
      await open(part);
      assert.equal(await page.locator('.trousseau-parts [aria-current]').count(), 1);
      const height = await page.evaluate(() => document.body.scrollHeight);
      assert.ok(height <= 1500, `${part} is ${height} pixels high`);
    }
    await page.getByText('What stays secret?').waitFor();
  });

  test('a gift is given by keyboard alone, and every stop shows where it is', async () => {
    const { page, open, leave } = await welcome(browser, site, { user: site.users.bob });
    const list = pathOf('the list');
    const tabTo = async (name: RegExp) => {
      for (let stops = 0; stops < 40; stops++) {
        await page.keyboard.press('Tab');
        const [stop, outline] = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const words = element.labels?.[0]?.textContent ?? element.textContent ?? '';
          return [words, `${outlineStyle} ${outlineWidth}`] as const;
        });
        assert.equal(outline, 'solid 3px', stop);
        if (name.test(stop)) return;
      }
      assert.fail(`no stop ${name}`);
    };
    await open(list);
    await tabTo(/giving this\s*: Hand-blown wine glasses/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/give\//);
    await tabTo(/I’ll buy it/);
    await page.keyboard.press('ArrowDown');
    await tabTo(/How many/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await tabTo(/message/);
    await page.keyboard.type('By keyboard');
    await tabTo(/^Give this gift/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/gift\//);
    assert.match((await page.getByRole('status').textContent())!, /Thank you! You’re giving “2 × Hand-blown/);
    await page.locator('[role="status"]:focus').waitFor();
    await open(list);
    const found = (await page.locator('.trousseau-item', { hasText: 'wine glasses' }).textContent())!;
    assert.match(found, /8 needed/);

    // The next tab stop is the error, and then its field.
    const owner = (await guestOf(site.users.alice, 'desk')).page;
    await owner.goto(site.url + pathOf('guests'));
    await owner.getByLabel('Who would you like to invite?').fill('nobody-has-this');
    await owner.getByRole('button', { name: 'Send invitations' }).press('Enter');
    await owner.locator('[role="alert"]:focus').waitFor();
    await owner.keyboard.press('Tab');
    await owner.locator('#trousseau-guests:focus').waitFor();
    await leave();
  });

  for (const javaScriptEnabled of [true, false])
    test(`a visitor who presses at once is not refused, with${javaScriptEnabled ? '' : 'out'} scripts`, async () => {
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${site.url}/registries/my-gifts/`, { waitUntil: 'commit' });
      await page.getByLabel('Your email').fill(`fast-${javaScriptEnabled}@example.org`);
      await page.getByRole('button', { name: 'Email me the link' }).click();
      await page.getByText('we’ve sent a link to fast-').waitFor();
      await context.close();
    });

  test('nothing sticks out at 400 % where people write from right to left', async () => {
    await setOption(site, 'test_rtl', '1');
    for (const { name, path, user } of mostTelling(12, site.pages)) {
      const { page } = await guestOf(user, 'phone');
      await page.goto(site.url + path);
      await unfold(page);
      await assertNothingSticksOut(page, 'rtl', name);
    }
    await setOption(site, 'test_rtl', '');
  });

  test('pages without JavaScript offer nothing that needs it, and everything else', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { page } = await guestOf(site.users.alice, 'desk');
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    for (const name of ['guests', 'given', 'gifts', 'details', 'sixty gifts']) {
      await plain.goto(site.url + pathOf(name));
      const offered = await plain.locator('[data-needs-script], [data-print]').all();
      for (const part of offered) assert.equal(await part.isVisible(), false, name);
    }
    await plain.goto(site.url + pathOf('new'));
    const other = plain.getByLabel('What’s the occasion?');
    assert.equal(await other.isVisible(), false);
    await plain.getByLabel('Occasion', { exact: true }).selectOption('other');
    assert.equal(await other.isVisible(), true, 'a choice shows what it needs');
    await context.close();
  });

  for (const theme of mostTelling(0, ['twentytwentyone', 'twentytwentythree']))
    test(`one main button a page, and one a gift on the list; tabs in one row: ${theme}`, async () => {
      await site.call('switch_theme', theme);
      for (const { name, path, user } of site.pages) {
        const { page } = await guestOf(user, 'phone');
        await page.setViewportSize({ width: widths.phone, height: 900 });
        await page.goto(site.url + path);
        await assertOneMainButton(page, name);
        const tops = await page
          .locator('.trousseau-tabs li')
          .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
        assert.ok(new Set(tops).size < 2, `${name}: tabs in one row`);
        const menu = page.locator('.trousseau-order__menu button');
        const fills = await menu.evaluateAll((buttons) =>
          buttons.map((button) => getComputedStyle(button).backgroundColor),
        );
        assert.deepEqual(new Set(fills), new Set(fills.length ? ['rgba(0, 0, 0, 0)'] : []), `${name}: menus`);
      }
    });

  test('WordPress logs no complaint', () => {
    assert.doesNotMatch(site.log(), /(themes|plugins)\/trousseau/);
  });
});
