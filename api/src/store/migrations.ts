import type { Database, Run } from './database.ts';

type Migration = (run: Run, identity: string) => Promise<void>;

const inOrder =
  (statements: (identity: string) => string[]): Migration =>
  async (run, identity) => {
    for (const sql of statements(identity)) await run(sql);
  };

/** Forward only: what has been released is never edited, a change is a new entry. */
const MIGRATIONS: Migration[] = [
  inOrder((identity) => [
    `create table items (
      id ${identity},
      registry_id bigint not null,
      name text not null,
      description text,
      url text not null,
      retailer text,
      image_url text,
      price double precision check (price > 0),
      quantity_needed integer not null default 1 check (quantity_needed >= 1),
      quantity_purchased integer not null default 0 check (quantity_purchased >= 0),
      is_active integer not null default 1 check (is_active in (0, 1)),
      affiliate_url text,
      affiliate_status text,
      created_at text not null,
      updated_at text not null,
      version integer not null default 1,
      origin text,
      json text not null,
      affiliate_json text
    )`,
    'create index items_newest on items (is_active, id)',
    'create index items_of_registry on items (registry_id, id) where is_active = 1',
    'create unique index items_by_origin on items (origin) where origin is not null',
    'create table leases (name text primary key, holder text not null, expires_at bigint not null)',
    `create table answers (
      name text primary key,
      fingerprint text not null,
      holder text not null,
      expires_at bigint not null,
      created_at bigint not null,
      status integer,
      json text,
      etag text
    )`,
    'create index answers_by_age on answers (created_at)',
  ]),

  async (run) => {
    // Columns take the values that change often out of the JSON, which now ends before `quantity_needed`. Its strings have quotes
    // escaped, so that the key can be told from text that looks like it; what followed it has a length that the columns
    // tell, but for `is_active`, which a deleted registry's items kept as it was.
    await run(
      `update items set json = substr(json, 1, length(json) - length(
        ',"quantity_needed":' || quantity_needed || ',"quantity_purchased":' || quantity_purchased || ',"is_active":' ||
        case when json like '%,"is_active":false,"created_at":"%' then 'false' else 'true' end ||
        ',"created_at":"' || created_at || '","updated_at":"' || updated_at || '"'))`,
    );
    await run('alter table items rename column origin to creation_key');
    await run('alter table answers rename to idempotency_keys');
    await run('create table deletions (registry_id bigint primary key)');
    await run('create table bindings (name text primary key, value text not null)');
  },

  inOrder((identity) => [
    // Claimed pieces are counted on the item, so that reading an item stays one query.
    'alter table items add column claimed integer not null default 0 check (claimed >= 0)',
    'alter table items add column claim_changes integer not null default 0',
    // Times are in milliseconds. `place` counts a registry's claims, `giver_address` is what an address is found by.
    `create table claims (
      number ${identity},
      id text not null,
      registry_id bigint not null,
      place integer not null check (place <= 10000),
      item_id bigint not null,
      owner_id bigint not null,
      recorded_by bigint,
      quantity integer not null check (quantity >= 1),
      state text not null check (state in ('pending', 'reserved', 'purchased', 'released', 'expired')),
      giver_user_id bigint,
      giver_name text not null,
      giver_email text,
      giver_address text,
      message text,
      thanked_at bigint,
      expires_at bigint,
      created_at bigint not null,
      updated_at bigint not null,
      version integer not null default 1,
      creation_key text
    )`,
    'create unique index claims_by_id on claims (id)',
    'create unique index claims_of_registry on claims (registry_id, place)',
    'create unique index claims_by_creation on claims (creation_key) where creation_key is not null',
    'create index claims_of_user on claims (giver_user_id) where giver_user_id is not null',
    'create index claims_of_address on claims (giver_address) where giver_address is not null',
    `create index claims_by_end on claims (expires_at) where state in ('pending', 'reserved')`,
    `create index claims_unconfirmed on claims (registry_id) where state = 'pending'`,
    // Each change of a claim with what it led to. Nothing is ever deleted here.
    `create table claim_events (
      claim bigint not null,
      entry integer not null,
      at bigint not null,
      actor text not null check (actor in ('giver', 'owner', 'admin', 'clock', 'registry')),
      actor_id bigint,
      state text not null,
      quantity integer not null,
      message text,
      thanked_at bigint,
      expires_at bigint,
      primary key (claim, entry)
    )`,
  ]),

  inOrder(() => [
    // How many active items a registry had when one was last added beside others, where it had many.
    `create table item_counts (
      registry_id bigint primary key,
      active integer not null check (active <= 1000)
    )`,
    `create table known_registries (
      registry_id bigint not null,
      post_type text not null,
      primary key (registry_id, post_type)
    )`,
  ]),

  inOrder(() => [
    // Registries of which the host is still to be told that they have changed, and how often they have since it was.
    `create table notices (
      registry_id bigint primary key,
      times integer not null default 1
    )`,
  ]),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The version of the store's schema; 0 where nothing is there yet. */
export async function schemaVersion(run: Run): Promise<number> {
  const [[version] = []] = await run('select max(version) from schema_versions');
  return Number(version ?? 0);
}

/** Brings the store to `SCHEMA_VERSION`. Safe when many processes start at once; refuses a newer schema. */
export async function migrate(db: Database): Promise<void> {
  await db.migrate(async (run) => {
    await run(
      'create table if not exists schema_versions (version integer primary key, applied_at text not null)',
    );
    const current = await schemaVersion(run);
    if (current > SCHEMA_VERSION) {
      throw new Error(
        `it has schema version ${current}, this version of the service knows ${SCHEMA_VERSION}: ` +
          'start the newer service, or restore a backup from before the upgrade',
      );
    }
    for (let version = current + 1; version <= SCHEMA_VERSION; version++) {
      // The process that inserts the row migrates; the others wait here and find it done.
      const claimed = await run(
        'insert into schema_versions (version, applied_at) values ($1, $2) on conflict do nothing returning version',
        [version, new Date().toISOString()],
      );
      if (claimed.length > 0) await MIGRATIONS[version - 1]!(run, db.identity);
    }
  });
}
