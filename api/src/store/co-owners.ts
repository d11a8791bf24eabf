import { hash } from 'node:crypto';
import type { Database } from './database.ts';

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
  return {
    /** Stores what the host said of a registry at this time, unless something newer was stored. */
    async set(registryId: number, names: readonly string[], time: number): Promise<void> {
      const [state] = await db.read(
        'select seen_at from registry_states where site_id = $1 and registry_id = $2',
        [siteId, registryId],
      );
      if (state && Number(state[0]) > time) return;
      const wanted = names.map(markOf);
      const known = await db.read('select mark from co_owners where site_id = $1 and registry_id = $2', [
        siteId,
        registryId,
      ]);
      const had = new Set(known.map(([mark]) => mark as string));
      const added = wanted.filter((mark) => !had.delete(mark));
      if (added.length + had.size === 0) return;
      await db.write([
        'update registry_states set seen_at = $3 where site_id = $1 and registry_id = $2 and seen_at < $3',
        [siteId, registryId, time],
      ]);
      // One by one, so that a row that another process has already changed doesn't stop the others.
      for (const mark of added)
        await db.write([
          'insert into co_owners (site_id, mark, registry_id) values ($1, $2, $3) on conflict do nothing',
          [siteId, mark, registryId],
        ]);
      for (const mark of had)
        await db.write([
          'delete from co_owners where site_id = $1 and mark = $2 and registry_id = $3',
          [siteId, mark, registryId],
        ]);
    },

    async registriesOf(user: Named): Promise<number[]> {
      const rows = await db.read(
        'select registry_id from co_owners where site_id = $1 and mark in ($2, $3) order by registry_id',
        [siteId, ...marksOf(user)],
      );
      return [...new Set(rows.map(([id]) => id as number))];
    },

    async isOne(user: Named, registryId: number): Promise<boolean> {
      const rows = await db.read(
        'select 1 from co_owners where site_id = $1 and mark in ($2, $3) and registry_id = $4',
        [siteId, ...marksOf(user), registryId],
      );
      return rows.length > 0;
    },
  };
}
