// The theme without the plugin: a notice for administrators, and a friendly message for everyone else.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type SampleSite, startSampleSite } from '../../dev/sample/sample-site.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { deactivate } from '../../dev/wordpress/set-up.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';
import { assertAccessible, assertReadableAtNight, welcome } from './guest.ts';

const places = { '/': 200, '/registry/': 404, '/registry/amelie-jonas/': 404 };

describe('without the plugin', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: SampleSite;
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
    site = await startSampleSite();
    await deactivate(site, 'trousseau');
  });
  after(() => Promise.all([site?.stop(), browser?.close()]));

  for (const role of ['visitor', 'subscriber'] as const) {
    test(`a ${role} is asked to come back`, async () => {
      const user = role === 'subscriber' ? { user: site.users.alice } : {};
      const { page, open, errors, leave } = await welcome(browser, site, user);
      for (const [path, status] of Object.entries(places)) {
        assert.equal(await open(path), status);
        const words = (await page.textContent('main'))!;
        assert.match(words, /taking a short break/);
        assert.doesNotMatch(words, /plugin/i);
        assert.equal(
          await page.locator('main a[href*="post_type=registry"]').count(),
          0,
          'no way into nothing',
        );
        await assertAccessible(page);
      }
      assert.deepEqual(errors, []);
      await leave();
    });
  }

  test('an administrator is told what to do', async () => {
    const { page, open, leave } = await welcome(browser, site, { user: site.users.admin });
    for (const [path, status] of Object.entries(places)) {
      assert.equal(await open(path), status);
      const words = (await page.textContent('main'))!;
      assert.match(words, /The Trousseau plugin isn’t active/);
      assert.doesNotMatch(words, /taking a short break/);
    }
    await assertAccessible(page);
    await assertReadableAtNight(page);
    await page.getByRole('link', { name: 'Go to plugins' }).click();
    await page.waitForURL(/plugins\.php$/);
    await leave();
  });

  test('everything else works as before', async () => {
    const { page, open, leave } = await welcome(browser, site);
    for (const path of ['/hello-world/', '/our-story/', '/?s=hello']) {
      assert.equal(await open(path), 200);
      assert.doesNotMatch((await page.textContent('main'))!, /short break|plugin/);
    }
    assert.doesNotMatch(site.log(), /themes\/trousseau/);
    await leave();
  });
});
