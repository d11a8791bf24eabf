import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export type User = { id: number; username: string; email: string; admin: boolean };
type Registry = { itemIds: number[] };

/** A failure with the HTTP status of its answer. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const users = new LRUCache<string, User>({ max: 10_000, ttl: 300_000 });
const registries = new LRUCache<string, Registry>({ max: 10_000, ttl: 3_600_000 });

/** Returns the user of a Basic header, from memory or from the registry host. */
export async function userBehind(authorization: string | undefined): Promise<User> {
  if (!authorization?.startsWith('Basic ')) throw new Refusal(401, 'Credentials are required');
  const key = hash('sha256', authorization);
  const known = users.get(key);
  if (known) return known;
  const { id, username, email, roles } = await ask('users/me', authorization);
  const user = { id, username, email, admin: roles.includes('administrator') };
  users.set(key, user);
  return user;
}

/** Returns a registry that the user may read, from memory or from the registry host. */
export async function registryFor(user: User, id: number, authorization: string): Promise<Registry> {
  const key = `${id} ${user.id}`;
  const known = registries.get(key);
  if (known) return known;
  const { author, meta } = await ask(`registry/${id}`, authorization);
  const invitees: string[] = JSON.parse(meta.registry_invitees);
  if (
    !user.admin &&
    author !== user.id &&
    !invitees.includes(user.username) &&
    !invitees.includes(user.email)
  )
    throw new Refusal(403, 'Only the owner, invitees and admins may see this registry');
  const registry = { itemIds: JSON.parse(meta.registry_item_ids) };
  registries.set(key, registry);
  return registry;
}

/** Returns the items in the registry's order; items missing from that order come last. */
export function inOrder<T extends { id: number }>(items: T[], { itemIds }: Registry): T[] {
  const left = new Map(items.map((item) => [item.id, item]));
  const ordered: T[] = [];
  for (const id of itemIds) {
    const item = left.get(id);
    if (item && left.delete(id)) ordered.push(item);
  }
  return [...ordered, ...left.values()];
}

// biome-ignore lint/suspicious/noExplicitAny: the host's JSON
async function ask(path: string, authorization: string): Promise<any> {
  const answer = await fetch(`${process.env.HOST_URL}/wp-json/wp/v2/${path}?context=edit`, {
    headers: { authorization },
  });
  if (!answer.ok) throw new Refusal(answer.status, 'Refused by the registry host');
  return answer.json();
}
