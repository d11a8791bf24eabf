// Gifts that several pay for, with the service as it ships: the owners' forms, amounts as people type them, the giver's page
// with the code for banking apps, and everything that must stay with owners or givers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient } from 'trousseau-client';
import { until } from '../../dev/until.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import {
  deletePostMeta,
  guestLink,
  personalData,
  postMeta,
  setPostMeta,
} from '../../dev/wordpress/set-up.ts';
import {
  type Answer,
  complaints,
  decoded,
  fieldsOf,
  formWith,
  rest,
  type Visitor,
  visit,
} from '../../dev/wordpress/site.ts';
import { readCode } from '../../dev/wordpress/square-code.ts';
import { startWholeSite, type WholeSite } from '../../dev/wordpress/whole-site.ts';
import { skipWithoutWordPress } from '../../dev/wordpress/wordpress.ts';

const IBAN = 'DE89 3704 0044 0532 0130 00';
const PAY_TO = `${IBAN}, Ann & Bob <3`;

describe('shares', { skip: skipWithoutWordPress() }, () => {
  let site: WholeSite;
  let alice: Visitor;
  let bob: Visitor;
  let carol: Visitor;
  before(async () => {
    site = await startWholeSite({ muPlugins: ['no-kept-gifts'] });
    alice = await visit(site, site.users.alice);
    bob = await visit(site, site.users.bob);
    carol = await visit(site, site.users.carol);
  });
  after(() => site?.stop());

  type Name = 'admin' | 'alice' | 'bob' | 'carol';
  const as = (name: Name) => createClient({ env: {}, baseUrl: site.service.url, ...site.users[name] });
  const ask = (name: Name | null, method: string, path: string, body?: unknown) =>
    rest(site, name && site.users[name], method, `/wp/v2/registry${path}`, body);
  async function registry(meta: object = {}, fields: object = {}) {
    const invited = { registry_currency: 'EUR', registry_invitees: ['bob', 'carol'], ...meta };
    return (await as('alice').registries.create({
      ...{ title: 'Ann & Sam', status: 'private', meta: invited },
      ...fields,
    }))!;
  }
  const pram = async (id: number, fields: object = {}) =>
    (await as('alice').registries.items.create(id, {
      ...{ name: 'Pram', url: 'https://shop.example/pram', unit: 'money', quantity_needed: 52_000 },
      ...fields,
    }))!.data.id;
  const item = async (id: number) => (await as('admin').items.get(id))!;
  const claims = async (id: number) => (await as('admin').registries.claims.list(id))!.claims;
  const words = (html: string) =>
    decoded(html.replace(/<(script|style|svg).*?<\/\1>/gs, '').replace(/<[^>]*>/g, ' ')).replace(
      /[\s\u2068\u2069\u00a0\u202f]+/g,
      ' ',
    );
  const fault = ({ status, text }: Answer) => {
    assert.equal(status, 422, text);
    return words(/role="alert".*?<\/(ul|span)>/s.exec(text)![0]);
  };
  const page = (id: number, gift: number) => `/registries/${id}/give/?item=${gift}`;
  async function give(visitor: Visitor, id: number, gift: number, fields: Record<string, string>) {
    const form = fieldsOf((await visitor(page(id, gift))).text, 'give') ?? assert.fail('no form');
    return visitor(page(id, gift), { ...form, ...fields });
  }
  /** The giver's page after a share was given. */
  async function given(visitor: Visitor, id: number, gift: number, fields: Record<string, string>) {
    const answer = await give(visitor, id, gift, fields);
    assert.equal(answer.status, 303, answer.text);
    const { pathname, search } = new URL(answer.headers.get('location')!);
    return { path: pathname + search, text: (await visitor(pathname + search)).text };
  }

  test('the place of shares is for owners and administrators, in WordPress’s REST API, too', async () => {
    const { id } = await registry({ registry_pay_to: PAY_TO, registry_owners: ['carol'] });
    const plain = await postMeta(site, id, 'registry_pay_to');
    assert.match(plain, /^DE89 3704 0044 0532 0130 00, Ann &(amp|#038); Bob &lt;3$/);
    for (const [name, sees] of [
      ['alice', true],
      ['carol', true],
      ['admin', true],
      ['bob', false],
    ] as const) {
      const { status, text, json } = await ask(name, 'GET', `/${id}?context=edit`);
      assert.equal(status, 200, text);
      assert.equal(json.meta.registry_pay_to !== '', sees, name);
      assert.equal(text.includes('DE89'), sees, name);
      const read = (await as(name).registries.get(id))!.meta.registry_pay_to;
      assert.equal(read, sees ? PAY_TO : null, name);
    }
    const list = (await ask('bob', 'GET', '?context=edit&per_page=100')).text;
    assert.doesNotMatch(list + (await ask('bob', 'GET', `/${id}`)).text, /DE89/);
    const set = (registry_pay_to: unknown, who: Name = 'carol') =>
      ask(who, 'POST', `/${id}`, { meta: { registry_pay_to } });
    assert.equal((await set('x'.repeat(300))).json.meta.registry_pay_to, 'x'.repeat(300));
    assert.equal((await set('x'.repeat(301))).status, 400);
    assert.equal((await set('Mine', 'bob')).status, 403);
    assert.equal((await set('In an <b>envelope</b>')).json.meta.registry_pay_to, 'In an envelope');
    assert.equal((await set('')).json.meta.registry_pay_to, '');
  });

  test('a currency stays while several pay, whichever way it is changed', async () => {
    const { id } = await registry();
    const gift = await pram(id);
    const set = (registry_currency: string | null) =>
      ask('alice', 'POST', `/${id}`, { meta: { registry_currency } });
    const refused = await set('CHF');
    assert.deepEqual([refused.status, refused.json.code], [409, 'trousseau_currency_in_use']);
    assert.equal((await set(null)).status, 409);
    assert.equal((await set('EUR')).status, 200);
    // Older programs, and WordPress's own functions.
    await setPostMeta(site, id, { registry_currency: 'CHF' });
    await deletePostMeta(site, id, 'registry_currency');
    assert.equal(await postMeta(site, id, 'registry_currency'), 'EUR');
    const details = `/registries/${id}/details/`;
    const form = fieldsOf((await alice(details)).text, 'change')!;
    assert.match(
      fault(await alice(details, { ...form, currency: 'CHF' })),
      /This list has group gifts, so its currency can’t change/,
    );
    await as('alice').items.delete(gift);
    assert.equal((await set('CHF')).status, 200);
    assert.equal(await postMeta(site, id, 'registry_currency'), 'CHF');
  });

  test('an owner starts a fund, and lets several pay for a thing from 50 € on', async () => {
    const { id } = await registry();
    const gifts = `/registries/${id}/gifts/`;
    assert.match((await alice(gifts)).text, /Start a cash fund/);
    const fund = (await alice(`${gifts}?fund=1`)).text;
    assert.match(words(fund), /Guests see it once they’ve confirmed their share.*can’t refund it/);
    const form = fieldsOf(fund, 'add')!;
    assert.deepEqual([form.kind, form.address, form.quantity], ['money', undefined, undefined]);
    const without = await alice(gifts, { ...form, name: 'Honeymoon', price: '1.500 €' });
    assert.match(fault(without), /Say how people should pay you/);
    const made = await alice(gifts, { ...form, name: 'Honeymoon', price: '1,500 €', pay_to: PAY_TO });
    assert.equal(made.status, 303, made.text);
    assert.equal((await as('alice').registries.get(id))!.meta.registry_pay_to, PAY_TO);
    const byHand = fieldsOf((await alice(`${gifts}?by-hand=1`)).text, 'add')!;
    assert.equal(byHand.pay_to, PAY_TO, 'asked once');
    const bicycle = { ...byHand, name: 'Bicycle', several: '1' };
    assert.match(fault(await alice(gifts, bicycle)), /Enter the amount you’d like/);
    assert.match(fault(await alice(gifts, { ...bicycle, price: '49.99' })), /start at €50/);
    const { several, ...untold } = { ...bicycle, price: '400' };
    const forgotten = await alice(gifts, { ...untold, pay_to: 'In an envelope' });
    assert.match(fault(forgotten), /You’ve said how people should pay you/);
    assert.match(forgotten.text, /<details class="trousseau-more" open><summary>Make it a group gift/);
    const mistyped = PAY_TO.replace('3000', '3001')
      .replace('01 30 00', '01 30 01')
      .replace('0130 00', '0130 01');
    assert.match(
      fault(await alice(gifts, { ...bicycle, price: '400', pay_to: mistyped })),
      /This IBAN isn’t valid/,
    );
    const stored = await alice(gifts, { ...bicycle, price: '400', address: 'https://shop.example/bike' });
    assert.equal(stored.status, 303, stored.text);
    const items = (await as('alice').registries.items.list(id))!;
    assert.deepEqual(
      items.map(({ name, unit, price, quantity_needed }) => [name, unit, price, quantity_needed]),
      [
        ['Honeymoon', 'money', null, 150_000],
        ['Bicycle', 'money', null, 40_000],
      ],
    );
    const list = words((await alice(gifts)).text);
    assert.match(list, /€0 of €1,500 promised/);
    assert.doesNotMatch(list, /150,?000/);
    const edit = `${gifts}?item=${items[1]!.id}`;
    const change = fieldsOf((await alice(edit)).text, 'change')!;
    assert.deepEqual([change.price, change.quantity, change.kind], ['400', undefined, 'money']);
    assert.equal((await alice(edit, { ...change, price: '450.50' })).status, 303);
    assert.equal((await item(items[1]!.id)).quantity_needed, 45_050);
    await as('bob').registries.items.claims.create(id, items[1]!.id, { quantity: 45_000 });
    assert.match(
      fault(await alice(edit, { ...change, price: '400' })),
      /€450 is already promised, so the goal can’t be lower/,
    );
  });

  test('a guest gives what they type, in any of the ways that people write it', async () => {
    const { id, permalink } = await registry({ registry_pay_to: PAY_TO });
    const gift = await pram(id);
    const card = words((await bob(permalink)).text);
    assert.match(card, /€520 needed.*Chip in/);
    const asked = (await bob(page(id, gift))).text;
    assert.match(words(asked), /This site never handles money and can’t refund it/);
    assert.match(words(asked), /€25 €50 €100 All of it: €520 Another amount/);
    assert.doesNotMatch(asked, /DE89/);
    assert.doesNotMatch(words(asked), /52000/);
    for (const [typed, units] of [
      ['€ 50', 5000],
      ['50,00', 5000],
      ['10.50 EUR', 1050],
      ['٢٥', 2500],
    ] as const) {
      const { text } = await given(bob, id, gift, { share: 'own', amount: typed });
      assert.ok(text.includes('DE89 3704 0044 0532 0130 00'), typed);
      assert.equal((await claims(id))[0]!.quantity, units, typed);
    }
    await given(bob, id, gift, { share: '10000' });
    assert.match(fault(await give(bob, id, gift, {})), /Choose how much/);
    const clear = /Enter an amount in EUR, such as 50/;
    for (const amount of ['', 'a lot', '50 $', '1.500'])
      assert.match(fault(await give(bob, id, gift, { share: 'own', amount })), clear, amount);
    for (const amount of ['0', '0,00', '-5', '−5', '٠'])
      assert.match(fault(await give(bob, id, gift, { share: 'own', amount })), /above zero/, amount);
    const many = fault(await give(bob, id, gift, { share: 'own', amount: '284.51' }));
    assert.match(many, /Only €284\.50 is needed now/);
    assert.match(words((await carol(permalink)).text), /€284\.50 needed/);
    const rest = await given(carol, id, gift, { share: '28450' });
    assert.match(words(rest.text), /Thank you for “€284\.50 towards Pram”.*that’s all of it/);
    assert.match((await item(gift)).name, /Pram/);
    assert.equal((await item(gift)).quantity_purchased, 52_000);
  });

  test('the giver says that it is sent, gives more or less, or takes it back; mails and tables name amounts', async () => {
    await site.mails();
    const { id } = await registry({ registry_pay_to: 'In an envelope' });
    const gift = await pram(id);
    const { path, text } = await given(bob, id, gift, { share: '5000' });
    assert.match(words(text), /€50 towards Pram.*See how to send it.*In an envelope/);
    assert.doesNotMatch(text, /data-code|id="trousseau-iban"/);
    const change = fieldsOf(text, 'change')!;
    assert.equal(change.amount, '50');
    assert.match(fault(await bob(path, { ...change, amount: '520.01' })), /Only €520 is still needed/);
    assert.equal((await bob(path, { ...change, amount: '60,5' })).status, 303);
    assert.equal((await item(gift)).quantity_purchased, 6050);
    const sent = formWith((await bob(path)).text, 'I’ve sent it')!;
    assert.equal((await bob(path, sent)).status, 303);
    assert.match(words((await bob(path)).text), /It’s marked as sent/);
    const mails = (await site.mails()).filter(({ to }) => to.includes('bob@'));
    assert.deepEqual(
      mails.map(({ subject }) => subject.replace(/[\u2068\u2069]/g, '')),
      ['Your share: €50 towards Pram', 'Thank you for “€60.50 towards Pram”'],
    );
    assert.match(words(mails[1]!.text), /€459\.50 is still needed/);
    assert.match(words((await alice(`/registries/${id}/given/`)).text), /€60\.50 towards Pram sent/);
    const table = await alice(`/registries/${id}/given/`, { do: 'save' });
    assert.match(table.text, /Pram,€60\.50,/);
    const csv = await alice(`/registries/${id}/details/`, { do: 'export', as: 'csv' });
    assert.match(csv.text, /,520,1,.*,money/);
    assert.doesNotMatch(csv.text, /52000/);
    const json = JSON.parse((await alice(`/registries/${id}/details/`, { do: 'export', as: 'json' })).text);
    assert.deepEqual([json.items[0].unit, json.items[0].quantity_needed], ['money', 52_000]);
    assert.equal(json.meta.registry_pay_to, 'In an envelope');
    assert.match(JSON.stringify(await personalData(site, 'exporter', 'bob@example.test')), /60\.50/);
    assert.match(
      JSON.stringify(await personalData(site, 'exporter', 'alice@example.test')),
      /In an envelope/,
    );
    assert.match(words((await bob('/registries/my-gifts/')).text), /€60\.50 towards Pram .* sent/);
    for (const press of ['I’ve got it back', 'Cancel my share'])
      assert.equal((await bob(path, formWith((await bob(path)).text, press)!)).status, 303, press);
    assert.equal((await item(gift)).quantity_purchased, 0);
    assert.doesNotMatch((await bob(path)).text, /In an envelope/);
  });

  test('the one who buys is the place, also for those who read the owners’ words before', async () => {
    const { id } = await registry({ registry_pay_to: PAY_TO });
    const gift = await pram(id);
    const mine = await given(bob, id, gift, { share: '5000' });
    assert.match(mine.text, /DE89/);
    await given(carol, id, gift, { share: '5000' });
    const [theirs] = (await claims(id)).filter(({ giver }) => giver.user_id === site.users.carol.id);
    await as('carol').claims.update(theirs!.id, { buys: true, pay_to: 'https://paypal.me/carol' });
    const there = (await bob(mine.path)).text;
    assert.doesNotMatch(there, /DE89/);
    assert.match(there, /href="https:\/\/paypal\.me\/carol\/50\.00EUR"/);
    await as('carol').claims.update(theirs!.id, { pay_to: null });
    assert.match(words((await bob(mine.path)).text), /They haven’t said how to send it yet/);
    await as('carol').claims.update(theirs!.id, { buys: false });
    assert.match((await bob(mine.path)).text, /DE89/);
    await as('alice').registries.update(id, { meta: { registry_invitees: ['carol'] } });
    assert.doesNotMatch((await bob(mine.path)).text, /DE89/, 'no longer invited');
  });

  test('a surprised owner sees the goal and nothing else', async () => {
    const { id, permalink } = await registry({ registry_pay_to: PAY_TO, registry_surprise_until: 'always' });
    const gift = await pram(id);
    const pages = [
      permalink,
      `/registries/${id}/gifts/`,
      `/registries/${id}/given/`,
      `/registries/${id}/details/`,
    ];
    const seen = async () => {
      const texts: string[] = [];
      for (const path of pages) texts.push(words((await alice(path)).text));
      return texts;
    };
    const before = await seen();
    assert.match(before[0]!, /€520 needed/);
    await given(bob, id, gift, { share: '52000' });
    assert.deepEqual(await seen(), before);
    assert.equal(fieldsOf((await alice(page(id, gift))).text, 'give'), undefined);
    const edit = `/registries/${id}/gifts/?item=${gift}`;
    const lower = { ...fieldsOf((await alice(edit)).text, 'change')!, price: '200' };
    assert.equal((await alice(edit, lower)).status, 303, 'as if nobody had given anything');
    assert.equal((await item(gift)).quantity_needed, 20_000);
  });

  test('a gift on the list is added once more for several; without a currency the form says what is missing', async () => {
    const { id } = await registry();
    const { id: table } = (await as('alice').registries.items.create(id, {
      ...{ name: 'Table', url: 'https://shop.example/table', price: 300, description: 'Oak' },
    }))!.data;
    const gifts = `/registries/${id}/gifts/`;
    const opened = (await alice(`${gifts}?item=${table}`)).text;
    assert.match(words(opened), /Make it a group gift Someone may already be giving this gift/);
    assert.match(opened, new RegExp(`href="[^"]*several=${table}"`));
    const again = (await alice(`${gifts}?several=${table}`)).text;
    assert.match(again, /<input(?=[^>]* name="several")(?=[^>]* checked)/);
    const form = fieldsOf(again, 'add')!;
    assert.deepEqual([form.name, form.price, form.description], ['Table', '300', 'Oak']);
    assert.equal((await alice(gifts, { ...form, several: '1', pay_to: PAY_TO })).status, 303);
    const stored = (await as('alice').registries.items.list(id))!;
    assert.deepEqual(
      stored.map(({ name, unit }) => [name, unit]),
      [
        ['Table', undefined],
        ['Table', 'money'],
      ],
    );
    const { id: bare } = await registry({ registry_currency: null });
    assert.match(
      words((await alice(`/registries/${bare}/gifts/?by-hand=1`)).text),
      /Make it a group gift Group gifts need a currency\. Choose one for your list first\. Choose it/,
    );
  });

  test('a share of a gift that is removed keeps its currency', async () => {
    const { id } = await registry({ registry_pay_to: PAY_TO });
    const gift = await pram(id);
    const { path } = await given(bob, id, gift, { share: '10000' });
    await as('alice').registries.items.delete(id, gift);
    await as('alice').registries.update(id, { meta: { registry_currency: 'JPY' } });
    assert.match(words((await bob(path)).text), /€100 towards/);
    assert.match(words((await alice(`/registries/${id}/given/`)).text), /€100 towards/);
    assert.match(JSON.stringify(await personalData(site, 'exporter', 'bob@example.test')), /€100/);
    const next = await pram(id, { quantity_needed: 90_000 });
    const { text } = await given(carol, id, next, { share: '10000' });
    assert.match(words(text), /¥10,000 towards Pram/);
  });

  test('a share of a gift that is removed is not asked for', async () => {
    const { id } = await registry({ registry_pay_to: PAY_TO });
    const gift = await pram(id);
    const { path, text } = await given(bob, id, gift, { share: '10000' });
    assert.match(text, /I’ve sent it/);
    await as('alice').registries.items.delete(id, gift);
    const left = words((await bob(path)).text);
    assert.match(
      left,
      /The owners have removed this gift from their list\. Please don’t send anything for it/,
    );
    assert.doesNotMatch(left, /Please send it by|I’ve sent it|two weeks longer|two more weeks/);
  });

  test('a guest without an account gives a share by the link of their invitation', async () => {
    const { id, permalink } = await registry({
      registry_pay_to: PAY_TO,
      registry_invitees: ['may@example.test'],
    });
    const gift = await pram(id);
    const may = await visit(site, null);
    const opened = await may(await guestLink(site, id, 'may@example.test'), { do: 'come' });
    assert.equal(opened.status, 303);
    assert.match((await may(new URL(permalink).pathname)).text, /Chip in/);
    const { path, text } = await given(may, id, gift, { giver: 'May', share: '2500' });
    assert.match(text, /DE89/);
    const owner = await visit(site, null);
    await owner(await guestLink(site, id, 'may@example.test'), { do: 'come' });
    const shown =
      (await owner(new URL(permalink).pathname)).text + (await owner('/registries/my-gifts/')).text;
    assert.doesNotMatch(words(shown), /€25 towards|You’re giving/, 'owners know their guests’ links');
    assert.ok(!shown.includes(new URLSearchParams(path.split('?')[1]).get('of')!));

    const press = async (action: string) => {
      const answer = await may(path, fieldsOf((await may(path)).text, action)!);
      assert.equal(answer.status, 303, action);
    };
    const mine = async () => words((await may('/registries/my-gifts/')).text);
    for (const action of ['bought', 'got-back', 'release']) await press(action);
    assert.doesNotMatch((await may(new URL(permalink).pathname)).text, /You’re giving|trousseau-mine/);
    assert.match(await mine(), /You haven’t given anything on this device yet/);
    assert.deepEqual(complaints(site), []);
  });

  describe('in a browser', { skip: skipWithoutChromium() }, () => {
    let browser: Browser;
    before(async () => {
      browser = await launchChromium();
    });
    after(() => browser?.close());

    test('two decoders read the transfer from the code on the page', async () => {
      const { id } = await registry({ registry_pay_to: PAY_TO });
      for (const [name, share, amount] of [
        ['Pram', '5000', 'EUR50.00'],
        ['Kinderwagen für Jörg & Zoë — 🍼', '1', 'EUR0.01'],
        ['عربة أطفال '.repeat(9).trim(), '52000', 'EUR520.00'],
      ] as const) {
        const gift = await pram(id, { name });
        const { path } = await given(
          bob,
          id,
          gift,
          share === '1' ? { share: 'own', amount: '0,01' } : { share },
        );
        const context = await browser.newContext({ deviceScaleFactor: 2 });
        try {
          const page = await context.newPage();
          await signIn(page, site, site.users.bob);
          await page.goto(site.url + path);
          const one = await readCode(page.locator('[data-code] svg'));
          const lines = one.split('\n');
          assert.deepEqual(lines.slice(0, 10), [
            ...['BCD', '002', '1', 'SCT', '', 'Ann & Bob <3', IBAN.replaceAll(' ', ''), amount],
            ...['', ''],
          ]);
          assert.equal(lines.length, 11);
          assert.ok(lines[10] !== '' && name.startsWith(lines[10]!), lines[10]);
          assert.ok(Buffer.byteLength(one) <= 331);
        } finally {
          await context.close();
        }
      }
    });

    test('a press copies the amount, and another amount asks for it', async () => {
      const { id } = await registry({ registry_pay_to: PAY_TO });
      const gift = await pram(id);
      const context = await browser.newContext({
        permissions: ['clipboard-read', 'clipboard-write'],
        viewport: { width: 390, height: 800 },
      });
      try {
        const page = await context.newPage();
        await signIn(page, site, site.users.bob);
        await page.goto(`${site.url}/registries/${id}/give/?item=${gift}`);
        const amount = page.locator('#trousseau-amount');
        assert.equal(await amount.isVisible(), false);
        await page.getByLabel('Another amount').check();
        await amount.fill('33,30');
        await page.getByRole('button', { name: 'Chip in' }).click();
        const isWhole = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
          scrollWidth <= clientWidth;
        assert.ok(await page.locator('#trousseau-iban').evaluate(isWhole as never), 'the whole IBAN is seen');
        await page.getByRole('button', { name: 'Copy: Amount' }).click();
        await until(
          'a copy',
          async () => (await page.evaluate(() => navigator.clipboard.readText())) === '33.30',
        );
        await page.getByRole('button', { name: 'I’ve sent it' }).click();
        await page.getByText('It’s marked as sent').waitFor();
      } finally {
        await context.close();
      }
    });
  });
});
