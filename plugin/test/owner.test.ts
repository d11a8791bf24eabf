// The pages of owners and guests on a real WordPress, in a real browser on a phone: one test a person, mails included.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { shopIsOnTheWeb } from '../../dev/sample/people.ts';
import { until } from '../../dev/until.ts';
import { press, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { linkIn } from '../../dev/wordpress/mail.ts';
import { decoded } from '../../dev/wordpress/site.ts';
import { readCode } from '../../dev/wordpress/square-code.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const muPlugins = [...shopIsOnTheWeb.muPlugins, 'clock'];

describeSite('people', { muPlugins, skip: skipWithoutChromium() }, (site) => {
  /** A browser of somebody's own, on a phone. */
  async function person(name?: 'alice', { script = true } = {}): Promise<Page> {
    const viewport = { width: 390, height: 844 };
    const page = await site.tab(name, { viewport, javaScriptEnabled: script });
    // The script keeps a form back that is filled in too fast for a person: it sees two seconds more.
    await page.context().addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 2_000;
    });
    page.on('pageerror', (error) => assert.fail(error));
    return page;
  }

  const open = (page: Page, path: string) => page.goto(new URL(path, site.url).href);
  async function ordered(id: number, names: string[]): Promise<void> {
    const { items } = site.client('admin').registries;
    await until(`the order ${names.join(', ')}`, async () => {
      const all = new Map((await items.list(id))!.map((item) => [item.id, item.name]));
      return isDeepStrictEqual(
        (await site.itemIds(id)).map((item) => all.get(item)),
        names,
      );
    });
  }
  const heading = (page: Page) => page.locator('h1').textContent();
  /** The page’s message about a form; a page from a cache loads it afterwards. */
  const said = async (page: Page) => {
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor();
    return (await page.getByRole('status').allTextContents()).join(' ').trim();
  };
  const mailTo = async (address: string, subject: RegExp) => {
    const mails = await site.mails();
    const found = mails.find((mail) => mail.to.includes(address) && subject.test(mail.subject));
    return found ?? assert.fail(`no ${subject} in ${mails.map(({ to, subject }) => `${to}: ${subject}`)}`);
  };
  const inShop = (name: string, price = '24.90') =>
    `${site.shop}/${encodeURIComponent(name)}?price=${price}&currency=EUR`;
  async function registry(title: string, fields: { status?: 'publish'; quantity?: number } = {}) {
    const meta = { registry_event_date: day(30), registry_currency: 'EUR', registry_surprise_until: null };
    const gift = { name: 'Copper kettle', url: inShop('Copper kettle'), price: 24.9 };
    const { id, gifts, path } = await site.list(
      { title, meta, status: fields.status ?? 'private' },
      { ...gift, quantity_needed: fields.quantity ?? 1 },
    );
    const page = await person('alice');
    await open(page, gifts);
    return { id, page, path };
  }

  test('an owner begins without an account and has six gifts, five guests and a co-owner after twenty presses', async () => {
    const page = await person();
    await open(page, '/');
    await press(page, 'Create your list', 'link');
    await page.getByLabel('Name of your list').fill('Noor & Sam');
    await page.getByLabel('When is it?').fill(day(200));
    await page.locator('summary').click();
    await page.getByLabel('Currency of your prices').selectOption('EUR');
    await press(page, 'Continue');
    assert.match(await said(page), /“Noor & Sam” is saved for seven days/);
    await page.getByLabel('Your email').fill('noor@example.org');
    await press(page, 'Email me the link');
    assert.match(await said(page), /we’ve sent a link to noor@example\.org\. Open it to finish/);
    assert.equal(await page.getByLabel('Your email').isVisible(), false);
    await open(page, linkIn(await mailTo('noor@example.org', /^Finish your list$/), '/finish/'));

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
    for (const name of ['Copper pan', 'Linen bedding', 'Olive tree', 'Lamp', 'Moka pot', 'Vase']) {
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
    const guests = 'aunt@example.org, Bo <bo@example.org>\ncarol; dee@example.org eve@example.org';
    await page.getByLabel('Who would you like to invite?').fill(guests);
    await page.getByLabel('Invitation from').fill('Noor & Sam Özil');
    await count('Send invitations');
    assert.match(await said(page), /5 guests are invited/);
    const mails = (await site.mails()).filter(({ subject }) => /^Noor & Sam Özil invited you/.test(subject));
    const others = ['aunt', 'bo', 'dee', 'eve'].map((name) => `${name}@example.org`);
    assert.deepEqual(mails.map(({ to }) => to).sort(), [...others, site.users.carol.email].sort());
    await page.reload();
    assert.equal(await page.getByText('Email sent').count(), 5);
    await count('Owners', 'link');
    await page.getByLabel('Email, or user name').fill('sam@example.org');
    await count('Add owner');
    assert.equal((await mailTo('sam@example.org', /./)).to, 'sam@example.org');
    assert.ok(presses <= 20 && pages.size <= 4, `${presses} presses on ${[...pages]}`);
  });

  test('an owner orders by keyboard, heard and with focus where it was', async () => {
    const { id, page } = await registry('In order');
    await page.getByRole('link', { name: 'Add it yourself' }).click();
    await page.getByText('More options').click();
    await page.getByLabel('How many?').fill('4');
    await page.getByLabel('Any number').check();
    assert.ok(await page.getByLabel('How many?').isHidden());
    await page.getByLabel('Any number').uncheck();
    assert.equal(await page.getByLabel('How many?').inputValue(), '4');
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await page.keyboard.press('Enter');
    await page.waitForURL(/gifts\/?$/);
    await page.getByLabel('More: Second').click();
    const up = page.getByRole('button', { name: 'Move up: Second' });
    const edge = (await page.locator('[data-drag]').last().boundingBox())!.x;
    const menu = (await page.locator('.trousseau-order__menu', { has: up }).boundingBox())!;
    assert.ok(menu.x + menu.width <= edge, 'the handles of the rows below stay in reach');
    // The menu of a row at the screen's lower edge opens upwards.
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 500 });
    const dots = page.getByLabel('More: Second');
    await dots.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await dots.click();
    const low = (await page.locator('.trousseau-order__menu', { has: up }).boundingBox())!;
    // Chromium places it between two pixels.
    assert.ok(low.y >= 0 && Math.floor(low.y + low.height) <= 500, `from ${low.y}, ${low.height} high`);
    await page.setViewportSize({ width: 390, height: 844 });
    await up.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('[data-said]').textContent(), 'Second is now 1 of 2');
    await page.locator('li:has(:focus) strong', { hasText: /^Second$/ }).waitFor();
    await ordered(id, ['Second', 'Copper kettle']);
    await page.keyboard.press('Escape');
    const last = page.locator('.trousseau-order > li').last();
    const { height } = (await last.boundingBox())!;
    const handle = page.locator('[data-drag]').first();
    await handle.dragTo(last, { targetPosition: { x: 150, y: height - 5 } });
    await ordered(id, ['Copper kettle', 'Second']);
    await page.locator('[data-drag]').last().press('ArrowUp');
    await ordered(id, ['Second', 'Copper kettle']);
    // A finger would scroll the page, were the handle not kept from it.
    const finger = await page.context().newCDPSession(page);
    const { x, y } = (await handle.boundingBox())!;
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...down: number[]) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: down.map((by) => ({ x: x + 10, y: y + 10 + by })),
      });
    await touch('touchStart', 0);
    for (let by = height / 4; by <= 1.5 * height; by += height / 4) await touch('touchMove', by);
    await touch('touchEnd');
    await ordered(id, ['Copper kettle', 'Second']);
  });

  test('the card beside a gift’s form reads as guests read the gift, of whatever kind, and follows what is typed', async () => {
    const { id, page, path } = await registry('Of all kinds', { status: 'publish' });
    const any = 2_147_483_647;
    const kinds = [
      { name: 'Pan', price: 24.9, retailer: 'Corner shop', url: inShop('Pan'), description: 'Red.' },
      { name: 'Bowls', price: 12.5, quantity_needed: 6, claimed: 2 },
      { name: 'Tokens', quantity_needed: any },
      { name: 'Pram', unit: 'money' as const, quantity_needed: 40_000, claimed: 15_050 },
      { name: 'Fund', unit: 'money' as const, quantity_needed: any },
    ];
    const words = (card: Locator) =>
      card.evaluate((element) => {
        for (const one of element.querySelectorAll('.screen-reader-text')) one.remove();
        // What the style writes counts as well.
        const styled = [...element.querySelectorAll('.trousseau-facts > *')].flatMap((fact) => {
          const { content } = getComputedStyle(fact, '::before');
          return content === 'none'
            ? []
            : [fact.insertBefore(new Text(content.slice(1, -1)), fact.firstChild)];
        });
        const text = (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim();
        for (const one of styled) one.remove();
        return text;
      });
    const guest = await person();
    const { items } = site.client().registries;
    for (const { claimed, ...kind } of kinds) {
      const { id: item } = (await items.create(id, { url: new URL(path, site.url).href, ...kind }))!.data;
      const claim = { state: 'purchased' as const, giver: { name: 'Ruth', email: 'ruth@example.org' } };
      if (claimed)
        await site.client('admin').registries.items.claims.create(id, item, { ...claim, quantity: claimed });
      // Either page may show a copy from before the claim.
      await until(`one card of ${kind.name}`, async () => {
        await open(guest, path);
        await open(page, `/registries/${id}/gifts/?item=${item}&more=1`);
        const real = await words(guest.locator('.trousseau-item', { hasText: kind.name }));
        return real === (await words(page.locator('.trousseau-gift__card .trousseau-item')));
      });
    }
    await open(page, `/registries/${id}/gifts/?by-hand=1&more=1`);
    const card = page.locator('.trousseau-gift__card .trousseau-item');
    await page.getByLabel('Name', { exact: true }).fill('Sofa');
    await page.getByLabel('Price in EUR').fill('240');
    assert.equal(await words(card), 'Sofa €240 Available I’m giving this');
    await page.getByLabel('How many?').fill('3');
    assert.equal(await words(card), 'Sofa €240 3 needed I’m giving this');
    await page.getByLabel('Shop', { exact: true }).fill('Weavers');
    await page.getByLabel('Most wanted').check();
    await page.getByLabel('Make it a group gift').check();
    assert.equal(await words(card), 'Sofa ★ Most wanted Weavers · Group gift €720 needed Chip in');
    await page.getByLabel('Make it a group gift').uncheck();
    await page.getByLabel('Any number').check();
    assert.equal(await words(card), 'Sofa ★ Most wanted €240 · Weavers As many as you like I’m giving this');
    const fill = (locator: Locator) =>
      locator.evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.equal(
      await fill(card.locator('.wp-element-button')),
      await fill(page.getByRole('button', { name: 'Add to my list' })),
    );
  });

  test('a form that is sent without a network stays as it was typed, says so, and is sent by the next press', async () => {
    const { id, page } = await registry('On a train');
    await open(page, `/registries/${id}/guests/`);
    const guests = page.getByLabel('Who would you like to invite?');
    await guests.fill('conductor@example.org');
    await page.context().setOffline(true);
    for (let presses = 0; presses < 2; presses++) {
      await page.getByRole('button', { name: 'Send invitations', exact: true }).click();
      await page.locator('[role="alert"]:focus', { hasText: 'couldn’t be saved right now' }).waitFor();
      assert.equal(await page.getByRole('alert').count(), 1);
    }
    assert.equal(await guests.inputValue(), 'conductor@example.org');
    await page.context().setOffline(false);
    await press(page, 'Send invitations');
    assert.match(await said(page), /1 guest is invited/);
  });

  test('a guest without an account opens the link, gives in three presses, has bought, changes their mind', async () => {
    const uncle = 'uncle@example.org';
    const { id, page: owner, path } = await registry('For the two', { quantity: 3 });
    await open(owner, `/registries/${id}/guests/`);
    await owner.getByLabel('Who would you like to invite?').fill(uncle);
    await press(owner, 'Send invitations');
    const link = linkIn(await mailTo(uncle, /^You’re invited to “For the two”$/m), 'invitation');

    await owner.getByText('Their link').click();
    const copy = owner.locator('.trousseau-link').getByRole('button');
    // A browser with windows lets a page that is pressed write there, its headless shell must be told to.
    await owner.context().grantPermissions(['clipboard-write']);
    await copy.click();
    await copy.filter({ hasText: 'Copied' }).waitFor();
    const guest = await person();
    assert.equal((await open(guest, path))!.status(), 404);
    // A program that only looks at the link opens nothing.
    const looked = await guest.request.get(new URL(link, site.url).href);
    assert.match(decoded(await looked.text()), new RegExp(`This invitation is for ${uncle}`));
    assert.equal((await open(guest, path))!.status(), 404);
    await open(guest, '/');
    // From here a guest presses three times: the email's button, the gift's, and the form's.
    await open(guest, link);
    await guest.waitForURL(`**${path}`);
    await guest.goBack();
    assert.equal(new URL(guest.url()).pathname, '/', 'the way back passes the invitation by');
    await guest.goForward();
    assert.equal(await heading(guest), 'For the two');
    assert.match((await guest.textContent('main'))!, new RegExp(`You’re here with ${uncle}`));
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
    assert.match((await row.textContent())!, /Uncle Ben.*2 × Copper kettle\s+Reserved\s+With <love>/s);
    await owner.getByText('⋯').click();
    await press(owner, /^Mark as thanked/);
    await row.locator(':focus', { hasText: 'Thanked ✓' }).waitFor();
    assert.equal(await row.getByRole('button', { name: 'Thanked' }).count(), 0, 'a state is no button');
    await press(owner, /^Undo\s*: Uncle Ben/);
    await row.locator('summary:focus', { hasText: '⋯' }).waitFor();

    // The mail's link opens the gift on another device.
    const device = await person();
    await open(device, linkIn(mail, 'gift/'));
    await press(device, /bought it/);
    assert.match(await said(device), /marked as bought/);
    await device.getByText('Change number or message').click();
    await device.getByLabel('Your message').fill('With <more love>');
    await press(device, 'Save changes');
    assert.match((await device.textContent('main'))!, /With <more love>/);
    await press(device, /Cancel my gift/);
    assert.match(await said(device), /others can give it/);
    await open(guest, path);
    assert.match((await guest.textContent('main'))!, /3 needed/);
  });

  test('gifts are thanked for, each with the next one in view', async () => {
    const { id, page } = await registry('Thanks', { quantity: 5 });
    const { items } = site.client('admin').registries;
    const [kettle] = (await items.list(id))!;
    for (let n = 0; n < 5; n++) {
      const giver = { name: `giver${n}`, email: `giver${n}@example.org` };
      await items.claims.create(id, kettle!.id, { state: 'purchased', giver });
    }
    await open(page, `/registries/${id}/given/`);
    for (let n = 0; n < 5; n++) {
      const send = page.getByRole('button', { name: /^Send thank-you/ }).filter({ visible: true });
      const { y, height } = (await send.boundingBox())!;
      assert.ok(y >= 0 && y + height <= 844, `the button is at ${y}`);
      if (n % 3 === 1) await page.getByText('⋯').first().click();
      await press(page, n % 3 === 1 ? /^Mark as thanked/ : /^Send thank-you/);
    }
    assert.match((await page.textContent('main'))!, /You’ve thanked everyone/);
    const thanks = (await site.mails()).filter(({ to }) => /^giver/.test(to)).map(({ to }) => to[5]);
    // The newest gift comes first.
    assert.deepEqual(thanks.sort(), ['1', '2', '4']);
  });

  test('a grandmother opens a list by the code on a card', async () => {
    const { id, page, path } = await registry('Card to Grandma');
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
    await grandma.waitForURL(`**${path}`);
    assert.match((await grandma.textContent('main'))!, /Copper kettle/);
  });

  test('a tall picture is moved within its frame and only that part is sent; the browser’s own picker without a script', async () => {
    const { id, page } = await registry('Portrait');
    const about = `/registries/${id}/details/`;
    await open(page, about);
    const drawn = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 80 });
      return canvas.toDataURL().split(',')[1]!;
    });
    const buffer = Buffer.from(drawn, 'base64');
    const picker = page.getByLabel('Choose a picture');
    await picker.setInputFiles({ name: 'tall.png', mimeType: 'image/png', buffer });
    await page.getByLabel('Move the picture up or down').fill('0');
    const sent = picker.evaluate(async (input) => {
      const { width, height } = await createImageBitmap((input as HTMLInputElement).files![0]!);
      return [width, height];
    });
    assert.deepEqual(await sent, [40, 20]);
    await press(page, 'Save changes');
    await page.getByLabel('Remove this picture').waitFor();
    const plain = await person('alice', { script: false });
    await open(plain, about);
    assert.ok((await plain.getByLabel('Choose a picture').boundingBox())!.width > 100);
  });

  test('a visitor gives from a public list and confirms by mail', async () => {
    const vera = 'vera@example.org';
    const { path } = await registry('Open house', { status: 'publish' });
    const visitor = await person();
    await open(visitor, path);
    await press(visitor, /giving this\s*: Copper kettle/, 'link');
    await visitor.getByLabel('Your name').fill('Vera');
    await visitor.getByLabel('Your email').fill(vera);
    await press(visitor, /^Give this gift/);
    assert.match(await said(visitor), /emailed a link to vera@example\.org\. .*reserved for you for an hour/);
    await press(visitor, 'Back to the list', 'link');
    const mine = visitor.locator('.trousseau-mine');
    await mine.filter({ hasText: 'Please confirm: Copper kettle' }).waitFor();
    const mail = await mailTo(vera, /confirm your gift/);
    const other = await person();
    await open(other, linkIn(mail, 'gift/'));
    assert.match(await said(other), /confirmed, and reserved for you/, 'the link alone does it');
    await open(visitor, path);
    await mine.filter({ hasText: 'You’re giving this: Copper kettle' }).waitFor();
    // A device without the mail's link asks for a mail to the address.
    const third = await person();
    await open(third, '/registries/my-gifts/');
    await third.getByLabel('Your email').fill(vera);
    await press(third, 'Email me the link');
    assert.match(await said(third), /we’ve sent a link to vera/);
    assert.equal(await third.getByLabel('Your email').isVisible(), false, 'the page says what to do next');
    await third.getByText('No email yet?').click();
    await third.getByLabel('Your email').waitFor();
    await open(third, linkIn(await mailTo(vera, /The gifts you’re giving/), 'my-gifts'));
    assert.match((await third.textContent('main'))!, /Copper kettle/);
    // The visitor unsubscribes.
    const unsubscribe = linkIn(mail, 'no-mail');
    await open(third, unsubscribe);
    await third.getByText('You’re unsubscribed').waitFor();
    await press(third, 'Undo');
    assert.match(await said(third), /You’ll get emails about lists and gifts again/);
  });

  test('a guest looks through a long list: headings, price, still needed first or every gift in its place', async () => {
    const { id, path } = await registry('A long list', { status: 'publish' });
    const items: number[] = await site.itemIds(id);
    for (let n = 1; n <= 7; n++) {
      const wish = { name: `Wish ${n}`, url: `${site.shop}/wish`, price: n * 10 };
      items.push((await site.client().registries.items.create(id, wish))!.data.id);
    }
    const giver = { name: 'Ruth', email: 'ruth@example.org' };
    await site.client('admin').registries.items.claims.create(id, items[3]!, { state: 'purchased', giver });
    for (const [n, section] of Object.entries({ 2: 'Kitchen', 3: 'Kitchen', 7: 'Bath' }))
      await site.visitors.alice.press(`/registries/${id}/gifts/?item=${items[Number(n)]}`, 'change', {
        section,
      });

    const guest = await person();
    const seen = async () => {
      const headings = guest.locator('.trousseau-registry :is(h3, h4)').filter({ visible: true });
      return (await headings.allTextContents()).map((text) => text.replace('Wish ', '')).join();
    };
    await open(guest, path);
    const folded = guest.getByText('Search and filter');
    const top = async (locator: Locator) => (await locator.boundingBox())!.y;
    const below = (await top(guest.locator('.trousseau-item').first())) - (await top(folded));
    assert.ok(below < 200, `the first gift is ${below} pixels below the folded filter`);
    await guest.setViewportSize({ width: 1280, height: 844 });
    assert.ok(await guest.getByLabel('Price up to').isVisible(), 'a wide window has room for it');
    assert.ok(await folded.isHidden());
    await guest.setViewportSize({ width: 390, height: 844 });
    assert.ok(await guest.getByLabel('Price up to').isHidden());
    await folded.click();
    assert.equal(await seen(), 'Kitchen,2,Bath,7,More gifts,Copper kettle,1,4,5,6');
    await guest.getByText('Given: 1').click();
    assert.match(await seen(), /6,3$/);
    await guest.getByLabel('Price up to').fill('40');
    assert.equal(await seen(), 'Kitchen,2,More gifts,Copper kettle,1,4,3');
    assert.match((await guest.locator('[data-filter]').textContent())!, /Gifts shown: 4/);
    const show = guest.getByRole('combobox', { name: 'Show' });
    await show.selectOption('In list order');
    await guest.getByRole('combobox', { name: 'Category' }).selectOption('Kitchen');
    assert.equal(await seen(), 'Kitchen,2,3');
    await guest.getByRole('combobox', { name: 'Category' }).selectOption('All');
    await guest.getByLabel('Price up to').fill('');
    await guest.getByLabel('Find a gift').fill('COPPÉR');
    assert.equal(await seen(), 'More gifts,Copper kettle');
    await guest.getByLabel('Find a gift').fill('zebra');
    await guest.getByText('No gifts match.').waitFor();
    await press(guest, 'Show all', 'link');
    await folded.click();
    await guest.getByText('Gifts shown: 7').waitFor();

    // The guest visits the shop and comes back.
    await press(guest, /shop\s*: Wish 7/, 'link');
    assert.equal(new URL(guest.url()).origin, site.shop);
    await guest.goBack();
    const wish = guest.locator('.trousseau-item', { hasText: 'Wish 7' });
    await wish.getByText('Did you buy it?').waitFor();
    assert.equal(await guest.getByText('Did you buy it?').filter({ visible: true }).count(), 1);
    await wish.getByRole('link', { name: 'I’ve bought it' }).click();
    await guest.waitForURL(/\/give\//);
    assert.equal(await guest.getByLabel('I’ve bought it').isChecked(), true);
  });
});
