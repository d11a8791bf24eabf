// Two owners who change the same gift or the same details: a form that is older than the list overwrites nothing unseen, and owners
// see who changed something last.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { type Answer, decoded, fieldsOf, type Visitor } from '../../dev/wordpress/site.ts';

type Fields = Record<string, string>;

describeSite('forms older than the list', {}, (site) => {
  const { alice, bob } = site.visitors;

  const client = () => site.client();
  async function list(fields: object = {}, meta: object = {}, owners = ['bob']) {
    const made = (await client().registries.create({
      title: 'Us',
      story: 'Once upon a time.',
      meta: { registry_owners: owners, registry_currency: 'EUR', ...meta },
    }))!;
    const gift = (await client().registries.items.create(made.id, {
      ...{ name: 'Glasses', url: 'https://shop.example/glasses', description: 'Six of them.', ...fields },
    }))!.data.id;
    const gifts = `/registries/${made.id}/gifts/`;
    return {
      ...made,
      gift,
      gifts,
      page: `${gifts}?item=${gift}`,
      details: `/registries/${made.id}/details/`,
    };
  }
  const opened = async (visitor: Visitor, page: string): Promise<Fields> => {
    const { status, text } = await visitor(page);
    return fieldsOf(text, 'change') ?? assert.fail(`no form: ${status} ${text}`);
  };
  async function saved(visitor: Visitor, page: string, fields: Fields) {
    const answer = await visitor(page, fields);
    assert.equal(answer.status, 303, answer.text);
    return decoded((await visitor(page)).text);
  }
  async function disputed(visitor: Visitor, page: string, fields: Fields) {
    const answer = await visitor(page, fields);
    assert.equal(answer.status, 422, answer.text);
    return answer;
  }
  /** Both texts of each field that the page shows so. */
  const both = ({ text }: Answer) =>
    [...text.matchAll(/<b>Now:<\/b> <bdi>(.*?)<\/bdi><\/span><span><b>Yours:<\/b> <bdi>(.*?)<\/bdi>/gs)].map(
      ([, now, yours]) => [decoded(now!), decoded(yours!)],
    );
  const item = async (id: number) => (await client().items.get(id))!;
  const has = (fields: Fields, some: Fields) =>
    assert.deepEqual(Object.fromEntries(Object.keys(some).map((name) => [name, fields[name]])), some);

  test('each keeps the fields that only they have changed', async () => {
    const { gift, page, gifts } = await list();
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    await saved(alice, page, { ...one, name: 'Wine glasses', section: 'Kitchen' });
    const words = await saved(bob, page, { ...other, price: '24.9', description: 'Two of them.' });
    assert.match(words, /“.?Wine glasses.?” is saved\. Somebody else changed it meanwhile/);
    const { name, price, description } = await item(gift);
    assert.deepEqual([name, Number(price), description], ['Wine glasses', 24.9, 'Two of them.']);
    has(await opened(bob, page), { section: 'Kitchen', price: '24.90' });
    assert.match((await alice(gifts)).text, /Kitchen/);
  });

  test('a field that both have changed is asked about, and the next press stores the fields', async () => {
    const { gift, page } = await list();
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    await saved(alice, page, { ...one, name: 'Wine glasses', retailer: 'Anna’s shop' });
    const answer = await disputed(bob, page, { ...other, name: 'Beer & glasses', description: 'Big ones.' });
    assert.deepEqual(both(answer), [['Wine glasses', 'Beer & glasses']]);
    assert.match(answer.text, /alice.{0,9} changed this gift while you had it open/i);
    assert.equal((await item(gift)).name, 'Wine glasses');
    assert.equal((await item(gift)).description, 'Six of them.', 'nothing is stored by halves');
    const again = fieldsOf(answer.text, 'change')!;
    has(again, { name: 'Beer & glasses', description: 'Big ones.', retailer: 'Anna’s shop' });
    await saved(bob, page, again);
    const { name, description, retailer } = await item(gift);
    assert.deepEqual([name, description, retailer], ['Beer & glasses', 'Big ones.', 'Anna’s shop']);
  });

  test('a third change asks again, and a fault of its own keeps a form as old as it was', async () => {
    const { gift, page } = await list();
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    await saved(alice, page, { ...one, name: 'A' });
    const second = fieldsOf((await disputed(bob, page, { ...other, name: 'B' })).text, 'change')!;
    await saved(alice, page, { ...(await opened(alice, page)), name: 'C' });
    assert.deepEqual(both(await disputed(bob, page, second)), [['C', 'B']]);
    assert.equal((await item(gift)).name, 'C');

    const late = await opened(bob, page);
    const faulty = await disputed(bob, page, { ...late, quantity: '0' });
    assert.deepEqual(both(faulty), []);
    await saved(alice, page, { ...(await opened(alice, page)), name: 'D' });
    await saved(bob, page, { ...fieldsOf(faulty.text, 'change')!, quantity: '2' });
    const { name, quantity_needed } = await item(gift);
    assert.deepEqual([name, quantity_needed], ['D', 2]);
  });

  test('a double press, the same words twice and the way back in the browser are no dispute', async () => {
    const { gift, page } = await list();
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    const typed = { name: 'Wine glasses', price: '24,9', address: '' };
    await saved(alice, page, { ...one, ...typed });
    await saved(alice, page, { ...one, ...typed });
    await saved(bob, page, { ...other, name: 'Wine glasses', price: '24.90' });
    await saved(alice, page, { ...(await opened(alice, page)), name: 'Jugs' });
    const form = await opened(alice, page);
    await saved(alice, page, { ...form, name: 'Mugs' });
    await saved(alice, page, { ...form, name: 'Cups' });
    assert.equal((await item(gift)).name, 'Cups');
    await saved(alice, page, { ...form, name: 'Jugs' });
    assert.equal((await item(gift)).name, 'Jugs', 'as it was when the form was opened');
  });

  test('the way back in the browser keeps the other owner’s change', async () => {
    const { gift, page } = await list();
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    await saved(bob, page, { ...other, description: 'Blown glass' });
    await saved(alice, page, { ...one, name: 'Mugs' });
    await saved(alice, page, one);
    const { name, description } = await item(gift);
    assert.deepEqual([name, description], [one.name, 'Blown glass']);
  });

  test('one of two who press at the same moment is asked', async () => {
    const { gift, page } = await list();
    const forms = [await opened(alice, page), await opened(bob, page)];
    const answers = await Promise.all([
      alice(page, { ...forms[0]!, name: 'Wine glasses' }),
      bob(page, { ...forms[1]!, name: 'Beer glasses' }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
    const [first] = both(answers.find(({ status }) => status === 422)!);
    assert.equal((await item(gift)).name, first![0]);
    assert.deepEqual([...first!].sort(), ['Beer glasses', 'Wine glasses']);
  });

  test('a claim changes nothing about a form, and a picture and the way of shares are compared before they are stored', async () => {
    const { id, gift, page } = await list(
      { unit: 'money', quantity_needed: 50_000, image_url: 'https://shop.example/a.png' },
      { registry_pay_to: 'cash', registry_surprise_until: 'always' },
    );
    const [one, other] = [await opened(alice, page), await opened(bob, page)];
    const admin = site.client('admin');
    await admin.registries.items.claims.create(id, gift, {
      ...{ giver: { name: 'Zoe' }, quantity: 10_000, state: 'purchased' },
    });
    await saved(alice, page, { ...one, pay_to: 'PayPal', 'no-picture': '1' });
    const answer = await disputed(bob, page, { ...other, pay_to: 'IBAN' });
    assert.deepEqual(both(answer), [['PayPal', 'IBAN']]);
    assert.doesNotMatch(answer.text, /Zoe|100[.,]00|10[.,]?000(?!0)/);
    assert.equal(await site.postMeta(id, 'registry_pay_to'), 'PayPal');
    await saved(bob, page, fieldsOf(answer.text, 'change')!);
    assert.equal(await site.postMeta(id, 'registry_pay_to'), 'IBAN');
    assert.equal((await item(gift)).image_url, null, 'an untouched picture follows');
  });

  test('a picture that was sent is asked about, too, and is chosen once more', async () => {
    const { gift, page, details } = await list();
    const picture = readFileSync(join(import.meta.dirname, '../../theme/screenshot.png'));
    const send = async (visitor: Visitor, to: string, fields: Fields, name: string) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set(name, new Blob([picture], { type: 'image/png' }), 'picture.png');
      return visitor(to, form);
    };
    const stored = async () => (await item(gift)).image_url;
    const [one, other, third] = [
      ...[await opened(alice, page), await opened(bob, page), await opened(bob, page)],
    ] as [Fields, Fields, Fields];
    for (const _ of ['a press', 'a double press'])
      assert.equal((await send(alice, page, one, 'upload')).status, 303);
    const first = await stored();
    assert.match(first!, /gift-\w+/);
    const asked = await send(bob, page, { ...other, name: 'Mugs' }, 'upload');
    assert.equal(asked.status, 422);
    assert.match(asked.text, /Somebody else changed the picture, too/);
    assert.equal(await stored(), first);
    const again = fieldsOf(asked.text, 'change')!;
    await saved(bob, page, again);
    assert.deepEqual(
      [await stored(), (await item(gift)).name],
      [first, 'Mugs'],
      'no file: the other’s stays',
    );
    await disputed(bob, page, { ...third, name: 'Cups' });
    const late = await send(bob, page, { ...third, name: 'Cups' }, 'upload');
    assert.match(late.text, /Somebody else changed the picture/);
    const chosen = await send(bob, page, fieldsOf(late.text, 'change')!, 'upload');
    assert.equal(chosen.status, 303, chosen.text);
    assert.notEqual(await stored(), first);

    const [left, right] = [await opened(alice, details), await opened(bob, details)];
    assert.equal((await send(alice, details, left, 'picture')).status, 303);
    const shown = async () => /trousseau-thumbnail" src="([^"]+)/.exec((await alice(details)).text)?.[1];
    const before = await shown();
    assert.ok(before);
    assert.equal((await send(bob, details, right, 'picture')).status, 422);
    assert.equal(await shown(), before);
    await saved(bob, details, { ...right, date: '2027-05-30' });
    assert.equal(await shown(), before, 'a picture that nobody touched stays');
    const gone = { ...(await opened(bob, details)), 'no-picture': '1' };
    await saved(bob, details, gone);
    assert.equal(await shown(), undefined);
  });

  test('details are merged and asked about in the same way', async () => {
    const { id, details } = await list();
    const [one, other] = [await opened(alice, details), await opened(bob, details)];
    await saved(alice, details, { ...one, title: 'Ann & Bob', status: 'link', story: 'First.\n\nSecond.' });
    const answer = await disputed(bob, details, {
      ...{ ...other, title: 'Bob & Ann', status: 'publish', date: '2027-05-30' },
    });
    assert.deepEqual(both(answer), [
      ['Ann & Bob', 'Bob & Ann'],
      ['Anyone with the link', 'Everybody'],
    ]);
    assert.match(answer.text, /changed these details while you had them open/);
    assert.equal((await alice(details)).text.includes('2027-05-30'), false);
    const again = fieldsOf(answer.text, 'change')!;
    has(again, { title: 'Bob & Ann', status: 'publish', date: '2027-05-30', story: 'First.\n\nSecond.' });
    await saved(bob, details, { ...again, status: 'link' });
    has(await opened(alice, details), {
      ...{ title: 'Bob & Ann', status: 'link', date: '2027-05-30', story: 'First.\n\nSecond.' },
    });
    const [left, right] = [await opened(alice, details), await opened(bob, details)];
    await saved(alice, details, { ...left, pay_to: 'cash' });
    assert.match(
      await saved(bob, details, { ...right, occasion: 'other', other: 'Picnic' }),
      /those changes are kept, too/,
    );
    assert.equal(await site.postMeta(id, 'registry_pay_to'), 'cash');
  });

  test('owners see who changed something last, where there are several', async () => {
    const { id, gifts, page, details, link } = { link: '', ...(await list()) };
    assert.doesNotMatch((await alice(gifts)).text + (await alice(details)).text, /changed by/);
    await saved(bob, page, { ...(await opened(bob, page)), name: 'Mugs' });
    await saved(alice, details, { ...(await opened(alice, details)), title: 'Ann', status: 'publish' });
    assert.match((await alice(gifts)).text, /changed by .?bob.?, \d+ \w+ ago/i);
    assert.match((await bob(gifts)).text, /changed by you, \d+ \w+ ago/);
    assert.match((await bob(details)).text, /These details: changed by .?alice.?, \d+ \w+ ago/i);
    const public_ = (await alice('/wp-json/wp/v2/registry')).text;
    const stranger = await site.visit();
    const seen = (await stranger(`/?p=${id}&post_type=registry${link}`)).text;
    for (const text of [seen, public_]) assert.doesNotMatch(text, /changed by|trousseau_changes/);
    const { data } = (await site.personalData('exporter', site.users.bob.email, 1)) as { data: unknown };
    assert.match(JSON.stringify(data), /Last changed by you.{1,30}Mugs: 20\d\d-/);
    await site.personalData('eraser', site.users.bob.email, 1);
    assert.doesNotMatch((await alice(gifts)).text, /changed by/, 'of one owner');
    const people = `/registries/${id}/people/`;
    await alice.press(people, 'add', { person: 'carol@example.test' });
    assert.match((await alice(gifts)).text, /changed by somebody who has left the list/);
    assert.doesNotMatch((await alice(gifts)).text, /bob/i);
  });

  test('a gift that is moved or removed counts as changed, and details by any way', async () => {
    const { id, gift, gifts, details } = await list();
    const words = async (page: string, pattern: RegExp) => assert.match((await bob(page)).text, pattern);
    for (const fields of [
      { do: 'move', up: String(gift) },
      { do: 'remove', item: String(gift) },
    ]) {
      assert.equal((await alice(gifts, fields)).status, 303);
      await words(gifts, /changed by .?alice.?, \d+ \w+ ago/i);
      const back = { do: fields.do === 'remove' ? 'restore' : 'got', item: String(gift) };
      assert.equal((await bob(gifts, back)).status, 303);
      await words(gifts, /changed by you, \d+ \w+ ago/);
    }

    const { alice: ann } = site.users;
    const changed = (user: typeof ann, meta: object) =>
      site.rest(user, 'POST', `/wp/v2/registry/${id}`, { meta });
    assert.equal((await changed(ann, { registry_event_date: '2036-05-30' })).status, 200);
    await words(details, /These details: changed by .?alice/i);
    assert.equal((await changed(site.users.bob, { registry_event_date: '2036-05-31' })).status, 200);
    await words(details, /These details: changed by you/);
    // The service writes the order of gifts, and what others ask for, with the password of its own account.
    assert.equal((await changed(site.users.admin, { registry_event_date: '2036-06-01' })).status, 200);
    await words(details, /These details: changed by you/);
    const ordered = await changed(ann, { registry_item_ids: JSON.stringify([gift]) });
    assert.equal(ordered.status, 200, ordered.text);
    await words(details, /These details: changed by you/);
    const admin = await site.visit('admin');
    const nonce = (await admin('/wp-admin/admin-ajax.php?action=rest-nonce')).text;
    const edited = await admin(
      `/wp-json/wp/v2/registry/${id}`,
      { title: 'Ann & Bob' },
      { 'x-wp-nonce': nonce },
    );
    assert.equal(edited.status, 200, edited.text);
    await words(details, /These details: changed by somebody who looks after this site/);
  });

  test('on a phone and on a desk', { skip: skipWithoutChromium() }, async () => {
    const { gift, page, details } = await list();
    const browser = await launchChromium();
    try {
      for (const width of [390, 1280]) {
        const tab = await browser.newPage({ viewport: { width, height: 800 } });
        await signIn(tab, site, site.users.bob);
        const look = async (name: string) => {
          const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${width}: ${wide} pixels too wide`);
          if (process.env.TROUSSEAU_DEV_PICTURES)
            await tab.screenshot({
              path: `${process.env.TROUSSEAU_DEV_PICTURES}/${name}-${width}.png`,
              fullPage: true,
            });
        };
        await tab.goto(site.url + page);
        await tab.getByLabel('A word about it').fill(`Big ones, please, ${width}.`);
        await tab.getByLabel('Name').fill(`Beer glasses ${width}`);
        await saved(alice, page, { ...(await opened(alice, page)), name: `Wine glasses ${width}` });
        await tab.getByRole('button', { name: 'Save changes' }).click();
        await tab.getByText('changed this gift while you had it open').waitFor();
        assert.equal(await tab.getByLabel('Name').inputValue(), `Beer glasses ${width}`);
        assert.equal(
          await tab.locator('.trousseau-both').innerText(),
          `Now: Wine glasses ${width}\nYours: Beer glasses ${width}`,
        );
        await look('gift');
        await tab.getByRole('button', { name: 'Save changes' }).click();
        await tab.getByText('is saved.').waitFor();
        assert.equal((await item(gift)).name, `Beer glasses ${width}`);
        await look('gifts');
        await tab.goto(site.url + details);
        await tab.getByLabel('Name of your list').fill(`Bob ${width}`);
        await tab.getByLabel('Anyone with the link').check();
        await saved(alice, details, {
          ...{
            ...(await opened(alice, details)),
            title: `Ann ${width}`,
            status: width === 390 ? 'publish' : 'private',
          },
        });
        await tab.getByRole('button', { name: 'Save changes' }).click();
        await tab.getByText('changed these details while you had them open').waitFor();
        assert.equal(await tab.locator('.trousseau-both').count(), 2);
        await look('details');
      }
    } finally {
      await browser.close();
    }
  });
});
