import { anyName, namesOf, type WordTable } from './word-table.ts';

// Words in classes and ids; word-table.ts explains the notation. Those of "…Words" match only between hyphens, others anywhere.
type Meaning =
  | 'price'
  | 'priceWords'
  | 'former'
  | 'formerWords'
  // A price of something else: a unit, a delivery, an instalment.
  | 'other'
  // A part of the page that isn't about the product: a cart, a menu, other products.
  | 'elsewhere'
  | 'elsewhereWords'
  // A button that puts the product into a cart.
  | 'buy'
  | 'picture';

export const CLASS_NAMES: WordTable<Meaning> = {
  en: {
    price: 'price amount',
    former: 'strikethrough line-through old|was|list-price price-old compare(d)-at|out cross(ed)-at|out',
    formerWords:
      'old was strike(d) crossed compare(d) rrp msrp srp before previous original(-price) reference retail pseudo(-price) ' +
      'omnibus lowest',
    other:
      'unit-price price-unit|per|excl per-unit base-price ppu instal financ monthly shipping delivery saving you-save ' +
      'discount-amount|value|badge excl(uding)-tax|vat without-tax net-price warranty protection trade-in add-on subscri points ' +
      'loyalty member voucher coupon deposit gift-wrap bulk tier-price volume quantity-discount',
    elsewhere:
      'related recommend up|cross-sell similar also-bought|like|view recently accessor bundle frequently bought-together ' +
      'sponsor mini-cart cart|basket-sidebar|preview|total|summary drawer header footer menu modal popup dialog review comment ' +
      'carousel slider swiper product-card|tile|grid|list|teaser|miniature grid-item card-product suggest wishlist newsletter ' +
      'banner announcement promo-bar gift-card tooltip size-chart search other-sellers|offers|products more-from|products ' +
      'look-book complete-the combo swatch',
    elsewhereWords: 'nav*',
    buy: 'add-to-cart|bag|basket|trolley cart-add cart/add buy-now btn-cart tocart',
    picture: 'main|product|product-main|gallery-image',
  },
  de: {
    price: 'preis betrag kosten',
    formerWords: 'uvp basispreis basisprice vorher',
    other: 'grundpreis versand',
  },
  fr: { price: 'prix', formerWords: 'ancien barre' },
  es: { price: 'precio importe', formerWords: 'tachado anterior' },
  it: { price: 'prezzo' },
  pt: { price: 'preco preço' },
  nl: { price: 'prijs' },
  // Only at the end of a word, since "pris" is also in "prise".
  sv: { priceWords: '*pris' },
  pl: { price: 'cena' },
  fi: { price: 'hinta' },
  tr: { price: 'fiyat' },
  lt: { price: 'kaina' },
  ru: { price: 'цена' },
  amazon: { former: 'a-text-price', picture: 'landingImage imgBlkFront' },
  shopify: { buy: 'product-form__submit' },
  wordpress: { picture: 'wp-post-image' },
  // Payment services show the price of an instalment.
  payments: { other: 'klarna afterpay affirm clearpay sezzle zip-pay paypal' },
};

const named = namesOf(CLASS_NAMES);

export const PRICE_NAME = named('price', 'priceWords');
export const FORMER_NAME = named('former', 'formerWords');
export const OTHER_NAME = named('other');
export const ELSEWHERE_NAME = named('elsewhere', 'elsewhereWords');
export const BUY_NAME = named('buy');
export const PICTURE_NAME = named('picture');

/** Names of picture files that show icons, blank spaces or the shop's logo. */
export const NO_PICTURE = anyName(
  'logo favicon placeholder no-image no-photo blank spacer pixel transparent default-image|share|og 1x1 sprite icon loading ' +
    'loader',
);
