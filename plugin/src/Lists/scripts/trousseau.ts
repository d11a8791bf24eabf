// Keeps what is still needed up to date on a page that stays open, by asking the service directly.
// Loaded only where the site switched it on and hands out credentials of the visitor's own: they are readable here.
import { type AnyItem, createClient } from 'trousseau-client';

interface Settings {
  registry: number;
  baseUrl: string;
  apiKey: string;
  username: string;
  password: string;
  /** Words for pieces and for money, such as "%s needed". */
  needed: [string, string];
  given: [string, string];
  wanted: string;
  /** The currency of amounts that several pay, and how many decimals it has. */
  currency: string;
  decimals: number;
  /** Gifts whose words stay as the page has them. */
  settled: number[];
}

const EVERY = 30_000;

/** The quantity of a gift without a fixed number or amount, whose words stay as the page has them. */
const ANY_NUMBER = 2_147_483_647;

const settings = (window as unknown as { trousseau: Settings }).trousseau;
const client = createClient(settings);

/** A number of pieces, or an amount of money, in the digits of all other numbers on the page. */
function inWords(quantity: number, isMoney: boolean): string {
  const { currency, decimals } = settings;
  const { lang } = document.documentElement;
  if (!isMoney) return quantity.toLocaleString(lang, { numberingSystem: 'latn' });
  return (quantity / 10 ** decimals).toLocaleString(lang, {
    ...{ style: 'currency', currency, numberingSystem: 'latn' },
    minimumFractionDigits: quantity % 10 ** decimals === 0 ? 0 : decimals,
    maximumFractionDigits: decimals,
  });
}

function show(item: AnyItem): void {
  const row = document.getElementById(`trousseau-item-${item.id}`);
  const need = row?.querySelector('.trousseau-need');
  const progress = need?.querySelector('progress');
  if (!row || !need?.firstChild) return;
  const remaining = Math.max(0, item.quantity_needed - item.quantity_purchased);
  const isMoney = item.unit === 'money';
  if (item.quantity_needed === ANY_NUMBER || settings.settled.includes(item.id)) return;
  row.classList.toggle('is-fulfilled', remaining === 0);
  const kind = isMoney ? 1 : 0;
  const words = item.quantity_needed === 1 && !isMoney ? settings.wanted : settings.needed[kind];
  need.firstChild.textContent = remaining
    ? `${words.replace('%s', () => inWords(remaining, isMoney))} `
    : `${settings.given[kind]} `;
  if (!progress) return;
  progress.max = item.quantity_needed;
  progress.value = item.quantity_needed - remaining;
}

async function refresh(): Promise<void> {
  if (document.hidden) return;
  // A service that doesn't answer leaves the page as the server wrote it.
  const items = await client.registries.items.list(settings.registry).catch(() => null);
  items?.forEach(show);
}

setInterval(refresh, EVERY);
document.addEventListener('visibilitychange', refresh);
refresh();
