// WordPress's own pages in the site's design: logging in, creating an account, resetting a password, and their errors.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { setOption } from '../../dev/wordpress/set-up.ts';

import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';
import { shiftOf, type Width, welcome, widths } from './guest.ts';

const pages: Record<string, string> = {
  'log in': '',
  'log in, with a fault': '',
  'make an account': '?action=register',
  'make an account, done': '?checkemail=registered',
  'lost password': '?action=lostpassword',
  'lost password, mail sent': '?checkemail=confirm',
  'lost password, link too old': '?action=lostpassword&error=expiredkey',
  'new password': '?action=rp&login=bob&key=',
  'logged out': '?loggedout=true',
};

async function assertNoViolations(page: Page): Promise<void> {
  // In some of its releases, WordPress has neither landmarks nor headings on these pages.
  const rules = { region: { enabled: false }, 'landmark-one-main': { enabled: false } };
  const { violations } = await runAxe(page, { exclude: [['.wp-pwd-hint']] }, { rules });
  assert.deepEqual(violations, []);
}

describe('signing in', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: WordPress;
  let browser: Browser;
  before(async () => {
    [browser, site] = await Promise.all([
      launchChromium(),
      startWordPress({
        theme: 'trousseau',
        muPlugins: ['right-to-left'],
      }),
    ]);
    await setOption(site, 'users_can_register', '1');
  });
  after(() => Promise.all([site?.stop(), browser?.close()]));

  async function open(page: Page, name: string): Promise<void> {
    const key = name === 'new password' ? await site.call('password_key', 'bob') : '';
    await page.goto(`${site.url}/wp-login.php${pages[name]}${key}`);
    if (!name.endsWith('with a fault')) return;
    // The page's script moves the focus shortly after loading, so that text typed then goes into another field.
    await page.waitForFunction(() => document.activeElement?.id === 'user_login');
    await page.fill('#user_login', 'nobody-of-that-name');
    await page.fill('#user_pass', 'wrong');
    await Promise.all([page.waitForEvent('framenavigated'), page.click('#wp-submit')]);
    await page.waitForSelector('#login_error');
    await page.waitForLoadState('load');
    // WordPress shakes the form after an error.
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  }

  for (const width of Object.keys(widths) as Width[]) {
    for (const name of Object.keys(pages)) {
      test(`${name}, ${width}, by day and by night`, async () => {
        const { page, requests, errors, leave } = await welcome(browser, site, { width });
        await open(page, name);
        if (name !== 'log in, with a fault') assert.ok((await shiftOf(page)) <= 0.02);
        const font = await page.evaluate(async () => {
          await document.fonts.ready;
          return [...document.fonts].filter((font) => font.status === 'loaded').map(({ family }) => family);
        });
        for (const family of ['Figtree', 'Fraunces'])
          assert.ok(font.includes(family), `${family} of ${font}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // WordPress's links change their colour gradually.
          await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
          await assertNoViolations(page);
        }
        assert.deepEqual(
          requests.filter((url) => new URL(url).origin !== site.url),
          [],
        );
        assert.deepEqual(errors, []);
        await leave();
      });
    }
  }

  for (const direction of ['ltr', 'rtl']) {
    test(`nothing sticks out at 400 % (${direction})`, async () => {
      await setOption(site, 'test_rtl', direction === 'rtl' ? '1' : '');
      const { page, leave } = await welcome(browser, site);
      await page.setViewportSize({ width: 320, height: 256 });
      for (const name of Object.keys(pages)) {
        await open(page, name);
        const found = await page.evaluate(() => ({
          direction: getComputedStyle(document.body).direction,
          width: document.documentElement.scrollWidth,
        }));
        assert.deepEqual(found, { direction, width: 320 }, name);
      }
      await setOption(site, 'test_rtl', '');
      await leave();
    });
  }
});
