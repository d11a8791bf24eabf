import { randomBytes } from 'node:crypto';
import { Problem } from '../contract/problem.ts';
import { bindings } from './bindings.ts';
import type { Database, Row, Run, Statement, Value } from './database.ts';
import { SITE_TABLES } from './moved-tables.ts';
import { WHEN_DECIDED } from './webhooks.ts';

/** The site number of all rows in a store of one site. */
export const ONLY_SITE = 1;

/** The site number of rows that belong to the service itself, in a store of many sites. */
export const SERVICE = 0;

export type SiteSettings = { url: string; adminRoles: string[]; itemAccess: 'authenticated' | 'registry' };

export type StoredSite = SiteSettings & {
  id: number;
  /** Its name in addresses: 22 characters, no secret. */
  key: string;
  /** A removed site keeps its number and key, and for a while rows that are still to be deleted. */
  state: 'active' | 'suspended' | 'removed';
  createdAt: string;
  /** How many active items a site that has joined may have. */
  mostItems: number | undefined;
};

export type NewSite = SiteSettings & { key: string; state: 'active' | 'suspended'; createdAt: string };

/** Returns an address without its scheme: http and https are the same site. */
export const siteName = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/+$/, '');

/** Why a command changed nothing, in one line for the operator. */
export class Refusal extends Error {}

/** The address belongs to another site, or was given twice. */
export class AddressTaken extends Refusal {
  constructor(url: string, key: string | undefined) {
    super(key ? `${url} is the address of site ${key} already` : `${url} is given twice`);
  }
}

const COLUMNS = `site_id, key, url, admin_roles, item_access, state, created_at,
  (select most from item_limits where item_limits.site_id = sites.site_id)`;
const RETRIES = 20;

function fromRow([id, key, url, adminRoles, itemAccess, state, createdAt, most]: Row): StoredSite {
  const roles = (adminRoles as string).split(',').filter(Boolean);
  const mostItems = most ?? undefined;
  return { id, key, url, adminRoles: roles, itemAccess, state, createdAt, mostItems } as StoredSite;
}

/** Returns 22 random characters. They don't begin with a dash, which commands would take for an option. */
export const newKey = (): string => randomBytes(16).toString('base64url').replace(/^-/, '_');

export type SiteStore = ReturnType<typeof siteStore>;

export function siteStore(db: Database) {
  const change = async (sql: string, ...values: Value[]): Promise<number> =>
    (await db.write([sql, values])).count;

  async function one(condition: string, value: Value): Promise<StoredSite | undefined> {
    const [row] = await db.read(`select ${COLUMNS} from sites where ${condition} = $1`, [value]);
    return row && fromRow(row);
  }

  async function refuseTaken(urls: readonly string[]): Promise<void> {
    const names = new Set<string>();
    for (const url of urls) {
      const name = siteName(url);
      const taken = await one('name', name);
      if (taken || names.has(name)) throw new AddressTaken(url, taken?.key);
      names.add(name);
    }
  }

  /** Returns the name of the one site that the store was made for, until that is added as one of many. */
  async function onlySite(): Promise<string | undefined> {
    return (await one('site_id', ONLY_SITE)) ? undefined : bindings(db, ONLY_SITE).host();
  }

  /** Returns the next unused number. Removed sites keep theirs. */
  async function nextNumber(): Promise<number> {
    const [[last] = []] = await db.read('select coalesce(max(site_id), 0) from sites');
    return Math.max(Number(last), ONLY_SITE) + 1;
  }

  /** Refuses a site from elsewhere with this key and address. */
  async function refuseHere(key: string, url: string): Promise<void> {
    const here = await one('key', key);
    if (here && isBeingRemoved(here))
      throw new Refusal(
        `site ${key} is still being removed: finish that first, with npm run sites -- remove ${key} --yes`,
      );
    if (here && here.state !== 'removed') throw new Refusal(`there is already a site ${key}`);
    await refuseTaken([url]);
    if ((await onlySite()) === siteName(url))
      throw new Refusal(`${url} is the site that this store was made for, and its rows are still here`);
  }

  async function insert(
    sites: readonly SiteSettings[],
    createdAt: string,
    before: readonly Statement[] = [],
    after: (added: StoredSite) => Statement[] = () => [],
  ): Promise<StoredSite[]> {
    let next = await nextNumber();
    const only = await onlySite();
    const added = sites.map((site): StoredSite => {
      // The rows that a service of one site has stored stay that site's.
      const id = siteName(site.url) === only ? ONLY_SITE : next++;
      return { ...site, id, key: newKey(), state: 'active', createdAt, mostItems: undefined };
    });
    const statements = added.map(
      ({ id, key, url, adminRoles, itemAccess, state }): Statement => [
        `insert into sites (site_id, key, url, name, admin_roles, item_access, state, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, key, url, siteName(url), adminRoles.join(), itemAccess, state, createdAt],
      ],
    );
    const [first, ...others] = [...before, ...statements, ...added.flatMap(after)];
    if (!first) return [];
    return (await db.write(first, ...others)).count > 0 ? added : [];
  }

  return {
    byKey: (key: string) => one('key', key),
    byId: (id: number) => one('site_id', id),
    byName: (name: string) => one('name', name),
    onlySite,

    /** Some of the sites that are not removed, in the order in which they were added. */
    async some(after: number, limit: number): Promise<StoredSite[]> {
      const rows = await db.read(
        `select ${COLUMNS} from sites where site_id > $1 and state <> 'removed' order by site_id limit $2`,
        [after, limit],
      );
      return rows.map(fromRow);
    },

    /** Adds all of these sites, or none if the first statement of the unit changes nothing; may throw `AddressTaken`. */
    async add(...asked: Parameters<typeof insert>): Promise<StoredSite[]> {
      for (let retry = 0; ; retry++) {
        await refuseTaken(asked[0].map(({ url }) => url));
        try {
          return await insert(...asked);
        } catch (error) {
          // Someone else has added a site in the meantime, under the same number or at the same address.
          if (error instanceof Problem || retry === RETRIES) throw error;
        }
      }
    },

    /** Takes a number and the key for a site whose rows are still to come; until `present` it is like a removed one. */
    async reserve(site: NewSite): Promise<StoredSite> {
      for (let retry = 0; ; retry++) {
        await refuseHere(site.key, site.url);
        const id = await nextNumber();
        try {
          const count = await change(
            `insert into sites (site_id, key, url, admin_roles, item_access, state, created_at)
             values ($1, $2, '', $3, $4, 'removed', $5)
             on conflict (key) do update set site_id = excluded.site_id
               where sites.state = 'removed' and sites.url = ''`,
            ...[id, site.key, site.adminRoles.join(), site.itemAccess, site.createdAt],
          );
          if (count > 0) return { ...site, id, mostItems: undefined };
        } catch (error) {
          if (error instanceof Problem || retry === RETRIES) throw error;
        }
      }
    },

    /** Gives up a reserved site: its key is free, or again that of the removed site that had it before. */
    async giveBack({ id }: StoredSite, before: StoredSite | undefined): Promise<void> {
      const reserved = "where site_id = $1 and state = 'removed' and url = ''";
      if (before) await change(`update sites set site_id = $2 ${reserved}`, id, before.id);
      else await change(`delete from sites ${reserved}`, id);
    },

    /** The last statement of the transaction that stores the rows of a reserved site; fails where someone has imported it in the meantime. */
    async present(run: Run, { id, key, url, adminRoles, itemAccess, state }: StoredSite): Promise<void> {
      await refuseTaken([url]);
      const rows = await run(
        `update sites set url = $2, name = $3, admin_roles = $4, item_access = $5, state = $6
         where site_id = $1 and state = 'removed' and url = '' returning site_id`,
        [id, url, siteName(url), adminRoles.join(), itemAccess, state],
      );
      if (rows.length === 0) throw new Refusal(`site ${key} is being imported by someone else`);
    },

    /** Frees a site's address for another. The site stays, suspended, with all its rows and without an address. */
    release: ({ id }: StoredSite) =>
      change(
        "update sites set url = '', name = null, secret = null, state = 'suspended' where site_id = $1 and state <> 'removed'",
        id,
      ),

    /** Changes a site that is not removed; fails with `AddressTaken`. */
    async set({ id, url: before }: StoredSite, { url, adminRoles, itemAccess }: SiteSettings): Promise<void> {
      const taken = await one('name', siteName(url));
      if (taken && taken.id !== id) throw new AddressTaken(url, taken.key);
      await change(
        `update sites set url = $2, name = $3, admin_roles = $4, item_access = $5
         where site_id = $1 and state <> 'removed'`,
        ...[id, url, siteName(url) || null, adminRoles.join(), itemAccess],
      );
      if (id === ONLY_SITE) await bindings(db, id).moveHost(siteName(before), siteName(url));
    },

    /** Changes how many active items a site that has joined may have; false if it has more than that already. */
    setMostItems: async ({ id }: StoredSite, most: number): Promise<boolean> =>
      (await change('update item_limits set most = $2 where site_id = $1 and active <= $2', id, most)) > 0,

    setState: ({ id }: StoredSite, state: 'active' | 'suspended') =>
      change("update sites set state = $2 where site_id = $1 and state <> 'removed'", id, state),

    /** From now on nobody is served, and another site may have the address. The rows are still there. */
    beginRemoval: ({ id }: StoredSite) =>
      change("update sites set state = 'removed', name = null where site_id = $1", id),

    /** Deletes up to `limit` rows, or somewhat more; tells how many there were. */
    async deleteSome({ id }: StoredSite, limit: number): Promise<number> {
      for (const [table, column] of Object.entries(SITE_TABLES)) {
        const count = await change(
          `delete from ${table} where site_id = $1 and ${column} in (
             select ${column} from ${table} where site_id = $1 order by ${column} limit $2)`,
          ...[id, limit],
        );
        if (count > 0) return count;
      }
      return 0;
    },

    /** Its rows are gone. Its row in `sites` stays, so that no other site is ever given its number or its key. */
    endRemoval: ({ id }: StoredSite) =>
      change("update sites set url = '' where site_id = $1 and state = 'removed'", id),
  };
}

/** One step of a round over sites by number: those found, and the last one that was looked at, if there may be more. */
export type SitesInTurn = { sites: number[]; last: number | undefined };

export type NextSites = (after: number, limit: number, now?: number) => Promise<SitesInTurn>;

/** Finds sites that have rows of a kind (with `dueAt`, due ones), each from the one before: other sites cost nothing. */
function inTurn(
  db: Database,
  table: string,
  isOfKind = '1 = 1',
  dueAt?: string,
  isWanted = '1 = 1',
): NextSites {
  const next = (after: string) =>
    `select min(site_id) from ${table} where site_id > ${after} and ${isOfKind}`;
  const due = dueAt
    ? `exists (select 1 from ${table} where site_id = visited.site_id and ${isOfKind} and ${dueAt} <= $3)`
    : isWanted;
  const sql = `with recursive visited (site_id) as (
      ${next('$1')} union all select (${next('visited.site_id')}) from visited where site_id is not null)
    select site_id, case when ${due} then 1 else 0 end from visited where site_id is not null limit $2`;

  return async (after, limit, now) => {
    const rows = await db.read(sql, dueAt ? [after, limit, now!] : [after, limit]);
    return {
      sites: rows.filter(([, isFound]) => isFound === 1).map(([id]) => id as number),
      last: rows.length < limit ? undefined : (rows.at(-1)![0] as number),
    };
  };
}

// Events that no webhook was given yet, and those that wait for a look at the host.
const HAS_NEW_EVENTS = `(exists (select 1 from events where site_id = visited.site_id and place is null)
  or exists (select 1 from deliveries where site_id = visited.site_id and due_at = ${WHEN_DECIDED}))`;

export const sitesWithWork = (db: Database) => ({
  claimsThatEnd: inTurn(db, 'claims', "state in ('pending', 'reserved')", 'expires_at'),
  oldKeys: inTurn(db, 'idempotency_keys', '1 = 1', 'created_at'),
  deletions: inTurn(db, 'deletions'),
  notices: inTurn(db, 'notices', '1 = 1', 'due_at'),
  claims: inTurn(db, 'claims'),
  events: inTurn(db, 'events'),
  deliveries: inTurn(db, 'deliveries', 'due_at is not null', 'due_at'),
  webhooks: inTurn(db, 'webhooks', '1 = 1', undefined, HAS_NEW_EVENTS),
  awaitedLooks: inTurn(db, 'deliveries', `due_at = ${WHEN_DECIDED}`),
  makersWebhooks: inTurn(db, 'webhooks', 'disabled_at is null'),
});

/** Whether a removed site may still have rows. */
export const isBeingRemoved = ({ state, url }: StoredSite): boolean => state === 'removed' && url !== '';
