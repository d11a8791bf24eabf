// The bookmark is over 40 kB of script and works on computers only: it is fetched there, when its section is opened. Without
// this script a link leads to the page that has it.
import { findAll } from '../../Platform/scripts/find.ts';

export function bookmark(): void {
  for (const section of findAll<HTMLDetailsElement>('.trousseau-from-shop')) {
    section.addEventListener('toggle', async () => {
      const link = section.querySelector<HTMLAnchorElement>('[data-bookmark-page]');
      if (!section.open || !link || !matchMedia('(hover: hover) and (min-width: 600px)').matches) return;
      const answer = await fetch(link.href).catch(() => undefined);
      if (!answer?.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const found = page.querySelector('.trousseau-bookmark');
      if (found) link.closest('.trousseau-bookmark')?.replaceWith(found);
    });
  }
}
