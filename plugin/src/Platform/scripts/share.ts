// The address of a list, or the facts of a transfer: copied, sent on by the phone, or as a square code that is drawn here.

import encodeQR from 'qr';
import { find, findAll } from './find.ts';

/** Marks an address, and copies it where the browser lets pages do that. */
async function copied(field: HTMLInputElement, button: HTMLButtonElement): Promise<void> {
  field.select();
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.copied!;
}

export function share(): void {
  for (const button of findAll<HTMLButtonElement>('[data-copy]')) {
    const part = button.closest(':has(input[readonly])')!;
    button.addEventListener('click', () => copied(part.querySelector('input[readonly]')!, button));
  }
  // Banks ask for this correction of errors, and for the quiet border.
  for (const place of findAll('[data-code]'))
    place.innerHTML = encodeQR(place.dataset.code!, 'svg', { ecc: 'medium', border: 4 });
  const section = find('[data-share]');
  if (!section) return;
  const url = section.dataset.share!;
  const send = section.querySelector<HTMLButtonElement>('[data-send]');
  if (send && navigator.share) {
    send.hidden = false;
    send.addEventListener('click', () => void navigator.share({ url, title: section.dataset.title! }));
  }
  const picture = section.querySelector<HTMLElement>('[data-qr]');
  if (picture) picture.innerHTML = encodeQR(url, 'svg', { border: 2 });
}
