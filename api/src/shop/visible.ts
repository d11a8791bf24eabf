import { amountsIn, EDGE, LONGEST_LINE } from './amounts.ts';
import { type Element, headingText, shortTexts } from './page.ts';
import { oneLine } from './text.ts';

/** An amount that people see on the page. */
export interface VisibleAmount {
  value: number;
  currencies: string[];
  /** Struck through or named as a price from before. */
  old: boolean;
  /** A price for something else: a unit, a month, a delivery, another product, before tax. */
  other: boolean;
  /** One end of a range, or a "from" price. */
  open: boolean;
  /** In an element that is called a price. */
  strong: boolean;
  /** How many characters of text stand before it. */
  at: number;
  /** Nothing else stands on its line but a word or two. */
  alone: boolean;
  box: Element;
}

export interface VisiblePage {
  amounts: VisibleAmount[];
  /** Where the title of what is sold ends, or -1. */
  titleEnd: number;
  heading: string;
  /** Where buttons stand that put the thing into a cart. */
  buyAt: number[];
  text: string;
  /** It took too long, and not all of the page was looked at. */
  isCut: boolean;
}

const BLOCKS =
  /^(?:address|article|aside|blockquote|body|br|button|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|label|li|main|nav|ol|p|section|select|option|table|tbody|td|th|thead|tr|ul)$/;
const UNSEEN = /^(?:script|noscript|head|textarea|title|video|audio)$/;

const OLD_NAME =
  /(?:^|[-_\s])(?:old|was|striked?|crossed|compared?|rrp|uvp|msrp|srp|listprice|list-price|basisprice|before|previous|original(?:price)?|regular-old|reference|retail|pseudo(?:price)?|vorher|ancien|barre|tachado|anterior|omnibus|lowest)(?=$|[-_\s])|strikethrough|line-through|old-?price|was-?price|list-?price|(?:compare|cross)(?:ed)?-?(?:at|out)|a-text-price|price-?old/i;
const OTHER_NAME =
  /unit-?price|price-?unit|per-?unit|base-?price|ppu|grundpreis|price-per|instal|finance|financing|klarna|afterpay|affirm|clearpay|sezzle|zip-?pay|paypal|monthly|shipping|delivery|versand|saving|you-?save|discount-(?:amount|value|badge)|excl(?:uding)?-?(?:tax|vat)|price-?excl|without-?tax|net-?price|warranty|protection|trade-?in|add-?on|subscri|points|loyalty|member|voucher|coupon|deposit|gift-?wrap|bulk|tier-?price|volume|quantity-?discount/i;
const ELSEWHERE =
  /related|recommend|up-?sell|cross-?sell|similar|also-?(?:bought|like|view)|recently|accessor|bundle|frequently|bought-together|sponsor|mini-?cart|cart-?(?:drawer|sidebar|preview|popup|total|summary|modal)|drawer|basket-?(?:total|summary|preview)|header|footer|(?:^|[-_\s])nav|menu|modal|popup|dialog|review|comment|carousel|slider|swiper|product-?(?:card|tile|grid|list(?!-?price)|teaser|miniature)|grid-?item|card-?product|suggest|wishlist|newsletter|banner|announcement|promo-?bar|gift-?card|tooltip|size-?chart|search|other-?(?:sellers|offers|products)|more-?(?:from|products)|scanVisible-?book|complete-the|combo|swatch/i;
const PRICE_NAME =
  /price|preis|prix|precio|prezzo|preco|preço|prijs|pris(?![a-z])|cena|hinta|fiyat|amount|importe|betrag|kaina|цена|kosten/i;

const BEFORE = {
  old: /(?:\b(?:was|before|previously|old|original(?:ly)?|rrp|msrp|srp|list(?: price)?|retail|compare(?:d)?(?: at)?|instead of|statt|uvp|bisher|vorher|fr[uü]her|urspr[uü]nglich|unverb\.?|au lieu de|ancien(?: prix)?|prix (?:conseill[eé]|d'origine)|avant|antes|precio (?:anterior|original|recomendado)|pvpr?|invece di|prima|prezzo (?:precedente|di listino|consigliato)|listino|van|adviesprijs|normaal|tidigare|ord(?:\.|inarie)?|f[oö]re|f[oø]rpris|før|veil\.?|de|lowest|niedrigste\w*|bestpreis|najni[zż]sza|typical|usual(?:ly)?)\b[^\d]{0,28})$/iu,
  lowest:
    /(?:lowest|niedrigst|tiefst|najni[zż]sz|plus bas|m[aá]s bajo|pi[uù] basso|laagste|l[aä]gsta|\b30[ -](?:days?|tage?|dni|jours|d[ií]as|giorni|dagen|dagar)\b)[^€$£]{0,40}$/iu,
  weak: /\b(?:regular(?: price)?|normal(?:preis| price)?|prix (?:habituel|normal)|precio (?:habitual|normal))[^\d]{0,10}$/iu,
  other:
    /(?:\b(?:save|saving|sparen|ersparnis|[eé]conomi(?:sez|e)|ahorr(?:as?|o)|risparmi\w*|bespaart?|spara|spar|off|discount|rabatt|korting|remise|shipping|delivery|versand\w*|livraison|env[ií]o|spedizione|verzend\w*|bezorg\w*|frakt|porto|postage|orders? of|over|above|[uü]ber|unter|minimum|spend|bestell\w*|achat|compras?|gift card|voucher|coupon|gutschein|deposit|pfand|credit|earn|points|cashback|get|trade.?in|plan|warranty|garantie|insurance|members?|prime|club|with (?:code|coupon|subscription)|subscribe|abo|per|payments? of|install?ments(?: of)?|pay|raten?|cuotas?|mensualit[eé]s?|plazos|rate da|x|de|sin intereses|unit price|grundpreis|price per \w+|prix au \w+|excl?\.?(?:uding)?(?: (?:tax|vat|btw|mwst\.?|iva|tva))?|ex\.? (?:vat|tax|btw|gst)|exkl\.?(?: \w+\.?)?|netto|hors taxes?|\bht|ohne mwst\.?|sans tva|sin iva|plus|zzgl\.?)\b[^\d\n]{0,16}|[+(=×]\s*|\d\s*[x×]\s*(?:de\s*)?|(?:^|\s)[-−–]\s*)$/iu,
  open: /(?:\b(?:from|starting(?: at| from)?|starts at|as low as|low as|ab|[aà] partir de|d[eè]s|desde|da|a partire da|vanaf|od|fra|fr[aå]n|alkaen|от|between|zwischen|up to|bis(?: zu)?|jusqu'[aà]|hasta|tot|até)\s*:?\s*)$/iu,
};
const AFTER = {
  old: /^\s*(?:rrp|uvp|msrp|statt|list price)\b/i,
  other:
    /^(?:\s*(?:\(?\s*(?:\/|per\b|pro\b|por\b|par\b|al?\b|le\b|je\b|p\.)\s*\d*[.,]?\d*\s*(?:kgs?|g|gr|mg|m?l|cl|dl|lit\w*|lb|lbs|oz|ounce|fl|m|m²|m2|m³|cm|mm|ft|sq|count|ct|sheet|tablet|dose|wash|unit[éa]?|use|month|mo|mois|m[eê]s|monat|mese|maand|mnd|mån|m\b|week|woche|semaine|day|tag|jour|night|nacht|nuit|year|yr|an|jahr|a[nñ]o|anno|jaar|person|rata)|mtl\b|monatlich|\/mo)|\s*(?:off|saved?|gespart|sparen|rabatt|korting|de remise|descuento|discount|cheaper|more|credit|gift ?card|voucher|gutschein|cashback|back|in points)\b|\s*(?:shipping|delivery|versand|livraison|postage|porto|verzend)|\s*[)]?\s*(?:\(?\s*(?:excl?\b|excluding|exkl|ex\.?\s|hors|h\.?t\.?\b|ht\b|sans tva|ohne|netto|zzgl\.? (?:mwst|ust)|plus (?:vat|mwst|ust|gst)|\+ ?(?:vat|mwst|btw|gst|iva|tva)|sin iva|iva no)))/iu,
  open: /^[\s\ue000]*(?:[-–—](?!\s*\d+[.,]?\d*\s*%)|to\b|bis\b|à\b|a\b)[\s\ue000]*(?:[^\s\d]{0,4}[\s\ue000]?)\d|^\s*(?:and up|or more|\+(?!\s*(?:vat|versand|shipping|mwst)))/iu,
};

const BUY =
  /^(?:\W*)(?:add (?:item )?to (?:my |your |the |shopping )?(?:cart|bag|basket|trolley|order)|add to (?:cart|bag|basket)\b.*|buy(?: it)? now|pre-?order(?: now)?|in (?:den|die) (?:warenkorb|einkaufswagen|einkaufstasche|tasche)(?: legen)?|(?:jetzt )?kaufen|ajouter (?:au panier|à mon panier)|acheter|a[ñn]adir (?:al carrito|a la cesta|a la bolsa)|agregar al carrito|comprar(?: ahora| agora| já)?|aggiungi al carrello|acquista|in (?:de |mijn )?winkel(?:wagen|mand)(?:je)?|in winkelwagentje|bestellen|l[aä]gg i (?:varukorg\w*|kundvagn\w*)|k[oö]p|l[æa]g i (?:kurv\w*|handlekurv\w*)|legg i (?:handle(?:kurv|vogn)\w*)|k[øo]b|lis[aä][aä] ostoskoriin|(?:dodaj )?do koszyka|(?:p[rř]idat )?do ko[sš][ií]ku|kos[aá]rba|adaug[aă] [iî]n co[sș]|sepete ekle|adicionar (?:ao carrinho|à sacola)|add to trolley|в корзину|купить|カートに入れる|加入购物车|加入購物車|장바구니)/i;
const BUY_NAME =
  /add[-_]?to[-_]?(?:cart|bag|basket|trolley)|addtocart|single_add_to_cart|cart[-_/]?add|product-form__submit|buy-?now|btn-?cart|tocart/i;

// What stands beside a price everywhere.
const TALK =
  /\b(?:in[ck]l(?:usive|uding)?|inkl|mwst|ust|tva|ttc|btw|iva|vat|gst|tax(?:es)?|moms|zzgl|plus|\+|versand(?:kosten)?|shipping|delivery|gesetzl\w*|included|comprise?|inc)\b/giu;

const MOST_AMOUNTS = 2000;
const MOST_NAMES = 5_000;
// On a button.
const LONGEST_WORDS = 60;
const LONGEST_TEXT = 10_000;
const ELEMENTS_AT_ONCE = 1000;
const LINES_AT_ONCE = 20;

/** Everything on the page that a person sees and that looks like money, with what its surroundings say about it. */
export function* scanVisible(
  root: Element,
  title: Element | null,
  host: string,
  isOver: () => boolean,
): Generator<void, VisiblePage> {
  const visible: VisiblePage = {
    amounts: [],
    titleEnd: -1,
    heading: title ? headingText(title).slice(0, LONGEST_TEXT) : '',
    buyAt: [],
    text: '',
    isCut: false,
  };
  const marksOf = marksOfNames();
  const shortText = shortTexts(LONGEST_WORDS - 1);
  const around = new Set<Element>();
  for (let element = title; element; element = element.parent) around.add(element);
  const lines: string[] = [];
  let line = '';
  let pieces: { from: number; element: Element; state: InheritedMarks }[] = [];
  let length = 0;
  let label = '';
  let headed: Element | null = null;
  let visited = 0;
  let ended = 0;
  // A price in one box with a heading of its own is another thing's.
  const inCard = (element: Element) => {
    const boxes = [headed?.parent, headed?.parent?.parent].filter((box) => box && !around.has(box));
    for (let at: Element | null = element; at && !around.has(at); at = at.parent)
      if (boxes.includes(at)) return true;
    return false;
  };

  const endLine = () => {
    if (line) {
      if (++ended % LINES_AT_ONCE === 0) visible.isCut ||= isOver();
      if (!visible.isCut) read(line);
      const words = oneLine(line.replaceAll(EDGE, ''));
      if (words) {
        lines.push(words);
        length += words.length + 1;
        label = words;
      }
    }
    line = '';
    pieces = [];
  };
  const read = (text: string) => {
    if (visible.amounts.length > MOST_AMOUNTS) return;
    const joined = text;
    let from = 0;
    const found = amountsIn(joined);
    if (found.length === 0) return;
    const words = found.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), joined);
    const alone = words.replace(TALK, '').replace(/[^\p{L}]/gu, '').length <= 12;
    for (const amount of found) {
      const digit = joined.slice(amount.start, amount.end).search(/\d/) + amount.start;
      const piece = pieces.findLast(({ from }) => from <= digit) ?? pieces[0]!;
      const spaced = (part: string) => part.replaceAll(EDGE, ' ');
      const own = spaced(joined.slice(Math.max(from, amount.start - 80), amount.start));
      const before = own.trim() || from > 0 ? own : label.length < 40 && !/\d/.test(label) ? `${label} ` : '';
      const after = spaced(joined.slice(amount.end, amount.end + 40));
      const rangeEnd =
        from > 0 && /^[\s\ue000]*(?:[-–—]|to|bis|à)[\s\ue000]*$/i.test(joined.slice(from, amount.start));
      const { state } = piece;
      const weak = BEFORE.weak.test(before) && !state.old;
      visible.amounts.push({
        value: amount.value,
        currencies: amount.currencies,
        old:
          state.old ||
          BEFORE.lowest.test(own.trim() ? own : before) ||
          ((BEFORE.old.test(before) || AFTER.old.test(after)) && !weak),
        other: state.other || inCard(piece.element) || BEFORE.other.test(before) || AFTER.other.test(after),
        open:
          rangeEnd || BEFORE.open.test(before) || AFTER.open.test(joined.slice(amount.end, amount.end + 20)),
        strong: state.price > 0,
        at: length + amount.start,
        alone,
        box: piece.element,
      });
      from = amount.end;
    }
  };
  function* walk(element: Element, above: InheritedMarks): Generator<void, void> {
    if (++visited % ELEMENTS_AT_ONCE === 0) {
      visible.isCut ||= isOver();
      yield;
    }
    if (visible.isCut) return;
    const { name, attributes } = element;
    if (UNSEEN.test(name) || isHidden(attributes)) return;
    const named = nameOf(attributes);
    const marks = marksOf(named);
    const outside = !around.has(element) && name !== 'body' && name !== 'html' && name !== 'main';
    const priced = marks.price || marksOf(attributes.itemprop ?? '').price || 'data-price' in attributes;
    const buys = isBuy(element, named, host, shortText);
    const state: InheritedMarks = {
      old:
        above.old ||
        /^(?:del|s|strike)$/.test(name) ||
        (outside && marks.old) ||
        /line-through/.test(attributes.style ?? ''),
      other:
        above.other ||
        (outside &&
          ((name === 'button' && !buys) ||
            /^(?:header|footer|nav|aside|option|dialog)$/.test(name) ||
            marks.elsewhere ||
            marks.other ||
            (name === 'a' && /^(?:https?:|\/)/.test(attributes.href ?? '')) ||
            /isRelatedTo|isSimilarTo/.test(attributes.itemprop ?? ''))),
      price: priced && outside ? 5 : Math.max(0, above.price - 1),
    };
    const block = BLOCKS.test(name);
    if (block) endLine();
    else if (line) line += EDGE;
    if (buys && !above.other && !(outside && marks.elsewhere)) visible.buyAt.push(length + line.length);
    if (name !== 'select') {
      for (const child of element.children) {
        if (typeof child === 'string') {
          if (line.length > LONGEST_TEXT) endLine();
          // Behind these no amount is read.
          if (line.length <= LONGEST_LINE) pieces.push({ from: line.length, element, state });
          line = joinedTo(line, child.slice(0, LONGEST_TEXT).replace(/\s+/g, ' '), element, named);
        } else yield* walk(child, state);
      }
    }
    if (block) endLine();
    else if (line) line += EDGE;
    if (/^h[2-6]$/.test(name) && element !== title && visible.titleEnd >= 0) headed = element;
    if (element === title) {
      visible.titleEnd = length + line.length;
      label = '';
    }
  }
  yield* walk(root, { old: false, other: false, price: 0 });
  endLine();
  visible.text = lines.join('\n');
  return visible;
}

interface InheritedMarks {
  old: boolean;
  other: boolean;
  /** More than none while an element called a price is no more than five levels up. */
  price: number;
}

// The header of what is sold, not of the page.
const OWN_HEADER = /(?:pdp|product|item|detail|title|price|buy|summary)s?[-_]*(?:page[-_]*|box[-_]*)?header/i;
const withoutOwnHeader = (named: string) => (OWN_HEADER.test(named) ? named.replace(/header/gi, '') : named);

const isHidden = (attributes: Record<string, string>) =>
  'hidden' in attributes || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '');

/** A price's decimals often stand in an element of their own: 24<sup>90</sup>. */
function joinedTo(line: string, text: string, { name }: Element, named: string): string {
  // Only the ends are looked at: the line is long, and this is done for every piece of it.
  const start = text.trimStart();
  if (!/^(?:[.,]|\d{2})/.test(start) || text.length > LONGEST_LINE || line.length > LONGEST_LINE)
    return line + text;
  const decimals = /^[.,]?(\d{2})\s*$/.exec(start)?.[1];
  const small = name === 'sup' || /cent|frac|decimal|superscript|kop/i.test(named);
  const bare = line.slice(-40).replaceAll(EDGE, '').trimEnd();
  if (decimals && small && /\d[.,]?$/.test(bare)) {
    const untilGap = withoutGap(line);
    const whole = withoutGap(/[.,]$/.test(untilGap) ? untilGap.slice(0, -1) : untilGap);
    const tail = whole.slice(-8);
    if (/\d[\u00a0 '.,]?\d{3}$|^\d{1,3}$|\D\d{1,4}$/.test(tail))
      return `${whole}${/\d\.\d{3}$/.test(tail) ? ',' : '.'}${decimals}`;
  }
  // "12" "." "99" and "1.299" ",00" in elements of their own.
  const continued = /^[.,]\d{2}(?!\d)/.test(text) || /^[.,]$/.test(text.trim());
  if (continued && /\d$/.test(bare)) return withoutGap(line, /\ue000/) + start;
  if (/^\d{2}(?!\d)/.test(text) && /\d[.,]$/.test(bare)) return withoutGap(line, /\ue000/) + text;
  return line + text;
}

/** By hand: a regular expression tries each run of gaps within the line from each of its places. */
function withoutGap(line: string, gap = /[\ue000\s]/): string {
  let end = line.length;
  while (end > 0 && gap.test(line[end - 1]!)) end--;
  return line.slice(0, end);
}

// Classes and ids at most; who writes more must not hold up the others.
const LONGEST_NAME = 2_000;

const nameOf = (attributes: Record<string, string>): string =>
  ['class', 'id', 'data-testid', 'data-test', 'data-hook']
    .map((key) => attributes[key]?.slice(0, LONGEST_NAME) ?? '')
    .join(' ');

interface Marks {
  price: boolean;
  old: boolean;
  other: boolean;
  elsewhere: boolean;
}

/** Reads the names of elements, each once: most stand on a page many times. */
function marksOfNames(): (named: string) => Marks {
  const known = new Map<string, Marks>();
  return (named) => {
    const found = known.get(named);
    if (found) return found;
    const marks = {
      price: PRICE_NAME.test(named),
      old: OLD_NAME.test(named),
      other: OTHER_NAME.test(named),
      elsewhere: ELSEWHERE.test(withoutOwnHeader(named)),
    };
    if (known.size < MOST_NAMES) known.set(named, marks);
    return marks;
  };
}

function isBuy(
  element: Element,
  named: string,
  host: string,
  shortText: (element: Element) => string | null,
): boolean {
  const { name, attributes } = element;
  const pressed =
    name === 'button' ||
    attributes.role === 'button' ||
    (name === 'input' && /^(?:submit|button|image)$/i.test(attributes.type ?? ''));
  if (!pressed && name !== 'a' && name !== 'form') return false;
  // Articles lead to other people's shops.
  const away = /^(?:https?:)?\/\/([^/?#]+)/i.exec(attributes.href ?? '')?.[1];
  if (away && !away.endsWith(host.replace(/^www\./, ''))) return false;
  if (BUY_NAME.test(`${named} ${attributes.name ?? ''} ${attributes.action ?? ''}`)) return true;
  if (name === 'form') return false;
  const shown = shortText(element);
  const said = [attributes.value, attributes['aria-label'], attributes.title, shown && oneLine(shown)];
  return said.some((words) => words && words.length < LONGEST_WORDS && BUY.test(words));
}

export interface VisiblePrice {
  value: number;
  currencies: string[];
}

/** The one price beside the title that the page sells by; null where there is none, or more than one. */
export function visiblePrice({ amounts, titleEnd, buyAt, text }: VisiblePage): VisiblePrice | null {
  if (titleEnd < 0) return null;
  const button = buyAt.find((at) => at >= titleEnd);
  const end = Math.min(button === undefined ? titleEnd + 1500 : button + 400, text.length + 100);
  const near = amounts.filter(({ at, other, old }) => at >= titleEnd && at < end && !other && !old);
  const strong = near.filter((seen) => seen.strong);
  // Without an element that is called a price only what stands alone between the title and the button is one.
  const candidates =
    strong.length > 0 ? strong : near.filter(({ at, alone }) => alone && button !== undefined && at < button);
  if (candidates.length === 0 && button !== undefined) {
    // Some put the price above the name.
    candidates.push(
      ...amounts.filter(
        ({ at, other, old, strong }) => strong && !other && !old && at < titleEnd && at > titleEnd - 300,
      ),
    );
  }
  const [first] = candidates;
  if (!first) return null;
  const beside = candidates.filter(({ at }) => at - first.at < 800);
  if (beside.some(({ value, open }) => open || Math.abs(value - first.value) > 0.004)) return null;
  const shared = first.currencies.filter((code) =>
    beside.every(({ currencies }) => currencies.includes(code)),
  );
  return shared.length > 0 ? { value: first.value, currencies: shared } : null;
}
