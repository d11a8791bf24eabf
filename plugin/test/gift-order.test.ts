// An owner's list of gifts, ordered and changed at the same time, without a network, and when it is long. GiftOrderTest.php has the rest.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { mostTelling } from '../../dev/night.ts';
import { until } from '../../dev/until.ts';
import { press, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { decoded } from '../../dev/wordpress/site.ts';

describeSite('an owner’s gifts', {}, (site) => {
  const { alice } = site.visitors;

  async function list(names: Iterable<string>) {
    const { id, gifts: path, items } = await site.list({}, ...names);
    const ids = Object.fromEntries([...names].map((name, place) => [name, items[place]!]));
    return { id, ids, path };
  }
  const order = (id: number): Promise<string[]> => site.call('gift-order.names', id);

  test('requests at the same time lose no heading', async () => {
    const { id, path } = await list([]);
    const sections = Array.from({ length: 12 }, (_, number) => `Heading ${number}`);
    const add = (section: string) =>
      alice.press(`${path}?by-hand=1`, 'add', { name: `Gift under ${section}`, section }, path);
    // Three forms at once leave the site a worker for the service's own questions.
    for (let first = 0; first < sections.length; first += 3)
      await Promise.all(sections.slice(first, first + 3).map(add));
    const found = Object.values(await site.call('gift-order.headings', id)).sort();
    assert.deepEqual(found, sections.sort());
  });

  test('requests at the same time lose no removed gift, and no move', async () => {
    const names = [...'ABCDEFGH'];
    const { id, ids, path } = await list(names);
    const move = async (gift: string, where: string) => {
      const { status, text } = await alice(path, { do: 'move', item: String(ids[gift]), where });
      assert.equal(status, 303, text);
    };
    for (let round = 0; round < 2; round++) {
      await Promise.all([move('H', 'top'), move('A', 'bottom')]);
      assert.deepEqual(await order(id), [...'HBCDEFGA'], `round ${round}`);
      await Promise.all([move('A', 'top'), move('H', 'bottom')]);
      assert.deepEqual(await order(id), names, `round ${round}`);
    }
    const gone = ['B', 'C', 'E'];
    await Promise.all(gone.map((name) => alice(path, { do: 'remove', item: String(ids[name]) })));
    const removed = await site.call('gift-order.removed', id);
    assert.deepEqual(removed.sort(), gone);
  });

  test('two who mark gifts as most wanted at the same time don’t get above the limit', async () => {
    const { ids, path } = await list('ABC');
    const forms = await Promise.all(
      [ids.A, ids.B].map((item) => alice.form(`${path}?item=${item}`, 'change')),
    );
    const answers = await Promise.all(forms.map((form) => alice(path, { ...form, most_wanted: '1' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422]);
    assert.equal(decoded((await alice(path)).text).match(/★ Most wanted/g)?.length, 1);
  });

  describe('in a browser', { skip: skipWithoutChromium() }, () => {
    /** Alice's browser, on a phone or at a desk. */
    async function open(path: string, { script = true, desk = false } = {}): Promise<Page> {
      const viewport = desk ? { width: 1280, height: 800 } : { width: 390, height: 844 };
      const page = await site.tab('alice', { viewport, javaScriptEnabled: script });
      page.on('pageerror', (error) => assert.fail(error));
      await page.goto(site.url + path);
      return page;
    }
    const more = async (page: Page, name: string) => {
      // One that is open may cover it.
      await page.keyboard.press('Escape');
      await page.getByLabel(`More: ${name}`, { exact: true }).click();
    };
    const shown = (page: Page) => page.locator('.trousseau-order strong').allTextContents();
    async function stored(id: number, names: string[]): Promise<void> {
      await until(`the order ${names}`, async () => isDeepStrictEqual(await order(id), names));
    }

    test('three quick presses before leaving store the order that was shown', async () => {
      const { id, path } = await list('ABCDEFGH');
      const page = await open(path);
      await more(page, 'H');
      const up = page.getByRole('button', { name: 'Move up: H', exact: true });
      for (let press = 0; press < 3; press++) await up.click();
      assert.deepEqual(await shown(page), [...'ABCDHEFG']);
      assert.equal(await page.locator('[data-said]').textContent(), 'H is now 5 of 8');
      await page.goto(`${site.url}/robots.txt`);
      await stored(id, [...'ABCDHEFG']);
    });

    test('without a network nothing is lost: the page stays, says so, and stores when the network is back', async () => {
      const { id, path } = await list('ABCDE');
      const page = await open(path);
      const address = page.url();
      await page.context().setOffline(true);
      await more(page, 'E');
      await page.getByRole('button', { name: 'Move up: E', exact: true }).click();
      const note = page.getByText('The new order isn’t saved yet');
      await note.waitFor();
      await more(page, 'A');
      await page.getByRole('button', { name: 'Move down: A', exact: true }).click();
      await more(page, 'C');
      await page.getByRole('link', { name: 'Move to…: C' }).click();
      await page.getByLabel('Position').fill('1');
      await page.keyboard.press('Enter');
      assert.equal(page.url(), address);
      assert.deepEqual(await shown(page), [...'CBAED']);
      assert.deepEqual(await order(id), [...'ABCDE']);
      await page.context().setOffline(false);
      await note.waitFor({ state: 'hidden' });
      await stored(id, [...'CBAED']);
      assert.equal(page.url(), address);
    });

    for (const script of mostTelling(1, [true, false]))
      test(`a page of 300 gifts is light, and gifts are found and moved far, ${script ? 'with' : 'without'} a script`, async () => {
        const name = (number: number) => `Gift number ${String(number).padStart(3, '0')}`;
        const names = Array.from({ length: 300 }, (_, number) => name(number + 1));
        const facts = {
          description: 'As it stands in the shop.',
          retailer: 'A shop of good things',
          price: 24.9,
        };
        const items = names.map((name, n) => ({
          ...{ ...facts, name, url: `https://shop.example/things/${n + 1}` },
          section: n < 10 ? '' : ['Kitchen', 'Bath', 'Garden'][Math.floor(n / 100)],
        }));
        const file = JSON.stringify({ format: 'trousseau-registry-1', title: 'Three hundred', items });
        const id = await site.call('gift-order.import', file, site.users.alice.id);
        const path = `/registries/${id}/gifts/`;
        await stored(id, names);
        const page = await open(path, { script });
        const [bytes, elements] = [
          Buffer.byteLength((await alice(path)).text),
          await page.locator('*').count(),
        ];
        assert.ok(bytes < 300_000 && elements < 3000, `${bytes} bytes of HTML, ${elements} elements`);
        await press(page, '201 to 300', 'link');
        assert.equal((await shown(page))[0], name(201));
        await press(page, '1 to 100', 'link');
        const headings = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
        assert.deepEqual(await headings.allTextContents(), ['Kitchen', 'Bath', 'Garden', 'More gifts']);
        await press(page, 'More gifts', 'link');
        assert.match((await page.locator(':target').textContent())!, new RegExp(name(1)));
        await press(page, 'Garden', 'link');
        assert.match(page.url(), /part=3#trousseau-item-\d+$/);
        assert.equal((await shown(page))[0], name(201));

        const openMenu = async () => {
          await more(page, name(257));
          if (script) await page.getByRole('link', { name: `Move to…: ${name(257)}` }).click();
          else await press(page, `Move to…: ${name(257)}`, 'link');
        };
        await page.getByLabel('Find a gift').fill('257 NUMBER');
        await press(page, /^Find$/);
        assert.deepEqual(await shown(page), [name(257)]);
        await openMenu();
        await page.getByLabel('Position').fill('2');
        await press(page, 'Move gift');
        assert.deepEqual((await shown(page)).slice(0, 3), [name(1), name(257), name(2)]);
        await openMenu();
        await page.getByLabel('Position').fill('257');
        await press(page, 'Move gift');
        await page.waitForURL(/part=3/);
        await stored(id, names);

        // The gift moves from one part of the list to the other.
        await page.goto(`${site.url}${path}?part=2`);
        await more(page, name(101));
        await press(page, `Move up: ${name(101)}`);
        await page.waitForURL(/gifts\/(#|$)/);
        assert.equal((await shown(page))[99], name(101));
        await more(page, name(101));
        await press(page, `Move down: ${name(101)}`);
        await page.waitForURL(/part=2/);
        await stored(id, names);
      });

    test('the bookmark is offered where it is of use: at a desk', async () => {
      const { path } = await list(['Pan']);
      assert.doesNotMatch((await alice(path)).text, /javascript:/);
      const summary = 'Can’t add from a shop?';

      const phone = await open(path);
      const asked: string[] = [];
      phone.on('request', (request) => asked.push(request.url()));
      await phone.getByText(summary).click();
      await phone.getByText('add this site to your home screen').waitFor();
      assert.equal(await phone.getByText('Get the bookmark').isVisible(), false);
      assert.deepEqual(asked, []);

      const desk = await open(path, { desk: true });
      await desk.getByText(summary).click();
      await press(desk, 'Get the bookmark', 'link');
      const bookmark = desk.locator('[data-bookmark]');
      assert.match((await bookmark.getAttribute('href'))!, /^javascript:\(\(\)=>\{const TROUSSEAU_ADD=/);
    });
  });
});
