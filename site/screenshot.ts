// Takes docs/screenshots/site.png, `npm run site` on a phone: the front page, a public list and its gifts, giving one,
// the private list.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { saveStrip } from '../dev/screenshots/strip.ts';
import { launchChromium, signIn } from '../dev/wordpress/browser.ts';
import { type Site, startSite } from './whole.ts';

const file = join(import.meta.dirname, '../docs/screenshots/site.png');
const phone = { width: 390, height: 844 };

const site = await startSite({ php: process.env.TROUSSEAU_DEV_PHP || '8.3', say: console.log });
const browser = await launchChromium('whole');
try {
  const shots: Buffer[] = [];
  const open = async (page: Page, address: string, y = 0) => {
    const answer = await page.goto(address, { waitUntil: 'networkidle' });
    if (!answer?.ok()) throw new Error(`${address}: ${answer?.status()}`);
    const broken = await page.$$eval(
      'img',
      (images) => images.filter((image) => image.complete && !image.naturalWidth).length,
    );
    if (broken) throw new Error(`${broken} broken pictures on ${address}`);
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
      throw new Error(`${address} is too wide`);
    await page.evaluate((top) => scrollTo(0, top), y);
    shots.push(await page.screenshot());
  };
  const as = async (username?: string) => {
    const page = await browser.newPage({ viewport: phone });
    const person = site.people.find((one) => one.username === username);
    if (person) await signIn(page, site.wordpress, { username: person.username, login: person.password });
    return page;
  };
  const [wedding, birth] = site.lists as [Site['lists'][0], Site['lists'][0]];
  const visitor = await as();
  await open(visitor, `${site.url}/`);
  await open(visitor, site.url + wedding.path);
  await open(visitor, site.url + wedding.path, 820);
  const give = await visitor.locator('.trousseau-give').first().getAttribute('href');
  const guest = await as('bob');
  await open(guest, give!);
  await open(guest, site.url + birth.path);
  await saveStrip(browser, shots, phone, file);
  console.log(`docs/screenshots/site.png  ${Math.round(statSync(file).size / 1024)} KB`);
} finally {
  await browser.close();
  await site.stop();
}
process.exit();
