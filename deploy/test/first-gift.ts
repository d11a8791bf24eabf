// A site's first minutes in a browser: the first account, a list, a gift, and a guest who gives it. Finds forms and fields by name,
// so that texts may change.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../dev/until.ts';
import { readMail } from '../../dev/wordpress/mail.ts';

/** WordPress starts its cron at most once a minute, when a page is requested. */
const WORDPRESS_CRON = { withinMs: 240_000, everyMs: 500 };

export const keeper = { username: 'amelie', password: 'three hats on a hill', email: 'amelie@example.org' };

async function press(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), page.locator(button).first().click()]);
  await page.waitForLoadState();
}

async function send(page: Page, action: string, fields: Record<string, string>): Promise<void> {
  const form = `main form:has([name=do][value=${action}])`;
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`${form} [name=${name}]`);
    if ((await field.first().getAttribute('type')) === 'radio')
      await page.check(`${form} [name=${name}][value=${value}]`);
    else await field.fill(value);
  }
  await press(page, `${form} [type=submit]`);
}

export async function makeFirstAccount(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  assert.equal(new URL(page.url()).pathname, '/wp-admin/install.php');
  if (await page.locator('#language-continue').isVisible()) await press(page, '#language-continue');
  await page.locator('#weblog_title').fill('Our gift lists');
  await page.locator('#user_login').fill(keeper.username);
  await page.locator('#pass1').fill(keeper.password);
  await page.locator('#admin_email').fill(keeper.email);
  await press(page, '#submit');
  assert.equal(await page.locator('#submit').count(), 0, await page.locator('body').innerText());
  await page.close();
}

export async function makeList(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  const form = { log: keeper.username, pwd: keeper.password, redirect_to: '/robots.txt' };
  const signedIn = await page.request.post(`${url}/wp-login.php`, { form });
  assert.equal(new URL(signedIn.url()).pathname, '/robots.txt');
  await page.goto(`${url}/registries/new/`);
  await send(page, 'make', { title: 'Amélie & Jonas', status: 'publish' });
  const id = /\d+/.exec(new URL(page.url()).pathname)![0];
  await page.goto(`${url}/registries/${id}/gifts/?by-hand=1`);
  await send(page, 'add', { name: 'Bread knife' });
  const list = await (await page.request.get(`${url}/wp-json/wp/v2/registry/${id}`)).json();
  await page.close();
  return list.link;
}

/** Gives the gift as a guest without an account, who confirms it by the link in the email. */
export async function give(browser: Browser, list: string, mails: string[]): Promise<void> {
  const page = await browser.newPage();
  await page.goto(list);
  await press(page, 'main a[href*="/give/"]');
  const email = 'ruth@example.org';
  await send(page, 'give', { giver: 'Ruth', email });
  const link = await until(
    'the email that asks the guest to confirm',
    () => {
      const mail = mails.map(readMail).find(({ to }) => to.includes(email));
      return mail && /https?:\/\/\S+/.exec(mail.text)?.[0];
    },
    WORDPRESS_CRON,
  );
  await page.goto(link);
  await page.close();
}

export async function words(browser: Browser, list: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(list);
  const text = await page.locator('main').innerText();
  await page.close();
  return text;
}

export async function startMailServer() {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    let isMail = false;
    socket.write('220 test\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (;;) {
        const end = isMail ? '\r\n.\r\n' : '\r\n';
        const at = text.indexOf(end);
        if (at < 0) return;
        const part = text.slice(0, at);
        text = text.slice(at + end.length);
        if (isMail) mails.push(part);
        const begins = !isMail && part.toUpperCase() === 'DATA';
        socket.write(begins ? '354 go on\r\n' : '250 ok\r\n');
        isMail = begins;
      }
    });
    socket.on('error', () => {});
  }).listen(0);
  await once(server, 'listening');
  return { mails, port: (server.address() as { port: number }).port, close: () => server.close() };
}
