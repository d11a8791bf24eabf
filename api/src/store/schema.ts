import type { Dialect } from './database.ts';

/**
 * The schema of 1.0, as the first migration makes it. Every row belongs to a site, whose number comes first in every key; a
 * store of one site has number 1. Times that are numbers are milliseconds.
 */
export const schemaOf1 = ({ clustered, statistics }: Dialect): string[] => [
  // One row: the oldest schema version whose code may work on this store.
  'create table oldest_code (schema_version integer not null)',
  'insert into oldest_code (schema_version) values (1)',

  // A removed site keeps its row, so that its number and its key are never given to another. `secret` is the hash of what a
  // site that has joined by itself needs to join again.
  `create table sites (
    site_id integer primary key,
    key text not null unique,
    url text not null,
    name text unique,
    admin_roles text not null,
    item_access text not null check (item_access in ('authenticated', 'registry')),
    state text not null check (state in ('active', 'suspended', 'removed')),
    created_at text not null,
    secret text
  )`,
  `create table join_codes (
    hash text primary key,
    uses integer not null,
    created_at text not null
  )`,
  'create table join_proofs (hash text primary key, used_at bigint not null)',
  'create index join_proofs_by_age on join_proofs (used_at)',

  // The columns of an item's state come first: to read them, none of the texts has to be passed. Claimed pieces are counted
  // on the item, so that reading it stays one query. An item with a currency is one that several pay for: its pieces are that
  // currency's minor units.
  `create table items (
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
    currency text,
    primary key (site_id, id)
  )${clustered}`,
  'create index items_newest on items (site_id, id) where is_active = 1',
  'create index items_of_registry on items (site_id, registry_id, id) where is_active = 1',
  'create unique index items_by_creation on items (site_id, creation_key) where creation_key is not null',
  'create index items_of_money on items (site_id, registry_id) where currency is not null',
  // The last id that each site has given to an item, kept apart so that none is given twice, whatever becomes of the items.
  'create table item_ids (site_id integer primary key, last bigint not null)',
  // Only of sites that have a limit.
  `create table item_limits (
    site_id integer primary key,
    active bigint not null,
    most bigint not null,
    check (active <= most)
  )`,

  // `version` counts changes to a registry's items, `claim_changes` those to their claims. Concurrent inserts may each be within
  // the limit of active items, but then the check refuses the last one.
  `create table registries (
    site_id integer not null,
    registry_id bigint not null,
    active integer not null check (active <= 1000),
    version bigint not null default 1,
    claim_changes bigint not null default 0,
    primary key (site_id, registry_id)
  )${clustered}`,
  // Registries as the host last showed them, including the owner, which it reveals to nobody without credentials.
  `create table registry_states (
    site_id integer not null,
    registry_id bigint not null,
    seen_at bigint not null,
    form text not null,
    item_order text not null,
    surprise_until text,
    owner_id bigint,
    surprise_keeps text,
    primary key (site_id, registry_id)
  )${clustered}`,
  `create table known_registries (
    site_id integer not null,
    registry_id bigint not null,
    post_type text not null,
    primary key (site_id, registry_id, post_type)
  )`,
  `create table co_owners (
    site_id integer not null,
    mark text not null,
    registry_id bigint not null,
    primary key (site_id, mark, registry_id)
  )${clustered}`,
  'create index co_owners_of_registry on co_owners (site_id, registry_id)',
  'create table deletions (site_id integer not null, registry_id bigint not null, primary key (site_id, registry_id))',
  // Registries of whose changes the host has yet to be told: how many there were since it was last told, and when a
  // job tells it: until then the request that queued the notice does.
  `create table notices (
    site_id integer not null,
    registry_id bigint not null,
    times integer not null default 1,
    due_at bigint not null default 0,
    primary key (site_id, registry_id)
  )`,

  // `place` numbers a registry's claims; `giver_address` is the form of `giver_email` by which it is searched for.
  `create table claims (
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
    currency text,
    buys integer not null default 0,
    pay_to text,
    primary key (site_id, id)
  )${clustered}`,
  'create unique index claims_of_registry on claims (site_id, registry_id, place)',
  'create unique index claims_by_creation on claims (site_id, creation_key) where creation_key is not null',
  'create index claims_of_user on claims (site_id, giver_user_id) where giver_user_id is not null',
  'create index claims_of_address on claims (site_id, giver_address) where giver_address is not null',
  "create index claims_by_end on claims (site_id, expires_at) where state in ('pending', 'reserved')",
  "create index claims_unconfirmed on claims (site_id, registry_id) where state = 'pending'",
  'create unique index claims_that_buy on claims (site_id, item_id) where buys = 1',
  // Each change of a claim with what it led to. Nothing is deleted here, except with the whole site.
  `create table claim_events (
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
  'create index events_without_place on events (site_id, sorted_at, registry_id, number, part) where place is null',
  'create unique index events_by_place on events (site_id, place) where place is not null',
  // Those about which the next look at the host decides.
  `create index events_undecided on events (site_id, registry_id, number, part)
   where claim_id is not null and concealed is null`,

  // Those of the whole site have the registry 0. Each takes a slot, so that the limit is exact. `maker_seen_at` is when the host
  // last said who the maker is.
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
    maker_seen_at bigint,
    by_owner integer not null,
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
  'create index webhooks_ended on webhooks (site_id, id) where ended = 1',
  // Those with a time that they are due wait for an attempt.
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

  `create table idempotency_keys (
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
  'create index idempotency_keys_by_age on idempotency_keys (site_id, created_at)',
  'create table bindings (site_id integer not null, name text not null, value text not null, primary key (site_id, name))',
  `create table leases (
    site_id integer not null,
    name text not null,
    holder text not null,
    expires_at bigint not null,
    primary key (site_id, name)
  )`,
  ...statistics,
];
