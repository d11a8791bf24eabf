import { readMachinePrice } from './amounts.ts';
import { currencyNamed, currencyOfHost } from './currencies.ts';
import { cleanName, includesName, sameName } from './names.ts';
import { descendants, type Element, oneLine, PageReader, plainText, textOf } from './page.ts';
import { type Ask, type Described, describedBy, type Picture, type Product } from './products.ts';
import { look, type Seen, type ShownPrice, shownPrice } from './sight.ts';
import { readJsonLd, thingsInMarkup } from './things.ts';
import { isWall } from './walls.ts';

export { decodePage } from './charset.ts';

/** Where on a page a field was found. */
export type Source = 'json-ld' | 'microdata' | 'rdfa' | 'open-graph' | 'html' | 'address';

export interface ShopPage {
  url: string;
  name: string | null;
  description: string | null;
  image_url: string | null;
  price: number | null;
  currency: string | null;
  retailer: string | null;
  sources: { [field in 'name' | 'description' | 'image_url' | 'price' | 'currency' | 'retailer']?: Source };
  problem: { code: 'refused' | 'nothing_found'; detail: string } | null;
}

/** What a shop's page says about the thing it sells. A field that it doesn't say for certain is null. */
export function readShopPage(html: string, address: string): ShopPage {
  const reader = new ShopPageReader(address);
  reader.write(html);
  return reader.end();
}

/** Of a page that could not be had, what its address alone says. */
export function fromAddress(address: string): ShopPage {
  const page: ShopPage = {
    url: address,
    name: null,
    description: null,
    image_url: null,
    price: null,
    currency: null,
    retailer: null,
    sources: {},
    problem: null,
  };
  const host = new URL(address).hostname.replace(/^www\d?\./, '');
  if (host) {
    page.retailer = host;
    page.sources.retailer = 'address';
  }
  return page;
}

const LONGEST_TEXT = 500;

/** The same for a page that arrives in pieces. */
export class ShopPageReader {
  readonly #address: URL;
  readonly #page = new PageReader();
  #start = '';

  constructor(address: string) {
    this.#address = new URL(address);
  }

  write(piece: string): void {
    if (this.#start.length < 100_000) this.#start += piece.slice(0, 100_000);
    this.#page.write(piece);
  }

  end(): ShopPage {
    this.#page.end();
    return fieldsOf(this.#page, this.#address, this.#start);
  }
}

type Kind = 'json-ld' | 'microdata' | 'rdfa';

interface Facts {
  address: URL;
  meta: Map<string, string>;
  title: string;
  heading: Element | null;
  canonical: string | null;
  kinds: [Kind, Described][];
  scriptCurrencies: Set<string>;
}

function fieldsOf(page: PageReader, address: URL, start: string): ShopPage {
  const fields = fromAddress(address.href);
  const { root } = page;
  const meta = new Map<string, string>();
  let title = '';
  let base = address.href;
  let canonical: string | null = null;
  const headings: Element[] = [];
  for (const element of descendants(root)) {
    const { name, attributes } = element;
    if (name === 'meta') {
      const key = (attributes.property ?? attributes.name ?? '').toLowerCase().trim();
      const content = oneLine(attributes.content ?? '');
      if (key && content && !meta.has(key)) meta.set(key, content);
    } else if (name === 'title' && !title) title = textOf(element);
    else if (name === 'base' && attributes.href) base = webAddress(attributes.href, address.href) ?? base;
    else if (name === 'link' && /^canonical$/i.test(attributes.rel ?? ''))
      canonical ??= attributes.href ?? null;
    else if (name === 'h1' || attributes.id === 'productTitle') headings.push(element);
  }
  const kinds: Facts['kinds'] = [
    ['json-ld', describedBy(page.jsonLd.map(readJsonLd))],
    ['microdata', describedBy(thingsInMarkup(root, 'microdata'))],
    ['rdfa', describedBy(thingsInMarkup(root, 'rdfa'))],
  ];
  const called = [
    meta.get('og:title') ?? '',
    title,
    ...kinds.flatMap(([, { products }]) => products.map(({ name }) => name ?? '')),
  ];
  const heading = headingAmong(headings, called);
  const facts: Facts = {
    address,
    meta,
    title,
    heading,
    canonical,
    kinds,
    scriptCurrencies: page.scriptCurrencies,
  };

  const sight = look(root, heading, address.hostname);
  const mains = kinds.map(([kind, described]) => [kind, mainProduct(described, facts)] as const);
  const products = mains.flatMap(([kind, product]) => (product ? [{ kind, product }] : []));
  const shown = shownPrice(sight);
  const buttons = sight.buyAt.length > 0;
  const productType = /product/i.test(meta.get('og:type') ?? '');
  const read =
    kinds.some(([, { article }]) => article) ||
    (/article|blog/i.test(meta.get('og:type') ?? '') && products.length === 0);
  const several =
    products.length === 0 &&
    kinds.some(
      ([, { products, list }]) => products.length > 1 || (list && products.length === 0 && !buttons),
    );
  const reads = read && !(products.length > 0 && buttons);
  const sells =
    !reads &&
    !several &&
    (products.length > 0 || productType || (buttons && !/\/$/.test(address.pathname.replace(/^\/$/, '/'))));

  if (
    isWall(
      title,
      sight.heading,
      sight.text,
      start,
      products.length > 0 || (buttons && (productType || shown !== null)),
    )
  ) {
    fields.problem = {
      code: 'refused',
      detail: 'The page keeps robots out, asks for consent first, or reports an error.',
    };
    return fields;
  }

  const set = <Field extends keyof ShopPage['sources']>(
    field: Field,
    value: ShopPage[Field],
    source: Source,
  ) => {
    if (value === null || fields[field] !== null) return;
    fields[field] = value;
    fields.sources[field] = source;
  };

  fields.url = ownAddress(canonical, address) ?? address.href;
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
  const named = (text: string | null | undefined) => {
    const name = cleanName(text ? oneLine(text) : null, shops, address.hostname);
    return name && name.length <= LONGEST_TEXT ? name : null;
  };

  if (!reads && !several) {
    for (const { kind, product } of products) set('name', named(product.name), kind);
  }
  if (!several) {
    const shared = meta.get('og:title') ?? meta.get('twitter:title');
    const headline = sight.heading;
    if (
      headline &&
      (sells ? !shared || includesName(shared, headline) : shared && includesName(shared, headline))
    )
      set('name', named(headline), 'html');
    set('name', named(shared), 'open-graph');
    if (headline && includesName(title, headline)) set('name', named(headline), 'html');
    if (address.pathname !== '/' || address.search) set('name', named(title), 'html');
    for (const { kind, product } of reads ? [] : products)
      set('description', shortened(product.description), kind);
    set('description', shortened(meta.get('og:description')), 'open-graph');
    set('description', shortened(meta.get('description')), 'html');
    for (const { kind, product } of reads ? [] : products)
      set('image_url', bestPicture(product.images, address.href), kind);
    set('image_url', bestPicture(sharedPictures(root), base), 'open-graph');
    if (sells) set('image_url', bestPicture(shownPictures(root, heading, fields.name), base), 'html');
  }

  if (sells) {
    const price = priceOf(products, facts, sight.amounts, shown, buttons || productType, amazonPrice(root));
    if (price) {
      set('price', price.value, price.source);
      set('currency', price.currency, price.source);
    }
  }
  if (!fields.name && !fields.image_url && fields.price === null && !fields.description) {
    fields.problem = { code: 'nothing_found', detail: 'The page says nothing about a thing that it sells.' };
  }
  return fields;
}

function headingAmong(headings: Element[], called: string[]): Element | null {
  const filled = headings.map((element) => ({ element, text: textOf(element) })).filter(({ text }) => text);
  const own = filled.find(({ element }) => element.attributes.id === 'productTitle');
  const fits = filled.find(({ text }) =>
    called.some((name) => name && (includesName(name, text) || includesName(text, name))),
  );
  return (own ?? fits ?? filled[0])?.element ?? null;
}

/** The product that the page is about, null where it lists several. */
function mainProduct(
  { products, list }: Described,
  { address, meta, title, heading, canonical }: Facts,
): Product | null {
  const usable = products.filter(({ name, asks, images }) => name || asks.length > 0 || images.length > 0);
  if (usable.length === 0) return null;
  const headline = heading ? textOf(heading) : '';
  const titles = [headline, meta.get('og:title') ?? '', title];
  if (usable.length === 1 && !list) return usable[0]!;
  const own = [address.href, canonical, meta.get('og:url')].flatMap((url) =>
    url ? [pathOf(url, address.href)] : [],
  );
  const here = usable.filter(({ ids }) =>
    ids.some((id) => /[/]/.test(id) && own.includes(pathOf(id, address.href))),
  );
  const byName = usable.filter(({ name }) => name && titles.some((text) => text && sameName(text, name)));
  const within = usable.filter(({ name }) => name && titles.some((text) => includesName(text, name)));
  for (const found of [here, byName, within]) {
    const [first] = found;
    if (!first || (own.includes('/') && found === here)) continue;
    if (found.every(({ name }) => sameName(name ?? '', first.name ?? ''))) {
      const asks = found.flatMap(({ asks }) => asks);
      return { ...first, asks, images: found.flatMap(({ images }) => images) };
    }
  }
  const [first] = usable;
  if (!list && first && usable.every(({ name }) => sameName(name ?? '', first.name ?? '')))
    return { ...first, asks: usable.flatMap(({ asks }) => asks) };
  return null;
}

const pathOf = (url: string, address: string) => {
  const parsed = URL.canParse(url, address) ? new URL(url, address) : null;
  return parsed ? parsed.pathname.replace(/\/$/, '') || '/' : '';
};

interface Price {
  value: number;
  currency: string | null;
  source: Source;
}

interface Claim {
  source: Source;
  values: number[];
  currency: string | null;
}

const equal = (one: number, other: number) => Math.abs(one - other) < 0.006;

/** One price where every source that has one agrees with what people see, or where only one speaks. */
function priceOf(
  products: { kind: Kind; product: Product }[],
  facts: Facts,
  amounts: Seen[],
  shown: ShownPrice | null,
  mayBuy: boolean,
  own: Claim | null,
): Price | null {
  const claims: Claim[] = own ? [own] : [];
  const open: Claim[] = [];
  const ranges: NonNullable<Product['range']>[] = [];
  for (const { kind, product } of products) {
    const asks = askedHere(product.asks, facts.address);
    const claim = single(asks, kind);
    if (claim) claims.push(claim);
    else if (asks.length > 0) open.push(...asks.map((ask) => ({ source: kind, ...ask })));
    if (product.range) {
      ranges.push(product.range);
      if (shown && shown.value >= product.range.low && shown.value <= product.range.high) {
        open.push({ source: kind, values: [shown.value], currency: product.range.currency });
      }
    }
  }
  claims.push(...sharedPrice(facts.meta));
  const shownFits = ({ values, currency }: Claim) =>
    shown !== null &&
    values.some((value) => equal(value, shown.value)) &&
    (!currency || shown.currencies.includes(currency));

  // Several offers or a range: only the one that the page shows.
  if (open.length > 0 || ranges.length > 0) {
    const chosen = [...open, ...claims].find(shownFits);
    return chosen && shown
      ? { value: shown.value, currency: chosen.currency ?? resolved(shown, facts), source: chosen.source }
      : null;
  }
  const [first] = claims;
  if (!first) {
    if (!shown || !mayBuy) return null;
    return { value: shown.value, currency: resolved(shown, facts), source: 'html' };
  }
  const fitting = claims.find(shownFits);
  if (fitting && shown) {
    const currency = fitting.currency ?? resolved(shown, facts);
    // The same number in two currencies is a conversion that somebody forgot, unless the page's sign tells them apart.
    const rival = claims.some(
      (other) => shownFits(other) && other.currency && currency && other.currency !== currency,
    );
    return rival ? null : { value: shown.value, currency, source: fitting.source };
  }
  const [value] = first.values;
  const agree = claims.every(
    (claim) =>
      claim.values.length === 1 &&
      equal(claim.values[0]!, value!) &&
      (!claim.currency || !first.currency || claim.currency === first.currency),
  );
  if (!agree || first.values.length !== 1 || value === undefined) return null;
  const currency = claims.find((claim) => claim.currency)?.currency ?? null;
  const same = amounts.filter((seen) => equal(seen.value, value));
  const standing = same.filter((seen) => !seen.old && !seen.other);
  if (same.length > 0 && currency && !same.some(({ currencies }) => currencies.includes(currency)))
    return null;
  if (shown) {
    if (standing.some((seen) => seen.strong)) return { value, currency, source: first.source };
    const struck = same.some((seen) => seen.old) && shown.value < value;
    const inCents = equal(value, shown.value * 100);
    const fits = !currency || shown.currencies.includes(currency);
    if (!(struck || inCents) || !fits) return null;
    return { value: shown.value, currency: resolved(shown, facts) ?? currency, source: 'html' };
  }
  if (same.length > 0 && same.every((seen) => seen.old || seen.open)) return null;
  return { value, currency, source: claims.find((claim) => claim.currency)?.source ?? first.source };
}

/** The offers that the address chooses among, all of them where it chooses none. */
function askedHere(asks: Ask[], address: URL): Ask[] {
  if (asks.length < 2) return asks;
  const chosen = asks.filter(
    ({ url }) =>
      url && URL.canParse(url, address) && address.search && sameVariant(new URL(url, address), address),
  );
  if (chosen.length > 0) return chosen;
  const words = new Set(decodeURIComponentSafely(address.pathname + address.search).split(/[/?&=._]/));
  const bySku = asks.filter(({ sku }) => sku && sku.length > 3 && words.has(sku));
  return bySku.length > 0 ? bySku : asks;
}

function sameVariant(offer: URL, address: URL): boolean {
  const named = [...offer.searchParams].filter(([key]) => !/^utm_/.test(key));
  return (
    named.length > 0 &&
    offer.pathname === address.pathname &&
    named.every(([key, value]) => address.searchParams.get(key) === value)
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function single(asks: Ask[], source: Kind): Claim | null {
  const [first] = asks;
  if (!first) return null;
  const key = ({ values, currency }: Ask) => `${values.join()} ${currency}`;
  return asks.every((ask) => key(ask) === key(first))
    ? { source, values: first.values, currency: first.currency }
    : null;
}

function sharedPrice(meta: Map<string, string>): Claim[] {
  for (const prefix of ['product:sale_price', 'product:price', 'og:price', 'og:product:price']) {
    const text = meta.get(`${prefix}:amount`) ?? '';
    const code = meta.get(`${prefix}:currency`);
    const currency = code ? currencyNamed(code) : null;
    const values = readMachinePrice(text, currency);
    if (values.length > 0) return [{ source: 'open-graph', values, currency }];
  }
  return [];
}

/** The currency of what is shown: its sign's, or the one that the page's scripts or its country single out. */
function resolved(shown: ShownPrice, { scriptCurrencies, address, meta }: Facts): string | null {
  const { currencies } = shown;
  if (currencies.length === 1) return currencies[0]!;
  if (currencies[0] === 'GBP') return 'GBP';
  const stated = [
    ...scriptCurrencies,
    ...[meta.get('product:price:currency') ?? '', meta.get('og:price:currency') ?? ''].filter(Boolean),
  ];
  const [only, ...more] = new Set(stated);
  if (only && more.length === 0) return currencies.includes(only) ? only : null;
  const local = currencyOfHost(address.hostname);
  return stated.length === 0 && local && currencies.includes(local) ? local : null;
}

/** Amazon states the price of what lies in its buy box in fields of the form, and nowhere in markup. */
function amazonPrice(root: Element): Claim | null {
  let value = '';
  let currency: string | null = null;
  for (const { name, attributes } of descendants(root)) {
    if (name !== 'input') continue;
    if (/\[customerVisiblePrice\]\[amount\]$/.test(attributes.name ?? '')) value ||= attributes.value ?? '';
    if (/\[customerVisiblePrice\]\[currencyCode\]$/.test(attributes.name ?? ''))
      currency ??= currencyNamed(attributes.value ?? '');
  }
  const values = readMachinePrice(value, currency);
  return values.length > 0 ? { source: 'html', values, currency } : null;
}

function shortened(text: string | null | undefined): string | null {
  const plain = plainText(text ?? '');
  if (plain.length < 3) return null;
  if (plain.length <= LONGEST_TEXT) return plain;
  const cut = plain.slice(0, LONGEST_TEXT - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LONGEST_TEXT / 2)).replace(/[\ud800-\udbff]$/, '')}…`;
}

function sharedPictures(root: Element): Picture[] {
  const pictures: Picture[] = [];
  const others: Picture[] = [];
  for (const { name, attributes } of descendants(root)) {
    if (name !== 'meta') continue;
    const key = (attributes.property ?? attributes.name ?? '').toLowerCase();
    const content = (attributes.content ?? '').trim();
    if (!content) continue;
    if (/^og:image(?::(?:secure_)?url)?$/.test(key)) {
      if (pictures.at(-1)?.address !== content) pictures.push({ address: content, width: 0 });
    } else if (key === 'og:image:width' && pictures.length > 0)
      pictures.at(-1)!.width = Number.parseInt(content, 10) || 0;
    else if (/^twitter:image(?::src)?$/.test(key)) others.push({ address: content, width: 0 });
  }
  return [...pictures, ...others];
}

/** The pictures of a product in the page itself, where nothing else names one. */
function shownPictures(root: Element, heading: Element | null, name: string | null): Picture[] {
  const pictures: Picture[] = [];
  for (const { name: tag, attributes } of descendants(root)) {
    if (tag !== 'img') continue;
    const named = `${attributes.id ?? ''} ${attributes.class ?? ''}`;
    const alt = attributes.alt ?? '';
    const titled = alt && ((name && sameName(alt, name)) || (heading && sameName(alt, textOf(heading))));
    if (
      !titled &&
      !/landingImage|imgBlkFront|main-?image|product-?(?:main-?)?image|gallery-?image|wp-post-image/i.test(
        named,
      )
    )
      continue;
    const sizes = attributes['data-a-dynamic-image'];
    if (sizes) {
      const named = readJsonLd(sizes);
      for (const [address, size] of Object.entries((named ?? {}) as Record<string, unknown>)) {
        pictures.push({ address, width: Number((size as number[] | null)?.[0]) || 0 });
      }
    }
    for (const candidate of (attributes.srcset ?? attributes['data-srcset'] ?? '').split(/,\s+/)) {
      const [address, width] = candidate.trim().split(/\s+/);
      if (address) pictures.push({ address, width: Number.parseInt(width ?? '', 10) || 0 });
    }
    for (const key of [
      'data-old-hires',
      'data-zoom-image',
      'data-large_image',
      'data-large-image',
      'data-src',
      'src',
    ]) {
      // The first ones are what a shop enlarges.
      if (attributes[key]) pictures.push({ address: attributes[key], width: /src$/.test(key) ? 0 : 9999 });
    }
    if (pictures.length > 0) break;
  }
  return pictures;
}

// Signs, gaps and the shop's own mark are no pictures of what it sells.
const NO_PICTURE =
  /(?:^|[/_.-])(?:logo|favicon|placeholder|no-?image|noimage|no-?photo|blank|spacer|pixel|transparent|default-?(?:image|share|og)|1x1|sprite|icon|loading|loader)(?:[/_.-]|\d|$)|\.svg(?:$|\?)/i;

function bestPicture(pictures: Picture[], base: string): string | null {
  const usable = pictures.flatMap(({ address, width }) => {
    const url = webAddress(address, base);
    return url &&
      url.length <= 2000 &&
      !NO_PICTURE.test(new URL(url).pathname) &&
      new URL(url).pathname.length > 1
      ? [{ url, width }]
      : [];
  });
  const [first] = usable;
  if (!first) return null;
  // Sizes are compared only where every picture has one: the first is the one that the shop puts first.
  return usable.reduce(
    (best, next) => (next.width > best.width && (best.width > 0 || best !== first) ? next : best),
    first,
  ).url;
}

function webAddress(address: string, base: string): string | null {
  const text = address.trim();
  if (!text || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
}

/** The page's own canonical address, where it stays on the same site and leads to the same thing. */
function ownAddress(canonical: string | null, address: URL): string | null {
  const named = canonical ? webAddress(canonical, address.href) : null;
  if (!named || named.length > 2000) return null;
  const url = new URL(named);
  const host = ({ hostname }: URL) => hostname.replace(/^(?:www\d?|m|mobile)\./, '');
  if (host(url) !== host(address) || url.port !== address.port) return null;
  if (url.pathname === '/' && !url.search && (address.pathname !== '/' || address.search)) return null;
  // A canonical address without the variant is another thing at another price.
  if (/[?&](?:variant|sku|color|size|variation|pid|attribute_\w+)=/i.test(address.search) && !url.search)
    return null;
  url.hash = '';
  return url.href;
}

function cleanSite(name: string | undefined, host: string): string | null {
  const text = (name ?? '').trim();
  if (text.length < 2 || text.length > 60 || !/\p{L}/u.test(text)) return null;
  return text.toLowerCase().replace(/^www\./, '') === host ? null : text;
}
