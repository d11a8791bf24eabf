// Takes the pictures in docs/screenshots and the theme's own screenshot.png, on a real WordPress.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startSampleSite } from '../sample/sample-site.ts';
import { launchChromium } from '../wordpress/browser.ts';
import { setOptions } from '../wordpress/set-up.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/screenshots');
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

interface Shot {
  file: string;
  path: string;
  size: { width: number; height: number };
  dark?: boolean;
  /** The height shown, in pixels from the top of the page; the window's height by default. */
  height?: number;
}

const shots: Shot[] = [
  { file: join(folder, 'registry-phone.png'), path: '/registry/amelie-jonas/', size: phone, height: 2100 },
  { file: join(folder, 'registry-desk.png'), path: '/registry/amelie-jonas/', size: desk, height: 2100 },
  {
    file: join(folder, 'registry-dark.png'),
    path: '/registry/amelie-jonas/',
    size: desk,
    height: 2100,
    dark: true,
  },
  { file: join(folder, 'registries.png'), path: '/registry/', size: desk, height: 1330 },
  { file: join(root, 'theme/screenshot.png'), path: '/', size: { width: 1200, height: 900 } },
];

async function take(browser: Browser, url: string, shot: Shot): Promise<void> {
  const page = await browser.newPage({
    viewport: { ...shot.size, height: shot.height ?? shot.size.height },
    colorScheme: shot.dark ? 'dark' : 'light',
  });
  await page.goto(url + shot.path, { waitUntil: 'networkidle' });
  const broken = await page.$$eval('img', (images) =>
    images.filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
  );
  if (broken.length > 0) throw new Error(`broken pictures on ${shot.path}: ${broken}`);
  await page.screenshot({ path: shot.file });
  await page.close();
  console.log(`${shot.file.slice(root.length + 1)}  ${Math.round(statSync(shot.file).size / 1024)} KB`);
}

/** Returns a drawing as a JPEG, for the media library. */
async function jpegOf(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 } });
  await page.setContent(`<body style="margin:0">${svg}`);
  const jpeg = await page.screenshot({ type: 'jpeg', quality: 90 });
  await page.close();
  return jpeg;
}

mkdirSync(folder, { recursive: true });
const browser = await launchChromium('whole');
const site = await startSampleSite({ locale: 'en_US' });
try {
  const evening = readFileSync(join(import.meta.dirname, '../sample/pictures/evening.svg'), 'utf8');
  await site.setPicture(site.registries['Amélie & Jonas']!, await jpegOf(browser, evening));
  for (const shot of shots) await take(browser, site.url, shot);
  for (const locale of ['ar', 'de_DE', 'es_ES', 'fr_FR']) {
    await setOptions(site, { WPLANG: locale, date_format: 'F j, Y' });
    const file = join(folder, `registry-${locale}.png`);
    await take(browser, site.url, { file, path: '/registry/amelie-jonas/', size: phone, height: 1900 });
  }
} finally {
  await Promise.all([site.stop(), browser.close()]);
}
