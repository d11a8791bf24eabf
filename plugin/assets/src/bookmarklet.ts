// Reads the shop's page that a person is looking at, in their own browser, and opens the site's page for a new gift with
// what it says. As a whole the address of a bookmark: a shop that lets no foreign script in cannot keep it out.
import { fieldsOf, finish } from '../../../api/src/shop/fields.ts';
import { Page } from '../../../api/src/shop/page.ts';
import { giftFragment } from './gift-address.ts';

/** The document as it stands, told as a parser would tell the page. */
function pageOf(root: Element): Page {
  const page = new Page();
  const tell = (element: Element, seen: boolean): void => {
    const name = element.localName;
    const attributes: Record<string, string> = {};
    for (const { name, value } of element.attributes) attributes[name] = value;
    // Styles that hide are known here, so what is hidden is not taken for what people see.
    const shown = seen && (element.checkVisibility?.() ?? true);
    if (seen && !shown) attributes.hidden = '';
    page.open(name, attributes);
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) page.text(child.nodeValue ?? '');
      else if (child instanceof Element) tell(child, shown);
    }
    page.close(name);
  };
  tell(root, true);
  return page;
}

function open(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  // The site is not told which page the person comes from.
  link.rel = 'noopener noreferrer';
  if (navigator.userActivation?.isActive !== false) link.target = '_blank';
  link.click();
}

// The site's page for a new gift, put in where the bookmark is made.
declare const TROUSSEAU_ADD: string;

const { url, name, description, image_url, price, currency, retailer } = finish(
  fieldsOf(pageOf(document.documentElement), new URL(location.href)),
);
const fields = { name, description, image_url, price, currency, retailer };
const known = Object.entries(fields).filter(([, value]) => value !== null);
open(`${TROUSSEAU_ADD}#${giftFragment({ url, ...Object.fromEntries(known) })}`);
