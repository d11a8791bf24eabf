// Counts what lookups read right in the tests' pages and price strings.
import { amountsIn } from '../../api/src/shop/amounts.ts';
import { readShopPage } from '../../api/src/shop/index.ts';
import { type Case, PAGES, WALLS } from '../../api/test/shop/pages.ts';
import { PRICES } from '../../api/test/shop/prices.ts';
import { SHAPES } from '../../api/test/shop/shapes.ts';

const ADDRESS = 'https://www.teaco.example/p/teapot';
const FIELDS = ['name', 'price', 'currency', 'image'] as const;

const isSame = (found: unknown, right: unknown, field: string) =>
  field === 'name'
    ? String(found).trim() === right
    : field === 'price'
      ? Math.abs(Number(found) - Number(right)) < 0.005
      : found === right;

function pages(): void {
  const kinds: [string, Case[]][] = [
    ['shops', [...PAGES, ...SHAPES].filter(({ refused }) => !refused)],
    ['walls', WALLS],
  ];
  for (const [kind, cases] of kinds) {
    const count = Object.fromEntries(FIELDS.map((field) => [field, { right: 0, empty: 0, wrong: 0 }]));
    let bad = 0;
    for (const made of cases) {
      const { name, price, currency, image_url: image } = readShopPage(made.html, made.address ?? ADDRESS);
      const told = { name, price, currency, image };
      let isBad = false;
      for (const field of FIELDS) {
        const right = made[field] ?? null;
        const found = told[field];
        const outcome =
          found === null || found === undefined
            ? right === null
              ? 'right'
              : 'empty'
            : right !== null && isSame(found, right, field)
              ? 'right'
              : 'wrong';
        count[field]![outcome]++;
        isBad ||= outcome === 'wrong';
      }
      if (isBad) bad++;
    }
    console.log(`\n${cases.length} pages: ${kind}; ${bad} with something wrong`);
    console.table(count);
  }
}

function prices(): void {
  const count = { right: 0, empty: 0, wrong: 0 };
  for (const [text, value, currency] of PRICES) {
    const [found, ...more] = amountsIn(text);
    const codes =
      found?.currencies.length === 1 || found?.currencies[0] === 'GBP' ? found.currencies[0] : '?';
    if (found === undefined) count[value === null ? 'right' : 'empty']++;
    else
      count[
        value !== null && found.value === value && codes === currency && !more.length ? 'right' : 'wrong'
      ]++;
  }
  console.log(`\n${PRICES.length} price strings: ${JSON.stringify(count)}`);
}

pages();
prices();
