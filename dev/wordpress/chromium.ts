// Starts Chromium, for a single test or for all tests of the pool.
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

/** Starts a browser that other processes connect to, and that ends with this one. */
export const serveChromium = (program: string): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: program,
    args: chromiumArguments,
    timeout: 3 * 60_000,
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  });
