import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePage, fromAddress, readShopPage } from '../../src/shop/index.ts';
import { PAGES, WALLS } from './pages.ts';
import { SHAPES } from './shapes.ts';

const ADDRESS = 'https://www.teaco.example/p/teapot';

test('each field of each page is correct, or empty where the page does not tell', () => {
  const faults: string[] = [];
  for (const made of [...PAGES, ...SHAPES, ...WALLS]) {
    const address = made.address ?? ADDRESS;
    const page = readShopPage(made.html, address);
    const host = new URL(address).hostname.replace('www.', '');
    const wanted: [string, unknown, unknown][] = [
      ['name', page.name, made.name ?? null],
      ['price', page.price, made.price ?? null],
      ['currency', page.currency, made.currency ?? null],
      ['image_url', page.image_url, made.image ?? null],
      ['retailer', page.retailer, made.retailer ?? host],
      ['url', page.url, made.url ?? address],
      ['problem', page.problem?.code === 'refused', made.refused ?? false],
    ];
    for (const [field, found, right] of wanted)
      if (found !== right) faults.push(`${made.what}: ${field} is ${found}, not ${right}`);
    // A field that is found has a source, and no other has.
    for (const field of ['name', 'description', 'image_url', 'price', 'currency', 'retailer'] as const) {
      assert.equal(page[field] !== null, page.sources[field] !== undefined, `${made.what}: ${field}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('an address alone gives the shop only', () => {
  const page = fromAddress(ADDRESS);
  assert.equal(page.retailer, 'teaco.example');
  assert.deepEqual(page.sources, { retailer: 'address' });
});

test('text is decoded by what the header, the page or its bytes declare', () => {
  const bytes = (...parts: (string | number)[]) =>
    Uint8Array.from(
      parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])),
    );
  const meta = (charset: string) => `<meta charset="${charset}">`;
  const cases: [Uint8Array, string | null, string][] = [
    [bytes('Teekanne für zwei'), null, 'für'],
    [bytes('f', 0xfc, 'r'), 'text/html; charset=windows-1252', 'für'],
    [bytes(meta('windows-1252'), '43 ', 0x80), 'text/html', '43 €'],
    [bytes(meta('shift_jis'), 0x8b, 0x7d, 0x90, 0x7b), null, '急本'.slice(0, 1)],
    [bytes(meta('gb18030'), 0xb2, 0xe8, 0xba, 0xf8), null, '茶壶'],
    [bytes('f', 0xfc, 'r'), 'text/html; charset=nonsense', 'für'],
    [bytes(0xef, 0xbb, 0xbf, 'für'), 'text/html; charset=latin1', 'für'],
  ];
  for (const [body, header, wanted] of cases) {
    const text = decodePage(body, header);
    assert.ok(text.includes(wanted), `${JSON.stringify(text)} has ${wanted}`);
  }
});

test('a large page is read from both ends', () => {
  const filling = '<div class="a"><p>Word and <b>more</b></p></div>'.repeat(60_000);
  const offer = '"offers":{"@type":"Offer","price":"43.90","priceCurrency":"EUR"}';
  const product = `<script type="application/ld+json">{"@type":"Product","name":"Blue Teapot",${offer}}</script>`;
  for (const html of [product + filling, filling + product]) {
    const { name, price } = readShopPage(`<title>Blue Teapot</title>${html}`, ADDRESS);
    assert.deepEqual([name, price], ['Blue Teapot', 43.9]);
  }
});
