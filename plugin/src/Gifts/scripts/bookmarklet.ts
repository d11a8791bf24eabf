// Reads the shop's page that a person is looking at, in their own browser, and opens the site's page for a new gift with
// what it says. As a whole the address of a bookmark: a shop that lets no foreign script in cannot keep it out.
import { fieldsOf } from '../../../../api/src/shop/fields.ts';
import { livePage } from '../../../../api/src/shop/live-page.ts';
import { giftFragment } from './gift-address.ts';

// The site's page for a new gift, put in where the bookmark is made.
declare const TROUSSEAU_ADD: string;

const { url, name, description, image_url, price, currency, retailer } = fieldsOf(
  livePage(document.documentElement),
  new URL(location.href),
);
const fields = { url, name, description, image_url, price, currency, retailer };
const link = document.createElement('a');
link.href = `${TROUSSEAU_ADD}#${giftFragment(fields)}`;
// The site is not told which page the person comes from.
link.rel = 'noopener noreferrer';
if (navigator.userActivation?.isActive !== false) link.target = '_blank';
link.click();
