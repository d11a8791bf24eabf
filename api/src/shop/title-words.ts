import { patternsOf, type WordTable } from './word-table.ts';

type Meaning =
  // Placeholders for a missing name, and names of a page that is about the shop itself.
  | 'noName'
  // Before a price at the end: "Teapot for €5".
  | 'priced'
  // Before the shop's name: "kaufen bei Teaco".
  | 'at'
  // At the end of a title, alone or after these adverbs: "Teapot günstig online kaufen".
  | 'buyLast'
  | 'adverb'
  // At the start: "Acheter Teapot en ligne"; in English only with the last word: "Buy Teapot online".
  | 'buyFirst'
  | 'buyFirstOnline'
  | 'online';

// `|` joins only the words next to it: "order-now|online" is "order now" or "order online".
export const TITLE_WORDS: WordTable<Meaning> = {
  en: {
    noName:
      'product(s) item untitled(-product) default-title undefined null n/a none test home(page) shop store title name ' +
      'document page index product-page|name|detail(s)',
    priced: 'for only from',
    at: 'at on from @',
    buyLast: 'buy|shop|order-(it-)now|online',
    buyFirstOnline: 'buy order',
    online: 'online',
  },
  de: {
    noName: 'Produkt Startseite',
    priced: 'für nur ab',
    at: 'bei auf im',
    adverb: 'günstig jetzt hier billig preiswert sicher',
    buyLast: 'kaufen bestellen shoppen',
  },
  fr: {
    noName: 'produit accueil',
    priced: 'à',
    at: 'chez sur',
    buyFirst: 'acheter achetez',
    online: 'en-ligne',
  },
  es: { noName: 'producto inicio', at: 'en', buyFirst: 'comprar compra', online: 'en-línea' },
  pt: { priced: 'por' },
  it: { buyFirst: 'acquista' },
  nl: { priced: 'voor', at: 'van bij op', buyLast: 'kopen', buyFirst: 'koop' },
  sv: { buyFirst: 'köp' },
  pl: { buyFirst: 'kup' },
};

const pattern = patternsOf(TITLE_WORDS);

export const NO_NAME = pattern('^(?:<noName>|[^\\p{L}\\p{N}]*)$');

/** "Buy online at", before a shop's name. */
export const AT_SHOP = pattern('^(?:buy|shop|kaufen)?\\s*(?:online\\s+)?<at>\\s+');

export const PRICE_AT_END = pattern(
  "(?:,|\\s[-–—|:]|\\s<priced>)\\s+(?:[€$£]\\s?\\d[\\d.,' ]*|\\d[\\d.,' ]*\\s?(?:[€$£]|EUR|USD|GBP|CHF))$",
);

export const BUY_AT_END = pattern('[\\s,][-–—|\\s]*(?:<adverb> )*(?:online )?<buyLast>(?: <at> .{2,40})?$');

/** Words about buying at the start of a title. The product's name is in the first group or the second. */
export const BUY_AT_START = pattern(
  '^(?:<buyFirstOnline> (.{3,}?) online|<buyFirst> (.{3,}?)(?: <online>)?)$',
);
