import { hash } from 'node:crypto';
import type { Database } from './database.ts';
import { seenAfter } from './events.ts';
import { siteRows } from './site-rows.ts';

/** A user by the two names under which a list of owners may have them. */
export type Named = { username: string; email: string };

// The service needs to recognise a name, not to know it.
const markOf = (name: string): string => hash('sha256', name.toLowerCase(), 'base64url');

/** The two marks under which a user may be listed: an entry with an “@” is an address. A missing name matches nothing. */
export const marksOf = ({ username, email }: Named): [string, string] => [
  username.includes('@') ? '' : markOf(username),
  email === '' ? '' : markOf(email),
];

/** Co-owners by the host's last answer. The host decides; these rows protect a surprise while it can't be asked. */
export type CoOwners = ReturnType<typeof coOwnerStore>;

export function coOwnerStore(db: Database, siteId: number) {
  const rows = siteRows(db, siteId);
  return {
    /** Stores what the host said of a registry at this time, unless something newer was stored. */
    async set(registryId: number, names: readonly string[], time: number): Promise<void> {
      if (await rows.has('registry_states', `registry_id = $2 and ${seenAfter('$3')}`, registryId, time))
        return;
      const known = 'select mark from co_owners where site_id = $1 and registry_id = $2';
      const removed = new Set(await rows.column<string>(known, registryId));
      const added = names.map(markOf).filter((mark) => !removed.delete(mark));
      if (added.length + removed.size === 0) return;
      await rows.change(
        `update registry_states set seen_at = $3 where site_id = $1 and registry_id = $2 and not ${seenAfter('$3')}`,
        ...[registryId, time],
      );
      // One by one, so that a row that another process has already changed doesn't stop the others.
      const insert =
        'insert into co_owners (site_id, mark, registry_id) values ($1, $2, $3) on conflict do nothing';
      const remove = 'delete from co_owners where site_id = $1 and mark = $2 and registry_id = $3';
      for (const mark of added) await rows.change(insert, mark, registryId);
      for (const mark of removed) await rows.change(remove, mark, registryId);
    },

    registriesOf: (user: Named): Promise<number[]> =>
      rows.column(
        'select distinct registry_id from co_owners where site_id = $1 and mark in ($2, $3) order by registry_id',
        ...marksOf(user),
      ),

    isOne: (user: Named, registryId: number): Promise<boolean> =>
      rows.has('co_owners', 'mark in ($2, $3) and registry_id = $4', ...[...marksOf(user), registryId]),
  };
}
