// The scripts of owners' and guests' pages, with the `pages.ts` of each feature. Every page works without them.

import { find, findAll } from './find.ts';
import { pictures } from './picture.ts';
import { share } from './share.ts';
import { waitsForNetwork } from './without-network.ts';

const AGAIN_AFTER_MS = 10_000;

/** How long a form that keeps machines out must still wait, in milliseconds. */
function early(form: HTMLFormElement): number {
  const since = form.querySelector<HTMLElement>('[data-not-before]');
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return since && page ? page.responseStart + Number(since.dataset.notBefore) - performance.now() : 0;
}

// One press, one gift: a form that is on its way is not sent a second time by a double click.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || !form.matches('.trousseau-form') || form.method !== 'post') return;
  if (waitsForNetwork(event)) return;
  if (form.dataset.sent) event.preventDefault();
  const wait = form.dataset.sent ? 0 : early(form);
  if (wait > 0) {
    event.preventDefault();
    setTimeout(() => form.submit(), wait);
  }
  form.dataset.sent = 'yes';
  // The form may be sent again after its sender stopped the page from loading.
  setTimeout(() => delete form.dataset.sent, AGAIN_AFTER_MS);
});

// The menu behind “⋯” closes like any other.
const openMenus = '[name="trousseau-row"][open]';
const closeMenus = (but?: Element | null) => {
  for (const menu of findAll<HTMLDetailsElement>(openMenus)) if (menu !== but) menu.open = false;
};
document.addEventListener('pointerdown', ({ target }) => closeMenus((target as Element).closest(openMenus)));
document.addEventListener('keydown', ({ key, target }) => {
  const menu = (target as Element).closest<HTMLDetailsElement>(openMenus);
  if (key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary')!.focus();
});

// A page that the browser brings back as it was left.
addEventListener('pageshow', () => {
  for (const form of findAll('.trousseau-form')) delete form.dataset.sent;
});

for (const element of findAll('[data-needs-script]')) element.hidden = false;
find('[data-print]')?.addEventListener('click', () => print());

// After a press, people who use the keyboard or a screen reader go on at the page's answer. A browser that jumps to a place
// within the page takes the focus away again, with its first frame.
const answered = () => {
  if (document.activeElement === document.body)
    find(
      ':is(.trousseau-note, .trousseau-fault)[tabindex="-1"], [id^="trousseau-claim-"]:target :is([tabindex="-1"], summary, button)',
    )?.focus();
};
answered();
if (location.hash)
  addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(answered)));

// An address that is pasted is looked up at once.
const paste = find<HTMLFormElement>('.is-paste');
paste?.addEventListener('paste', () =>
  setTimeout(() => {
    const field = paste.querySelector<HTMLInputElement>('[name="address"]')!;
    if (/^\s*https?:\/\/\S+\.\S+\s*$/i.test(field.value)) paste.requestSubmit();
  }),
);

// A link that opens a list: only browsers without scripts need the button. Pressed while the page loads, it leaves no page to go back to.
find<HTMLFormElement>('.is-at-once')?.requestSubmit();

pictures();
share();
