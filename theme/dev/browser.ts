// Debian's Chromium, driven by playwright-core.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** For `test(name, { skip: skipWithoutChromium() }, …)`: skips with a word, but under CI what is missing is a failure. */
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
