// The page to which the bookmark leads: what the shop's page said stands behind the "#" of its address, and goes into the
// forms, one a list. Nothing is sent before someone presses.
import { find, findAll } from '../../Platform/scripts/find.ts';
import { giftIn } from './gift-address.ts';

/** The fields of the gift's form, by their names there. */
export function fieldsFor(fragment: string): Record<string, string> | null {
  const gift = giftIn(fragment);
  if (!gift) return null;
  const { url, name = '', description = '', image_url = '', price, currency = '', retailer = '' } = gift;
  const fields = { address: url, name, description, image: image_url, retailer, currency };
  return { ...fields, price: price === undefined ? '' : String(price) };
}

const KEPT = 'trousseau-from-shop';

export function fromShop(): void {
  const given = fieldsFor(location.hash);
  const found = find('p[data-found]');
  // Logging in loses everything after the “#”, so the tab keeps it.
  if (given && !found) sessionStorage[KEPT] = location.hash;
  // A shared link wins.
  const fields = given ?? (found?.hidden ? fieldsFor(sessionStorage[KEPT] ?? '') : null);
  if (!found || !fields) return;
  for (const form of findAll('.trousseau-form.is-add')) {
    form.querySelector<HTMLInputElement>('[name="do"]')!.value = 'offer';
    for (const [name, value] of Object.entries(fields)) {
      const input =
        form.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
  }
  found.hidden = false;
  found.querySelector('[data-found-name]')!.textContent = fields.name || fields.address!;
  delete sessionStorage[KEPT];
}
