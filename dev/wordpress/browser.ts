// Debian's Chromium, driven by playwright-core.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { WordPress, WordPressUser } from './wordpress.ts';

const executablePath = '/usr/bin/chromium';

/** For `test(name, { skip: skipWithoutChromium() }, …)`: skips with a reason, but in CI a missing browser is a failure. */
export function skipWithoutChromium(): string | false {
  if (existsSync(executablePath)) return false;
  const missing = `A browser test needs ${executablePath}; on Debian: apt-get install chromium`;
  if (process.env.CI === 'true') throw new Error(missing);
  return missing;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/**
 * Signs the page's browser in without the form: the form's script moves the focus after loading, which would misplace
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
