// The door of a site with lists: its answers, and the forms that it takes. The person is logged in by their own cookie.
export interface List {
  id: number;
  name: string;
  address: string;
}

export interface Account {
  id: number;
  name: string;
  lists: List[];
  nonce: string;
  /** Makes a form that is sent twice add only one gift. */
  key: string;
  /** The address that answered: a former one redirects. */
  door?: string;
}

/** The site's answer; without an account, nobody is logged in. */
export interface Answer {
  site: string;
  sign_in: string;
  new: string;
  account: Account | null;
}

/** A gift that is on a list. */
export interface Stored {
  id: number;
  name: string;
  address: string;
  /** A sentence that the person should read; usually empty. */
  note: string;
}

/** Thrown if the site can't be reached, or doesn't answer as a site with lists does. */
export class Away extends Error {}

/** Thrown if the site refuses; the message is the site's own. */
export class Refused extends Error {}

/** Thrown if nobody is logged in on the site, or someone else is by now. */
export class SignedOut extends Error {}

// Browsers end a background script that waits longer than for a form. All sites' lists wait for the slowest.
const SECONDS = { form: 25, lists: 10 };

async function ask(
  door: string,
  form?: Record<string, string>,
): Promise<{ status: number; json: unknown; at: string }> {
  const address = new URL(door);
  address.searchParams.set('extension', '1');
  try {
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      body: form ? new URLSearchParams(form) : null,
      credentials: 'include',
      cache: 'no-store',
      // Former addresses redirect. A form is never sent on.
      redirect: form ? 'error' : 'follow',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout((form ? SECONDS.form : SECONDS.lists) * 1000),
    });
    return { status: response.status, json: await response.json(), at: response.url };
  } catch {
    throw new Away();
  }
}

const isAnswer = (json: unknown): json is Answer =>
  typeof json === 'object' && json !== null && 'account' in json && 'sign_in' in json;

/** Returns the account and its lists. */
export async function listsOf(door: string): Promise<Answer> {
  const { json, at } = await ask(door);
  if (!isAnswer(json)) throw new Away();
  if (json.account) json.account.door = at;
  return json;
}

/** Sends a form with a nonce; with a new nonce if the old one has expired, as long as the same account is logged in. */
async function change(door: string, account: Account, form: Record<string, string>): Promise<Stored> {
  let { nonce } = account;
  for (let tries = 0; ; tries++) {
    const { status, json } = await ask(account.door ?? door, { ...form, nonce });
    if (status === 200 || status === 201) return json as Stored;
    if (status === 403 && isAnswer(json)) {
      if (json.account?.id !== account.id || tries > 0) throw new SignedOut();
      nonce = json.account.nonce;
      continue;
    }
    const problem = (json as { problem?: unknown } | null)?.problem;
    if (status >= 500 || typeof problem !== 'string') throw new Away();
    throw new Refused(problem);
  }
}

export const addTo = (door: string, account: Account, list: number, fields: Record<string, string>) =>
  change(door, account, { ...fields, list: String(list) });

export const takeOff = (door: string, account: Account, list: number, item: number) =>
  change(door, account, { do: 'remove', list: String(list), item: String(item) });
