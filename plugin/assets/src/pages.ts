// What the pages of owners and guests do beyond their forms. Every page works without it.
import { choices } from './choice.ts';
import { fromShop } from './from-shop.ts';
import { looking } from './looking.ts';
import { reorder } from './reorder.ts';
import { share } from './share.ts';
import { backFromShop } from './shop.ts';

const AGAIN_AFTER_MS = 10_000;

// One press, one gift: a form that is on its way is not sent a second time by a double click.
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || !form.matches('.trousseau-form') || form.method !== 'post') return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
  // Whoever stopped the page from loading may try again.
  setTimeout(() => delete form.dataset.sent, AGAIN_AFTER_MS);
});

// A page that the browser brings back as it was left.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLElement>('.trousseau-form')) delete form.dataset.sent;
});

for (const element of document.querySelectorAll<HTMLElement>('[data-needs-script]')) element.hidden = false;
document.querySelector('[data-print]')?.addEventListener('click', () => print());

// What is wrong with a form is heard first.
document.querySelector<HTMLElement>('.trousseau-note[role="alert"]')?.focus();

// An address that is pasted is looked up at once.
const paste = document.querySelector<HTMLFormElement>('.trousseau-form.is-paste');
paste?.addEventListener('paste', () =>
  setTimeout(() => {
    const field = paste.querySelector<HTMLInputElement>('[name="address"]')!;
    if (/^\s*https?:\/\/\S+\.\S+\s*$/i.test(field.value)) paste.requestSubmit();
  }),
);

choices();
fromShop();
reorder();
backFromShop();
looking();
share();
