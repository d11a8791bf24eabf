import { type Element, type Page, textOf } from './page.ts';
import { type Described, describedBy, type Product } from './products.ts';
import { oneLine } from './text.ts';
import { readJsonLd, thingsInMarkup } from './things.ts';
import { includesName, sameName } from './titles.ts';
import { absoluteUrl, pathOf } from './urls.ts';

export type Kind = 'json-ld' | 'microdata' | 'rdfa';

export type Source = Kind | 'open-graph' | 'html' | 'address';

/** The facts in a page's markup, before anything is decided. */
export interface PageFacts {
  address: URL;
  base: string;
  meta: Map<string, string>;
  title: string;
  heading: Element | null;
  canonical: string | null;
  kinds: [Kind, Described][];
  /** The product that the page is about, as each kind of markup describes it. */
  products: { kind: Kind; product: Product }[];
  scriptCurrencies: Set<string>;
}

// Real titles and descriptions are shorter; a longer one must not delay other pages.
const LONGEST = 5_000;
const MOST_HEADINGS = 50;

export function factsOf(page: Page, address: URL, stateJsonLd: () => unknown[] = () => []): PageFacts {
  const meta = new Map<string, string>();
  let title = '';
  let base = address.href;
  let canonical: string | null = null;
  const headings: Element[] = [];
  for (const element of page.elements) {
    const { name, attributes } = element;
    if (name === 'meta') {
      const key = (attributes.property ?? attributes.name ?? '').toLowerCase().trim();
      const content = oneLine((attributes.content ?? '').slice(0, LONGEST));
      if (key && content && !meta.has(key)) meta.set(key, content);
    } else if (name === 'title' && !title) title = textOf(element).slice(0, LONGEST);
    else if (name === 'base' && attributes.href) base = absoluteUrl(attributes.href, address.href) ?? base;
    else if (name === 'link' && /^canonical$/i.test(attributes.rel ?? ''))
      canonical ??= attributes.href ?? null;
    else if (name === 'h1' || attributes.id === 'productTitle') headings.push(element);
  }
  const kinds: PageFacts['kinds'] = [];
  for (const kind of ['json-ld', 'microdata', 'rdfa'] as const) {
    const things = kind === 'json-ld' ? page.jsonLd.map(readJsonLd) : thingsInMarkup(page, kind);
    let described = describedBy(things);
    if (kind === 'json-ld' && described.products.length === 0 && !described.article && !described.list)
      described = describedBy([...things, ...stateJsonLd()]);
    kinds.push([kind, described]);
  }
  const called = [
    meta.get('og:title') ?? '',
    title,
    ...kinds.flatMap(([, { products }]) => products.map(({ name }) => name ?? '')),
  ];
  const { scriptCurrencies } = page;
  const heading = headingAmong(headings, called);
  const facts = { address, base, meta, title, heading, canonical, kinds, scriptCurrencies };
  const products = kinds.flatMap(([kind, described]) => {
    const product = mainProduct(described, facts);
    return product ? [{ kind, product }] : [];
  });
  return { ...facts, products };
}

function headingAmong(headings: Element[], called: string[]): Element | null {
  const filled = headings
    .slice(0, MOST_HEADINGS)
    .map((element) => ({ element, text: textOf(element).slice(0, LONGEST) }))
    .filter(({ text }) => text);
  const own = filled.find(({ element }) => element.attributes.id === 'productTitle');
  const fits = filled.find(({ text }) =>
    called.some((name) => name && (includesName(name, text) || includesName(text, name))),
  );
  return (own ?? fits ?? filled[0])?.element ?? null;
}

/** Returns the product that the page is about; null if the page lists several. The path `/` tells nothing about that. */
function mainProduct({ products, list }: Described, facts: Omit<PageFacts, 'products'>) {
  const { address, meta, title, heading, canonical } = facts;
  const usable = products.filter(({ name, asks, images }) => name || asks.length > 0 || images.length > 0);
  if (usable.length === 0) return null;
  const headline = heading ? textOf(heading).slice(0, LONGEST) : '';
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
  // Next to a list of products, the only one outside it is the page's own if its name contains the page's heading.
  const only = usable.length === 1 ? usable[0] : undefined;
  return only?.name && headline.length > 3 && includesName(only.name, headline) ? only : null;
}
