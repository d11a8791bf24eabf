import type { StatePrice } from './embedded-state.ts';
import { factsOf, type Source } from './facts.ts';
import type { Page } from './page.ts';
import { bestPicture, sharedPictures, shownPictures } from './pictures.ts';
import { amazonPrice, priceOf } from './price.ts';
import { fromAddress, type ShopPage } from './shop-page.ts';
import { oneLine, shortened } from './text.ts';
import { cleanName, includesName, isCode, withoutSelling } from './titles.ts';
import { canonicalUrl } from './urls.ts';
import { scanVisible } from './visible.ts';
import { visiblePrice } from './visible-price.ts';

const LONGEST_NAME = 500;

/** Functions for fetched pages only. In a person's browser the page is rendered, and shows no robot check (no "wall"). */
export interface Fetched {
  wall(title: string, heading: string, text: string, showsProduct: boolean): ShopPage['problem'];
  stateJsonLd(): unknown[];
  /** Returns the price of the product with one of these names, in the state from which scripts draw the page. */
  statePrice(names: string[]): StatePrice | null;
}

export function fieldsOf(page: Page, address: URL, fetched?: Fetched): ShopPage {
  const fields = fromAddress(address.href);
  const facts = factsOf(page, address, fetched?.stateJsonLd);
  const { meta, title, heading, kinds, products, base } = facts;
  const visible = scanVisible(page.root, heading, address.hostname);
  const shown = visiblePrice(visible);
  const buttons = visible.buyAt.length > 0;
  const productType = /product/i.test(meta.get('og:type') ?? '');
  const hasArticle =
    kinds.some(([, { article }]) => article) ||
    (/article|blog/i.test(meta.get('og:type') ?? '') && products.length === 0);
  const isListing =
    products.length === 0 &&
    kinds.some(([, { products: all, list }]) => all.length > 1 || (list && all.length === 0 && !buttons));
  const isArticle = hasArticle && !(products.length > 0 && buttons);
  const names = [
    visible.heading,
    ...[meta.get('og:title'), title].flatMap((text) => [
      text,
      cleanName(text ?? null, [], address.hostname, true),
    ]),
  ].filter((text) => typeof text === 'string');
  const stated = isArticle || isListing ? null : (fetched?.statePrice(names) ?? null);
  const sells =
    !isArticle &&
    !isListing &&
    (products.length > 0 || productType || stated !== null || (buttons && !address.pathname.endsWith('/')));

  const showsProduct = products.length > 0 || (buttons && (productType || shown !== null));
  const wall = fetched?.wall(title, visible.heading, visible.text, showsProduct);
  if (wall) return { ...fields, problem: wall };

  const fill = <Field extends keyof ShopPage['sources']>(
    field: Field,
    value: ShopPage[Field],
    source: Source,
  ) => {
    if (value === null || fields[field] !== null) return;
    fields[field] = value;
    fields.sources[field] = source;
  };

  fields.url = canonicalUrl(facts.canonical, address) ?? address.href;
  const site = cleanSite(meta.get('og:site_name'), address.hostname);
  if (site) {
    fields.retailer = site;
    fields.sources.retailer = 'open-graph';
  }
  const shops = [
    site ?? '',
    meta.get('application-name') ?? '',
    ...kinds.flatMap(([, { shops }]) => shops),
  ].filter(Boolean);
  const named = (text: string | null | undefined, isTitle?: boolean) => {
    const name = cleanName(text ? oneLine(text) : null, shops, address.hostname, isTitle);
    return name && name.length <= LONGEST_NAME ? name : null;
  };
  const titled = (text: string | null | undefined) => {
    const name = named(text, true);
    return name && withoutSelling(name);
  };

  const headline = visible.heading;
  const told = isArticle ? [] : products;
  const titleHasHeadline = includesName(title, headline);
  for (const { kind, product } of told) {
    const name = named(product.name);
    if (!(name && isCode(name) && titleHasHeadline)) fill('name', name, kind);
  }
  if (!isListing) {
    const shared = meta.get('og:title') ?? meta.get('twitter:title');
    if (
      headline &&
      (sells
        ? !shared || titleHasHeadline || includesName(shared, headline)
        : shared && includesName(shared, headline))
    )
      fill('name', named(headline), 'html');
    fill('name', titled(shared), 'open-graph');
    if (headline && titleHasHeadline) fill('name', named(headline), 'html');
    if (address.pathname !== '/' || address.search) fill('name', titled(title), 'html');
    for (const { kind, product } of told) fill('description', shortened(product.description), kind);
    fill('description', shortened(meta.get('og:description')), 'open-graph');
    fill('description', shortened(meta.get('description')), 'html');
    for (const { kind, product } of told) fill('image_url', bestPicture(product.images, address.href), kind);
    fill('image_url', bestPicture(sharedPictures(page.elements), base), 'open-graph');
    if (sells)
      fill('image_url', bestPicture(shownPictures(page.elements, heading, fields.name), base), 'html');
  }

  if (sells) {
    const mayBuy = buttons || productType;
    const amazon = amazonPrice(page.elements);
    const price = priceOf(facts, visible.amounts, shown, mayBuy, amazon, stated);
    if (price) {
      fill('price', price.value, price.source);
      fill('currency', price.currency, price.source);
    }
  }
  if (!fields.name && !fields.image_url && fields.price === null && !fields.description)
    fields.problem = { code: 'nothing_found', detail: 'The page says nothing about a thing that it sells.' };
  return fields;
}

function cleanSite(name: string | undefined, host: string): string | null {
  const text = (name ?? '').trim();
  if (text.length < 2 || text.length > 60 || !/\p{L}/u.test(text)) return null;
  return text.toLowerCase().replace(/^www\./, '') === host ? null : text;
}
