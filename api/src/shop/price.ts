import { amountsIn, readMachinePrice } from './amounts.ts';
import { currencyNamed, currencyOfHost } from './currencies.ts';
import type { StatePrice } from './embedded-state.ts';
import type { Kind, PageFacts, Source } from './facts.ts';
import type { Element } from './page.ts';
import type { OfferPrice, Product } from './products.ts';
import type { VisibleAmount } from './visible-lines.ts';
import type { VisiblePrice } from './visible-price.ts';

export interface Price {
  value: number;
  currency: string | null;
  source: Source;
}

export interface PriceCandidate {
  source: Source;
  values: number[];
  currency: string | null;
}

const equal = (one: number, other: number) => Math.abs(one - other) < 0.006;

/** Returns the price that people see if a source has it, too, or one on which all sources agree. In doubt, returns null. */
export function priceOf(
  facts: PageFacts,
  amounts: VisibleAmount[],
  shown: VisiblePrice | null,
  mayBuy: boolean,
  amazon: PriceCandidate | null,
  inState: StatePrice | null,
): Price | null {
  const candidates: PriceCandidate[] = amazon ? [amazon] : [];
  const alternatives: PriceCandidate[] = [];
  const ranges: NonNullable<Product['range']>[] = [];
  for (const { kind, product } of facts.products) {
    const asks = askedHere(product.asks, facts.address);
    const candidate = single(asks, kind);
    if (candidate) candidates.push(candidate);
    else if (asks.length > 0) alternatives.push(...asks.map((ask) => ({ source: kind, ...ask })));
    if (product.range) {
      ranges.push(product.range);
      if (shown && shown.value >= product.range.low && shown.value <= product.range.high)
        alternatives.push({ source: kind, values: [shown.value], currency: product.range.currency });
    }
  }
  const [inMeta] = pricesInMeta(facts.meta);
  if (inMeta) {
    // The meta tags may also name a higher, former price. A candidate that equals it isn't the selling price.
    const former = formerPricesInMeta(facts.meta);
    const notFormer = candidates.filter(
      ({ values }) => !values.some((value) => former.some((old) => equal(value, old))),
    );
    if (former.every((old) => inMeta.values.every((value) => value < old)))
      candidates.splice(0, Infinity, ...notFormer);
    candidates.push(inMeta);
  }
  const isShown = ({ values, currency }: PriceCandidate) =>
    shown !== null &&
    values.some((value) => equal(value, shown.value)) &&
    (!currency || shown.currencies.includes(currency));

  // With several offers or a range, only the price that the page shows counts.
  if (alternatives.length > 0 || ranges.length > 0) {
    const chosen = [...alternatives, ...candidates].find(isShown);
    return chosen && shown
      ? { value: shown.value, currency: chosen.currency ?? currencyOf(shown, facts), source: chosen.source }
      : null;
  }
  const [first] = candidates;
  if (!first) {
    if (!shown && inState) return { ...inState, source: 'html' };
    if (!shown || !mayBuy) return null;
    return { value: shown.value, currency: currencyOf(shown, facts), source: 'html' };
  }
  const fitting = candidates.find(isShown);
  if (fitting && shown) {
    const currency = fitting.currency ?? currencyOf(shown, facts);
    // The same number in two currencies is a missing conversion, unless the sign on the page settles which one is right.
    const hasRival = candidates.some(
      (other) => isShown(other) && other.currency && currency && other.currency !== currency,
    );
    return hasRival ? null : { value: shown.value, currency, source: fitting.source };
  }
  const [value] = first.values;
  const agree = candidates.every(
    (candidate) =>
      candidate.values.length === 1 &&
      equal(candidate.values[0]!, value!) &&
      (!candidate.currency || !first.currency || candidate.currency === first.currency),
  );
  if (!agree || first.values.length !== 1 || value === undefined) return null;
  const withCurrency = candidates.find((candidate) => candidate.currency);
  const currency = withCurrency?.currency ?? null;
  const same = amounts.filter((seen) => equal(seen.value, value));
  const current = same.filter((seen) => !seen.old && !seen.other);
  if (same.length > 0 && currency && !same.some(({ currencies }) => currencies.includes(currency)))
    return null;
  if (shown) {
    if (current.some((seen) => seen.strong)) return { value, currency, source: first.source };
    // The markup may have the former price, or cents: then the price that people see is right.
    const isFormer = same.some((seen) => seen.old) && shown.value < value;
    const inCents = equal(value, shown.value * 100);
    const fits = !currency || shown.currencies.includes(currency);
    if (!(isFormer || inCents) || !fits) return null;
    return { value: shown.value, currency: currencyOf(shown, facts) ?? currency, source: 'html' };
  }
  if (same.length > 0 && same.every((seen) => seen.old || seen.open)) return null;
  return { value, currency, source: withCurrency?.source ?? first.source };
}

/** Returns the asking prices of the offers that the address selects, or all if it selects none. */
function askedHere(asks: OfferPrice[], address: URL): OfferPrice[] {
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

function single(asks: OfferPrice[], source: Kind): PriceCandidate | null {
  const [first] = asks;
  if (!first) return null;
  const key = ({ values, currency }: OfferPrice) => `${values.join()} ${currency}`;
  return asks.every((ask) => key(ask) === key(first))
    ? { source, values: first.values, currency: first.currency }
    : null;
}

const FORMER = ['og:price:standard_amount', 'product:original_price:amount', 'product:price:standard_amount'];

const formerPricesInMeta = (meta: Map<string, string>) =>
  FORMER.flatMap((key) => readMachinePrice(meta.get(key), null));

const PRICE_LABEL = /^(?:price|preis|prix|precio|prezzo|preço|prijs|pris|cena)$/i;

function pricesInMeta(meta: Map<string, string>): PriceCandidate[] {
  for (const prefix of ['product:sale_price', 'product:price', 'og:price', 'og:product:price']) {
    const text = meta.get(`${prefix}:amount`) ?? '';
    const code = meta.get(`${prefix}:currency`);
    const currency = code ? currencyNamed(code) : null;
    const values = readMachinePrice(text, currency);
    if (values.length > 0) return [{ source: 'open-graph', values, currency }];
  }
  for (const number of [1, 2]) {
    if (!PRICE_LABEL.test(meta.get(`twitter:label${number}`) ?? '')) continue;
    const [price, ...more] = amountsIn(meta.get(`twitter:data${number}`) ?? '');
    const currency = price?.currencies.length === 1 ? price.currencies[0]! : null;
    if (price && more.length === 0) return [{ source: 'open-graph', values: [price.value], currency }];
  }
  return [];
}

/** Returns a visible price's currency: that of its sign ("£": GBP), or the one in scripts or meta tags, or the host's. */
function currencyOf(shown: VisiblePrice, { scriptCurrencies, address, meta }: PageFacts): string | null {
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

/** Returns the price of Amazon's buy box, which is in fields of its form and in no other markup. */
export function amazonPrice(elements: Element[]): PriceCandidate | null {
  let value = '';
  let currency: string | null = null;
  for (const { name, attributes } of elements) {
    if (name !== 'input') continue;
    if (/\[customerVisiblePrice\]\[amount\]$/.test(attributes.name ?? '')) value ||= attributes.value ?? '';
    if (/\[customerVisiblePrice\]\[currencyCode\]$/.test(attributes.name ?? ''))
      currency ??= currencyNamed(attributes.value ?? '');
  }
  const values = readMachinePrice(value, currency);
  return values.length > 0 ? { source: 'html', values, currency } : null;
}
