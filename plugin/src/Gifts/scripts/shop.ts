// Back from the shop: “Did you buy it?”, at the gift whose shop someone went to, in this tab or another one.
import { findAll } from '../../Platform/scripts/find.ts';

const KEPT = 'trousseau-at-the-shop';

export function backFromShop(): void {
  const links = [...findAll('[data-shop]')];
  const place = (link: Element) =>
    location.pathname + location.search + (link.closest('.trousseau-item')?.id ?? '');
  const ask = () => {
    const been = sessionStorage.getItem(KEPT);
    const question = links
      .find((link) => place(link) === been)
      ?.closest('.trousseau-item, .trousseau-page')
      ?.querySelector<HTMLElement>('[data-back-from-shop]');
    // Nobody is asked about a gift that they can't give.
    const gift = question?.closest('.trousseau-item');
    const gives = gift?.querySelector('.trousseau-mine, .trousseau-give:not([hidden])');
    if (!question || (gift && !gives)) return;
    sessionStorage.removeItem(KEPT);
    question.role = 'status';
    question.hidden = false;
  };
  for (const link of links) link.addEventListener('click', () => sessionStorage.setItem(KEPT, place(link)));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') ask();
  });
  addEventListener('pageshow', ask);
  // A guest's own part of a kept page comes later, and only then shows what they can give.
  addEventListener('trousseau-filled', ask);
}
