// A registry's gifts in the page, as scripts find and change what is one visitor's.
import { marksAt } from './marks.ts';

interface Settings {
  registry: number;
  /** Where the visitor's own part is asked for. */
  address: string;
  cookie: string;
  /** Whether the page is the same for everyone, or was made for this visitor. */
  isShared: boolean;
  /** In words: that the visitor gives a gift. */
  mine: string;
  /** In words: that they have yet to confirm it. */
  waiting: string;
  /** Joins a link's words and the gift's name, such as "%1$s: %2$s". */
  label: string;
  myGifts: string;
}

export const registries = () =>
  [...document.querySelectorAll<HTMLElement>('[data-visitor]')].map((section) => {
    const settings: Settings = JSON.parse(section.dataset.visitor!);
    const part = (selector: string) => section.querySelector<HTMLElement>(selector);
    return {
      ...settings,
      section,
      /** The visitor's own part above the gifts. */
      head: part('.trousseau-visitor'),
      marks: () => marksAt(settings.registry, settings.cookie, document.cookie),
      gift: (id: number) => part(`#trousseau-item-${id}`),
      /** A gift is shown as the visitor's own, and among those that aren't folded. */
      own(id: number, address: string, waits: boolean) {
        const gift = part(`#trousseau-item-${id}`);
        const actions = gift?.querySelector('.trousseau-actions');
        if (!gift || !actions) return;
        const link =
          actions.querySelector<HTMLAnchorElement>('.trousseau-mine') ?? document.createElement('a');
        link.href = address;
        link.className = waits ? 'trousseau-mine is-waiting' : 'trousseau-mine';
        const about = document.createElement('span');
        about.className = 'screen-reader-text';
        const words = waits ? settings.waiting : settings.mine;
        const parts = [words, gift.querySelector('h3, h4')?.textContent ?? ''];
        about.textContent = settings.label
          .replace(/%([12])\$s/g, (_, number) => parts[number - 1]!)
          .slice(words.length);
        link.replaceChildren(words, about);
        if (!link.parentElement) actions.append(link);
        const give = actions.querySelector<HTMLElement>('.trousseau-give');
        if (give) give.hidden = true;
        const bought = gift.querySelector<HTMLAnchorElement>('[data-back-from-shop] a');
        if (bought) bought.href = address;
        unfold(section, gift);
      },
    };
  });

export type Registry = ReturnType<typeof registries>[number];

/** A gift goes from those that are given to its place under its heading. */
export function unfold(section: HTMLElement, gift: HTMLElement): void {
  delete gift.dataset.given;
  const folded = gift.closest('.trousseau-given');
  const part = [...section.querySelectorAll<HTMLElement>('.trousseau-section-of-gifts')].find(
    ({ dataset }) => dataset.section === gift.dataset.section,
  );
  const list = part?.querySelector('ul');
  if (!folded || !part || !list) return;
  const place = (element: Element) => Number((element as HTMLElement).dataset.place);
  list.insertBefore(gift, [...list.children].find((other) => place(other) > place(gift)) ?? null);
  part.hidden = false;
  const left = folded.querySelectorAll('.trousseau-item').length;
  const summary = folded.querySelector<HTMLElement>('[data-words]')!;
  const number = left.toLocaleString(document.documentElement.lang, { numberingSystem: 'latn' });
  summary.textContent = summary.dataset.words!.replace('%s', number);
  if (!left) folded.remove();
}
