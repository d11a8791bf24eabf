import type { Database } from './database.ts';

/**
 * Numbers that were registries on the host at some time. Items may stand under any number, so one that the host doesn't know
 * may never have been a registry.
 */
export function seenRegistries(db: Database, postType: string) {
  return {
    async add(id: number): Promise<void> {
      await db.write([
        'insert into known_registries (registry_id, post_type) values ($1, $2) on conflict do nothing',
        [id, postType],
      ]);
    },

    async has(id: number): Promise<boolean> {
      const rows = await db.read('select 1 from known_registries where registry_id = $1 and post_type = $2', [
        id,
        postType,
      ]);
      return rows.length > 0;
    },
  };
}
