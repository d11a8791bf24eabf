// Gifts that several pay for, as far as it takes the service as it ships, files or a browser: the code for banking apps above all.
// SharesTest.php has forms, pages and emails.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../dev/until.ts';
import { skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeSite } from '../../dev/wordpress/describe-site.ts';
import { readCode } from '../../dev/wordpress/square-code.ts';

const IBAN = 'DE89 3704 0044 0532 0130 00';
const PAY_TO = `${IBAN}, Ann & Bob <3`;

describeSite('shares', {}, (site) => {
  const { alice, bob } = site.visitors;
  const shared = (...names: string[]) =>
    site.list(
      { meta: { registry_currency: 'EUR', registry_pay_to: PAY_TO, registry_invitees: ['bob', 'carol'] } },
      ...names.map((name) => ({ name, unit: 'money', quantity_needed: 52_000 })),
    );

  test('tables and files name amounts, and owners read the place as they typed it', async () => {
    const { id, details, give } = await shared('Pram');
    await bob.press(give(), 'give', { share: 'own', amount: '60,5' });
    assert.equal((await site.client().registries.get(id))!.meta.registry_pay_to, PAY_TO);
    assert.equal((await site.client('bob').registries.get(id))!.meta.registry_pay_to, null);
    const table = await alice(`/registries/${id}/given/`, { do: 'save' });
    assert.match(table.text, /Pram,€60\.50,/);
    const csv = await alice(details, { do: 'export', as: 'csv' });
    assert.match(csv.text, /,520,1,.*,money/);
    assert.doesNotMatch(csv.text, /52000/);
    const json = JSON.parse((await alice(details, { do: 'export', as: 'json' })).text);
    assert.deepEqual([json.items[0].unit, json.items[0].quantity_needed], ['money', 52_000]);
    assert.equal(json.meta.registry_pay_to, PAY_TO);
  });

  describe('in a browser', { skip: skipWithoutChromium() }, () => {
    test('two decoders read the transfer from the code on the page', async () => {
      const page = await site.tab('bob', { deviceScaleFactor: 2 });
      const names = ['Pram', 'Kinderwagen für Jörg & Zoë — 🍼', 'عربة أطفال '.repeat(9).trim()];
      const { give } = await shared(...names);
      for (const [place, share, amount] of [
        [0, { share: '5000' }, 'EUR50.00'],
        [1, { share: 'own', amount: '0,01' }, 'EUR0.01'],
        [2, { share: '52000' }, 'EUR520.00'],
      ] as const) {
        const given = await bob.press(give(place), 'give', share);
        await page.goto(given.headers.get('location')!);
        const one = await readCode(page.locator('[data-code] svg'));
        const lines = one.split('\n');
        assert.deepEqual(lines.slice(0, 10), [
          ...['BCD', '002', '1', 'SCT', '', 'Ann & Bob <3', IBAN.replaceAll(' ', ''), amount],
          ...['', ''],
        ]);
        assert.equal(lines.length, 11);
        assert.ok(lines[10] !== '' && names[place]!.startsWith(lines[10]!), lines[10]);
        assert.ok(Buffer.byteLength(one) <= 331);
      }
    });

    test('a press copies the amount, and another amount asks for it', async () => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      const page = await site.tab('bob', { permissions, viewport: { width: 390, height: 800 } });
      const { give } = await shared('Pram');
      await page.goto(site.url + give());
      const amount = page.locator('#trousseau-amount');
      assert.equal(await amount.isVisible(), false);
      await page.getByLabel('Other', { exact: true }).check();
      await amount.fill('33,30');
      await page.getByRole('button', { name: 'Chip in' }).click();
      const isWhole = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
        scrollWidth <= clientWidth;
      assert.ok(await page.locator('#trousseau-iban').evaluate(isWhole as never), 'the whole IBAN is seen');
      await page.getByRole('button', { name: 'Copy: Amount' }).click();
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await until('a copy', async () => (await copied()) === '33.30');
      await page.getByRole('button', { name: 'I’ve sent it' }).click();
      await page.getByText('It’s marked as sent').waitFor();
    });
  });
});
