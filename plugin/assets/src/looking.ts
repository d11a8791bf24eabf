// Looking through a long list: by price, and with what is still needed first or every gift in its place.
export interface Gift {
  /** In the owner's order. */
  place: number;
  /** The owner's heading; nothing where it stands under none. */
  section: string;
  /** 0 where the owner left it out. */
  amount: number;
  /** Nobody needs to give it any more. */
  isGiven: boolean;
}

/** Whether a gift is shown for a highest price; one without a price always is. */
export const fits = ({ amount }: Pick<Gift, 'amount'>, upTo: number): boolean =>
  !(upTo > 0) || amount === 0 || amount <= upTo;

/** Which gifts stand under which heading, and which are folded below them, each in the owner's order. */
export function arranged<T extends Gift>(gifts: readonly T[], neededFirst: boolean) {
  const folded: T[] = [];
  const sections = new Map<string, T[]>();
  for (const gift of gifts.toSorted((one, other) => one.place - other.place)) {
    if (neededFirst && gift.isGiven) folded.push(gift);
    else sections.set(gift.section, [...(sections.get(gift.section) ?? []), gift]);
  }
  return { sections, folded };
}

export function looking(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-filter]')) {
    form.hidden = false;
    const registry = form.closest<HTMLElement>('.trousseau-registry')!;
    const output = form.querySelector<HTMLOutputElement>('[data-shown]')!;
    const given = registry.querySelector<HTMLDetailsElement>('.trousseau-given');
    const parts = [...registry.querySelectorAll<HTMLElement>('.trousseau-section-of-gifts')];
    const gifts = [...registry.querySelectorAll<HTMLElement>('.trousseau-item')].map((element) => ({
      element,
      place: Number(element.dataset.place),
      section: element.dataset.section ?? '',
      amount: Number(element.dataset.amount ?? 0),
      isGiven: given?.contains(element) ?? false,
    }));
    const fill = (part: Element, shown: typeof gifts) =>
      part.querySelector('ul')!.append(...shown.map(({ element }) => element));
    const show = () => {
      const data = new FormData(form);
      const upTo = Number(data.get('up-to') ?? 0);
      for (const gift of gifts) gift.element.hidden = !fits(gift, upTo);
      const { sections, folded } = arranged(gifts, Boolean(data.get('needed-first')));
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
      const shown = [...sections.values()].flat().filter(isShown).length;
      output.value = output.dataset.words!.replace('%s', shown.toLocaleString(document.documentElement.lang));
    };
    form.addEventListener('input', show);
    form.addEventListener('submit', (event) => event.preventDefault());
    show();
  }
}
