// The extension's own memory: the sites and the last list, kept in this browser; and the tabs, until it is closed.
import { browser } from './browser.ts';
import type { Account, Answer, List, Stored } from './door.ts';
import type { Reading } from './reader.ts';

export interface Site {
  /** The address of the site's page that adds a gift. */
  door: string;
  name: string;
}

/** The list that was chosen last: of which account, on which site. */
export interface Last {
  door: string;
  account: number;
  list: number;
}

export interface Kept {
  sites: Site[];
  /** The last list on each site, the newest first. */
  last: Last[];
  /** Whether a press adds at once to the last list. */
  atOnce: boolean;
}

export async function kept(): Promise<Kept> {
  const { kept } = await browser.storage.local.get('kept');
  return { sites: [], last: [], atOnce: true, ...(kept as Partial<Kept> | undefined) };
}

let writing: Promise<unknown> = Promise.resolve();

/** Changes run one after another: two tabs may remember a list at the same time. */
export function keep(change: (kept: Kept) => Partial<Kept>): Promise<void> {
  const done = writing.then(async () => {
    const before = await kept();
    await browser.storage.local.set({ kept: { ...before, ...change(before) } });
  });
  writing = done.catch(() => undefined);
  return done;
}

/** A gift as it is sent: the reading, with words that the person may have corrected. */
export interface Gift extends Omit<Reading, 'price' | 'seen' | 'door'> {
  price: string;
  /** The part of the tab that shows it, as a data address. */
  thumbnail: string;
}

/** A site as the person may choose it. */
export interface Choice {
  door: string;
  name: string;
  /** Null while it can't be reached. */
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

/** A gift whose adding failed: sent once more as it was, it has the same key. */
export interface Tried {
  door: string;
  list: number;
  key: string;
  sent: string;
}

/** The tab's part of the work. The popup shows it, and may be closed in the meantime. */
export type State =
  /** With the state before this press, should the browser end the extension in the meantime. */
  | { is: 'reading'; before: State | null }
  /** The browser lets no extension read this page. */
  | { is: 'unreadable' }
  /** No site has been added yet, or this page is one of a site with lists, whose door it names. */
  | { is: 'without-gift'; door: string; isKnown: boolean }
  | { is: 'asking'; gift: Gift; choices: Choice[]; last: Last[]; problem: string; tried: Tried | null }
  | { is: 'adding'; gift: Gift; place: Place; key: string }
  | { is: 'added'; gift: Gift; place: Place; stored: Stored; isAgain: boolean; problem: string }
  | { is: 'taken-off'; gift: Gift; place: Place };

const nameOf = (tab: number) => `tab-${tab}`;

export async function stateOf(tab: number): Promise<State | null> {
  return ((await browser.storage.session.get(nameOf(tab)))[nameOf(tab)] as State | undefined) ?? null;
}

export const setState = (tab: number, state: State) => browser.storage.session.set({ [nameOf(tab)]: state });

export const forget = (tab: number) => browser.storage.session.remove(nameOf(tab));

/** Tells each new state of a tab. */
export function follow(tab: number, show: (state: State) => void): void {
  browser.storage.session.onChanged.addListener((changes) => {
    const state = changes[nameOf(tab)]?.newValue;
    if (state) show(state as State);
  });
}
