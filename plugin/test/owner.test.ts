// The pages of owners and guests on a real WordPress, in a real browser on a phone: one test a person, mails included.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createClient } from 'trousseau-client';
import { temporaryFolder } from '../../api/test/support.ts';
import { shopIsOnTheWeb } from '../../dev/sample/people.ts';
import { until } from '../../dev/until.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import type { Mail } from '../../dev/wordpress/mail.ts';
import {
  itemIds,
  permalink,
  post,
  postStatus,
  registryAddress,
  registryIds,
  runJobs,
  setPostMeta,
} from '../../dev/wordpress/set-up.ts';
import { basic, complaints, fieldsOf, visit } from '../../dev/wordpress/site.ts';
import { readCode } from '../../dev/wordpress/square-code.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('people', { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
  let site: WholeSite;
  let browser: Browser;
  const contexts: BrowserContext[] = [];

  before(async () => {
    const muPlugins = [...shopIsOnTheWeb.muPlugins, 'clock'];
    [site, browser] = await Promise.all([startWholeSite({ muPlugins }), launchChromium()]);
  });
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
  after(async () => {
    await browser?.close();
    await site?.stop();
  });

  /** A browser of somebody's own, on a phone or at a desk. */
  async function person(user?: WordPressUser, { script = true, desk = false } = {}): Promise<Page> {
    const context = await browser.newContext({
      viewport: desk ? { width: 1280, height: 800 } : { width: 390, height: 844 },
      javaScriptEnabled: script,
    });
    contexts.push(context);
    // The script keeps a form back that is filled in too fast for a person: it sees two seconds more.
    await context.addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 2_000;
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => assert.fail(error));
    if (user) await signIn(page, site, user);
    return page;
  }

  const open = (page: Page, path: string) => page.goto(new URL(path, site.url).href);
  /** Presses and waits for the page that follows. */
  async function press(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
    await Promise.all([page.waitForEvent('framenavigated'), page.getByRole(role, { name }).first().click()]);
    await page.waitForLoadState();
  }
  /** Sends one of the login page's forms once its scripts have moved the focus and proposed a password: text typed earlier would
      go to another field. */
  async function send(page: Page, fields: Record<string, string>): Promise<void> {
    await page.waitForFunction(() => {
      const proposed = document.querySelector<HTMLInputElement>('#pass1')?.value;
      return document.activeElement?.matches('input') && proposed !== '';
    });
    for (const [field, text] of Object.entries(fields)) await page.fill(field, text);
    await Promise.all([page.waitForEvent('framenavigated'), page.click('#wp-submit')]);
    await page.waitForLoadState();
  }
  /** Waits until the site has stored a registry's gifts in this order. */
  async function ordered(id: number, names: string[]): Promise<void> {
    const { items } = createClient({ env: {}, baseUrl: site.service.url, ...site.users.admin }).registries;
    await until(`the order ${names.join(', ')}`, async () => {
      const all = new Map((await items.list(id))!.map((item) => [item.id, item.name]));
      const stored = (await itemIds(site, id)).flatMap((item) => all.get(item) ?? []);
      return JSON.stringify(stored) === JSON.stringify(names);
    });
  }
  const heading = (page: Page) => page.locator('h1').textContent();
  /** The page’s message about a form; a page from a cache loads it afterwards. */
  const said = async (page: Page) => {
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
    return (await page.getByRole('status').allTextContents()).join(' ').trim();
  };
  const linkIn = (mail: Mail, of: string) =>
    new RegExp(`https?://\\S*${of}\\S*`).exec(mail.text)?.[0] ?? assert.fail(mail.text);
  const mailTo = async (address: string, subject: RegExp) => {
    const mails = await site.mails();
    return (
      mails.find((mail) => mail.to.includes(address) && subject.test(mail.subject)) ??
      assert.fail(
        `no mail about ${subject} in ${JSON.stringify(mails.map(({ to, subject }) => [to, subject]))}`,
      )
    );
  };
  const inShop = (name: string, price = '24.90') =>
    `${site.shop}/${encodeURIComponent(name)}?price=${price}&currency=EUR`;

  const client = (user: WordPressUser) => createClient({ env: {}, baseUrl: site.service.url, ...user });
  /** A registry with one gift, and its owner's page of gifts. */
  async function registry(
    owner: WordPressUser,
    fields: { title: string; status?: 'publish'; quantity?: number },
  ) {
    const { id } = (await client(owner).registries.create({
      title: fields.title,
      status: fields.status ?? 'private',
      meta: { registry_event_date: day(30), registry_currency: 'EUR', registry_surprise_until: null },
    }))!;
    await client(owner).registries.items.create(id, {
      ...{ name: 'Copper kettle', url: inShop('Copper kettle'), price: 24.9 },
      quantity_needed: fields.quantity ?? 1,
    });
    const page = await person(owner);
    await open(page, `/registries/${id}/gifts/`);
    return { id, page, path: new URL(await registryAddress(site, id)).pathname };
  }
  /** The same, made by the owner in the browser. */
  async function registryByHand(
    owner: WordPressUser,
    fields: { title: string; surprise?: string; status?: string },
  ): Promise<{ id: number; page: Page; path: string }> {
    const page = await person(owner);
    await open(page, '/registries/new/');
    await page.getByLabel('Name of your list').fill(fields.title);
    await page.getByLabel('When is it?').fill(day(30));
    await page.locator('summary').click();
    await page.getByLabel('Currency of your prices').selectOption('EUR');
    await page.getByLabel(fields.surprise ?? 'No, show me who gives what').check();
    if (fields.status === 'publish') await page.getByLabel('Everyone').check();
    await press(page, 'Create my list');
    const id = Number(/registries\/(\d+)\//.exec(page.url())![1]);
    await press(page, 'Add your first gift', 'link');
    await page.getByLabel('Add from a link').fill(inShop('Copper kettle'));
    await press(page, 'Find it');
    await press(page, 'Add to my list');
    const link = await permalink(site, id);
    return {
      id,
      page,
      path: new URL((await registryAddress(site, id)) || link).pathname,
    };
  }

  test('a list that was begun waits for an account that WordPress’s own page makes', async () => {
    const page = await person();
    await open(page, '/registries/new/');
    await page.getByLabel('Name of your list').fill('Mia & Lou');
    await press(page, 'Continue');
    await open(page, '/wp-login.php?action=register');
    await send(page, { '#user_login': 'mia', '#user_email': 'mia@example.org' });
    const welcome = await mailTo('mia@example.org', /./);
    await page.goto(linkIn(welcome, 'action=rp'));
    await send(page, { '#pass1': 'a long way round the lake' });
    await open(page, '/wp-login.php');
    await send(page, { '#user_login': 'mia', '#user_pass': 'a long way round the lake' });
    assert.match(page.url(), /registries\/new/);
    assert.equal(await page.getByLabel('Name of your list').inputValue(), 'Mia & Lou');
  });

  test('an owner begins without an account and has gifts and guests after twelve presses', async () => {
    const page = await person();
    await open(page, '/');
    await press(page, 'Create your list', 'link');
    await page.getByLabel('Name of your list').fill('Noor & Sam');
    await page.getByLabel('When is it?').fill(day(200));
    await page.locator('summary').click();
    await page.getByLabel('A few words for your guests').fill('We met <on> a "train" & stayed.');
    await page.getByLabel('Currency of your prices').selectOption('EUR');
    await press(page, 'Continue');
    assert.match(await said(page), /“Noor & Sam” is saved for seven days/);
    await page.getByLabel('Your email').fill('noor@example.org');
    await press(page, 'Email me the link');
    assert.match(await said(page), /we’ve sent a link to noor@example\.org\. Open it to finish/);
    assert.equal(await page.getByLabel('Your email').isVisible(), false);
    assert.doesNotMatch((await page.textContent('main'))!, /One more step/);
    await page.goto(linkIn(await mailTo('noor@example.org', /^Finish your list$/), '/finish/'));

    // Presses and pages are counted from here.
    let presses = 0;
    const pages = new Set<string>();
    const count = async (name: string, role: 'button' | 'link' = 'button') => {
      presses++;
      await press(page, name, role);
      pages.add(new URL(page.url()).pathname);
    };
    await count('Finish my list');
    assert.match(await said(page), /Your list is ready/);
    await count('Add your first gift', 'link');
    for (const name of ['Copper saucepan', 'Linen bedding', 'Olive tree']) {
      // A phone's paste looks the address up by itself.
      presses++;
      const address = page.getByLabel('Add from a link');
      await address.focus();
      await Promise.all([
        page.waitForEvent('framenavigated'),
        address.evaluate((element, text) => {
          const field = element as unknown as HTMLInputElement;
          field.value = text;
          field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
        }, inShop(name)),
      ]);
      await page.waitForLoadState();
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name);
      assert.equal(await page.getByLabel('Price in EUR').inputValue(), '24.90');
      await count('Add to my list');
      assert.match(await said(page), new RegExp(`“${name}” is on your list`));
    }
    await count('Invite your guests', 'link');
    await page
      .getByLabel('Who would you like to invite?')
      .fill('aunt@example.org, Bo <bo@example.org>\ncarol');
    await page.getByLabel('Add a message').fill('Come hungry.');
    await page.getByLabel('Invitation from').fill('Noor & Sam Özil');
    await count('Send invitations');
    assert.match(await said(page), /3 guests are invited/);
    assert.equal(
      await page.getByLabel('Invitation from').inputValue(),
      'Noor & Sam Özil',
      'for the next ones',
    );
    assert.ok(presses <= 12 && pages.size <= 3, `${presses} presses on ${[...pages]}`);

    const mails = (await site.mails()).filter(({ to }) => to !== site.users.admin.email);
    assert.deepEqual(mails.map(({ to }) => to).sort(), [
      'aunt@example.org',
      'bo@example.org',
      site.users.carol.email,
    ]);
    for (const { subject, text, raw } of mails) {
      assert.equal(subject, 'Noor & Sam Özil invited you to their gift list');
      assert.match(text, /“Come hungry\.”/);
      assert.match(raw, /text\/html/);
    }
    await page.reload();
    assert.equal(await page.getByText('email sent').count(), 3);
    const [made] = await registryIds(site, { s: 'Noor' });
    const { post_content, post_status } = await post(site, made!);
    assert.equal(post_status, 'private');
    assert.equal(post_content, 'We met &lt;on&gt; a "train" &amp; stayed.');
  });

  test('an owner changes, orders, removes and puts back, without a script', async () => {
    const { id } = await registryByHand(site.users.alice, { title: 'Slow and steady' });
    const page = await person(site.users.alice, { script: false });
    const gifts = `/registries/${id}/gifts/`;
    await open(page, gifts);
    await press(page, 'Add it yourself', 'link');
    await page.getByLabel('Name', { exact: true }).fill('A walk <b>together</b>');
    await page.getByLabel('Price').fill('a lot');
    await press(page, 'Add to my list');
    assert.match(
      (await page.getByRole('alert').textContent())!,
      /Enter the price as a number above 0, such as/,
    );
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'A walk <b>together</b>');
    await page.getByLabel('Price').fill('1.299,50');
    await page.getByText('More options').click();
    await page.getByLabel('How many would you like?').fill('2');
    await press(page, 'Add to my list');
    const names = () => page.locator('.trousseau-order strong').allTextContents();
    assert.deepEqual(await names(), ['Copper kettle', 'A walk <b>together</b>']);
    assert.match(await page.locator('.trousseau-order').innerText(), /€1,299\.50/);
    await page.getByLabel(/^More: A walk/).click();
    await press(page, /^Move to…: A walk/, 'link');
    await press(page, 'Move to top');
    assert.deepEqual(await names(), ['A walk <b>together</b>', 'Copper kettle']);
    await page.getByLabel('More: Copper kettle').click();
    await press(page, /^Remove\s*: Copper kettle/);
    assert.deepEqual(await names(), ['A walk <b>together</b>']);
    await press(page, /^Put back\s*: Copper kettle/);
    assert.deepEqual((await names()).length, 2);
    await press(page, 'Copper kettle', 'link');
    await page.getByLabel('Name', { exact: true }).fill('Brass kettle');
    await press(page, 'Save changes');
    assert.ok((await names()).includes('Brass kettle'));

    await press(page, 'Details', 'link');
    await page.getByLabel('Name of your list').fill('Slow & steady');
    await press(page, 'Save changes');
    assert.equal(await page.getByLabel('Name of your list').inputValue(), 'Slow & steady');
    assert.equal(await postStatus(site, id), 'private');

    await press(page, 'After the day', 'link');
    await page.locator('summary', { hasText: 'Save a copy' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save list as a file' }).click(),
    ]);
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'list.json');
    await saved.saveAs(file);
    await open(page, '/registries/mine/');
    await page.locator('summary').click();
    await page.getByLabel('The file saved by the other site').setInputFiles(file);
    await press(page, 'Import list');
    assert.deepEqual((await names()).sort(), ['A walk <b>together</b>', 'Brass kettle']);
    const copy = Number(/registries\/(\d+)\//.exec(page.url())![1]);
    await open(page, `/registries/${copy}/details/?part=after`);
    await page.locator('summary', { hasText: 'Delete this list' }).click();
    await page.getByLabel('Yes, delete it for good').check();
    await press(page, 'Delete my list');
    assert.match(await said(page), /“Slow & steady” and its gifts have been deleted/);
    assert.equal(await post(site, copy), null);
  });

  test('an owner orders by keyboard, heard and with focus where it was', async () => {
    const { id, page } = await registry(site.users.alice, { title: 'In order' });
    await page.getByRole('link', { name: 'Add it yourself' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await page.keyboard.press('Enter');
    await page.waitForURL(/gifts\/?$/);
    await page.getByLabel('More: Second').click();
    const up = page.getByRole('button', { name: 'Move up: Second' });
    await up.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('[data-said]').textContent(), 'Second is now 1 of 2');
    assert.equal(
      await page.evaluate(
        () =>
          (
            document as unknown as {
              activeElement: { closest(s: string): { querySelector(s: string): { textContent: string } } };
            }
          ).activeElement
            .closest('li')
            .querySelector('strong').textContent,
      ),
      'Second',
    );
    await ordered(id, ['Second', 'Copper kettle']);
    await page.keyboard.press('Escape');
    const last = page.locator('.trousseau-order > li').last();
    const { height } = (await last.boundingBox())!;
    const handle = page.locator('[data-drag]').first();
    await handle.dragTo(last, { targetPosition: { x: 150, y: height - 5 } });
    await ordered(id, ['Copper kettle', 'Second']);
    await page.locator('[data-drag]').last().press('ArrowUp');
    await ordered(id, ['Second', 'Copper kettle']);
  });

  test('a form that is sent without a network stays as it was typed, says so, and is sent by the next press', async () => {
    const { id, page } = await registry(site.users.alice, { title: 'On a train' });
    await open(page, `/registries/${id}/guests/`);
    await page.getByLabel('Who would you like to invite?').fill('conductor@example.org');
    await page.context().setOffline(true);
    for (let presses = 0; presses < 2; presses++) {
      await page.getByRole('button', { name: 'Send invitations', exact: true }).click();
      await page.locator('[role="alert"]:focus', { hasText: 'couldn’t be saved right now' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 1);
    }
    assert.equal(
      await page.getByLabel('Who would you like to invite?').inputValue(),
      'conductor@example.org',
    );
    await page.context().setOffline(false);
    await press(page, 'Send invitations');
    assert.match(await said(page), /1 guest is invited/);
  });

  test('a guest without an account opens the link, gives, has bought, changes their mind', async () => {
    const uncle = 'uncle@example.org';
    const { id, page: owner, path } = await registry(site.users.alice, { title: 'For the two', quantity: 3 });
    await open(owner, `/registries/${id}/guests/`);
    await owner.getByLabel('Who would you like to invite?').fill(`${uncle}, nobody-has-this`);
    await press(owner, 'Send invitations');
    const asked = /Enter an email for \W?nobody-has-this\W?, who has no account here\./;
    assert.match((await owner.getByRole('alert').textContent())!, asked);
    assert.equal(await owner.getByText(asked).count(), 1, 'said once');
    assert.match((await owner.getByRole('status').textContent())!, /1 guest is invited/);
    assert.equal(await owner.getByLabel('Who would you like to invite?').inputValue(), 'nobody-has-this');
    const link = linkIn(await mailTo(uncle, /^You’re invited to “For the two”$/m), 'invitation');

    await owner.getByText('Their link').click();
    const copy = owner.locator('.trousseau-link').getByRole('button');
    // A browser with windows lets a page that is pressed write there, its headless shell must be told to.
    await owner.context().grantPermissions(['clipboard-write']);
    await copy.click();
    await copy.filter({ hasText: 'Copied' }).waitFor();
    const guest = await person();
    assert.equal((await open(guest, path))!.status(), 404);
    await guest.goto(link);
    assert.match((await guest.textContent('main'))!, new RegExp(`This invitation is for ${uncle}`));
    // Looking at the link does nothing yet.
    assert.equal((await open(guest, path))!.status(), 404);
    await guest.goto(link);
    await press(guest, 'Open the list');
    assert.equal(await heading(guest), 'For the two');
    assert.match((await guest.textContent('main'))!, new RegExp(`You’re here with ${uncle}`));
    const headers = (await open(guest, path))!.headers();
    assert.match(headers['cache-control']!, /no-store/);
    await press(guest, /giving this\s*: Copper kettle/, 'link');
    await guest.getByLabel('How many?').fill('2');
    await guest.getByLabel('Your name').fill('Uncle Ben');
    await guest.getByLabel('Message').fill('With <love>');
    await press(guest, /^Give this gift/);
    assert.match(await said(guest), /“2 × Copper kettle” is reserved for you/);
    await press(guest, 'Back to the list', 'link');
    assert.match((await guest.textContent('main'))!, /1 needed/);
    const mail = await mailTo(uncle, /reserved for you/);

    // The owner sees the giver, and thanks them.
    await open(owner, `/registries/${id}/given/`);
    const row = owner.locator('.trousseau-rows li');
    assert.match(
      (await row.textContent())!,
      new RegExp(`Uncle Ben\\s+${uncle}\\s+2 × Copper kettle\\s+reserved\\s+With <love>`),
    );
    await press(owner, /^Mark as thanked/);
    assert.match((await owner.textContent('main'))!, /You’ve thanked everyone/);
    await row.locator(':focus', { hasText: 'Thanked ✓' }).waitFor();
    assert.equal(await row.getByRole('button', { name: 'Thanked' }).count(), 0, 'a state is no button');
    await press(owner, /^Undo\s*: Uncle Ben/);
    assert.match((await owner.textContent('main'))!, /1 gift to say thank you for/);
    await row.locator('button:focus', { hasText: 'Mark as thanked' }).waitFor();

    // The mail's link opens the gift on another device.
    const device = await person();
    await device.goto(linkIn(mail, 'gift/'));
    await press(device, /bought it/);
    assert.match(await said(device), /marked as bought/);
    await device.getByText('⋯').click();
    await press(device, /Cancel my gift/);
    assert.match(await said(device), /others can give it/);
    await open(guest, path);
    assert.match((await guest.textContent('main'))!, /3 needed/);

    await open(owner, `/registries/${id}/guests/`);
    await owner.getByText('⋯').click();
    await press(owner, /^Cancel invitation/);
    assert.equal((await open(guest, path))!.status(), 404);
    await guest.goto(link);
    assert.match((await guest.textContent('main'))!, /This invitation has expired/);
    assert.equal(await heading(guest), 'This link doesn’t work');
  });

  test('a guest with an account presses twice, gives once, has bought, changes their mind; the last piece goes to the next', async () => {
    const { id, page: owner, path } = await registry(site.users.alice, { title: 'Only one' });
    await open(owner, `/registries/${id}/guests/`);
    await owner.getByLabel('Who would you like to invite?').fill('bob carol');
    await press(owner, 'Send invitations');
    const [bob, carol] = await Promise.all([
      person(site.users.bob, { desk: true }),
      person(site.users.carol),
    ]);
    for (const guest of [bob, carol]) {
      await open(guest, path);
      await press(guest, /giving this\s*: Copper kettle/, 'link');
    }
    const form = await bob
      .locator('.trousseau-form.is-give')
      .evaluate((element) =>
        Object.fromEntries(new FormData(element as never) as unknown as Iterable<[string, string]>),
      );
    const send = () =>
      bob.request.post(bob.url(), { form, headers: { 'sec-fetch-site': 'same-origin' }, maxRedirects: 0 });
    const answers = await Promise.all([send(), send(), send()]);
    assert.deepEqual(
      answers.map((answer) => answer.status()),
      [303, 303, 303],
    );
    await press(carol, /^Give this gift/);
    assert.match((await carol.getByRole('alert').textContent())!, /Someone else got there first/);
    assert.equal(
      await carol.getByRole('button', { name: /^Give this gift/ }).count(),
      0,
      'nothing is left to give',
    );
    await carol.getByRole('link', { name: 'Back to the list' }).waitFor();
    await open(owner, `/registries/${id}/given/`);
    assert.equal(await owner.locator('.trousseau-rows li').count(), 1);
    await open(bob, '/registries/my-gifts/');
    assert.equal(await bob.locator('.trousseau-rows li').count(), 1);
    assert.match(
      (await bob.textContent('main'))!,
      /Copper kettle\s+for Only one · reserved for you until \w+ \d+, \d{4}/,
    );
    const mails = await site.mails();
    assert.equal(mails.filter(({ subject }) => /reserved for you/.test(subject)).length, 1);

    await press(bob, /^View or change\s*: Copper kettle/, 'link');
    await press(bob, /bought it/);
    assert.match(await said(bob), /marked as bought/);
    await bob.getByText('⋯').click();
    await press(bob, /Cancel my gift/);
    assert.match(await said(bob), /others can give it/);
    await open(bob, '/registries/my-gifts/');
    assert.match((await bob.textContent('main'))!, /Copper kettle\s+for Only one · cancelled/);
    await open(carol, path);
    await press(carol, /giving this\s*: Copper kettle/, 'link');
    await carol.getByLabel('bought it').check();
    await press(carol, /^Give this gift/);
    assert.match(await said(carol), /You’re giving “Copper kettle”/);
    await open(owner, `/registries/${id}/given/`);
    const row = owner.locator('.trousseau-rows li');
    assert.match((await row.textContent())!, /carol[\s\S]*Copper kettle/);
    await press(owner, /^Mark as thanked/);
    assert.match((await owner.textContent('main'))!, /You’ve thanked everyone/);
  });

  test('two partners come from nothing to a list that both look after, on their phones', async () => {
    const [ida, lou] = [await person(), await person()];
    await open(ida, '/registries/new/');
    await ida.getByLabel('Name of your list').fill('Ida & Lou');
    await press(ida, 'Continue');
    await ida.getByLabel('Your email').fill('ida@example.org');
    await press(ida, 'Email me the link');
    await ida.goto(linkIn(await mailTo('ida@example.org', /^Finish your list$/), '/finish/'));
    await press(ida, 'Finish my list');
    const gifts = new URL(ida.url()).pathname.replace('/home/', '/gifts/');
    await press(ida, 'Owners', 'link');
    await ida.getByLabel('Email, or user name of an account here').fill('lou@example.org');
    await press(ida, /^Add owner/);
    await lou.goto(linkIn(await mailTo('lou@example.org', /^You’re now an owner of /), '/owner/'));
    await lou.getByLabel('Your name').fill('Lou');
    await lou.getByLabel('New password').fill('a long way round the lake');
    await press(lou, 'Create an account');
    assert.equal(new URL(lou.url()).pathname, gifts);
    for (const [page, name] of [
      [lou, 'Copper kettle'],
      [ida, 'Linen bedding'],
    ] as const) {
      await open(page, gifts);
      await page.getByLabel('Add from a link').fill(inShop(name));
      await press(page, 'Find it');
      await press(page, 'Add to my list');
    }
    for (const page of [ida, lou]) {
      await open(page, gifts);
      const names = await page.locator('.trousseau-order strong').allTextContents();
      assert.deepEqual(names, ['Copper kettle', 'Linen bedding']);
    }
  });

  test('a grandmother opens a list by the code on a card, gives without an account, and finds her gift again', async () => {
    const { id, page, path } = await registry(site.users.alice, { title: 'Card to Grandma' });
    await open(page, `/registries/${id}/details/?part=privacy`);
    await page.getByLabel('Anyone with the link').check();
    await press(page, 'Save changes');
    await open(page, `/registries/${id}/guests/`);
    const address = await readCode(page.locator('[data-qr] svg'));
    assert.equal(new URL(address).origin, new URL(site.url).origin);
    const sent = new URL((await page.getByText('Send by WhatsApp').getAttribute('href'))!);
    assert.ok(sent.searchParams.get('text')!.endsWith(` ${address}`));
    for (const [cards, count] of [
      ['', 1],
      ['?eight=1', 8],
    ] as const) {
      await open(page, `/registries/${id}/cards/${cards}`);
      const codes = page.locator('.trousseau-card svg');
      assert.equal(await codes.count(), count);
      assert.equal(await readCode(codes.last()), address);
      for (const format of ['A4', 'Letter']) {
        const printed = (await page.pdf({ format })).toString('latin1');
        assert.equal(printed.match(/\/Type\s*\/Page\b/g)?.length, 1, `${count} on ${format}`);
      }
    }

    const grandma = await person();
    const away = await open(grandma, path);
    assert.equal(away!.status(), 404, 'the list without its link');
    await grandma.goto(address);
    await press(grandma, /^Open/);
    assert.match((await grandma.textContent('main'))!, /Copper kettle/);
    await press(grandma, /giving this\s*: Copper kettle/, 'link');
    await grandma.getByLabel('Your name').fill('Grandma Ruth');
    await grandma.getByLabel('Your email').fill('ruth@example.org');
    await grandma.getByLabel('Message').fill('For your tea, dears.');
    await press(grandma, /^Give this gift/);
    assert.match(await said(grandma), /reserved for you for an hour/);
    await grandma.goto(linkIn(await mailTo('ruth@example.org', /confirm your gift/), 'gift/'));
    await press(grandma, /^Confirm/);
    assert.match(await said(grandma), /confirmed, and reserved for you/);
    await open(grandma, '/registries/my-gifts/');
    assert.match((await grandma.textContent('main'))!, /Copper kettle/);
    await open(page, `/registries/${id}/given/`);
    assert.match((await page.textContent('main'))!, /Grandma Ruth[\s\S]*For your tea, dears\./);
  });

  test('a couple thanks the givers of six gifts after the wedding with one press each', async () => {
    const { id, page } = await registry(site.users.alice, { title: 'Thanks to all', quantity: 6 });
    const [item] = await itemIds(site, id);
    for (let n = 1; n <= 6; n++) {
      const answer = await fetch(`${site.service.url}/registries/${id}/items/${item}/claims`, {
        method: 'POST',
        headers: { authorization: basic(site.users.admin), 'content-type': 'application/json' },
        body: JSON.stringify({
          state: 'purchased',
          giver: { name: `Guest ${n}`, email: `guest${n}@example.org` },
        }),
      });
      assert.equal(answer.status, 201);
    }
    let presses = 0;
    const count = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      presses++;
      await press(page, name, role);
    };
    await count('Thank-yous', 'link');
    for (let n = 0; n < 6; n++) {
      const words = page.getByLabel('Your message').filter({ visible: true });
      assert.match(await words.inputValue(), /^Dear Guest \d,\s+Thank you so much for “Copper kettle”!/);
      await words.fill(`${await words.inputValue()}\n\nIt boils as we speak.`);
      presses++;
      await Promise.all([
        page.waitForEvent('framenavigated'),
        page.getByRole('button', { name: 'Send thank-you' }).filter({ visible: true }).click(),
      ]);
      await page.waitForLoadState();
    }
    assert.match((await page.textContent('main'))!, /You’ve thanked everyone/);
    assert.equal(presses, 7, 'one to open the page');
    const mails = (await site.mails()).filter(({ subject }) => /^Thank you/.test(subject));
    assert.deepEqual(mails.map(({ to }) => to.replace(/[<>]/g, '')).sort(), [
      ...[1, 2, 3, 4, 5, 6].map((n) => `guest${n}@example.org`),
    ]);
    for (const { text } of mails) assert.match(text, /It boils as we speak\./);
  });

  test('a visitor gives from a public list and confirms by mail', async () => {
    const vera = 'vera@example.org';
    const { path } = await registry(site.users.alice, { title: 'Open house', status: 'publish' });
    const visitor = await person();
    await open(visitor, path);
    await press(visitor, /giving this\s*: Copper kettle/, 'link');
    await visitor.getByLabel('Your name').fill('Vera');
    await visitor.getByLabel('Your email').fill(vera);
    await press(visitor, /^Give this gift/);
    assert.match(await said(visitor), /sent an email to vera@example\.org\. .*reserved for you for an hour/);
    await press(visitor, /^Resend the email/);
    assert.match(await said(visitor), /we’ve sent the email to vera@example\.org again/);
    await press(visitor, 'Back to the list', 'link');
    const mine = visitor.locator('.trousseau-mine');
    await mine.filter({ hasText: 'Please confirm' }).waitFor();
    assert.equal(await mine.textContent(), 'Please confirm: Copper kettle');
    const mail = await mailTo(vera, /confirm your gift/);
    assert.doesNotMatch(mail.raw, /Copper|Open house|Vera/);
    const other = await person();
    await other.goto(linkIn(mail, 'gift/'));
    await other.goto(linkIn(mail, 'gift/'));
    assert.match((await other.textContent('main'))!, /Please confirm/);
    await press(other, /^Confirm/);
    assert.match(await said(other), /confirmed, and reserved for you/);
    await mailTo(vera, /reserved for you/);
    await open(visitor, path);
    await mine.filter({ hasText: 'You’re giving this' }).waitFor();
    assert.equal(await mine.textContent(), 'You’re giving this: Copper kettle');
    // A device without the mail's link asks for a mail to the address.
    const third = await person();
    await open(third, '/registries/my-gifts/');
    await third.getByLabel('Your email').fill(vera);
    await press(third, 'Email me the link');
    assert.match(await said(third), /we’ve sent a link to vera/);
    assert.equal(await third.getByLabel('Your email').isVisible(), false, 'the page says what to do next');
    await third.getByText('No email yet?').click();
    await third.getByLabel('Your email').waitFor();
    await third.goto(linkIn(await mailTo(vera, /The gifts you’re giving/), 'my-gifts'));
    assert.match((await third.textContent('main'))!, /Copper kettle/);
    // The visitor unsubscribes.
    await third.goto(linkIn(mail, 'no-mail'));
    await press(third, 'Unsubscribe');
    assert.match((await third.textContent('main'))!, /You’re unsubscribed/);
  });

  test('a guest looks through a long list: headings, price, still needed first or every gift in its place', async () => {
    const { id, path } = await registry(site.users.alice, { title: 'A long list', status: 'publish' });
    const as = (user: WordPressUser) => createClient({ env: {}, baseUrl: site.service.url, ...user });
    const items: number[] = await itemIds(site, id);
    for (let n = 1; n <= 14; n++) {
      const wish = { name: `Wish ${n}`, url: `${site.shop}/wish`, ...(n > 1 && { price: n * 10 }) };
      items.push((await as(site.users.alice).registries.items.create(id, wish))!.data.id);
    }
    const taken = {
      quantity: 1,
      state: 'purchased',
      giver: { name: 'Ruth', email: 'ruth@example.org' },
    } as const;
    await as(site.users.admin).registries.items.claims.create(id, items[3]!, taken);
    const under = { 2: 'Kitchen', 3: 'Kitchen', 9: 'Bath', 5: 'Kitchen' };
    const owner = await visit(site, site.users.alice);
    for (const [n, section] of Object.entries(under)) {
      const gift = `/registries/${id}/gifts/?item=${items[Number(n)]}`;
      const form = fieldsOf((await owner(gift)).text, 'change')!;
      assert.equal((await owner(gift, { ...form, section })).status, 303);
    }

    const plain = await person(undefined, { script: false });
    const guest = await person();
    const seen = async (page: Page) =>
      (await page.locator('.trousseau-registry :is(h3, h4)').filter({ visible: true }).allTextContents()).map(
        (text) => text.replace('Wish ', ''),
      );
    const rest = ['Copper kettle', '1', '4', '6', '7', '8', '10', '11', '12', '13', '14'];
    for (const page of [plain, guest]) {
      await open(page, path);
      assert.deepEqual(await seen(page), ['Kitchen', '2', '5', 'Bath', '9', 'More gifts', ...rest]);
      await page.getByText('Given: 1').click();
      assert.deepEqual((await seen(page)).at(-1), '3');
    }
    await plain.getByLabel('Price up to').fill('60');
    await plain.getByRole('combobox', { name: 'Show' }).selectOption('Only gifts still needed');
    await press(plain, 'Find');
    assert.deepEqual(await seen(plain), ['Kitchen', '2', '5', 'More gifts', 'Copper kettle', '1', '4', '6']);
    assert.match((await plain.locator('[data-filter]').textContent())!, /Gifts shown: 6/);
    assert.equal(await plain.getByLabel('Price up to').inputValue(), '60');
    await press(plain, 'Show all', 'link');
    assert.deepEqual((await seen(plain)).slice(-2), ['13', '14']);
    await guest.getByLabel('Price up to').fill('60');
    assert.deepEqual(await seen(guest), [
      'Kitchen',
      '2',
      '5',
      'More gifts',
      'Copper kettle',
      '1',
      '4',
      '6',
      '3',
    ]);
    assert.match((await guest.locator('[data-filter]').textContent())!, /Gifts shown: 6/);
    const show = guest.getByRole('combobox', { name: 'Show' });
    await show.selectOption('Only gifts still needed');
    assert.match((await guest.locator('[data-filter]').textContent())!, /Gifts shown: 6/);
    assert.ok(!(await seen(guest)).includes('3'));
    await show.selectOption('In list order');
    assert.deepEqual(await seen(guest), [
      'Kitchen',
      '2',
      '3',
      '5',
      'More gifts',
      'Copper kettle',
      '1',
      '4',
      '6',
    ]);

    await guest.getByRole('combobox', { name: 'Category' }).selectOption('Kitchen');
    assert.deepEqual(await seen(guest), ['Kitchen', '2', '3', '5']);
    await guest.getByRole('combobox', { name: 'Category' }).selectOption('All');
    await guest.getByLabel('Price up to').fill('');
    await guest.getByLabel('Find a gift').fill('COPPÉR');
    assert.deepEqual(await seen(guest), ['More gifts', 'Copper kettle']);
    await guest.getByLabel('Find a gift').fill('');

    // The guest visits the shop and comes back.
    await press(guest, /shop\s*: Wish 9/, 'link');
    assert.equal(new URL(guest.url()).origin, site.shop);
    await guest.goBack();
    const wish = guest.locator('.trousseau-item', { hasText: 'Wish 9' });
    await wish.getByText('Did you buy it?').waitFor();
    assert.equal(await guest.getByText('Did you buy it?').filter({ visible: true }).count(), 1);
    await wish.getByRole('link', { name: 'I’ve bought it' }).click();
    await guest.waitForURL(/\/give\//);
    assert.equal(await guest.getByLabel('I’ve bought it').isChecked(), true);
  });

  test('a shop’s long name for a thing is cut to what a list takes, at a word', async () => {
    const { page } = await registry(site.users.alice, { title: 'Cut short' });
    const name = 'Premium stainless steel saucepan with a lid '.repeat(4).trim();
    await page.getByLabel('Add from a link').fill(inShop(name));
    await press(page, 'Find it');
    assert.match(await page.getByLabel('Name', { exact: true }).inputValue(), /^Premium .{70,90} \w+…$/);
    await page.getByRole('combobox', { name: 'Category' }).fill('Kitchen');
    await press(page, 'Add to my list');
    assert.match(await said(page), /“Premium .*…” is on your list/);
    assert.match((await page.locator('.trousseau-order').textContent())!, /Kitchen · €24\.90/);
  });

  test('a surprise stays one, until its day', async () => {
    const { id, page: owner } = await registryByHand(site.users.alice, {
      title: 'Secret',
      surprise: 'Depending on the occasion (recommended)',
    });
    const seen = async () => {
      const pages = [];
      for (const name of ['gifts', 'given', 'guests', 'details']) {
        await open(owner, `/registries/${id}/${name}/`);
        pages.push(await owner.locator('.trousseau-page').innerText());
      }
      return pages;
    };
    await open(owner, `/registries/${id}/guests/`);
    await owner.getByLabel('Who would you like to invite?').fill('bob');
    await press(owner, 'Send invitations');
    await site.mails();
    const bob = await person(site.users.bob);
    const before = await seen();
    await open(bob, `/registries/${id}/give/?item=${(await itemIds(site, id))[0]!}`);
    await bob.getByLabel('bought it').check();
    await press(bob, /^Give this gift/);
    assert.match(await said(bob), /You’re giving “Copper kettle”/);
    assert.deepEqual(await seen(), before);
    await runJobs(site, 'digest');
    const told = (await site.mails()).filter(({ to }) => to.includes(site.users.alice.email));
    assert.deepEqual(
      told.filter(({ raw, text }) => `${raw}${text}`.includes('Secret')),
      [],
    );
    await setPostMeta(site, id, { registry_surprise_until: day(-1) });
    await open(owner, `/registries/${id}/given/`);
    assert.match((await owner.locator('.trousseau-rows').textContent())!, /bob/);
  });

  test('a giver who types the surprised owner’s address tells them nothing', async () => {
    const { path } = await registryByHand(site.users.alice, {
      title: 'Hush',
      surprise: 'Always',
      status: 'publish',
    });
    await site.mails();
    const visitor = await person();
    await open(visitor, path);
    await press(visitor, /giving this\s*: Copper kettle/, 'link');
    await visitor.getByLabel('Your name').fill('Prankster');
    await visitor.getByLabel('Your email').fill(site.users.alice.email.toUpperCase());
    await press(visitor, /^Give this gift/);
    assert.match(await said(visitor), /reserved for you for an hour/);
    // Emails about other lists may still be on their way.
    const told = (await site.mails()).map(({ subject, raw, text }) => `${subject}\n${raw}${text}`);
    assert.deepEqual(
      told.filter((mail) => /Hush|Prankster|\/gift\//.test(mail)),
      [],
    );
    const owner = await person(site.users.alice);
    await open(owner, '/registries/my-gifts/');
    assert.doesNotMatch((await owner.textContent('main'))!, /Copper kettle/);
  });

  test('PHP logged no complaint', () => assert.deepEqual(complaints(site), []));
});
