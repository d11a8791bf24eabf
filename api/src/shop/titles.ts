import { AT_SHOP, BUY_AT_END, BUY_AT_START, NO_NAME, PRICE_AT_END } from './title-words.ts';

// NFKD makes up to eighteen letters of one character, hence the first limit. The same names are compared repeatedly.
const MOST_COMPARED = 1_000;
const MOST_CACHED = 1_000;
const titles = new Map<string, string>();

function letters(text: string): string {
  const cached = titles.get(text);
  if (cached !== undefined) return cached;
  const found = text
    .slice(0, MOST_COMPARED)
    .normalize('NFKD')
    .slice(0, 2 * MOST_COMPARED)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
  if (text.length > MOST_COMPARED) return found;
  if (titles.size >= MOST_CACHED) titles.clear();
  titles.set(text, found);
  return found;
}

/** Reports whether two names are the same apart from case, accents and punctuation. */
export const sameName = (one: string, other: string) =>
  letters(one) === letters(other) && letters(one) !== '';

export function includesName(whole: string, part: string): boolean {
  const said = letters(part);
  return (said.length > 2 || /[^\p{Script=Latin}\d]/u.test(said)) && letters(whole).includes(said);
}

const SEPARATOR = /\s+[|–—·•»:/-]\s+|\s*[|»]\s*|:\s+/g;

// Real names are shorter, even with the shop's name; a longer one must not delay other pages.
const LONGEST = 2_000;
const MOST_SHOPS = 50;

/** Returns a page's name without the shop's, which is known from the host, the site's name or its organisation. */
export function cleanName(text: string | null, shops: string[], host: string, isTitle = false) {
  let name = (text ?? '').slice(0, LONGEST).trim();
  const domain = hostWords(host);
  const called = new Set(shops.slice(0, MOST_SHOPS).map(letters));
  const isShop = (part: string) => {
    const said = letters(
      part.replace(/\s&\s/g, domain.some((word) => /and/.test(word)) ? ' and ' : ' & ').replace(AT_SHOP, ''),
    );
    if (!said || called.has(said)) return true;
    const bare = said.replace(
      /(?:com|net|org|shop|store|online|onlineshop|de|couk|uk|fr|es|it|nl|eu|ca|us|inc|gmbh|ltd|officialsite|official)$/,
      '',
    );
    return domain.some((word) => word === said || (bare.length > 2 && word === bare));
  };
  for (let cuts = 0; cuts < 4; cuts++) {
    const marks = [...name.matchAll(SEPARATOR)].filter(({ index }) => index > 0);
    const after = ({ index, 0: mark }: RegExpExecArray) => index + mark.length;
    const last = marks.at(-1);
    const first = marks[0];
    // Words after the shop's name belong to the shop: "Teapot : Shop.example: Kitchen".
    const within = marks
      .slice(0, -1)
      .find((mark, at) => isShop(name.slice(after(mark), marks[at + 1]!.index)));
    const rest = last ? name.slice(0, last.index).trim() : '';
    if (last && isShop(name.slice(after(last)))) name = rest;
    // Only in titles: in markup, a last part that begins with the shop's name may belong to the product's name.
    else if (last && isTitle && !isShop(rest) && speaksOfShop(name.slice(after(last)), domain)) name = rest;
    else if (within && isTitle) name = name.slice(0, within.index).trim();
    else if (first && isShop(name.slice(0, first.index))) name = name.slice(after(first)).trim();
    else break;
  }
  if (!name || name.length < 2 || NO_NAME.test(name) || isShop(name)) return null;
  return name;
}

/** Reports whether a part of a title is about the shop itself: "Teaco UK Official Site" at teaco.example. */
const speaksOfShop = (part: string, domain: string[]) =>
  domain.some((word) => word.length > 4 && letters(part).startsWith(word)) && part.split(' ').length < 7;

/** Returns a name without the words about buying that titles add. */
export function withoutSelling(text: string): string {
  const name = text.replace(PRICE_AT_END, '').replace(BUY_AT_END, '').trim();
  const [, bought, sold] = BUY_AT_START.exec(name) ?? [];
  return bought ?? sold ?? (name || text);
}

/** Reports whether a name is only an article number: "KTL-0093". */
export const isCode = (name: string) => /^(?=.*\d)[\dA-Z._/-]+$/.test(name);

/** Returns the words in a host name: its labels, with and without "shop" and the like, and all of them joined. */
function hostWords(host: string): string[] {
  const labels = host.replace(/^(?:www\d?|m|shop|store)\./, '').split('.');
  const known =
    labels.length > 2 && /^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2)!)
      ? labels.slice(0, -2)
      : labels.slice(0, -1);
  const words = known.flatMap((label) => [
    letters(label),
    letters(
      label.replace(/^(?:shop|store|my|the|get|buy)-?|-?(?:shop|store|online|official|us|uk|eu)$/g, ''),
    ),
  ]);
  return [...new Set([...words, letters(labels.join(''))])].filter((word) => word.length > 1);
}
