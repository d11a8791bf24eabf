import { NOT_SIGNED_IN, ToolError } from './errors.ts';
import type { Tool } from './tools.ts';

/** The WordPress that knows who is invited where, with someone's application password there. */
export interface Site {
  url: string;
  username: string;
  password: string;
}

/** The one tool that asks the site: the item service looks up a list's guests, never a guest's lists. */
export const invitedLists = (site: Site): Tool => ({
  title: "Lists I'm invited to",
  description: "Lists other people's gift lists that you are invited to. Changes nothing.",
  effect: 'reads',
  input: {},
  run: () => askSite(site),
});

async function askSite({ url, username, password }: Site): Promise<object> {
  const address = new URL(url);
  // This form of the address works whatever permalinks the site has.
  address.searchParams.set('rest_route', '/wp-abilities/v1/abilities/trousseau/list-invited-lists/run');
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(address, {
    headers: { authorization },
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null);
  if (answer === null) throw new ToolError(`${address.host} does not answer.`);
  // Credentials don't follow a redirect to another origin.
  const { origin } = new URL(answer.url);
  if (origin !== address.origin)
    throw new ToolError(`The site is at ${origin}${address.pathname}: set TROUSSEAU_SITE_URL to that.`);
  if (answer.status === 401 || answer.status === 403) throw new ToolError(NOT_SIGNED_IN);
  if (answer.status === 429 || answer.status >= 500)
    throw new ToolError(`${address.host} cannot answer now (${answer.status}). Try again in a minute.`);
  const lists = answer.ok && (await answer.json().catch(() => null))?.lists;
  if (!Array.isArray(lists))
    throw new ToolError('The site cannot tell: that takes WordPress 6.9 or later, with the plugin.');
  return { lists };
}
