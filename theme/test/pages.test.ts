// Every template on a real WordPress, in Chromium: on a phone and a desktop, in light and dark.
// @again wordpress
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { mostTelling } from '../../dev/night.ts';
import { type SampleSite, startSampleSite } from '../../dev/sample/sample-site.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { addPost, setOption, setOptions } from '../../dev/wordpress/set-up.ts';

import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';
import {
  assertAccessible,
  assertLargeTargets,
  assertReadableAtNight,
  type Scheme,
  shiftOf,
  type Width,
  welcome,
  widths,
} from './guest.ts';

const templates = [
  { name: 'front-page', path: '/', bodyClass: 'home' },
  { name: 'archive-registry', path: '/registry/', bodyClass: 'post-type-archive-registry' },
  { name: 'single-registry', path: '/registry/amelie-jonas/', bodyClass: 'single-registry' },
  { name: 'index', path: '/journal/', bodyClass: 'blog' },
  { name: 'archive', path: '/category/uncategorized/', bodyClass: 'archive' },
  { name: 'single', path: '/hello-world/', bodyClass: 'single-post' },
  { name: 'page', path: '/our-story/', bodyClass: 'page' },
  { name: 'search', path: '/?s=the', bodyClass: 'search-results' },
  { name: 'search without results', path: '/?s=zzqq', bodyClass: 'search-no-results' },
  { name: '404', path: '/no-such-page/', bodyClass: 'error404', status: 404 },
];

describe('pages', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: SampleSite;
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
    site = await startSampleSite({ muPlugins: ['right-to-left'] });
    const page = { post_type: 'page', post_status: 'publish' };
    await setOptions(site, {
      show_on_front: 'page',
      page_on_front: await addPost(site, { ...page, post_title: 'Home' }),
      page_for_posts: await addPost(site, { ...page, post_title: 'Journal' }),
    });
    await site.call('wp_insert_comment', {
      ...{
        comment_post_ID: 1,
        comment_author: 'Ruth',
        comment_content: 'How lovely!',
        comment_approved: 1,
      },
    });
  });
  after(() => Promise.all([site?.stop(), browser?.close()]));

  for (const { name, path, bodyClass, status = 200 } of templates) {
    for (const width of mostTelling<Width>(1, ['phone', 'desk'])) {
      test(`${name}, ${width}, by day and by night`, async () => {
        const { page, requests, errors, open, leave } = await welcome(browser, site, { width });
        try {
          assert.equal(await open(path), status);
          assert.ok((await page.getAttribute('body', 'class'))?.split(' ').includes(bodyClass));
          assert.ok((await shiftOf(page)) <= 0.02);
          await assertAccessible(page);
          await assertLargeTargets(page);
          await assertReadableAtNight(page);
          assert.deepEqual(
            requests.filter((url) => new URL(url).origin !== site.url),
            [],
            'no request to anybody else',
          );
          // WordPress's own emoji, which the plugin switches off on pages of lists.
          if (name.endsWith('registry'))
            assert.doesNotMatch(await page.content(), /\bs\.w\.org|dns-prefetch|preconnect/);
          assert.deepEqual(errors, []);
        } finally {
          await leave();
        }
      });
    }
  }

  // accessibility.test.ts has the other direction.
  test('nothing sticks out at 400 % where people write from right to left', async () => {
    await setOption(site, 'test_rtl', '1');
    const { page, open, leave } = await welcome(browser, site);
    await page.setViewportSize({ width: 320, height: 256 });
    for (const { name, path } of templates) {
      await open(path);
      const found = await page.evaluate(() => ({
        direction: getComputedStyle(document.querySelector('main')!).direction,
        width: document.documentElement.scrollWidth,
      }));
      assert.deepEqual(found, { direction: 'rtl', width: 320 }, name);
    }
    await setOption(site, 'test_rtl', '');
    await leave();
  });

  test('night is dark, day is light, and both use the theme’s own fonts', async () => {
    for (const scheme of ['light', 'dark'] satisfies Scheme[]) {
      const { page, open, leave } = await welcome(browser, site, { scheme });
      await open('/');
      const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(
        /\d+/g,
      )!;
      assert.equal(Number(red) > 128, scheme === 'light');
      const loaded = await page.evaluate(async () => {
        await document.fonts.ready;
        const loaded = [...document.fonts].filter((font) => font.status === 'loaded');
        // The device's own fonts are shown until these are loaded.
        return loaded.map((font) => font.family).filter((family) => !family.includes(' like '));
      });
      assert.deepEqual(new Set(loaded), new Set(['Fraunces', 'Figtree']));
      await leave();
    }
  });

  for (const width of mostTelling<Width>(1, ['phone', 'desk'])) {
    test(`text shows before the theme’s fonts arrive, and nothing moves then, ${width}`, async () => {
      for (const path of ['/', '/registry/amelie-jonas/']) {
        const { page, leave } = await welcome(browser, site, { width });
        let letCome = () => {};
        const held = new Promise<void>((resolve) => {
          letCome = resolve;
        });
        let asked = 0;
        await page.route('**/*.woff2', async (route) => {
          asked++;
          await held;
          await route.continue();
        });
        await page.goto(site.url + path, { waitUntil: 'domcontentloaded' });
        // Browsers don't paint text that is waiting for its font.
        const heading = page.locator('h1').first();
        await heading.waitFor();
        // Playwright's own screenshots wait for fonts.
        const devtools = await page.context().newCDPSession(page);
        const clip = { ...(await heading.boundingBox())!, scale: 1 };
        const colours = async () => (await devtools.send('Page.captureScreenshot', { clip })).data;
        const drawn = (await colours()).length;
        await page.addStyleTag({ content: 'h1 { color: transparent !important }' });
        const blank = (await colours()).length;
        assert.ok(drawn > blank + 500, `a heading of ${drawn} bytes, ${blank} without its words`);
        assert.ok(asked > 0, 'letters were asked for, and are still on their way');
        letCome();
        const shift = await shiftOf(page);
        const names = await page.evaluate(() =>
          [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
        );
        assert.ok(names.includes('Fraunces') && names.includes('Figtree'), String(names));
        assert.ok(shift <= 0.02, `${path}: ${shift}`);
        await leave();
      }
    });
  }

  test('the cards of lists show their pictures, on the front page as in the archive', async () => {
    const { page, open, leave } = await welcome(browser, site);
    const jpeg = await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 300, height: 200 } });
    const id = site.registries['Amélie & Jonas']!;
    await site.setPicture(id, jpeg);
    try {
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 });
        for (const path of ['/', '/registry/']) {
          await open(path);
          const cards = page.locator(':is(.trousseau-registries, .registry-cards > ul) > li');
          const card = cards.filter({ hasText: 'Amélie & Jonas' });
          const picture = card.locator('img');
          await picture.scrollIntoViewIfNeeded();
          const [shown, around] = [await picture.boundingBox(), await card.boundingBox()];
          assert.ok(Math.abs(shown!.width - around!.width) <= 3, `${path} ${width}: ${shown!.width}`);
          assert.ok(Math.abs(shown!.height - shown!.width / 2) <= 3, `${path}: ${shown!.height}`);
          assert.equal(await cards.locator('img').count(), 1);
          assert.ok((await shiftOf(page)) <= 0.02, path);
        }
      }
    } finally {
      await site.call('delete_post_thumbnail', id);
      await leave();
    }
  });

  test('the first tab stop skips to the content', async () => {
    const { page, open, leave } = await welcome(browser, site);
    await open('/registry/amelie-jonas/');
    await page.keyboard.press('Tab');
    const skip = page.locator(':focus');
    assert.equal(await skip.textContent(), 'Skip to content');
    assert.ok(await skip.isVisible());
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.querySelector(':target')?.tagName), 'MAIN');

    await page.keyboard.press('Tab');
    const first = await page.locator(':focus').evaluate((element) => element.closest('main') !== null);
    assert.ok(first, 'the next stop is in the content');
    await leave();
  });

  test('the header leads to the registries and to the log-in, on a phone too', async () => {
    const { page, open, leave } = await welcome(browser, site, { width: 'phone' });
    await open('/');
    await page.locator('header').getByRole('link', { name: 'Find a list' }).click();
    await page.getByRole('link', { name: 'All public lists' }).click();
    await page.waitForURL(/registry/);
    assert.equal(await page.textContent('h1'), 'Gift lists');
    await page.locator('header').getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL(/wp-login\.php\?redirect_to=/);
    await leave();
  });

  test('the front page leads to a search by names, and each search says where private lists are', async () => {
    const { page, open, leave } = await welcome(browser, site, { width: 'phone' });
    await open('/');
    await page.locator('.hero').getByRole('link', { name: 'Find a list' }).click();
    await page.getByRole('searchbox').fill('amelie');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('main').getByRole('link', { name: 'Amélie & Jonas' }).waitFor();
    const ways = async () =>
      page.locator('main').getByRole('link', { name: 'Invited? Resend my invitation' }).count();
    assert.equal(await ways(), 1);
    for (const path of ['/?s=Noor', '/?s=zzqq', '/no-such-page/']) {
      await open(path);
      assert.equal(await ways(), 1, path);
    }
    await leave();
  });

  test('WordPress logs no complaint about the theme', () => {
    assert.doesNotMatch(site.log(), /themes\/trousseau/);
  });
});
