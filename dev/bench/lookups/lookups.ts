// Measures lookups of pages, price strings and hostile shops; prints the tables.
import { join } from 'node:path';
import { amountsIn } from '../../../api/src/shop/amounts.ts';
import { readShopPage } from '../../../api/src/shop/index.ts';
import { hostileShops } from '../../../api/test/internet/hostile-shops.ts';
import { lookUp, observe, watch } from '../../../api/test/internet/observe.ts';
import { startServiceProcess } from '../../../api/test/service-process.ts';
import { type Case, PAGES, WALLS } from '../../../api/test/shop/pages.ts';
import { PRICES } from '../../../api/test/shop/prices.ts';
import { SHAPES } from '../../../api/test/shop/shapes.ts';
import { authorization } from '../../../api/test/support.ts';
import { readArguments } from '../../arguments.ts';
import { peers, type Reader, type Told } from './peers.ts';

const ADDRESS = 'https://www.teaco.example/p/teapot';
const FIELDS = ['name', 'price', 'currency', 'image'] as const;

const USAGE = `npm run bench:lookups -- [--only pages|prices|large|hostile] [--peers FOLDER]

  --only may be repeated. FOLDER is where the other libraries get installed (default: data/lookup-peers).`;

const { values: options } = readArguments(USAGE, {
  options: {
    peers: { type: 'string', default: join(process.cwd(), 'data/lookup-peers') },
    only: { type: 'string', multiple: true, default: ['pages', 'prices', 'large', 'hostile'] },
  },
});

const own: Reader = {
  what: 'Trousseau',
  async read(html, address) {
    const { name, price, currency, image_url } = readShopPage(html, address);
    return { name, price, currency, image: image_url };
  },
};

const isSame = (found: unknown, right: unknown, field: string) =>
  field === 'name'
    ? String(found).trim() === right
    : field === 'price'
      ? Math.abs(Number(found) - Number(right)) < 0.005
      : found === right;

async function pages(): Promise<void> {
  const kinds: [string, Case[]][] = [
    ['shops', [...PAGES, ...SHAPES].filter(({ refused }) => !refused)],
    ['walls', WALLS],
  ];
  const readers = [own, ...peers(options.peers)];
  for (const [kind, cases] of kinds) {
    console.log(`\n${cases.length} pages: ${kind}\n`);
    console.log(`| | ${FIELDS.map((field) => `${field}: right`).join(' | ')} | pages with something wrong |`);
    console.log(`| --- |${' --- |'.repeat(FIELDS.length + 1)}`);
    for (const { what, read } of readers) {
      const count = Object.fromEntries(FIELDS.map((field) => [field, { right: 0, empty: 0, wrong: 0 }]));
      let bad = 0;
      for (const made of cases) {
        const told: Told = await read(made.html, made.address ?? ADDRESS);
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
      const cells = FIELDS.map((field) => {
        const { right, empty, wrong } = count[field]!;
        return `${right} (${empty} empty, **${wrong} wrong**)`;
      });
      console.log(`| ${what} | ${cells.join(' | ')} | ${bad} |`);
    }
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

/** Measures pages of 3 MB: some like those of real shops, some hostile. */
function large(): void {
  const card = (at: number) =>
    `<li class="product-card"><a href="/p/${at}"><img src="/i/${at}.jpg" alt="Cup ${at}" loading="lazy"></a>` +
    `<h3>Cup ${at}</h3><p class="price">€ ${at % 90},90</p><button>Add to cart</button></li>`;
  const fill = (piece: (at: number) => string, until = 3e6) => {
    const parts: string[] = [];
    for (let at = 0, length = 0; length < until; at++) {
      parts.push(piece(at));
      length += parts[at]!.length;
    }
    return parts.join('');
  };
  const head =
    '<!doctype html><title>Blue Teapot</title><h1>Blue Teapot</h1><p class="price">€ 43,90</p><button>Add to cart</button>';
  const cases = {
    'cards of products': head + fill(card),
    'scripts and styles':
      head +
      fill((at) => `<script>var a${at} = { price: ${at}, list: [1, 2, 3] };</script><style>.a{}</style>`),
    'one script of state': `${head}<script type="application/json">${JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ id: at, name: `Cup ${at}`, price: at + 0.9 })))}</script>`,
    'JSON-LD of a list': `${head}<script type="application/ld+json">${JSON.stringify({ '@type': 'ItemList', itemListElement: Array.from({ length: 15_000 }, (_, at) => ({ '@type': 'ListItem', item: { '@type': 'Product', name: `Cup ${at}`, offers: { '@type': 'Offer', price: at, priceCurrency: 'EUR' } } })) })}</script>`,
    'small elements': head + fill(() => '<p>€ 1 <b>x</b></p>'),
    text: `${head}<p>${'word '.repeat(600_000)}</p>`,
  };
  console.log('\n| 3 MB of | ms |\n| --- | --- |');
  for (const [what, html] of Object.entries(cases)) {
    const times = Array.from({ length: 3 }, () => {
      const started = performance.now();
      readShopPage(html, ADDRESS);
      return performance.now() - started;
    });
    console.log(`| ${what} | ${Math.min(...times).toFixed(0)} |`);
  }
}

async function hostile(): Promise<void> {
  const shops = [];
  for (const shop of await hostileShops()) shops.push({ shop, started: await shop.start() });
  const allowed = shops.map(({ started }) => started.host).join(',');
  const start = () =>
    startServiceProcess({ DATABASE_URL: 'sqlite::memory:', LOOKUP_ALLOW: allowed }, [], 300_000);
  const plain = shops.find(({ shop }) => shop.problem === null)!;
  // The first start isn't measured, because it compiles everything.
  const unmeasured = start();
  const admin = authorization('admin');
  await lookUp({ url: await unmeasured.url, authorization: admin }, `${plain.started.url}/unmeasured`);
  unmeasured.child.kill('SIGTERM');
  await unmeasured.exit;
  const service = start();
  const watched = await watch(await service.url, service.child.pid!, admin);
  const first = await observe(watched, `${plain.started.url}/first`);
  console.log(
    '\n| A shop | Answer | ms | MB more | others waited at most, ms |\n| --- | --- | --- | --- | --- |',
  );
  console.log(
    `| a plain page, the first one | its fields | ${first.ms} | ${first.megabytes} | ${first.waitedMs} |`,
  );
  for (const { shop, started } of shops) {
    const { answer, ms, megabytes, waitedMs } = await observe(watched, `${started.url}/a`);
    const code = answer.problem?.code ?? null;
    const said = code === null ? 'its fields' : `\`${code}\``;
    const told = code === shop.problem ? said : `${said}, **not ${shop.problem}**`;
    console.log(`| ${shop.what} | ${told} | ${ms} | ${megabytes} | ${waitedMs} |`);
  }
  await service[Symbol.asyncDispose]();
  for (const { started } of shops) await started[Symbol.asyncDispose]();
}

const parts: Record<string, () => void | Promise<void>> = { pages, prices, large, hostile };
for (const part of options.only) await parts[part]?.();
