import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Host = AsyncDisposable & { url: string };

/** A user who is invited to every registry. */
export const GUEST = 2;

/** An administrator, who owns no registry. */
export const ADMIN = 3;

/** The header of the bench's n-th user; the first owns every registry. */
export const authorizationOf = (user: number) => `Basic ${btoa(`user${user}:open sesame ${user}`)}`;

/**
 * The routes of WordPress that the candidates call: it knows every user and every registry, with the items in
 * the given order.
 */
export async function startHost(
  itemsOf: (registry: number) => number[],
  guests: readonly number[] = [GUEST],
): Promise<Host> {
  const invitees = JSON.stringify(guests.map((user) => `user${user}`));
  const account = (id: number) => ({
    id,
    username: `user${id}`,
    email: `user${id}@example.test`,
    roles: [id === ADMIN ? 'administrator' : 'subscriber'],
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://host');
    const credentials = Buffer.from(request.headers.authorization?.slice('Basic '.length) ?? '', 'base64');
    const user = Number(/^user(\d+):/.exec(credentials.toString())?.[1]);
    const registry = Number(/^\/wp-json\/wp\/v2\/registry\/(\d+)$/.exec(pathname)?.[1]);
    const routes: Record<string, unknown> = {
      '/wp-json/': { namespaces: ['wp/v2'] },
      ...(user && { '/wp-json/wp/v2/users/me': account(user) }),
      ...(user === ADMIN && { '/wp-json/wp/v2/registry': [] }),
    };
    const answer = registry && user ? post(registry, itemsOf(registry), invitees) : routes[pathname];
    response.writeHead(answer ? 200 : 404, {
      'content-type': 'application/json; charset=UTF-8',
      'x-wp-totalpages': '1',
      'x-trousseau-co-owned': '1',
    });
    response.end(JSON.stringify(answer ?? { code: 'rest_no_route', message: 'No route was found' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const post = (id: number, itemIds: number[], invitees: string) => ({
  id,
  author: 1,
  status: 'private',
  slug: `registry-${id}`,
  link: `http://host/registry/registry-${id}/`,
  date_gmt: '2026-01-01T00:00:00',
  modified_gmt: '2026-01-01T00:00:00',
  title: { raw: `Registry ${id}` },
  content: { raw: '' },
  meta: {
    registry_item_ids: JSON.stringify(itemIds),
    registry_invitees: invitees,
    registry_event_type: 'wedding',
    registry_event_date: '2027-06-12',
    registry_currency: 'EUR',
  },
});
