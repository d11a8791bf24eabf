import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { access as registryAccess } from './domain/access.ts';
import { items as itemRules } from './domain/items.ts';
import { order as itemOrder } from './domain/order.ts';
import { registries as registryRules } from './domain/registries.ts';
import { turns as registryTurns } from './domain/turns.ts';
import { registries as hostRegistries } from './host/registries.ts';
import { users as hostUsers } from './host/users.ts';
import type { WordPress } from './host/wordpress.ts';
import type { Job } from './jobs.ts';
import type { Database } from './store/database.ts';
import { deletions as storedDeletions } from './store/deletions.ts';
import { idempotencyKeys } from './store/idempotency.ts';
import { items as storedItems } from './store/items.ts';
import { leases as storedLeases } from './store/leases.ts';

/** Time: `wall` for what is written down, `steady` for what is measured. Both in milliseconds. */
export type Clock = { wall(): number; steady(): number };

type Parts = { config: Config; database: Database; host: WordPress; log: Logger; clock: Clock };

// How many are looked at in one step, so that no step holds up the others.
const BATCH = 500;

/** Store, host and domain, built once: what HTTP, jobs and commands all use. */
export type Core = ReturnType<typeof buildCore>;

export function buildCore({ config, database, host, log, clock }: Parts) {
  const now = () => new Date(clock.wall()).toISOString();
  const store = storedItems(database);
  const leases = storedLeases(database);
  const deletions = storedDeletions(database);
  const idempotency = idempotencyKeys(database, clock.wall);
  const users = hostUsers(host, {
    adminRoles: config.adminRoles,
    ttlSeconds: config.authCacheTtl,
    clock: clock.steady,
  });
  const hosted = hostRegistries(host, {
    postType: config.registryPostType,
    metaPrefix: config.registryMetaPrefix,
  });
  const access = registryAccess(hosted, {
    ttlSeconds: config.registryCacheTtl,
    clock: clock.steady,
    // However the registry went: in the site's own screens, too, or while the service was away.
    foundGone: async (id) => {
      try {
        const items = await store.activeIds([id]);
        if (items.get(id)!.length > 0) await deletions.finish(id, now());
      } catch (error) {
        log.warn({ err: error, registry: id }, 'the items of a deleted registry are left for the next visit');
      }
    },
  });
  const turns = registryTurns({ leases, log, ended: access.changed });
  const order = itemOrder({ host: hosted, items: store, turns, access, log });
  const registries = registryRules({ host: hosted, items: store, deletions, access, turns, order, now });
  const items = itemRules({ store, access, order, itemAccess: config.itemAccess, now });

  const jobs: Job[] = [
    {
      name: 'forget old idempotency keys',
      everyMs: 60_000,
      run: async () => {
        while ((await idempotency.forgetOld(BATCH)) === BATCH);
      },
    },
    {
      name: 'finish deletions',
      everyMs: 20_000,
      run: async () => {
        for (const id of await deletions.unfinished(BATCH)) await registries.finishDeletion(id);
      },
    },
  ];

  return {
    store,
    leases,
    idempotency,
    users,
    registries,
    items,
    jobs,
    counted: {
      host: host.counted,
      users: users.counted,
      registries: access.counted,
      store: database.counted,
    },
    /** All that was begun behind answers is done. */
    settled: turns.settled,
  };
}
