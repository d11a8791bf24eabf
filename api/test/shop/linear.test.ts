// @slow
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePage, readShopPage } from '../../src/shop/index.ts';

const ADDRESS = 'https://www.teaco.example/p/teapot?variant=3';

const SIZE = 60_000;
// Four times the text may take ten times the time, on a busy machine; quadratic code takes sixteen times.
const GROWS = 4;
const MOST_TIMES = 10;
// Shorter times say nothing.
const COUNTS_FROM_MS = 100;
const AT_LEAST_MS = 5;

function assertLinear(
  what: string,
  make: (size: number) => string,
  read: (html: string) => unknown = (html) => readShopPage(html, ADDRESS),
): void {
  /** The CPU time of this thread alone: other programs on the machine don't count. */
  const timeOf = (html: string) => {
    const before = process.threadCpuUsage();
    read(html);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const [small, large] = [make(SIZE), make(GROWS * SIZE)];
  let [one, four] = [timeOf(small), timeOf(large)];
  const grows = () => four > COUNTS_FROM_MS && four / Math.max(one, AT_LEAST_MS) > MOST_TIMES;
  // A repetition has no compilation and garbage collection of the first run.
  for (let times = 0; times < 3 && grows(); times++) {
    one = Math.max(one, timeOf(small));
    four = Math.min(four, timeOf(large));
  }
  assert.ok(!grows(), `${what}: ${one} ms for ${small.length}, ${four} ms for ${large.length} characters`);
}

const inJsonLd = (json: string) => `<h1>Teapot</h1><script type="application/ld+json">${json}</script>`;
const listed = (length: number, make: (n: number) => object) =>
  inJsonLd(JSON.stringify(Array.from({ length }, (_, n) => make(n))));
const named = (name: string) => ({ '@type': 'Product', name, offers: { price: 5 } });

const NAMED: Record<string, (size: number) => string> = {
  'spaces in JSON-LD': (size) => inJsonLd(`{"@type":"Product",${' '.repeat(size)}x`),
  'quotes in JSON-LD that end nowhere': (size) => inJsonLd(`{"a":"${'\\"'.repeat(size / 2)}`),
  'commas in JSON-LD': (size) => inJsonLd(`{"@type":"Product"${', '.repeat(size / 2)}`),
  'buttons within buttons': (size) =>
    `<h1>Teapot</h1>${'<div role=button>'.repeat(390)}${'x '.repeat(size / 2)}`,
  'buttons within buttons, again and again': (size) =>
    `<h1>Teapot</h1>${`${'<div role=button>'.repeat(300)}x${'</div>'.repeat(300)}`.repeat(size / 7_000 + 1)}`,
  'scripts in names': (size) => listed(50, () => named('<script'.repeat(size / 350))),
  'comments in names': (size) => listed(50, () => named('<!--'.repeat(size / 200))),
  'signs that stand for eighteen letters in names': (size) =>
    listed(size / 300, (n) => named(`${'\ufdfa'.repeat(100)}${n}`)),
  'offers that refer to each other': (size) =>
    listed(size / 100, (n) => ({
      ...{ '@id': `#${n}`, '@type': 'Product', name: 'Teapot', priceSpecification: [] },
      offers: [{ '@id': `#${n + 1}` }, { '@id': `#${n + 2}` }, { '@id': `#${n}` }],
    })),
  'variants that refer to each other': (size) =>
    listed(size / 100, (n) => ({
      ...{ '@id': `#${n}`, '@type': 'ProductGroup', name: 'Teapot'.repeat(10) },
      hasVariant: Array.from({ length: 10 }, (_, m) => ({ '@id': `#${n + m}` })),
    })),
  'a thing under many names within one under many names': (size) =>
    `<h1>Teapot</h1>${'<div itemscope itemprop="a b c d e f g h i j k l">'.repeat(size / 50)}`,
  'elements within each other that one refers to': (size) =>
    `<h1>Teapot</h1><div itemscope itemtype=Product itemref="a b c"></div>${'<p id=a itemprop=name>x<i id=b>'.repeat(size / 30)}`,
  'elements of which each refers to the next': (size) =>
    Array.from(
      { length: size / 40 },
      (_, n) => `<div itemscope id=a${n} itemref="a${n + 1} a${n + 2}"></div>`,
    ).join(''),
  'lists within lists in JSON-LD': (size) =>
    inJsonLd(`{"@type":${'['.repeat(size / 2)}${']'.repeat(size / 2)},"name":"Teapot"}`),
  'prices beside each other': (size) => `<h1>Teapot</h1><p>${'<sup class=cent>55</sup>'.repeat(size / 24)}`,
  'numbers in groups': (size) => `<h1>Teapot</h1><p>${'111 '.repeat(size / 4)}`,
  'elements within each other': (size) => '<div>'.repeat(size / 5),
  'prices in paragraphs': (size) => '<p>€ 1</p>'.repeat(size / 10),
  'one number': (size) => '1'.repeat(size),
  'numbers and points': (size) => '1.'.repeat(size / 2),
  'signs of a currency': (size) => '€'.repeat(size),
  'ends of elements that nobody began': (size) =>
    `<h1>Teapot</h1>${'<i>'.repeat(2_300)}${'</b>'.repeat(size / 4)}`,
};

describe('the time to read a page grows with its length', () => {
  for (const [what, make] of Object.entries(NAMED)) it(what, () => assertLinear(what, make));

  it('also for its first bytes, which may declare its charset', () => {
    const decode = (html: string) => decodePage(new TextEncoder().encode(html), null);
    assertLinear('charsets', (size) => '<metacharset='.repeat(size / 13), decode);
  });
});
