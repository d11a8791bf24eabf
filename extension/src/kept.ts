// The extension's own storage: the sites and the last list, stored in this browser; and the tabs, until the browser is closed.
import { browser } from './browser.ts';
import type { Account, Answer, List, Stored } from './door.ts';
import type { Reading } from './reader.ts';

export interface Site {
  /** The address of the site's page that adds a gift. */
  door: string;
  name: string;
}

/** The list that was chosen last, with its account and site. */
export interface Last {
  door: string;
  account: number;
  list: number;
}

export interface Kept {
  sites: Site[];
  /** The last list on each site, the newest first. */
  last: Last[];
  /** Whether pressing the extension's button adds the gift to the last list at once. */
  atOnce: boolean;
}

export async function kept(): Promise<Kept> {
  const { kept } = await browser.storage.local.get('kept');
  return { sites: [], last: [], atOnce: true, ...(kept as Partial<Kept> | undefined) };
}

let writing: Promise<unknown> = Promise.resolve();

/** Changes the stored values. Changes run one after another: two tabs may store a list at the same time. */
export function keep(change: (kept: Kept) => Partial<Kept>): Promise<void> {
  const done = writing.then(async () => {
    const before = await kept();
    await browser.storage.local.set({ kept: { ...before, ...change(before) } });
  });
  writing = done.catch(() => undefined);
  return done;
}

/** A gift as it is sent: the reading, perhaps corrected by the person. */
export interface Gift extends Omit<Reading, 'price' | 'seen' | 'door' | 'gifts'> {
  price: string;
  /** The part of the tab that shows it, as a data URL. */
  thumbnail: string;
  /** The page's own name for it, if the person has typed another one. */
  called?: string;
}

/** A gift of a wish list. It keeps its key, so that a second try adds it once. */
export interface Wish extends Gift {
  key?: string;
}

/** A site that the person may choose. */
export interface Choice {
  door: string;
  name: string;
  /** The site's answer; null if it can't be reached. */
  answer: Answer | null;
  /** Whether the browser lets the extension ask it. */
  isAllowed: boolean;
}

export interface Place {
  door: string;
  site: string;
  account: Account;
  list: List;
}

/** A gift that could not be added. If it is sent again unchanged, it has the same key. */
export interface Tried {
  door: string;
  list: number;
  key: string;
  sent: string;
}

/** The gifts of a wish list that are on the person's list. */
export type AddedAll = { is: 'added-all'; place: Place; added: Wish[] };

/** The state of a tab. The popup shows it, but may also be closed. */
export type State =
  /** `before` is the state before this press, in case the browser ends the extension. */
  | { is: 'reading'; before: State | null }
  /** The browser doesn't let extensions read this page. */
  | { is: 'unreadable' }
  /** No site has been added yet, or this page belongs to a site with lists, whose door it names. */
  | { is: 'without-gift'; door: string; isKnown: boolean }
  | { is: 'asking'; gift: Gift; choices: Choice[]; last: Last[]; problem: string; tried: Tried | null }
  | { is: 'adding'; gift: Gift; place: Place; key: string }
  | { is: 'added'; gift: Gift; place: Place; stored: Stored; isAgain: boolean; problem: string }
  | { is: 'taken-off'; gift: Gift; place: Place }
  /** A wish list is open: the person says which of its gifts to add, and where. */
  | {
      is: 'choosing';
      gifts: Wish[];
      before: AddedAll | null;
      choices: Choice[];
      last: Last[];
      problem: string;
    }
  /** `gifts` are those that are still to be added, `refused` those that the site didn't take. */
  | { is: 'adding-all'; gifts: Wish[]; refused: Wish[]; problem: string; place: Place; added: Wish[] }
  | AddedAll;

const nameOf = (tab: number) => `tab-${tab}`;

export async function stateOf(tab: number): Promise<State | null> {
  return ((await browser.storage.session.get(nameOf(tab)))[nameOf(tab)] as State | undefined) ?? null;
}

export const setState = (tab: number, state: State) => browser.storage.session.set({ [nameOf(tab)]: state });

/** What someone has typed about a gift. The popup closes as soon as they press anywhere else, such as to copy the price. */
export interface Typed {
  address: string;
  called: string;
  variant: string;
  name: string;
  price: string;
}

const typedOf = (tab: number) => `typed-${tab}`;

export async function typedIn(tab: number): Promise<Typed | null> {
  return ((await browser.storage.session.get(typedOf(tab)))[typedOf(tab)] as Typed | undefined) ?? null;
}

export const keepTyped = (tab: number, typed: Typed) =>
  browser.storage.session.set({ [typedOf(tab)]: typed });

export const forget = (tab: number) =>
  Promise.all([nameOf(tab), typedOf(tab)].map((name) => browser.storage.session.remove(name)));

/** Calls `show` with each new state of a tab. */
export function follow(tab: number, show: (state: State) => void): void {
  browser.storage.session.onChanged.addListener((changes) => {
    const state = changes[nameOf(tab)]?.newValue;
    if (state) show(state as State);
  });
}
