// Runs the suite on a WordPress with the plugin, joined to a service that requires a key, as a gateway would send it.
import { after, before, describe } from 'node:test';
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { freshSqlite } from '../../api/test/support.ts';
import { mostTelling } from '../../dev/night.ts';
import { setOptions } from '../../dev/wordpress/set-up.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';
import { passes } from './deployments.ts';

const API_KEY = 'gateway-key';
/** Sections and cases that depend on the site's answers, those first that read its values back, and then what the service makes of them. */
const ABOUT_THE_SITE = mostTelling(7, [
  ...['registries.md', 'errors-and-limits.md#signing-in', 'owners-and-group-gifts.md#several-owners'],
  ...['is-set', 'pay-to-is-read', 'surprise-lasts', 'registry-that-is-gone-releases'],
  ...['claim-endpoints who-may', 'claims.md#the-surprise', 'owners-and-group-gifts.md'],
  ...['items.md#item-endpoints', 'items.md#items-of-a-registry', 'items.md#affiliate-links'],
  ...['errors-and-limits.md#health', 'errors-and-limits.md#status-codes', 'events.md'],
]);

const noPostgres = await withoutPostgres();

describe('a real WordPress', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  before(async () => {
    site = await startWordPress();
  });
  after(() => site?.stop());

  const deployments = [
    // Sections about registries, people and rights, which WordPress stores. The embedded host is tested with every section on SQLite.
    ['SQLite', freshSqlite, false, ABOUT_THE_SITE],
    // Changes that involve both the site and the store.
    ['PostgreSQL', freshPostgres, noPostgres, ['items.md#items-of-a-registry', 'registries.md#order']],
  ] as const;
  for (const [name, store, skip, only] of mostTelling(1, deployments))
    passes(`a real WordPress with ${name}`, skip, () => {
      const account = ({ username: name, password }: WordPress['users']['admin']) => ({ name, password });
      const { admin, alice, bob, carol } = site.users;
      return {
        store,
        only: [...only],
        // As many as the site has PHP workers: the service waits only five seconds for an answer.
        parallel: 4,
        env: { HOST_URL: site.url, ITEM_ACCESS: 'registry', API_KEY },
        accounts: {
          ...{ administrator: account(admin), owner: account(alice), guest: account(bob) },
          ...{ stranger: account(carol), api_key: API_KEY },
        },
        join: (url) =>
          setOptions(site, {
            trousseau_base_url: url,
            trousseau_api_key: API_KEY,
            trousseau_username: admin.username,
            trousseau_app_password: admin.password,
          }),
      };
    });
});
