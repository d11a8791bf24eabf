import { readMachinePrice } from './amounts.ts';
import { currencyNamed } from './currencies.ts';
import type { Element } from './page.ts';
import type { Picture } from './pictures.ts';
import { isArticle, LISTS, MOSTLY_DESCRIBED, PRODUCTS, SHOPS, TO_OTHERS } from './schema-names.ts';
import { plainText } from './text.ts';
import { isThing, listOf, said, type Thing, typesOf, VisibleText } from './things.ts';

/** The price of one offer; several values if its number can be read in two ways. */
export interface OfferPrice {
  values: number[];
  currency: string | null;
  url: string | null;
  sku: string | null;
}

export interface Product {
  name: string | null;
  description: string | null;
  images: Picture[];
  ids: string[];
  asks: OfferPrice[];
  /** The lowest and the highest price, if the page gives only those. */
  range: { low: number; high: number; currency: string | null } | null;
}

// Longer than any list on a shop's page.
const MOST_PRODUCTS = 500;
// Offers and variants of all products together; several products may refer to the same ones.
const MOST_PARTS = 3_000;
type Left = { parts: number };
const MOST_TEXTS = 20;
const MOST_PICTURES = 200;

export interface Described {
  products: Product[];
  article: boolean;
  list: boolean;
  shops: string[];
}

/** Returns the products that a page sells according to its markup, without those that it only mentions. */
export function describedBy(roots: unknown[]): Described {
  const found: Described = { products: [], article: false, list: false, shops: [] };
  const byId = new Map<string, Thing>();
  const indexed = new Set<unknown>();
  const index = (value: unknown, depth: number): void => {
    for (const thing of listOf(value)) {
      if (!isThing(thing) || thing instanceof VisibleText || depth > 8 || indexed.has(thing)) continue;
      // A thing may be a property of several others, at many levels.
      indexed.add(thing);
      if (typeof thing['@id'] === 'string' && Object.keys(thing).length > 2) byId.set(thing['@id'], thing);
      for (const inner of Object.values(thing)) if (typeof inner === 'object') index(inner, depth + 1);
    }
  };
  index(roots, 0);
  const resolve = (value: unknown): unknown =>
    isThing(value) && typeof value['@id'] === 'string' && Object.keys(value).length <= 2
      ? (byId.get(value['@id']) ?? value)
      : value;
  const left = { parts: MOST_PARTS };
  const seen = new Set<unknown>();
  const visit = (value: unknown, top: boolean, depth: number): void => {
    for (const entry of listOf(value)) {
      const thing = resolve(entry);
      if (!isThing(thing) || thing instanceof VisibleText || seen.has(thing) || depth > 12) continue;
      seen.add(thing);
      const types = typesOf(thing);
      const isOne = (names: Set<string>) => types.some((type) => names.has(type));
      if (top && types.some(isArticle)) found.article = true;
      if (top && isOne(LISTS)) found.list = true;
      if (isOne(SHOPS)) found.shops.push(...texts(thing.name), ...texts(thing.alternateName));
      if (isOne(PRODUCTS)) {
        const sold = types.some((type) => !MOSTLY_DESCRIBED.has(type)) || thing.offers !== undefined;
        if (sold && found.products.length < MOST_PRODUCTS)
          found.products.push(productOf(thing, resolve, left));
        continue;
      }
      if (types.includes('Offer') && top) {
        const sold = listOf(thing.itemOffered).map(resolve).filter(isThing);
        if (sold.length === 1)
          visit({ offers: { ...thing, itemOffered: undefined }, ...sold[0] }, top, depth + 1);
        continue;
      }
      for (const [key, inner] of Object.entries(thing)) {
        if (TO_OTHERS.has(key) || typeof inner !== 'object') continue;
        visit(inner, top && /^(?:@graph|mainEntity|mainEntityOfPage)$/.test(key), depth + 1);
      }
    }
  };
  visit(roots, true, 0);
  return found;
}

// The longest description in HTML.
const LONGEST_TEXT = 20_000;

const texts = (value: unknown, longest = LONGEST_TEXT, maximum = MOST_TEXTS): string[] => {
  const found: string[] = [];
  for (let entry of listOf(value).slice(0, MOST_TEXTS)) {
    if (isThing(entry) && '@value' in entry) entry = entry['@value'];
    const text =
      typeof entry === 'string'
        ? plainText(entry.slice(0, longest))
        : entry instanceof VisibleText
          ? String(entry).slice(0, longest)
          : '';
    if (text) found.push(text);
    if (found.length === maximum) break;
  }
  return found;
};

const firstText = (value: unknown, longest = LONGEST_TEXT) => texts(value, longest, 1)[0] ?? null;

// The longest address, article number or currency.
const LONGEST_ID = 2_000;

function productOf(thing: Thing, resolve: (value: unknown) => unknown, left: Left): Product {
  const product: Product = {
    name: firstText(thing.name),
    description: firstText(thing.description),
    images: [],
    ids: ['url', '@id', 'sku', 'productID', 'mpn', 'gtin13'].flatMap((key) => texts(thing[key], LONGEST_ID)),
    asks: [],
    range: null,
  };
  for (const key of ['image', 'images', 'photo']) addPictures(product.images, thing[key], resolve);
  // Some pages have no offer and write the price on the product.
  const offers = thing.offers === undefined && thing.price !== undefined ? thing : thing.offers;
  for (const offer of listOf(offers)) addOffer(product, resolve(offer), resolve, left);
  for (const entry of listOf(thing.hasVariant)) {
    const variant = resolve(entry);
    if (!isThing(variant)) continue;
    if (--left.parts < 0) break;
    const own = productOf({ ...variant, hasVariant: undefined }, resolve, left);
    for (const ask of own.asks)
      product.asks.push({
        ...ask,
        url: ask.url ?? own.ids.find((id) => /[/?]/.test(id)) ?? null,
        sku: ask.sku ?? own.ids[0] ?? null,
      });
    if (product.images.length === 0) product.images = own.images;
    product.name ??= own.name;
    product.description ??= own.description;
  }
  return product;
}

/** Adds the pictures that a property names, in its order. */
function addPictures(into: Picture[], value: unknown, resolve: (value: unknown) => unknown): void {
  for (const entry of listOf(value).slice(0, MOST_PICTURES)) {
    const image = resolve(entry);
    if (typeof image === 'string' && image.trim()) into.push({ address: image.trim(), width: 0 });
    else if (isThing(image) && !(image instanceof VisibleText)) {
      const address = [image.contentUrl, image.url, image['@id']]
        .flatMap((name) => listOf(name))
        .find((name) => typeof name === 'string' && name);
      const width = isThing(image.width) ? image.width.value : image.width;
      if (address) into.push({ address: String(address).trim(), width: Number.parseFloat(said(width)) || 0 });
    }
  }
}

const OLD_PRICE = /List|SRP|RRP|MinimumAdvertised|Strikethrough|Invoice|Regular/i;

const MOST_ASKS = 200;

function addOffer(product: Product, offer: unknown, resolve: (value: unknown) => unknown, left: Left): void {
  if (!isThing(offer) || offer instanceof VisibleText || --left.parts < 0) return;
  if (/Lease|Rent/i.test(said(offer.businessFunction))) return;
  const currency = currencyFrom(offer.priceCurrency ?? offer.currency);
  const url = firstText(offer.url, LONGEST_ID) ?? firstText(offer['@id'], LONGEST_ID);
  const place = { url, sku: firstText(offer.sku, LONGEST_ID) };
  const prices = listOf(offer.price)
    .filter((price) => price !== '')
    .slice(0, MOST_ASKS);
  const specified = listOf(offer.priceSpecification)
    .slice(0, MOST_ASKS)
    .map(resolve)
    .filter(isThing)
    .filter(isAsked);
  if (prices.length > 0)
    for (const price of prices)
      addAsk(product, price, { ...place, currency: currency ?? currencyFrom(specified[0]?.priceCurrency) });
  else if (specified.length > 0) {
    const sales = specified.filter((spec) => /SalePrice/i.test(said(spec.priceType)));
    for (const spec of sales.length > 0 ? sales : specified)
      addAsk(product, spec.price, { ...place, currency: currencyFrom(spec.priceCurrency) ?? currency });
  } else if (offer.lowPrice !== undefined && offer.lowPrice !== '') {
    const [low] = readMachinePrice(bare(offer.lowPrice), currency);
    const [high] = readMachinePrice(bare(offer.highPrice), currency);
    const single = said(bare(offer.offerCount)) === '1';
    if (low !== undefined && (low === high || (high === undefined && single)))
      addAsk(product, offer.lowPrice, { currency, url: null, sku: null });
    else if (low !== undefined) product.range = { low, high: high ?? Number.POSITIVE_INFINITY, currency };
  }
}

const bare = (value: unknown) =>
  value instanceof VisibleText ? String(value) : Array.isArray(value) ? value[0] : value;

/** Reports whether a price is what any buyer pays for one piece: not a former one, one without tax, or one per unit or month. */
function isAsked(spec: Thing): boolean {
  if (spec.price === undefined || spec.price === '') return false;
  if (OLD_PRICE.test(said(spec.priceType))) return false;
  if (spec.billingDuration || spec.billingIncrement || spec.validForMemberTier) return false;
  if (typesOf(spec).some((type) => /Delivery|Payment/.test(type))) return false;
  const quantity = listOf(spec.eligibleQuantity).find(isThing);
  if (quantity && Number(said(quantity.minValue ?? quantity.value) || 1) > 1) return false;
  if (spec.valueAddedTaxIncluded === false || /^false$/i.test(said(spec.valueAddedTaxIncluded))) return false;
  const reference = listOf(spec.referenceQuantity).find(isThing);
  return (
    !reference || /^(?:C62|EA|H87|)$/.test(reference.unitCode === '' ? '' : said(reference.unitCode) || 'x')
  );
}

function currencyFrom(value: unknown): string | null {
  const text = firstText(value, LONGEST_ID);
  return text ? currencyNamed(text) : null;
}

const isStruck = ({ name, parent }: Element): boolean =>
  /^(?:del|s|strike)$/.test(name) ||
  (/^(?:span|b|i|em|strong|bdi)$/.test(name) && !!parent && isStruck(parent));

function addAsk({ asks }: Product, price: unknown, { currency, ...place }: Omit<OfferPrice, 'values'>): void {
  const isVisible = price instanceof VisibleText;
  if (isVisible && isStruck(price.element)) return;
  const text = said(price);
  const signed = currencyNamed(text.replace(/[\d.,'’\s–-]+/g, ''));
  const values = readMachinePrice(text, currency ?? signed);
  if (values.length === 0) return;
  // In visible text, "1.299" has only one meaning: 1299, which comes last.
  asks.push({ ...place, currency: currency ?? signed, values: isVisible ? values.slice(-1) : values });
}
