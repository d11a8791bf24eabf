import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../../dev/until.ts';
import { startEmbeddedHost } from '../emulator/server.ts';
import type { Limits, Options } from '../src/app/service.ts';
import { readConfig } from '../src/config.ts';
import type { Claim } from '../src/contract/index.ts';
import { WHEN_DECIDED } from '../src/store/webhooks.ts';
import { type Answer, type Call, callsOf } from './answers.ts';
import { freshPostgres } from './postgres.ts';
import { openSession } from './sql-session.ts';
import { askHost, type Name, startTestService, type TestService, temporaryFolder } from './support.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** A store that a test may look into. */
export type OpenStore = {
  url: string;
  query<T>(sql: string): Promise<T[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

async function onSqlite(): Promise<OpenStore> {
  const folder = await temporaryFolder();
  const file = `${folder.path}/items.db`;
  let db: DatabaseSync | undefined;
  return {
    url: `sqlite:${file}`,
    query: async <T>(sql: string) => {
      // To open it again for each question would cost more than the answers.
      db ??= new DatabaseSync(file, { timeout: 5_000 });
      return db.prepare(sql).all() as T[];
    },
    async [Symbol.asyncDispose]() {
      db?.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function onPostgres(): Promise<OpenStore> {
  const store = await freshPostgres();
  const session = await openSession(store.url);
  return {
    url: store.url,
    query: async <T>(text: string) => (await session.query(text)).rows as T[],
    async [Symbol.asyncDispose]() {
      await session.end();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The store that `TEST_STORE` asks for, as everywhere in these tests. */
export const openStore = () => (process.env.TEST_STORE === 'postgres' ? onPostgres() : onSqlite());

export type ClaimService = Awaited<ReturnType<typeof openClaimService>>;

/**
 * The service as it ships, on a store and a host of its own, at a time that only the test moves. With `WORKERS=2` two
 * services share that store and are asked in turns.
 */
export async function openClaimService(
  env: Record<string, string> = {},
  limits: Limits = {},
  { clock: own = {}, webhooks = {} }: Pick<Options, 'clock' | 'webhooks'> = {},
) {
  const services = Number(process.env.WORKERS ?? 1);
  const store = await openStore();
  let now = Date.parse('2027-03-01T12:00:00.000Z');
  const { registryPostType: postType, registryMetaPrefix: metaPrefix } = readConfig(env);
  const host = await startEmbeddedHost({ file: ':memory:', postType, metaPrefix, now: () => now });
  const clock = { wall: () => now, ...own };
  const settings = {
    ...{ DATABASE_URL: store.url, HOST_URL: host.url, ITEM_ACCESS: 'registry' },
    // Each service must see at once what the other changed on the host.
    ...(services > 1 && { REGISTRY_CACHE_TTL: '0' }),
    ...env,
  };
  const started: TestService[] = [];
  const calls: Call[] = [];
  for (let n = 0; n < services; n++) {
    started.push(
      await startTestService(settings, { clock, limits: { jobsEveryMs: DAY, ...limits }, webhooks }),
    );
    calls.push(await callsOf(started[n]!));
  }
  let turn = 0;
  const call: Call = (...request) => calls[turn++ % services]!(...request);

  const service = {
    call,
    store,
    host,
    services: started,
    now: () => now,
    iso: (after = 0) => new Date(now + after).toISOString(),
    advance(ms: number) {
      now += ms;
    },

    /** A registry of Alice's, with Bob and Carol as guests. */
    async registry(meta: object = {}, as: Name = 'alice'): Promise<number> {
      const registry_invitees = ['bob', 'carol@example.test'];
      const body = { title: 'Ann', meta: { registry_invitees, ...meta } };
      return expected(201, await call(as, 'POST /registries', body)).id;
    },

    async item(registry: number, fields: object = {}): Promise<number> {
      const body = { name: 'Pan', url: 'https://shop.example/pan', ...fields };
      return expected(201, await call('admin', `POST /registries/${registry}/items`, body)).data.id;
    },

    async claim(as: Name, registry: number, item: number, body: object = {}): Promise<Claim> {
      return expected(201, await call(as, `POST /registries/${registry}/items/${item}/claims`, body));
    },

    async purchased(item: number, as: Name = 'admin', registry?: number): Promise<number> {
      if (registry === undefined)
        return expected(200, await call(as, `GET /items/${item}`)).data.quantity_purchased;
      const items = expected(200, await call(as, `GET /registries/${registry}/items`));
      return items.find(({ id }: { id: number }) => id === item).quantity_purchased;
    },

    read: async (as: Name, id: string): Promise<Claim> => expected(200, await call(as, `GET /claims/${id}`)),

    /** The host's own word, past the service. */
    onHost: (method: string, path: string, as?: Name, json?: unknown) =>
      askHost(host.url, method, path, as, json),

    async close() {
      for (const service of started) await service.close();
      await host.close();
      await store[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
  return service;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are examined field by field
export function expected(status: number, answer: Answer): any {
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

export const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

export const key = (text: string) => ({ 'idempotency-key': text });

/** Waits until every event so far is with the webhooks that it is for, and what was due by `time` was tried. */
export const everythingSent = ({ query }: Pick<OpenStore, 'query'>, time: number) =>
  until('everything due is sent', async () => {
    const [row] = await query<{ due: number; unseen: number }>(
      `select (select count(*) from deliveries where due_at <= ${time} or due_at is not null and exists (
           select 1 from events where events.registry_id = deliveries.registry_id
             and events.number = deliveries.number and events.part = deliveries.part and concealed is not null
             and due_at = ${WHEN_DECIDED})) as due,
         (select count(*) from events where place is null) as unseen`,
    );
    return Number(row!.due) + Number(row!.unseen) === 0;
  });

/** The ledger agrees with the claims, and the claims with the items' numbers. */
export async function agrees({ query }: Pick<OpenStore, 'query'>): Promise<void> {
  const wrongSums = await query(`select i.id, i.claimed, coalesce(sum(c.quantity), 0) as live from items i
    left join claims c on c.item_id = i.id and c.state in ('pending', 'reserved', 'purchased')
    group by i.id, i.claimed having i.claimed <> coalesce(sum(c.quantity), 0)`);
  assert.deepEqual(wrongSums, [], 'what an item counts is not what is claimed of it');
  const wrongEnds =
    await query(`select c.id, c.state, c.quantity, c.version, e.state as entered, e.quantity as took
    from claims c left join claim_events e on e.claim_id = c.id and e.entry = c.version
    where e.claim_id is null or e.state <> c.state or e.quantity <> c.quantity
      or coalesce(e.expires_at, 0) <> coalesce(c.expires_at, 0)
      or coalesce(e.thanked_at, 0) <> coalesce(c.thanked_at, 0) or coalesce(e.message, '') <> coalesce(c.message, '')`);
  assert.deepEqual(wrongEnds, [], 'a claim is not what its last entry in the ledger says');
  const gaps = await query(`select claim_id from claim_events group by claim_id
    having count(*) <> max(entry) or min(entry) <> 1`);
  assert.deepEqual(gaps, [], 'the ledger has a gap');
  const strays = await query(
    'select claim_id from claim_events where claim_id not in (select id from claims)',
  );
  assert.deepEqual(strays, [], 'the ledger knows of a claim that is not there');
  const wrongCounts =
    await query(`select r.registry_id, r.active, i.active as counted from registries r left join
    (select site_id, registry_id, sum(is_active) as active from items group by site_id, registry_id) i
    on i.site_id = r.site_id and i.registry_id = r.registry_id
    where r.active <> coalesce(i.active, 0)`);
  assert.deepEqual(wrongCounts, [], 'a registry has not as many active items as it counts');
  const lastEntries = await query(`select c.id from claims c
    where c.version <> (select max(entry) from claim_events where claim_id = c.id)`);
  assert.deepEqual(lastEntries, [], 'the ledger is ahead of a claim');
}
