// Takes docs/screenshots/film.svg, first-minutes.png and guest-minutes.png: an owner's first five minutes on a phone and a guest's
// two, from an empty site to a gift given, as an animation and side by side.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { shopIsOnTheWeb } from '../sample/people.ts';
import { launchChromium, press, signIn } from '../wordpress/browser.ts';
import { startWholeSite } from '../wordpress/whole-site.ts';
import { saveMovingPicture } from './moving-picture.ts';
import { saveStrip } from './strip.ts';

const folder = join(import.meta.dirname, '../../docs/screenshots');
const phone = { width: 390, height: 844 };
const wishes = [
  {
    name: 'Enamelled cocotte',
    drawing: 'cocotte',
    price: '289',
    shop: 'Maison Bérard',
    at: 'maison-berard.example/cocotte',
  },
  {
    name: 'Washed linen bedding',
    drawing: 'linen',
    price: '129.50',
    shop: 'Linnéa',
    at: 'linnea.example/bedding',
  },
  {
    name: 'Terracotta table lamp',
    drawing: 'lamp',
    price: '98',
    shop: 'Studio Lume',
    at: 'studio-lume.example/lamp',
  },
];

const captions = [
  'A list begins with a name and a day.',
  'A gift comes from any shop: its address is enough.',
  'The gifts stand in your order.',
  'You invite your guests by mail.',
  'The list, as everybody sees it.',
  'A guest opens the mail,',
  'comes in without an account,',
  'sees what is still needed,',
  'gives it with a word,',
  'and nobody gives it twice.',
  'For you it stays a surprise until the day is over.',
];

async function pngOf(browser: Browser, html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<body style="margin:0">${html}`);
  const png = await page.screenshot();
  await page.close();
  return png;
}

async function strip(browser: Browser, name: string, shots: Buffer[]): Promise<void> {
  const file = join(folder, `${name}.png`);
  await saveStrip(browser, shots, phone, file);
  console.log(`docs/screenshots/${name}.png  ${Math.round(statSync(file).size / 1024)} KB`);
}

const browser = await launchChromium('whole');
const pictures: Record<string, Buffer> = {};
for (const { name, drawing } of wishes) {
  const svg = readFileSync(join(import.meta.dirname, `../sample/pictures/${drawing}.svg`), 'utf8');
  pictures[name] = await pngOf(browser, svg, 800, 600);
}
const site = await startWholeSite(shopIsOnTheWeb, {}, pictures);
try {
  const page = await browser.newPage({ viewport: phone });
  await signIn(page, site, site.users.alice);
  const shots: Buffer[] = [];
  const shoot = async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    shots.push(await page.screenshot());
  };

  await page.goto(`${site.url}/registries/new/`);
  await page.getByLabel('Name of your list').fill('Amélie & Jonas');
  await page.getByLabel('When is it?').fill('2027-06-12');
  await shoot();
  await page.locator('summary').click();
  await page.getByLabel('Currency of your prices').selectOption('EUR');
  await press(page, 'Create my list');
  const owner = page.url().replace(/home\/.*/, '');
  await press(page, 'Add your first gift', 'link');
  for (const [n, { name, price, shop, at }] of wishes.entries()) {
    const address = `${site.shop}/${encodeURIComponent(name)}?price=${price}&currency=EUR`;
    await page.getByLabel('Add from a link').fill(address);
    await press(page, 'Find it');
    await page.getByText('More options').click();
    await page.getByLabel('Note for your guests').fill('');
    await page.getByLabel('Link', { exact: true }).fill(`https://${at}`);
    await page.getByLabel('Shop', { exact: true }).fill(shop);
    if (n === 0) {
      await page.getByText('More options').click();
      await page.evaluate(() => scrollTo(0, 0));
      await shoot();
    }
    await press(page, 'Add to my list');
  }
  // This runs the site's cron, which fetches the pictures.
  await site.mails();
  await page.goto(page.url());
  await shoot();
  await press(page, 'Guests', 'link');
  await page.getByLabel('Who would you like to invite?').fill('aunt@example.org, bo@example.org');
  await page.getByLabel('Add a message').fill('We would love you to come.');
  await press(page, 'Send invitations');
  const mails = await site.mails();
  await page.reload();
  await page.evaluate(() => scrollTo(0, 250));
  await shoot();
  await press(page, 'Amélie & Jonas', 'link');
  await page.waitForLoadState('networkidle');
  await shoot();

  await strip(browser, 'first-minutes', shots);

  // A guest without an account opens the list by the link in the email.
  const { html, text } = mails.find(({ to }) => to.includes('aunt@example.org'))!;
  const guest = await (await browser.newContext({ viewport: phone, reducedMotion: 'reduce' })).newPage();
  const seen: Buffer[] = [];
  const look = async () => {
    await guest.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    seen.push(await guest.screenshot());
  };
  await guest.setContent(html);
  await look();
  await guest.goto(/https?:\/\/\S*invitation\S*/.exec(text)![0]);
  await guest.waitForURL(/\/registry\//);
  await guest.waitForLoadState('networkidle');
  await look();
  await press(guest, /giving this.*cocotte/, 'link');
  await guest.getByLabel('Your name').fill('Aunt Ida');
  await guest.getByLabel('Message').fill('For many long Sundays.');
  await look();
  await press(guest, 'Give this gift');
  await guest.waitForLoadState('networkidle');
  await look();
  await strip(browser, 'guest-minutes', seen);

  await page.goto(`${owner}given/`);
  await page.getByText('It’s a surprise').waitFor();
  await shoot();
  const scenes = [...shots.slice(0, 5), ...seen, ...shots.slice(5)].map((shot, n) => ({
    caption: captions[n]!,
    shot,
  }));
  const file = join(folder, 'film.svg');
  await saveMovingPicture(browser, 'From an empty site to a gift given', scenes, 4, file);
  console.log(`docs/screenshots/film.svg  ${Math.round(statSync(file).size / 1024)} KB`);
} finally {
  await Promise.all([site.stop(), browser.close()]);
}
