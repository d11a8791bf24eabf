// Debian's Chromium, driven by playwright-core. Its headless shell renders and runs pages as Chromium does, without a browser's
// windows and menus, and takes a quarter of the CPU.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumArguments } from './chromium.ts';
import { sharedBrowser } from './pool.ts';
import type { WordPress, WordPressUser } from './wordpress.ts';

const whole = '/usr/bin/chromium';
const shell = '/usr/bin/chromium-headless-shell';
const programs = { whole: [whole], any: [shell, whole] };

/** For `test(name, { skip: skipWithoutChromium() }, …)`: skips with a reason, but in CI a missing browser is a failure. */
export function skipWithoutChromium(kind: keyof typeof programs = 'any'): string | false {
  if (programs[kind].some(existsSync)) return false;
  const packages = programs[kind].map((path) => path.replace('/usr/bin/', '')).join(' or ');
  const missing = `A browser test needs ${packages}; on Debian: apt-get install ${packages}`;
  if (process.env.CI === 'true') throw new Error(missing);
  return missing;
}

/** Longer than a busy machine takes for a page. */
const PATIENCE_MS = 3 * 60_000;

/** Returns a browser for this caller, with no context yet; test files share one browser process. */
export async function launchChromium(kind: keyof typeof programs = 'any'): Promise<Browser> {
  const program = programs[kind].find(existsSync) ?? whole;
  const shared = await sharedBrowser(program);
  const browser = shared
    ? await chromium.connect(shared, { timeout: PATIENCE_MS })
    : await chromium.launch({ executablePath: program, args: chromiumArguments, timeout: PATIENCE_MS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** Presses what has this name, and waits for the page that follows. */
export async function press(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') {
  await Promise.all([page.waitForEvent('framenavigated'), page.getByRole(role, { name }).first().click()]);
  await page.waitForLoadState();
}

/**
 * Logs the page's browser in without the form, whose script moves the focus after loading and would misplace
 * typed text.
 */
export async function signIn(
  page: Page,
  site: WordPress,
  { username, login }: Pick<WordPressUser, 'username' | 'login'>,
): Promise<void> {
  const form = { log: username, pwd: login, redirect_to: '/robots.txt' };
  const answer = await page.request.post(`${site.url}/wp-login.php`, { form });
  assert.equal(new URL(answer.url()).pathname, '/robots.txt', 'signed in');
}
