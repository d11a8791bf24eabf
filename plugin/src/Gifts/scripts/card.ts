// The card next to a gift's form shows what guests will see, and follows what is typed; the style follows what is ticked.
import { find } from '../../Platform/scripts/find.ts';

const typedNumber = (text: string): number => {
  const number = text.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  return /^\d+(\.\d{1,2})?$/.test(number) ? Number(number) : Number.NaN;
};

const money = (amount: number, currency: string, language: string): string => {
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(language, style).format(amount);
};

/** A typed price as pages write prices; the text itself where it is more than a number, unless words make it none. */
export function shownPrice(text: string, currency: string, language: string): string {
  const number = typedNumber(text);
  if (currency && number >= 0) return money(number, currency, language);
  return /^(?!.*\p{L}{4}).*\p{N}/u.test(text) ? text.trim() : '';
}

/** What is still needed of a gift, of so many pieces and without what is given; empty for one piece, and for a price that is none. */
export function shownNeed(
  price: string | undefined,
  pieces: number,
  { words, none, given }: DOMStringMap,
  currency: string,
  language: string,
): string {
  const total = price === undefined ? pieces : typedNumber(price) * pieces;
  const left = total - Number(given);
  if (left <= 0) return none!;
  if (price === undefined && total === 1) return '';
  const amount =
    price === undefined
      ? left.toLocaleString(language, { numberingSystem: 'latn' })
      : left > 0
        ? money(left, currency, language)
        : shownPrice(price, currency, language);
  return amount && words!.replace('%s', amount);
}

export function card(): void {
  const card = find('[data-card]');
  const form = find<HTMLFormElement>('.trousseau-form.is-gift');
  if (!card || !form) return;
  const picture = card.querySelector('img')!;
  const before = picture.hidden ? '' : picture.src;
  const show = () => {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const language = document.documentElement.lang;
    const currency = card.dataset.currency || text('list_currency');
    const pieces = Number(text('quantity')) || 1;
    for (const element of card.querySelectorAll<HTMLElement>('[data-of]')) {
      const { dataset } = element;
      const typed = text(dataset.of!);
      const shown = dataset.words
        ? shownNeed(dataset.of === 'price' ? typed : undefined, pieces, dataset, currency, language)
        : dataset.of === 'price'
          ? shownPrice(typed, currency, language)
          : typed;
      element.textContent = shown || (dataset.empty ?? '');
      element.hidden = !element.textContent;
    }
    const chosen = form.querySelector<HTMLImageElement>('.trousseau-frame:not([hidden]) img');
    picture.src = chosen?.src || before || 'data:,';
    picture.style.objectPosition = chosen?.style.objectPosition ?? '';
    picture.hidden = !chosen?.src.startsWith('blob:') && (!before || data.has('no-picture'));
  };
  form.addEventListener('input', show);
  show();
}
