// The page of a registry in each state, for each kind of reader, and in print.
// @again wordpress
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type SampleSite, startSampleSite } from '../../dev/sample/sample-site.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';
import { assertAccessible, welcome } from './guest.ts';

const path = '/registry/amelie-jonas/';

describe('a registry', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: SampleSite;
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
    site = await startSampleSite();
  });
  after(() => Promise.all([site?.stop(), browser?.close()]));

  test('a registry shows occasion, names, story and gifts, each once', async () => {
    const { page, open, leave } = await welcome(browser, site);
    await open(path);
    assert.equal(await page.textContent('h1'), 'Amélie & Jonas');
    assert.deepEqual(await page.locator('.trousseau-event').allTextContents(), ['Wedding · 12 June 2027']);
    assert.equal(await page.getByText('broken coffee machine').count(), 1);
    assert.equal(await page.locator('.trousseau-registry').count(), 1);
    assert.equal(await page.locator('.trousseau-item').count(), 9);
    const told = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content');
    assert.deepEqual([await told('title'), await told('url')], ['Amélie & Jonas', site.url + path]);
    assert.ok((await told('description'))!.length > 20);
    const linen = page.locator('.trousseau-item', { hasText: 'linen bedding' });
    assert.match((await linen.textContent())!, /(€|EUR\u00a0)129\.50 · Linnéa.*2 needed/s);
    assert.equal(await linen.locator('progress').isVisible(), true);
    const mixer = page.locator('.trousseau-item', { hasText: 'Stand mixer' });
    assert.match((await mixer.textContent())!, /Given/);
    assert.equal(await mixer.isVisible(), false, 'what is given is folded');
    await page.getByText('Given: 2').click();
    assert.equal(await mixer.isVisible(), true);
    assert.equal(await mixer.locator('progress').count(), 0);
    const lamp = page.locator('.trousseau-item', { hasText: 'table lamp' });
    assert.equal(await lamp.locator('.trousseau-need').textContent(), 'Available');
    await leave();
  });

  test('the drawn gift stands for a picture that is missing or does not load', async () => {
    const card = 'li.trousseau-item:has-text("cocotte")';
    const shot = async (failing: boolean, without = false) => {
      const { page, open, leave } = await welcome(browser, site);
      if (failing) await page.route('**/cocotte.svg', (route) => route.fulfill({ status: 404 }));
      await open(path);
      const picture = page.locator(`${card} img`);
      await picture.scrollIntoViewIfNeeded();
      await picture.evaluate((image: HTMLImageElement) => image.decode().catch(() => {}));
      if (without) await picture.evaluate((image) => image.remove());
      const { x, y, width } = (await page.locator(card).boundingBox())!;
      const image = await page.screenshot({
        clip: { x: x + width / 2 - 60, y: y + 90, width: 120, height: 120 },
      });
      await leave();
      return image;
    };
    const [shown, broken, missing] = [await shot(false), await shot(true), await shot(false, true)];
    assert.ok(broken.equals(missing), 'the same gift for both');
    assert.ok(!shown.equals(missing), 'a picture that loads covers it');
  });

  test('a phone shows the whole of every picture, in a square', async () => {
    const { page, open, leave } = await welcome(browser, site, { width: 'phone' });
    await open(path);
    await page.getByText('Given: 2').click();
    const shapes = await page.locator('.trousseau-item > img').evaluateAll((images) =>
      images.map((image) => {
        const { width, height } = image.getBoundingClientRect();
        return [Math.round(width), Math.round(height), getComputedStyle(image).objectFit];
      }),
    );
    assert.ok(shapes.length > 5);
    assert.deepEqual(
      shapes,
      shapes.map(() => [96, 96, 'contain']),
    );
    await leave();
  });

  test('a service that fails leaves the story, the gifts last known and a word', async () => {
    const answer = site.itemService.answer;
    site.itemService.answer = () => ({ status: 503, body: { detail: 'The store is away' } });
    const { page, open, leave } = await welcome(browser, site);
    try {
      // The page caches its list for a few seconds.
      await site.call('forget_locks', `gifts-${site.registries['Amélie & Jonas']}`);
      assert.equal(await open(path), 200);
      assert.match(
        (await page.locator('.trousseau-note[role=status]').textContent())!,
        /the list as of .*gifts can’t be reserved/,
      );
      // The message stands above a long story, so that readers who came for the gifts see it first.
      const above = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => element.getBoundingClientRect().top);
      assert.ok((await above('[role="status"]')) < (await above('.registry-story > p:not([role])')));
      assert.equal(await page.getByText('broken coffee machine').count(), 1);
      assert.equal(await page.locator('.trousseau-item').count(), 9);
      assert.equal(await page.getByRole('link', { name: /giving this/ }).count(), 0);
      await assertAccessible(page);
    } finally {
      site.itemService.answer = answer;
      await leave();
    }
  });

  test('on paper there are gifts and no buttons', async () => {
    const { page, open, leave } = await welcome(browser, site, { scheme: 'dark' });
    await open(path);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.site-header', '.site-footer', '.trousseau-actions']) {
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    }
    assert.ok(await page.getByText('2 needed').isVisible());
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      'rgb(255, 255, 255)',
    );
    const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)!.length;
    assert.ok(pages <= 3, `nine gifts on ${pages} sheets`);
    await leave();
  });
});
