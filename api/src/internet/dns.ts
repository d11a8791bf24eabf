import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

const HOSTS = '/etc/hosts';

/** Returns the addresses of a name. Fails if it has none. */
export type ResolveHost = (name: string) => Promise<string[]>;

/**
 * Resolves like the system: the hosts file before DNS. The system's own function would let a slow foreign name server block the
 * few threads that also read files and resolve the registry host.
 */
export function dnsResolver(servers?: string[], timeout = 1_500): ResolveHost {
  return async (name) => {
    // A new resolver each time, since the name servers may have changed.
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers) resolver.setServers(servers);
    // DNS is asked even about names in the hosts file: otherwise the response time would reveal that such a name exists.
    const [own, four, six] = await Promise.allSettled([
      ownAddresses(name),
      resolver.resolve4(name),
      resolver.resolve6(name),
    ]);
    if (own.status === 'fulfilled' && own.value.length > 0) return own.value;
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0)
      throw four.status === 'rejected' ? four.reason : new Error(`${name} has no address`);
    return found;
  };
}

async function ownAddresses(name: string): Promise<string[]> {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(wanted)) return ['127.0.0.1'];
  const lines = (await readFile(HOSTS, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return address && names.some((known) => known.toLowerCase() === wanted) ? [address] : [];
  });
}
