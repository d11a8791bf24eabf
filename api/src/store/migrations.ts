import type { Database, Dialect, Run } from './database.ts';

type Migration = (run: Run, dialect: Dialect) => Promise<void>;

const inOrder =
  (statements: (dialect: Dialect) => string[]): Migration =>
  async (run, dialect) => {
    for (const sql of statements(dialect)) await run(sql);
  };

/**
 * Forward only: what has been released is never edited, a change is a new entry.
 *
 * Services on one store are replaced one at a time, so the code of the release before goes on working beside each entry. An
 * entry adds: tables, indexes, columns that may be null or have a default, functions. It removes, renames or restricts only
 * what the code of the release before neither reads nor writes any more: expand in one release, use it in the next, contract
 * in a third. An entry that takes away what older code needs raises `OLDEST_CODE` to the first schema version whose code lives
 * without it; older services then refuse the store.
 */
const MIGRATIONS: Migration[] = [
  inOrder(({ identity }) => [
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

  inOrder(() => [
    'alter table items rename column origin to creation_key',
    'alter table answers rename to idempotency_keys',
    'create table deletions (registry_id bigint primary key)',
    'create table bindings (name text primary key, value text not null)',
  ]),

  inOrder(({ identity }) => [
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

  // Everything belongs to a site, whose number comes first in every key. A store of one site has number 1.
  inOrder(({ clustered, itemIds, keepOthersFrom, statistics }) => [
    ...keepOthersFrom([
      ...[
        'items',
        'item_counts',
        'claims',
        'claim_events',
        'idempotency_keys',
        'deletions',
        'notices',
        'bindings',
      ],
      ...['leases', 'known_registries'],
    ]),
    // The columns of an item's state come first: to read them, none of the texts has to be passed.
    `create table new_items (
      site_id integer not null,
      id bigint not null,
      registry_id bigint not null,
      is_active integer not null check (is_active in (0, 1)),
      version integer not null default 1,
      claimed integer not null default 0 check (claimed >= 0),
      claim_changes integer not null default 0,
      quantity_needed integer not null check (quantity_needed >= 1),
      quantity_purchased integer not null check (quantity_purchased >= 0),
      price double precision check (price > 0),
      name text not null,
      description text,
      url text not null,
      retailer text,
      image_url text,
      affiliate_url text,
      affiliate_status text,
      created_at text not null,
      updated_at text not null,
      creation_key text,
      primary key (site_id, id)
    )${clustered}`,
    `insert into new_items
     select 1, id, registry_id, is_active, version, claimed, claim_changes, quantity_needed, quantity_purchased, price,
       name, description, url, retailer, image_url, affiliate_url, affiliate_status, created_at, updated_at, creation_key
     from items order by id`,
    'drop table items',
    'alter table new_items rename to items',
    'create index items_newest on items (site_id, id) where is_active = 1',
    'create index items_of_registry on items (site_id, registry_id, id) where is_active = 1',
    `create unique index items_by_creation on items (site_id, creation_key) where creation_key is not null`,
    ...itemIds,

    // A registry's state: two numbers that count the changes of its items, and of what is claimed of them. Processes that
    // add items at once exceed the limit in none of their statements, but the row refuses the last one.
    `create table registries (
      site_id integer not null,
      registry_id bigint not null,
      active integer not null check (active <= 1000),
      version bigint not null default 1,
      claim_changes bigint not null default 0,
      primary key (site_id, registry_id)
    )${clustered}`,
    `insert into registries (site_id, registry_id, active)
     select 1, registry_id, case when sum(is_active) > 1000 then 1000 else sum(is_active) end
     from items group by registry_id order by registry_id`,
    'drop table item_counts',

    `create table new_claims (
      site_id integer not null,
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
      creation_key text,
      primary key (site_id, id)
    )${clustered}`,
    `insert into new_claims
     select 1, id, registry_id, place, item_id, owner_id, recorded_by, quantity, state, giver_user_id, giver_name,
       giver_email, giver_address, message, thanked_at, expires_at, created_at, updated_at, version, creation_key
     from claims order by id`,
    `create table new_claim_events (
      site_id integer not null,
      claim_id text not null,
      entry integer not null,
      at bigint not null,
      actor text not null check (actor in ('giver', 'owner', 'admin', 'clock', 'registry')),
      actor_id bigint,
      state text not null,
      quantity integer not null,
      message text,
      thanked_at bigint,
      expires_at bigint,
      primary key (site_id, claim_id, entry)
    )${clustered}`,
    `insert into new_claim_events
     select 1, claims.id, entry, at, actor, actor_id, claim_events.state, claim_events.quantity, claim_events.message,
       claim_events.thanked_at, claim_events.expires_at
     from claim_events join claims on claims.number = claim_events.claim order by claims.id, entry`,
    'drop table claim_events',
    'drop table claims',
    'alter table new_claims rename to claims',
    'alter table new_claim_events rename to claim_events',
    'create unique index claims_of_registry on claims (site_id, registry_id, place)',
    `create unique index claims_by_creation on claims (site_id, creation_key) where creation_key is not null`,
    'create index claims_of_user on claims (site_id, giver_user_id) where giver_user_id is not null',
    'create index claims_of_address on claims (site_id, giver_address) where giver_address is not null',
    `create index claims_by_end on claims (site_id, expires_at) where state in ('pending', 'reserved')`,
    `create index claims_unconfirmed on claims (site_id, registry_id) where state = 'pending'`,

    `create table new_idempotency_keys (
      site_id integer not null,
      name text not null,
      fingerprint text not null,
      holder text not null,
      expires_at bigint not null,
      created_at bigint not null,
      status integer,
      json text,
      etag text,
      primary key (site_id, name)
    )`,
    `insert into new_idempotency_keys
     select 1, name, fingerprint, holder, expires_at, created_at, status, json, etag from idempotency_keys`,
    'drop table idempotency_keys',
    'alter table new_idempotency_keys rename to idempotency_keys',
    'create index idempotency_keys_by_age on idempotency_keys (site_id, created_at)',

    ...[
      ['deletions', 'registry_id bigint not null', 'registry_id'],
      ['notices', 'registry_id bigint not null, times integer not null default 1', 'registry_id'],
      ['bindings', 'name text not null, value text not null', 'name'],
      ['leases', 'name text not null, holder text not null, expires_at bigint not null', 'name'],
      ['known_registries', 'registry_id bigint not null, post_type text not null', 'registry_id, post_type'],
    ].flatMap(([table, columns, key]) => [
      `create table new_${table} (site_id integer not null, ${columns}, primary key (site_id, ${key}))`,
      `insert into new_${table} select 1, ${columns!.replaceAll(/ (bigint|integer|text) not null( default 1)?/g, '')}
       from ${table}`,
      `drop table ${table}`,
      `alter table new_${table} rename to ${table}`,
    ]),

    // A removed site keeps its row, so that its number and its key are never given to another.
    `create table sites (
      site_id integer primary key,
      key text not null unique,
      url text not null,
      name text unique,
      admin_roles text not null,
      item_access text not null check (item_access in ('authenticated', 'registry')),
      state text not null check (state in ('active', 'suspended', 'removed')),
      created_at text not null
    )`,
    ...statistics,
  ]),

  inOrder(() => [
    // Only of sites that have a limit.
    `create table item_limits (
      site_id integer primary key,
      active bigint not null,
      most bigint not null,
      check (active <= most)
    )`,
    `create table join_codes (
      hash text primary key,
      uses integer not null,
      created_at text not null
    )`,
    'create table join_proofs (hash text primary key, used_at bigint not null)',
    'create index join_proofs_by_age on join_proofs (used_at)',
  ]),

  inOrder(({ clustered }) => [
    `create table co_owners (
      site_id integer not null,
      mark text not null,
      registry_id bigint not null,
      primary key (site_id, mark, registry_id)
    )${clustered}`,
    'create index co_owners_of_registry on co_owners (site_id, registry_id)',
  ]),

  inOrder(() => [
    // An item with a currency is one that several pay for: its pieces are that currency's minor units.
    'alter table items add column currency text',
    'alter table claims add column currency text',
    'alter table claims add column buys integer not null default 0',
    'alter table claims add column pay_to text',
    'create unique index claims_that_buy on claims (site_id, item_id) where buys = 1',
    `create index items_of_money on items (site_id, registry_id) where currency is not null`,
  ]),

  inOrder(() => [
    // One row: the oldest schema version whose code may work on this store. Not a column of `schema_versions`, which others
    // use while they wait for this migration.
    'create table oldest_code (schema_version integer not null)',
    'insert into oldest_code (schema_version) values (0)',
  ]),

  inOrder(({ clustered }) => [
    // Each change, for those who follow them: in its registry by number and part, among all of the site by place.
    `create table events (
      site_id integer not null,
      registry_id bigint not null,
      number bigint not null,
      part integer not null,
      place bigint,
      at bigint not null,
      sorted_at bigint not null,
      type text not null,
      item_id bigint,
      claimed integer,
      data text,
      claim_id text,
      entry integer,
      concealed integer,
      primary key (site_id, registry_id, number, part)
    )`,
    `create index events_without_place on events (site_id, sorted_at, registry_id, number, part) where place is null`,
    'create unique index events_by_place on events (site_id, place) where place is not null',
    // Registries as the host showed them last.
    `create table registry_states (
      site_id integer not null,
      registry_id bigint not null,
      seen_at bigint not null,
      form text not null,
      item_order text not null,
      surprise_until text,
      primary key (site_id, registry_id)
    )${clustered}`,
  ]),

  inOrder(({ clustered }) => [
    // The host tells nobody without credentials who owns a registry.
    'alter table registry_states add column owner_id bigint',
    'alter table registry_states add column surprise_keeps text',
    // Those of the whole site have the registry 0. A slot for each keeps their number exact.
    `create table webhooks (
      site_id integer not null,
      id text not null,
      registry_id bigint not null,
      slot integer not null,
      url text not null,
      types text not null,
      secret text not null,
      maker_id bigint not null,
      maker_marks text not null,
      maker_admin integer not null,
      by_owner integer not null,
      from_place bigint not null,
      created_at bigint not null,
      failing_since bigint,
      disabled_at bigint,
      ended integer not null default 0,
      creation_key text,
      primary key (site_id, id)
    )`,
    'create unique index webhooks_by_slot on webhooks (site_id, registry_id, slot)',
    'create unique index webhooks_by_creation_key on webhooks (site_id, creation_key) where creation_key is not null',
    'create index webhooks_by_maker on webhooks (site_id, maker_id)',
    'create index webhooks_by_place on webhooks (site_id, from_place)',
    'create index webhooks_ended on webhooks (site_id, id) where ended = 1',
    // The last place whose event was given to webhooks.
    'create table webhook_cursors (site_id integer primary key, place bigint not null)',
    // Those with a time that they are due wait for an attempt.
    // The key of services whose settings name none.
    'create table service_keys (one integer primary key, secret text not null)',
    `create table deliveries (
      site_id integer not null,
      webhook_id text not null,
      place bigint not null,
      registry_id bigint not null,
      number bigint not null,
      part integer not null,
      at bigint not null,
      attempts integer not null default 0,
      status integer,
      due_at bigint,
      holder text,
      leased_until bigint,
      primary key (site_id, webhook_id, place)
    )${clustered}`,
    'create index deliveries_due on deliveries (site_id, due_at) where due_at is not null',
    'create index deliveries_of_webhook_due on deliveries (site_id, webhook_id, due_at) where due_at is not null',
    'create index deliveries_by_age on deliveries (site_id, at)',
  ]),

  inOrder(() => [
    // When the host has said last who the maker is.
    'alter table webhooks add column maker_seen_at bigint',
    `update webhooks set maker_seen_at = ${Date.now()}`,
    `create index webhooks_of_admins on webhooks (site_id, maker_id)
     where maker_admin = 1 and disabled_at is null`,
  ]),

  inOrder(() => [
    // Those about which the next look at the host decides.
    `create index events_undecided on events (site_id, registry_id, number, part)
     where claim_id is not null and concealed is null`,
  ]),

  // The hash of what a site that has joined by itself needs to join again.
  inOrder(() => ['alter table sites add column secret text']),

  // When a job sends it: until then the request that has queued it does.
  inOrder(() => ['alter table notices add column due_at bigint not null default 0']),
];

/** The oldest schema version whose code may work on a store that this code has migrated. */
const OLDEST_CODE = 10;

// The first version of the schema that names the oldest one.
const NAMES_OLDEST = 10;

/** Every table with rows of sites. */
export const SITE_TABLES = [
  'items',
  'registries',
  'claims',
  'claim_events',
  'idempotency_keys',
  'deletions',
  'notices',
  'bindings',
  'leases',
  'known_registries',
  'item_limits',
  'co_owners',
  'events',
  'registry_states',
  'webhooks',
  'webhook_cursors',
  'deliveries',
] as const;

export const SCHEMA_VERSION = MIGRATIONS.length;

export type Schema = {
  /** 0 where nothing is there yet. */
  version: number;
  /** The oldest version whose code may work on the store. */
  oldest: number;
};

export async function schemaOf(run: Run): Promise<Schema> {
  const [[stored] = []] = await run('select max(version) from schema_versions');
  const version = Number(stored ?? 0);
  if (version < NAMES_OLDEST) return { version, oldest: version };
  const [[oldest] = []] = await run('select schema_version from oldest_code');
  return { version, oldest: Number(oldest) };
}

/** The reason why this code may not work on a store. */
export const refusalOf = ({ version, oldest }: Schema): string | undefined =>
  oldest > SCHEMA_VERSION
    ? `it has schema version ${version}, this version of the service knows ${SCHEMA_VERSION}: ` +
      'start the newer service, or restore a backup from before the upgrade'
    : undefined;

export type Log = { info(details: object, message: string): void };

const COUNT_ROWS = `select ${SITE_TABLES.map((table) => `(select count(*) from ${table})`).join(' + ')}`;

/**
 * Brings the store to `SCHEMA_VERSION`, or leaves it at a later one that this code may work on; refuses one that it may not.
 * Safe when many processes start at once.
 */
export async function migrate(db: Database, log?: Log): Promise<void> {
  const begun = performance.now();
  const upgrade = await db.transaction(async (run) => {
    await run(
      'create table if not exists schema_versions (version integer primary key, applied_at text not null)',
    );
    const schema = await schemaOf(run);
    const versions = { from: schema.version, to: SCHEMA_VERSION };
    let migrated = 0;
    for (let version = schema.version + 1; version <= SCHEMA_VERSION; version++) {
      // The process that inserts the row migrates; the others wait here and find it done.
      const claimed = await run(
        'insert into schema_versions (version, applied_at) values ($1, $2) on conflict do nothing returning version',
        [version, new Date().toISOString()],
      );
      if (claimed.length === 0) continue;
      if (migrated++ === 0 && schema.version > 0) log?.info(versions, 'the upgrade of the store begins');
      await MIGRATIONS[version - 1]!(run, db.dialect);
    }
    // Read once more: the one that was waited for may be newer than this one.
    const refusal = refusalOf(await schemaOf(run));
    if (refusal) throw new Error(refusal);
    if (migrated === 0) return undefined;
    await run('update oldest_code set schema_version = $1', [OLDEST_CODE]);
    if (schema.version === 0) return undefined;
    const [[rows] = []] = await run(COUNT_ROWS);
    return { ...versions, rows: Number(rows) };
  });
  if (!upgrade) return;
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  log?.info({ ...upgrade, seconds }, 'the upgrade of the store has ended');
}
