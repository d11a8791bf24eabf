// How Chromium is started, by a test alone or by the pool for all of them.
import { type BrowserServer, chromium } from 'playwright-core';

export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser to which other processes connect, and which ends with this one. */
export const serveChromium = (program: string): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: program,
    args: chromiumArguments,
    timeout: 3 * 60_000,
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  });
