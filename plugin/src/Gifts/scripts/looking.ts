// Looking through a long list: by words, price and heading, and by what is still needed.
import { findAll } from '../../Platform/scripts/find.ts';

export interface Gift {
  /** In the owner's order. */
  place: number;
  /** The owner's category, or empty. */
  section: string;
  /** 0 where the owner left it out. */
  amount: number;
  /** Whether several people may pay for it. */
  isGroup: boolean;
  /** Nobody needs to give it any more. */
  isGiven: boolean;
  /** Name, description and shop, as `plain` writes them. */
  text: string;
}

export interface Wanted {
  words: string;
  /** The highest price; 0: any. */
  upTo: number;
  /** A heading; null: any. */
  section: string | null;
  /** Whether gifts that are completely given are left out. */
  onlyNeeded: boolean;
  onlyGroup: boolean;
}

/** A text without capitals and accents, as people type it on a phone. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a gift is one that someone looks for. One without a price fits any price. */
export const fits = (
  { text, amount, section, isGroup, isGiven }: Omit<Gift, 'place'>,
  { words, upTo, section: heading, onlyNeeded, onlyGroup }: Wanted,
): boolean =>
  plain(words)
    .split(/\s+/)
    .every((word) => text.includes(word)) &&
  (!(upTo > 0) || amount <= upTo) &&
  (heading === null || heading === section) &&
  !(onlyNeeded && isGiven) &&
  !(onlyGroup && !isGroup);

/** Which gifts stand under which heading, and which are folded below them, each in the owner's order. */
export function arranged<T extends Pick<Gift, 'place' | 'section' | 'isGiven'>>(
  gifts: readonly T[],
  neededFirst: boolean,
) {
  const folded: T[] = [];
  const sections = new Map<string, T[]>();
  for (const gift of [...gifts].sort((one, other) => one.place - other.place)) {
    if (neededFirst && gift.isGiven) folded.push(gift);
    else sections.set(gift.section, [...(sections.get(gift.section) ?? []), gift]);
  }
  return { sections, folded };
}

export function looking(): void {
  for (const form of findAll<HTMLFormElement>('[data-filter]')) {
    for (const option of form.querySelectorAll<HTMLOptionElement>('option:disabled')) {
      option.disabled = false;
      option.hidden = false;
    }
    const registry = form.closest<HTMLElement>('.trousseau-registry')!;
    const output = form.querySelector<HTMLOutputElement>('[data-shown]')!;
    const given = registry.querySelector<HTMLDetailsElement>('.trousseau-given');
    const parts = [...registry.querySelectorAll<HTMLElement>('.trousseau-section-of-gifts')];
    // Marked, since the visitor's own part of a kept page, which arrives later, moves some out.
    for (const element of given?.querySelectorAll<HTMLElement>('.trousseau-item') ?? [])
      element.dataset.given = '';
    const gifts = [...registry.querySelectorAll<HTMLElement>('.trousseau-item')].map((element) => ({
      element,
      place: Number(element.dataset.place),
      section: element.dataset.section ?? '',
      amount: Number(element.dataset.amount ?? 0),
      isGroup: 'group' in element.dataset,
      get isGiven() {
        return 'given' in element.dataset;
      },
      text: plain(
        [
          ...element.querySelectorAll(
            'h3, h4, .trousseau-description, .trousseau-facts > :not(.trousseau-price)',
          ),
        ]
          .map(({ textContent }) => textContent)
          .join('\n'),
      ),
    }));
    const fill = (part: Element, shown: typeof gifts) =>
      part.querySelector('ul')!.append(...shown.map(({ element }) => element));
    const count = () => {
      const shown = gifts.filter(({ element }) => !element.hidden && !given?.contains(element)).length;
      const number = shown.toLocaleString(document.documentElement.lang, { numberingSystem: 'latn' });
      output.value = output.dataset.words!.replace('%s', number);
    };
    const apply = () => {
      const data = new FormData(form);
      const show = data.get('show');
      const heading = data.get('heading');
      const wanted = {
        words: String(data.get('words')),
        upTo: Number(data.get('up-to')),
        section: heading === null || heading === '*' ? null : String(heading),
        onlyNeeded: show === 'needed',
        onlyGroup: show === 'group',
      };
      for (const gift of gifts) gift.element.hidden = !fits(gift, wanted);
      const { sections, folded } = arranged(gifts, show !== 'all');
      const isShown = ({ element }: { element: HTMLElement }) => !element.hidden;
      for (const part of parts) {
        const here = sections.get(part.dataset.section!) ?? [];
        fill(part, here);
        part.hidden = !here.some(isShown);
      }
      if (given) {
        fill(given, folded);
        given.hidden = !folded.some(isShown);
      }
      count();
    };
    form.addEventListener('input', apply);
    // The visitor's own part of a kept page has moved gifts out of the given ones, and they are no longer marked
    // as given: a filter by what is still needed finds more, and otherwise only the number of gifts changes.
    addEventListener('trousseau-filled', () => {
      if (new FormData(form).get('show') === 'needed') apply();
      else count();
    });
    form.addEventListener('submit', (event) => event.preventDefault());
    apply();
  }
}
