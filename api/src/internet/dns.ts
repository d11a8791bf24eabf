import { Resolver } from 'node:dns/promises';

/** Returns the addresses of a name. Fails if it has none. */
export type ResolveHost = (name: string) => Promise<string[]>;

/** Resolves by DNS alone: the system's resolver also knows this machine's names, and slow servers block its few threads. */
export function dnsResolver(servers?: string[], timeout = 1_500): ResolveHost {
  return async (name) => {
    // A new resolver each time, since the name servers may have changed.
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0)
      throw four.status === 'rejected' ? four.reason : new Error(`${name} has no address`);
    return found;
  };
}
