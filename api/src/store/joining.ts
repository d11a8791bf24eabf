import { createHash } from 'node:crypto';
import type { Database, Statement } from './database.ts';
import { AddressTaken, newKey, type SiteSettings, type StoredSite, siteName, siteStore } from './sites.ts';

// How long used tokens are remembered: longer than a site shows one.
const REMEMBERED_MS = 60 * 60_000;

// Makes the hash of a secret differ from that of an equal code.
const SECRET = 'secret';

const IS_STRONG = /^[\w-]{22,128}$/;

const hashOf = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('base64url');

/** `secret` is there only if the site was added, and is never told again. */
export type Joined = { site: StoredSite; secret?: string };

type JoinOptions = {
  needsCode: boolean;
  code?: string | undefined;
  secret?: string | undefined;
  mostItems: number;
};

export type JoiningStore = ReturnType<typeof joiningStore>;

export function joiningStore(db: Database, { now }: { now: () => number }) {
  const sites = siteStore(db);

  /** A guard: the unit adds the site only if a use of the code is left. */
  const useCode = (code: string): Statement => [
    'update join_codes set uses = uses - 1 where hash = $1 and uses > 0',
    [hashOf(code)],
  ];

  /** Begins to count a site's items. Those from before it joined are counted, but raise the limit by as many. */
  const beginCounting = ({ id }: StoredSite, most: number): Statement => [
    `insert into item_limits (site_id, active, most)
     select $1, coalesce(sum(active), 0), coalesce(sum(active), 0) + cast($2 as bigint)
     from registries where site_id = $1`,
    [id, most],
  ];

  const setSecret = (siteId: number, secret: string): Statement => [
    'update sites set secret = $2 where site_id = $1',
    [siteId, hashOf(SECRET, secret)],
  ];

  return {
    /** Creates a code for this many sites. Only its hash is stored. */
    async makeCode(uses: number): Promise<string> {
      const code = newKey();
      await db.write([
        'insert into join_codes (hash, uses, created_at) values ($1, $2, $3)',
        [hashOf(code), uses, new Date(now()).toISOString()],
      ]);
      return code;
    },

    /** Withdraws a code. Returns whether it existed. */
    async withdraw(code: string): Promise<boolean> {
      return (await db.write(['delete from join_codes where hash = $1', [hashOf(code)]])).count > 0;
    },

    /** Replaces a site's secret, with which it can join again. The former one becomes invalid. */
    async newSecret({ id }: StoredSite): Promise<string> {
      const secret = newKey();
      await db.write(setSecret(id, secret));
      return secret;
    },

    /** Adds a site that shows this token, or finds it by its secret; `refused`: token or code, `taken`: wrong secret. */
    async join(
      settings: SiteSettings,
      token: string,
      { needsCode, code = '', secret = '', mostItems }: JoinOptions,
    ): Promise<Joined | 'refused' | 'taken'> {
      await db.write(['delete from join_proofs where used_at < $1', [now() - REMEMBERED_MS]]);
      const hash = hashOf(siteName(settings.url), token);
      const used = await db.read('select 1 from join_proofs where hash = $1', [hash]);
      if (used.length > 0) return 'refused';
      const useToken: Statement = [
        'insert into join_proofs (hash, used_at) values ($1, $2) on conflict do nothing',
        [hash, now()],
      ];
      // A site that has made one itself joins again with it, should this answer be lost.
      const made = IS_STRONG.test(secret) ? secret : newKey();
      try {
        const before = [...(needsCode ? [useCode(code)] : []), useToken];
        const after = (added: StoredSite) => [beginCounting(added, mostItems), setSecret(added.id, made)];
        const [site] = await sites.add([settings], new Date(now()).toISOString(), before, after);
        return site ? { site, secret: made } : 'refused';
      } catch (error) {
        if (!(error instanceof AddressTaken)) throw error;
        const { count } = await db.write(useToken);
        const site = count > 0 ? await sites.byName(siteName(settings.url)) : undefined;
        if (!site) return 'refused';
        const own = 'select 1 from sites where site_id = $1 and secret = $2';
        const [found] = await db.read(own, [site.id, hashOf(SECRET, secret)]);
        return found ? { site } : 'taken';
      }
    },
  };
}
