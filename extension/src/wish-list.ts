// The gifts of a wish list that is open in the tab: cards or rows of one shape, each with one picture, a name and a link.
import { amountsIn } from '../../api/src/shop/amounts.ts';
import { FORMER_NAME } from '../../api/src/shop/class-names.ts';
import { currencyOfHost } from '../../api/src/shop/currencies.ts';
import { textIn } from './place.ts';

export interface Listed {
  address: string;
  name: string;
  image: string;
  price: number | null;
  currency: string;
}

/** The words by which the address, the title or the heading of a page says that it is a wish list, one row a language. */
const WORDS = [
  'wish-?list|registry|registries|gift ?list|favou?rites|shopping-?list|hz/wishlist',
  'wunschliste|wunschzettel|merkliste|merkzettel|favoriten|hochzeitsliste',
  "liste d[’']envies|liste de (?:naissance|mariage|souhaits)|favoris",
  'lista de (?:deseos|bodas?|regalos)|favoritos',
  'قائمة (?:الرغبات|الأمنيات|الهدايا)|المفضلة',
];
const WISH_LIST = new RegExp(WORDS.join('|'), 'i');

/** The least size of a gift's picture; smaller ones are signs. */
const LEAST = 48;
const MOST = 200;

/** Returns the gifts, or none where the page is no wish list. */
export function listedGifts(page: Document): Listed[] {
  const { pathname } = page.location;
  const says = `${pathname} ${page.title} ${textIn(page.querySelector('h1'))}`;
  if (!WISH_LIST.test(says)) return [];
  const shapes = new Map<string, Listed[]>();
  for (const card of cardsOn(page)) {
    const shape = `${card.localName}.${card.classList[0] ?? ''}`;
    const gift = giftOf(card);
    if (gift) shapes.set(shape, [...(shapes.get(shape) ?? []), gift]);
  }
  const [most = []] = [...shapes.values()].sort((one, other) => other.length - one.length);
  const each = new Map(most.map((gift) => [gift.address + gift.name, gift]));
  return each.size > 1 ? [...each.values()].slice(0, MOST) : [];
}

/** The largest elements that have one picture each. */
function cardsOn(page: Document): Set<Element> {
  const pictures = [...page.images].filter((image) => {
    const { width, height } = image.getBoundingClientRect();
    return width >= LEAST && height >= LEAST && !image.closest('header, footer, nav, aside');
  });
  const has = (element: Element) => pictures.filter((picture) => element.contains(picture)).length;
  return new Set(
    pictures.flatMap((picture) => {
      let card: Element = picture;
      while (card.parentElement && has(card.parentElement) === 1) card = card.parentElement;
      return card.contains(page.querySelector('h1')) ? [] : [card];
    }),
  );
}

function giftOf(card: Element): Listed | null {
  const image = card.querySelector('img') ?? (card as HTMLImageElement);
  const links = [...card.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(({ href }) =>
    /^https?:/.test(href),
  );
  // A product's link is around its picture or its name, and not one of “Remove” or “Share”.
  const named = [...links].sort((one, other) => textIn(other).length - textIn(one).length)[0];
  const link = links.find((link) => link.contains(image)) ?? named;
  const titled = card.querySelector<HTMLElement>('a[title]');
  const name =
    textIn(card.querySelector('h2, h3, h4, h5, h6')) || titled?.title || textIn(named) || image.alt;
  if (!link || name.length < 2 || amountsIn(name)[0]?.start === 0) return null;
  const { currentSrc } = image;
  return { address: link.href, name, image: /^https?:/.test(currentSrc) ? currentSrc : '', ...priceOf(card) };
}

/** The first price that is no former one. */
function priceOf(card: Element): Pick<Listed, 'price' | 'currency'> {
  const walker = card.ownerDocument.createTreeWalker(card, NodeFilter.SHOW_ELEMENT, (node) => {
    const element = node as Element;
    const isFormer = element.matches('s, del') || FORMER_NAME.test(`${element.className} ${element.id}`);
    return isFormer ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  let found: ReturnType<typeof amountsIn> = [];
  // Shops write a price's parts into elements of their own: the innermost one with the whole price has it.
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = textIn(node as Element);
    const amounts = text.length < 60 ? amountsIn(text) : [];
    if (amounts.length === 1) {
      found = amounts;
      break;
    }
  }
  const [amount] = found;
  if (!amount) return { price: null, currency: '' };
  const local = currencyOfHost(card.ownerDocument.location.hostname) ?? 'USD';
  const [only, more] = amount.currencies;
  return {
    price: amount.value,
    currency: more === undefined ? only! : amount.currencies.includes(local) ? local : '',
  };
}
