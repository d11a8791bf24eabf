import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUY_WORDS } from '../../src/shop/buy-words.ts';
import { CLASS_NAMES } from '../../src/shop/class-names.ts';
import { readShopPage } from '../../src/shop/index.ts';
import { PRICE_WORDS } from '../../src/shop/price-words.ts';
import { TITLE_WORDS } from '../../src/shop/title-words.ts';
import { WALL_WORDS } from '../../src/shop/wall-words.ts';

/**
 * Languages as people read them in a shop, as far as the tables have words in them: a label of the button that puts the product into the
 * cart; a price from before beside the present one, which is 43.90 euros; an amount for something else beside it; a line that names the
 * present price as one of several; a title that sells a "Teapot Asa"; and a title of a page that only keeps robots out.
 */
const LANGUAGES = Object.fromEntries(
  `
en | Add to your shopping basket | RRP 59.90 € | Delivery 4.90 € | from 43.90 € | Buy Teapot Asa online | Just a moment...
de | In den Warenkorb | Früher 59,90 € | zzgl. Versandkosten 4,90 € | ab 43,90 € | Teapot Asa günstig online kaufen | Seite nicht gefunden
fr | Ajouter au panier | Prix conseillé 59,90 € | Économisez 4,90 € | dès 43,90 € | Acheter Teapot Asa en ligne | Accès refusé
es | Añadir a la cesta | Precio anterior 59,90 € | Envío 4,90 € | desde 43,90 € | Comprar Teapot Asa en línea | Página no encontrada
pt | Adicionar ao carrinho | De 59,90 € |  | até 43,90 € | Teapot Asa por €5 | Um momento
it | Aggiungi al carrello | Invece di 59,90 € | Spedizione 4,90 € | da 43,90 € | Acquista Teapot Asa | Pagina non trovata
nl | In winkelwagentje | Adviesprijs 59,90 € | Verzendkosten 4,90 € | vanaf 43,90 € | Teapot Asa online kopen | Pagina niet gevonden
sv | Lägg i varukorgen | Ord. pris 59,90 € | Frakt 4,90 € | från 43,90 € | Köp Teapot Asa | Ett ögonblick
da | Læg i kurven | Før 59,90 € | Spar 4,90 € | fra 43,90 € |  | Siden blev ikke fundet
no | Legg i handlekurven | Førpris 59,90 € | Frakt 4,90 € | fra 43,90 € |  | Siden ble ikke funnet
fi | Lisää ostoskoriin |  |  | alkaen 43,90 €
pl | Dodaj do koszyka | Najniższa cena z 30 dni: 39,90 € |  | od 43,90 € | Kup Teapot Asa | Chwileczkę
cs | Přidat do košíku
hu | Kosárba
ro | Adaugă în coș
tr | Sepete ekle
ru | Добавить в корзину |  |  | от 43,90 €
ja | カートに入れる
zh | 加入购物车
ko | 장바구니 담기`
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', buy, former, other, from, title, wall] = line.split(' | ');
      return [code, { buy, former, other, from, title, wall }];
    }),
);
type Kind = 'buy' | 'former' | 'other' | 'from' | 'title' | 'wall';

const read = (body: string, title = 'Blue Teapot') =>
  readShopPage(
    `<!doctype html><title>${title}</title><h1>Blue Teapot</h1>${body}`,
    'https://www.teaco.example/p/teapot',
  );
const button = (label: string) => `<button>${label}</button>`;
const PRICE = '<p class="price">43,90 €</p>';

for (const [code, { buy, former, other, from, title, wall }] of Object.entries(LANGUAGES)) {
  test(`the words of shops in ${code} are known`, () => {
    const label = button(buy || 'Add to cart');
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
  const needs: [table: object, kinds: Kind[]][] = [
    [BUY_WORDS, ['buy']],
    [WALL_WORDS, ['wall']],
    [TITLE_WORDS, ['title']],
  ];
  for (const [table, kinds] of needs)
    for (const code of Object.keys(table))
      for (const kind of kinds) assert.ok(LANGUAGES[code]?.[kind], `${code}: ${kind}`);
  for (const [code, words] of Object.entries(PRICE_WORDS)) {
    const said = LANGUAGES[code] ?? ({} as Partial<Record<Kind, string>>);
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
  const found = readShopPage('<title>Kop en schotel</title>', 'https://www.teaco.example/p/kop').name;
  assert.equal(found, 'Kop en schotel');
  const prices = ['Now for 43,90 €', 'Preiswert 43,90 €', 'Vorteilspreis: 43,90 €', 'Изба 43,90 €'];
  for (const line of prices)
    assert.equal(read(`<p class="price">${line}</p>${button('Add to cart')}`).price, 43.9, line);
});
