import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUY_WORDS } from '../../src/shop/buy-words.ts';
import { CLASS_NAMES } from '../../src/shop/class-names.ts';
import { readShopPage } from '../../src/shop/index.ts';
import { PRICE_WORDS } from '../../src/shop/price-words.ts';
import { TITLE_WORDS } from '../../src/shop/title-words.ts';
import { WALL_WORDS } from '../../src/shop/wall-words.ts';

/** A language as people read it in a shop: a line for each kind of words that the tables have in it. */
interface Language {
  /** A label of the button that puts the product into the cart. */
  buy?: string;
  /** A price from before beside the present one, which is 43.90 euros. */
  former?: string;
  /** An amount for something else beside it. */
  other?: string;
  /** A line that names the present price as one of several. */
  from?: string;
  /** A title that sells a "Teapot Asa". */
  title?: string;
  /** A title of a page that only keeps robots out. */
  wall?: string;
}

const LANGUAGES: Record<string, Language> = {
  en: {
    buy: 'Add to your shopping basket',
    former: 'RRP 59.90 €',
    other: 'Delivery 4.90 €',
    from: 'from 43.90 €',
    title: 'Buy Teapot Asa online',
    wall: 'Just a moment...',
  },
  de: {
    buy: 'In den Warenkorb',
    former: 'Früher 59,90 €',
    other: 'zzgl. Versandkosten 4,90 €',
    from: 'ab 43,90 €',
    title: 'Teapot Asa günstig online kaufen',
    wall: 'Seite nicht gefunden',
  },
  fr: {
    buy: 'Ajouter au panier',
    former: 'Prix conseillé 59,90 €',
    other: 'Économisez 4,90 €',
    from: 'dès 43,90 €',
    title: 'Acheter Teapot Asa en ligne',
    wall: 'Accès refusé',
  },
  es: {
    buy: 'Añadir a la cesta',
    former: 'Precio anterior 59,90 €',
    other: 'Envío 4,90 €',
    from: 'desde 43,90 €',
    title: 'Comprar Teapot Asa en línea',
    wall: 'Página no encontrada',
  },
  pt: {
    buy: 'Adicionar ao carrinho',
    former: 'De 59,90 €',
    from: 'até 43,90 €',
    title: 'Teapot Asa por €5',
    wall: 'Um momento',
  },
  it: {
    buy: 'Aggiungi al carrello',
    former: 'Invece di 59,90 €',
    other: 'Spedizione 4,90 €',
    from: 'da 43,90 €',
    title: 'Acquista Teapot Asa',
    wall: 'Pagina non trovata',
  },
  nl: {
    buy: 'In winkelwagentje',
    former: 'Adviesprijs 59,90 €',
    other: 'Verzendkosten 4,90 €',
    from: 'vanaf 43,90 €',
    title: 'Teapot Asa online kopen',
    wall: 'Pagina niet gevonden',
  },
  sv: {
    buy: 'Lägg i varukorgen',
    former: 'Ord. pris 59,90 €',
    other: 'Frakt 4,90 €',
    from: 'från 43,90 €',
    title: 'Köp Teapot Asa',
    wall: 'Ett ögonblick',
  },
  da: {
    buy: 'Læg i kurven',
    former: 'Før 59,90 €',
    other: 'Spar 4,90 €',
    from: 'fra 43,90 €',
    wall: 'Siden blev ikke fundet',
  },
  no: {
    buy: 'Legg i handlekurven',
    former: 'Førpris 59,90 €',
    other: 'Frakt 4,90 €',
    from: 'fra 43,90 €',
    wall: 'Siden ble ikke funnet',
  },
  fi: { buy: 'Lisää ostoskoriin', from: 'alkaen 43,90 €' },
  pl: {
    buy: 'Dodaj do koszyka',
    former: 'Najniższa cena z 30 dni: 39,90 €',
    from: 'od 43,90 €',
    title: 'Kup Teapot Asa',
    wall: 'Chwileczkę',
  },
  cs: { buy: 'Přidat do košíku' },
  hu: { buy: 'Kosárba' },
  ro: { buy: 'Adaugă în coș' },
  tr: { buy: 'Sepete ekle' },
  ru: { buy: 'Добавить в корзину', from: 'от 43,90 €' },
  ja: { buy: 'カートに入れる' },
  zh: { buy: '加入购物车' },
  ko: { buy: '장바구니 담기' },
};

const read = (body: string, title = 'Blue Teapot') =>
  readShopPage(
    `<!doctype html><title>${title}</title><h1>Blue Teapot</h1>${body}`,
    'https://www.teaco.example/p/teapot',
  );
const button = (label: string) => `<button>${label}</button>`;
const PRICE = '<p class="price">43,90 €</p>';

for (const [code, { buy, former, other, from, title, wall }] of Object.entries(LANGUAGES)) {
  test(`the words of shops in ${code} are known`, () => {
    const label = button(buy ?? 'Add to cart');
    assert.equal(read(`${PRICE}${label}`).price, 43.9, buy);
    for (const line of [former, other])
      if (line) assert.equal(read(`${PRICE}<p class="price">${line}</p>${label}`).price, 43.9, line);
    if (from) assert.equal(read(`<p class="price">${from}</p>${label}`).price, null, from);
    if (title) {
      const { name } = readShopPage(`<title>${title}</title>`, 'https://www.teaco.example/p/teapot');
      assert.equal(name, 'Teapot Asa');
    }
    if (wall) assert.equal(read('', wall).problem?.code, 'refused', wall);
  });
}

test('each language of a table has its words in this test', () => {
  const needs: [table: object, kinds: (keyof Language)[]][] = [
    [BUY_WORDS, ['buy']],
    [WALL_WORDS, ['wall']],
    [TITLE_WORDS, ['title']],
  ];
  for (const [table, kinds] of needs)
    for (const code of Object.keys(table))
      for (const kind of kinds) assert.ok(LANGUAGES[code]?.[kind], `${code}: ${kind}`);
  for (const [code, words] of Object.entries(PRICE_WORDS)) {
    const said = LANGUAGES[code] ?? {};
    assert.ok(said.former || !(words.former || words.lowest), `${code}: former`);
    assert.ok(said.other || !(words.other || words.otherBefore || words.delivery), `${code}: other`);
    assert.ok(said.from || !words.from, `${code}: from`);
  }
});

// A class or an id by which a price, a button or a picture of each shop system is found.
const SHOP_SYSTEMS: Record<string, string> = {
  amazon: `${PRICE}<p class="price a-text-price">59,90 €</p>${button('Add to cart')}`,
  shopify: `${PRICE}<button class="product-form__submit">+</button>`,
  wordpress: `${PRICE}<img class="wp-post-image" src="/i/pot.jpg">${button('Add to cart')}`,
  payments: `${PRICE}<p class="price klarna">12,90 €</p>${button('Add to cart')}`,
};

test('the class names of each shop system are known', () => {
  for (const [system, html] of Object.entries(SHOP_SYSTEMS)) assert.equal(read(html).price, 43.9, system);
  assert.match(read(SHOP_SYSTEMS.wordpress!).image_url ?? '', /pot\.jpg$/);
  const systems = Object.keys(CLASS_NAMES).filter((name) => name.length > 2);
  assert.deepEqual(systems.sort(), Object.keys(SHOP_SYSTEMS).sort());
});

test('a price is called so in the class names of each language', () => {
  for (const [code, { price, priceWords }] of Object.entries(CLASS_NAMES)) {
    const name = (priceWords ?? price)?.split(' ').at(-1)?.replace('*', '');
    if (!name) continue;
    // Only an amount in an element that is called a price counts beside another text.
    const line = `<p>Teapots of the best kind are <b class="product-${name}">43,90 €</b></p>`;
    assert.equal(read(`${line}${button('Add to cart')}`).price, 43.9, code);
  }
});

test('words within other words, and other languages’ words, take nothing away', () => {
  // "Kop" is a Dutch cup, "köp" is Swedish for buying.
  assert.equal(
    readShopPage('<title>Kop en schotel</title>', 'https://www.teaco.example/p/kop').name,
    'Kop en schotel',
  );
  const prices = ['Now for 43,90 €', 'Preiswert 43,90 €', 'Vorteilspreis: 43,90 €', 'Изба 43,90 €'];
  for (const line of prices)
    assert.equal(read(`<p class="price">${line}</p>${button('Add to cart')}`).price, 43.9, line);
});
