// An owner's list of gifts: ordering, removing and putting back, also at the same time, without a network, and when it is long.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../dev/until.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { inSeconds } from '../../dev/wordpress/set-up.ts';
import { decoded, fieldsOf } from '../../dev/wordpress/site.ts';

describeSite('an owner’s gifts', {}, (site) => {
  const { alice } = site.visitors;

  const service = () => site.client();
  /** A registry with these gifts; their numbers by their names. */
  async function list(names: string[], fields: Record<string, unknown> = {}) {
    const { id } = (await service().registries.create({ title: 'Ann & Sam', status: 'private', ...fields }))!;
    const ids: Record<string, number> = {};
    for (const name of names)
      ids[name] = (await service().registries.items.create(id, {
        name,
        url: `https://shop.example/${name}`,
      }))!.data.id;
    return { id, ids, path: `/registries/${id}/gifts/` };
  }
  const order = (id: number): Promise<string[]> => site.call('gift-order.names', id);
  const headings = (id: number) => site.call('gift-order.headings', id);
  const reserve = (id: number, item: number, email: string) =>
    site
      .askAsSite(
        'create_claim',
        ...[id, item, { quantity: 1, state: 'reserved', giver: { name: 'Uncle Ben', email } }, randomUUID()],
      )
      .then((claim) => claim.id);

  test('a draft that is deleted is gone', async () => {
    const id = await site.addPost({
      post_type: 'registry',
      post_status: 'draft',
      post_title: 'Half a list',
      post_author: site.users.alice.id,
    });
    const answer = await alice(`/registries/${id}/details/`, { do: 'delete', sure: '1' });
    assert.equal(answer.status, 303, answer.text);
    assert.match(decoded((await alice(answer.headers.get('location')!)).text), /“Half a list” is deleted/);
    assert.equal(await site.post(id), null);
  });

  test('a draft takes no gifts, and says why', async () => {
    const id = await site.addPost({
      post_type: 'registry',
      post_status: 'draft',
      post_title: 'Half a list',
      post_author: site.users.alice.id,
    });
    const answer = await alice(`/registries/${id}/gifts/`, { do: 'add', name: 'Pan', key: 'x'.repeat(32) });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /Your list is still a draft/);
  });

  test('a page says that something is done only when the service did it', async () => {
    const { id, ids, path } = await list(['Pan', 'Pot']);
    await alice(path);
    await service().items.delete(ids.Pot!);
    // The site still has the first gift on its list.
    for (const form of [
      { do: 'move', item: '987654', where: 'top' },
      { do: 'remove', item: '987654' },
      { do: 'restore', item: '987654' },
    ]) {
      const answer = await alice(path, form);
      assert.equal(answer.status, 422, form.do);
      assert.match(answer.text, /This gift is no longer on your list/, form.do);
    }
    assert.deepEqual(await order(id), ['Pan']);
  });

  test('requests at the same time lose no heading', async () => {
    const { id, path } = await list([]);
    const names = Array.from({ length: 12 }, (_, number) => `Gift ${number}`);
    const forms: Record<string, string>[] = [];
    for (const [number, name] of names.entries()) {
      const empty = await alice.form(`${path}?by-hand=1`, 'add');
      forms.push({ ...empty, name, section: `Heading ${number}` });
    }
    // Three forms at once leave the site a worker for the service's own questions.
    for (let first = 0; first < forms.length; first += 3) {
      const answers = await Promise.all(forms.slice(first, first + 3).map((form) => alice(path, form)));
      for (const { status } of answers) assert.equal(status, 303);
    }
    assert.deepEqual(
      Object.values(await headings(id)).sort(),
      names.map((_, number) => `Heading ${number}`).sort(),
    );
  });

  test('requests at the same time lose no removed gift, and no move', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const { id, ids, path } = await list(names);
    const move = async (gift: string, where: string) => {
      const { status, text } = await alice(path, { do: 'move', item: String(ids[gift]), where });
      assert.equal(status, 303, text);
    };
    for (let round = 0; round < 4; round++) {
      await Promise.all([move('H', 'top'), move('A', 'bottom')]);
      assert.deepEqual(await order(id), ['H', 'B', 'C', 'D', 'E', 'F', 'G', 'A'], `round ${round}`);
      await Promise.all([move('A', 'top'), move('H', 'bottom')]);
      assert.deepEqual(await order(id), names, `round ${round}`);
    }
    const gone = ['B', 'C', 'E'];
    await Promise.all(gone.map((name) => alice(path, { do: 'remove', item: String(ids[name]) })));
    const removed = await site.call('gift-order.removed', id);
    assert.deepEqual(removed.sort(), gone);
  });

  test('a removed gift comes back to its place and under its heading, and its giver hears nothing', async () => {
    const { id, ids, path } = await list(['Pan', 'Pot', 'Lid']);
    await alice(path, { do: 'change', item: String(ids.Pot), name: 'Pot', section: 'Kitchen' });
    await reserve(id, ids.Pot!, 'ben@example.org');
    await site.mails();

    await alice(path, { do: 'remove', item: String(ids.Pot) });
    const page = (await alice(path)).text;
    assert.match(decoded(page), /“Pot” is removed from your list/);
    const undo = page.match(/<div class="trousseau-note.*?<\/div>/s)![0];
    assert.match(undo, /Undo/);
    assert.deepEqual(await order(id), ['Pan', 'Lid']);
    assert.deepEqual(await site.mails(), [], 'the owner may think again');
    await alice(path, fieldsOf(undo, 'restore')!);
    assert.deepEqual(await order(id), ['Pan', 'Pot', 'Lid']);
    assert.equal((await headings(id))[ids.Pot!], 'Kitchen');
    await site.sendWaitingMails();
    assert.deepEqual(await site.mails(), [], 'it is as if nothing had been');
  });

  test('the giver of a gift that stays removed gets one mail after a quarter of an hour', async () => {
    const { id, ids, path } = await list(['Pan', 'Pot']);
    await reserve(id, ids.Pan!, 'ben@example.org');
    await site.mails();
    await alice(path, { do: 'remove', item: String(ids.Pan) });
    await alice(path, { do: 'restore', item: String(ids.Pan) });
    const before = inSeconds(15 * 60);
    await Promise.all([
      alice(path, { do: 'remove', item: String(ids.Pan) }),
      alice(path, { do: 'remove', item: String(ids.Pan) }),
    ]);
    const after = inSeconds(15 * 60);
    const due = (await site.jobs('mail'))
      .filter((job) => job.failed_at === '0')
      .map((job) => Number(job.run_at) / 1000);
    const last = Math.max(...due);
    assert.ok(last >= before && last <= after, `${due}: the last between ${before} and ${after}`);
    assert.deepEqual(await site.mails(), []);
    await site.sendWaitingMails();
    assert.deepEqual(
      (await site.mails()).map(({ to, subject }) => [to, subject]),
      [['ben@example.org', '“Pan” was removed from the list']],
    );
  });

  describe('most wanted', () => {
    const mark = async (path: string, item: number, marked = '1') => {
      const form = await alice.form(`${path}?item=${item}`, 'change');
      const { most_wanted: _, ...rest } = form;
      return alice(path, marked ? { ...rest, most_wanted: marked } : rest);
    };
    const add = async (path: string, fields: Record<string, string>) => {
      const form = { ...(await alice.form(`${path}?by-hand=1`, 'add')), ...fields };
      return { form, answer: await alice(path, form) };
    };
    /** The headings and gifts of a list as guests read them; a marked gift has a star. */
    async function read(id: number): Promise<string[]> {
      const { permalink } = (await service().registries.get(id))!;
      const html = (await (await site.visit('bob'))(new URL(permalink).pathname)).text;
      const shown = [
        ...html.matchAll(/<(?:h3>|li class="trousseau-item.*?<h\d>)(.*?)<\/h\d>(.*?)(?=<\/li>|<ul)/gs),
      ];
      return shown.map(([, name, rest]) => name! + (/Most wanted/.test(rest!) ? '★' : ''));
    }
    const meta = { registry_invitees: ['bob'] };

    test('guests see them marked and first under their heading; the rest stays in the owner’s order', async () => {
      const { id, ids, path } = await list([...'ABCDEF'], { meta });
      for (const name of 'BDE') {
        await alice.send(`${path}?item=${ids[name]}`, 'change', { section: 'Kitchen' }, path);
      }
      assert.deepEqual(await read(id), ['Kitchen', 'B', 'D', 'E', 'And also', 'A', 'C', 'F']);
      assert.equal((await mark(path, ids.E!)).status, 303);
      assert.equal((await mark(path, ids.F!)).status, 303);
      assert.deepEqual(await read(id), ['Kitchen', 'E★', 'B', 'D', 'And also', 'F★', 'A', 'C']);
      assert.deepEqual(await order(id), [...'ABCDEF'], 'the owner’s order is as it was');
      const page = decoded((await alice(path)).text);
      assert.equal(page.match(/★ Most wanted/g)?.length, 2);
      assert.match(page, /come first under their heading/);
      await mark(path, ids.E!, '');
      assert.deepEqual(await read(id), ['Kitchen', 'B', 'D', 'E', 'And also', 'F★', 'A', 'C']);
    });

    test('up to a third of the gifts, and one of few: one more is refused in words, and nothing typed is lost', async () => {
      const { id, ids, path } = await list([...'ABC'], { meta });
      assert.equal((await mark(path, ids.A!)).status, 303);
      const refused = await mark(path, ids.B!);
      assert.equal(refused.status, 422);
      assert.match(decoded(refused.text), /of 3, that is 1\. These are already: .*A/);
      assert.match(refused.text, /id="trousseau-most_wanted-fault"[^>]*>Up to a third/);
      assert.equal(fieldsOf(refused.text, 'change')!.most_wanted, '1');
      assert.deepEqual(await read(id), ['A★', 'B', 'C']);

      // The new gift is the fourth, so that two may be marked.
      const { form, answer } = await add(path, { name: 'D', description: 'Blue', most_wanted: '1' });
      assert.equal(answer.status, 303);
      assert.equal((await alice(path, form)).status, 303, 'the form is sent twice');
      assert.deepEqual(await read(id), ['A★', 'D★', 'B', 'C']);
      const third = await add(path, { name: 'E', description: 'Blue', most_wanted: '1' });
      assert.equal(third.answer.status, 422);
      const again = fieldsOf(third.answer.text, 'add')!;
      assert.deepEqual([again.name, again.description, again.most_wanted], ['E', 'Blue', '1']);
      assert.deepEqual(await order(id), [...'ABCD'], 'nothing is stored');
    });

    test('a removed gift counts no more; put back, it has its mark unless another has it by now', async () => {
      const { id, ids, path } = await list([...'ABC'], { meta });
      await mark(path, ids.A!);
      await alice(path, { do: 'remove', item: String(ids.A) });
      await alice(path, { do: 'restore', item: String(ids.A) });
      assert.deepEqual(await read(id), ['A★', 'B', 'C']);
      await alice(path, { do: 'remove', item: String(ids.A) });
      assert.equal((await mark(path, ids.B!)).status, 303);
      await alice(path, { do: 'restore', item: String(ids.A) });
      assert.deepEqual(await read(id), ['B★', 'A', 'C']);
    });

    test('two who mark gifts at the same time don’t get above the limit', async () => {
      const { id, ids, path } = await list([...'ABC'], { meta });
      const forms = await Promise.all(
        [ids.A, ids.B].map(async (item) => await alice.form(`${path}?item=${item}`, 'change')),
      );
      const answers = await Promise.all(forms.map((form) => alice(path, { ...form, most_wanted: '1' })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
      assert.equal((await read(id)).filter((name) => name.endsWith('★')).length, 1);
    });
  });

  test('a price in doubt is asked about, and nothing that was typed is lost', async () => {
    const { id, path } = await list([], { meta: { registry_currency: 'USD' } });
    const price = async (name: string) =>
      ((await service().registries.items.list(id)) ?? []).find((item) => item.name === name)?.price;

    const asked = await alice.send(
      `${path}?by-hand=1`,
      'add',
      { name: 'Sofa', price: '1.234,50 €', description: 'Blue', section: 'Home' },
      path,
    );
    assert.equal(asked.status, 422);
    assert.match(
      decoded(asked.text),
      /“.*1\.234,50 €.*” is in another currency than your list, which is in USD\./,
    );
    assert.match(asked.text, /\$1,234\.50/);
    assert.equal(await price('Sofa'), undefined, 'nothing is stored yet');
    const form = fieldsOf(asked.text, 'add')!;
    assert.equal(form.description, 'Blue');
    assert.equal(form.price, '1.234,50 €');
    assert.equal((await alice(path, form)).status, 422, 'nothing was chosen');
    // The price is another than the one that was asked about.
    const other = await alice(path, { ...form, price: '12.345', reading: '1234.5' });
    assert.equal(other.status, 422);
    assert.match(decoded(other.text), /Which price do you mean by “.*12\.345.*”/);
    assert.match(other.text, /value="12\.35"/);
    assert.match(other.text, /value="12345"/);
    assert.equal((await alice(path, { ...form, reading: '1234.5' })).status, 303);
    assert.equal(await price('Sofa'), 1234.5);

    const chair = await alice.send(`${path}?by-hand=1`, 'add', { name: 'Chair', price: '0.125' }, path);
    await alice(path, { ...fieldsOf(chair.text, 'add')!, reading: 'none' });
    assert.equal(await price('Chair'), null);
  });

  test('another currency for the same prices is asked about before it is stored', async () => {
    const { id, ids } = await list(['Pan'], { meta: { registry_currency: 'USD' } });
    const path = `/registries/${id}/details/`;
    const currency = () => site.postMeta(id, 'registry_currency');
    const filled = async (fields: Record<string, string>) => ({
      ...(await alice.form(path, 'change')),
      ...fields,
    });
    assert.equal((await alice(path, await filled({ currency: 'EUR' }))).status, 303, 'no gift has a price');
    assert.equal(await currency(), 'EUR');
    await service().items.update(ids.Pan!, { price: 24.9 });
    await alice(`/registries/${id}/gifts/`);

    const asked = await alice(path, await filled({ currency: 'USD', title: 'Two names' }));
    assert.equal(asked.status, 422);
    assert.match(decoded(asked.text), /€24\.90.* becomes .*\$24\.90/);
    assert.equal(await currency(), 'EUR');
    const form = fieldsOf(asked.text, 'change')!;
    assert.equal(form.title, 'Two names', 'nothing that was typed is lost');
    assert.equal(
      (await alice(path, { ...form, relabel: 'CHF' })).status,
      422,
      'another one than was asked about',
    );
    assert.equal((await alice(path, { ...form, relabel: 'no' })).status, 303);
    assert.equal(await currency(), 'EUR');
    assert.match((await alice(path)).text, /value="Two names"/, 'everything else is saved');
    assert.equal((await alice(path, await filled({ currency: 'USD', relabel: 'USD' }))).status, 303);
    assert.equal(await currency(), 'USD');
  });

  describe('in a browser', { skip: skipWithoutChromium() }, () => {
    let browser: Browser;
    before(async () => {
      browser = await launchChromium();
    });
    after(() => browser?.close());

    /** Alice's browser, on a phone or at a desk. */
    async function open(path: string, { script = true, desk = false } = {}): Promise<Page> {
      const viewport = desk ? { width: 1280, height: 800 } : { width: 390, height: 844 };
      const context = await browser.newContext({ viewport, javaScriptEnabled: script });
      const page = await context.newPage();
      page.on('pageerror', (error) => assert.fail(error));
      await signIn(page, site, site.users.alice);
      await page.goto(new URL(path, site.url).href);
      return page;
    }
    const press = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
      await Promise.all([
        page.waitForEvent('framenavigated'),
        page.getByRole(role, { name }).first().click(),
      ]);
      await page.waitForLoadState();
    };
    const shown = (page: Page) => page.locator('.trousseau-order strong').allTextContents();
    /** Waits until the site has this order. */
    async function stored(id: number, names: string[]): Promise<void> {
      await until(`the order ${names}`, async () => isDeepStrictEqual(await order(id), names));
    }

    test('three quick presses before leaving store the order that was shown', async () => {
      const names = [...'ABCDEFGH'];
      const { id, path } = await list(names);
      const page = await open(path);
      const up = page.getByRole('button', { name: 'Up: H', exact: true });
      for (let press = 0; press < 3; press++) await up.click();
      assert.deepEqual(await shown(page), [...'ABCDHEFG']);
      assert.equal(await page.locator('[data-said]').textContent(), 'H is now 5 of 8');
      await page.goto(`${site.url}/robots.txt`);
      await stored(id, [...'ABCDHEFG']);
      await page.context().close();
    });

    test('a message that arrives after a later one changes nothing', async () => {
      const { id, ids, path } = await list([...'ABCD']);
      const move = (number: number, place: number) =>
        alice(path, { do: 'move', moves: `${ids.D}:${place}`, sent: `apage:${number}` });
      assert.equal((await move(2, 0)).status, 303);
      assert.equal((await move(1, 2)).status, 303);
      assert.deepEqual(await order(id), [...'DABC']);
      await alice(path, { do: 'move', moves: `${ids.C}:0,${ids.A}:3`, sent: 'apage:3' });
      assert.deepEqual(await order(id), [...'CDBA']);
      const gone = await alice(path, { do: 'move', moves: '987654:0', sent: 'apage:4' });
      assert.equal(gone.status, 303, 'nothing is left to store');
    });

    test('without a network nothing is lost: the page stays, says so, and stores when the network is back', async () => {
      const { id, path } = await list([...'ABCDE']);
      const page = await open(path);
      const address = page.url();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Up: E', exact: true }).click();
      const note = page.getByText('The new order is not stored yet');
      await note.waitFor();
      await page.getByRole('button', { name: 'Down: A', exact: true }).click();
      await page.getByRole('link', { name: 'Move: C' }).click();
      await page.getByLabel('To place').fill('1');
      await page.keyboard.press('Enter');
      assert.equal(page.url(), address);
      assert.deepEqual(await shown(page), [...'CBAED']);
      assert.deepEqual(await order(id), [...'ABCDE']);
      await page.context().setOffline(false);
      await note.waitFor({ state: 'hidden' });
      await stored(id, [...'CBAED']);
      assert.equal(page.url(), address);
      await page.context().close();
    });

    describe('with 300 gifts', () => {
      let path: string;
      let id: number;
      const name = (number: number) => `Gift number ${String(number).padStart(3, '0')}`;
      before(async () => {
        ({ id, path } = await list([]));
        const file = JSON.stringify({
          format: 'trousseau-registry-1',
          title: 'Three hundred',
          items: Array.from({ length: 300 }, (_, number) => ({
            name: name(number + 1),
            url: `https://shop.example/things/${number + 1}`,
            description: 'As it stands in the shop.',
            retailer: 'A shop of good things',
            price: 24.9,
            section: number < 10 ? '' : ['Kitchen', 'Bath', 'Garden'][Math.floor(number / 100)],
          })),
        });
        id = await site.call('gift-order.import', file, site.users.alice.id);
        path = `/registries/${id}/gifts/`;
        await stored(
          id,
          Array.from({ length: 300 }, (_, number) => name(number + 1)),
        );
      });

      test('the page is light', async () => {
        const page = await open(path);
        const bytes = Buffer.byteLength((await alice(path)).text);
        const elements = await page.locator('*').count();
        assert.ok(bytes < 300_000, `${bytes} bytes of HTML`);
        assert.ok(elements < 3000, `${elements} elements`);
        assert.match((await page.textContent('h2'))!, /300 gifts/);
        await page.context().close();
      });

      for (const script of [true, false])
        test(`gifts are found, headings and parts opened, and a gift moved far, ${script ? 'with' : 'without'} a script`, async () => {
          const page = await open(path, { script });
          await press(page, '201 to 300', 'link');
          assert.equal((await shown(page))[0], name(201));
          await press(page, '1 to 100', 'link');
          const headings = page.getByRole('navigation', { name: 'Headings' }).getByRole('link');
          assert.deepEqual(await headings.allTextContents(), ['Kitchen', 'Bath', 'Garden', 'And also']);
          await press(page, 'And also', 'link');
          assert.match((await page.locator(':target').textContent())!, new RegExp(name(1)));
          await press(page, 'Garden', 'link');
          assert.match(page.url(), /part=3#trousseau-item-\d+$/);
          assert.equal((await shown(page))[0], name(201));

          const openMenu = () =>
            script
              ? page.getByRole('link', { name: `Move: ${name(257)}` }).click()
              : press(page, `Move: ${name(257)}`, 'link');
          await page.getByLabel('Find a gift').fill('257 NUMBER');
          await press(page, 'Find');
          assert.deepEqual(await shown(page), [name(257)]);
          await openMenu();
          await page.getByLabel('To place').fill('2');
          await press(page, 'Move there');
          assert.deepEqual((await shown(page)).slice(0, 3), [name(1), name(257), name(2)]);
          await openMenu();
          await page.getByLabel('To place').fill('257');
          await press(page, 'Move there');
          await page.waitForURL(/part=3/);
          await stored(
            id,
            Array.from({ length: 300 }, (_, number) => name(number + 1)),
          );

          // The gift moves from one part of the list to the other.
          await page.goto(`${site.url}${path}?part=2`);
          await press(page, `Up: ${name(101)}`);
          await page.waitForURL(/gifts\/(#|$)/);
          assert.equal((await shown(page))[99], name(101));
          await press(page, `Down: ${name(101)}`);
          await page.waitForURL(/part=2/);
          await stored(
            id,
            Array.from({ length: 300 }, (_, number) => name(number + 1)),
          );
          await page.context().close();
        });
    });

    test('the bookmark is loaded where it is of use: at a desk, when its section is opened', async () => {
      const { path } = await list(['Pan']);
      assert.doesNotMatch((await alice(path)).text, /javascript:/);
      const summary = 'If a shop can’t be read';

      const phone = await open(path);
      const asked: string[] = [];
      phone.on('request', (request) => asked.push(request.url()));
      await phone.getByText(summary).click();
      await phone.getByText('add this site to your home screen').waitFor();
      assert.equal(await phone.getByText('Get the bookmark').isVisible(), false);
      assert.deepEqual(asked, []);
      await phone.context().close();

      const desk = await open(path, { desk: true });
      await desk.getByText(summary).click();
      const bookmark = desk.locator('[data-bookmark]');
      await bookmark.waitFor();
      assert.match((await bookmark.getAttribute('href'))!, /^javascript:\(\(\)=>\{const TROUSSEAU_ADD=/);
      await desk.context().close();

      const plain = await open(path, { desk: true, script: false });
      await plain.getByText(summary).click();
      await press(plain, 'Get the bookmark', 'link');
      assert.match((await plain.locator('[data-bookmark]').getAttribute('href'))!, /^javascript:/);
      await plain.context().close();
    });
  });
});
