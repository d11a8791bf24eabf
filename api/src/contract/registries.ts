import type { Static } from 'typebox';
import { MAX_PAY_TO } from './claims.ts';
import { Id, list, maybe, nullable, oneOf, pagination, ref, sample, Timestamp, text } from './common.ts';
import { shape } from './shape.ts';
import { Type } from './typebox.ts';

export const MAX_INVITEES = 1000;
export const MAX_CO_OWNERS = 5;

const title = text({ minLength: 1, maxLength: 200 }, 'Ann & Bob');
const status = oneOf(['publish', 'private'], {
  description: '`publish`: public; `private`: for its invitees only',
  examples: ['private'],
});
const story = text({ maxLength: 20_000 }, 'We met at the library.');
// Not MAX_CO_OWNERS, since entries may repeat: the domain limits how many different ones there are.
const owners = list(text({ minLength: 1, maxLength: 254 }), 100, {
  description: `Up to ${MAX_CO_OWNERS} user names or email addresses; a co-owner may only take themselves off`,
  examples: [['bob']],
});
const hiddenFromOwners = oneOf(['all', 'names'], {
  description:
    'While it is a surprise, owners learn nothing of what is claimed (`all`), or how much but not by whom (`names`)',
  examples: ['all'],
});
const invitees = list(text({ minLength: 1, maxLength: 254 }), MAX_INVITEES, {
  examples: [['bob', 'aunt@example.test']],
});

export const RegistryMeta = shape('RegistryMeta', {
  registry_item_ids: Type.Array(Id, {
    description: "The active items' ids in the owner's order",
    examples: [[3, 1, 2]],
  }),
  registry_invitees: Type.Array(Type.String(), {
    description: 'User names or email addresses',
    examples: [['bob', 'aunt@example.test']],
  }),
  registry_owners: Type.Array(Type.String(), {
    description: 'User names or email addresses of its owners besides `user_id`',
    examples: [['bob']],
  }),
  registry_event_type: nullable(sample('wedding')),
  registry_event_date: nullable(sample('2027-06-12')),
  registry_currency: nullable(sample('EUR', "Currency of its items' prices (ISO 4217)")),
  registry_surprise_until: nullable(
    sample('2027-06-13', 'Its owners are to be surprised until this day, or `always`'),
  ),
  registry_surprise_keeps: hiddenFromOwners,
  registry_pay_to: nullable(
    sample('DE89 3704 0044 0532 0130 00', 'Where shares of money items are sent; null for invitees'),
  ),
});
export type RegistryMeta = Static<typeof RegistryMeta>;

/** What an admin, usually the plugin, reports of a registry's owners and surprise. */
export const RegistryRights = shape('RegistryRights', {
  status: text({ maxLength: 20 }, 'private', 'As the host has it, drafts included'),
  user_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [3] }),
  registry_owners: owners,
  registry_surprise_until: nullable(text({ maxLength: 20 }, '2027-06-13')),
  registry_surprise_ends: maybe(
    text({ maxLength: 30 }, '2027-06-13T07:00:00Z', "When that day begins in the site's time zone"),
  ),
  registry_surprise_keeps: hiddenFromOwners,
  asked: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}\\.[0-9]{1,9}$',
      description: 'Copied from the service’s question that this report answers',
      examples: ['12.1'],
    }),
  ),
});
export type RegistryRights = Static<typeof RegistryRights>;

export const Registry = shape('Registry', {
  id: Id,
  user_id: Id,
  title: sample('Ann & Bob'),
  status,
  story: sample('We met at the library.'),
  permalink: sample('https://site.example/registry/ann-bob/'),
  share_key: Id,
  slug: sample('ann-bob'),
  meta: ref(RegistryMeta),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Registry = Static<typeof Registry>;

const meta = Type.Object({
  registry_item_ids: Type.Optional(
    list(Id, 10_000, {
      description: 'The new order; items left out follow these in the order they had',
      examples: [[3, 1, 2]],
    }),
  ),
  registry_invitees: Type.Optional(invitees),
  registry_owners: Type.Optional(owners),
  registry_event_type: maybe(text({ maxLength: 100 }, 'wedding')),
  registry_event_date: maybe(text({ format: 'date' }, '2027-06-12')),
  registry_currency: maybe(text({ format: 'currency' }, 'EUR')),
  registry_surprise_until: maybe(
    text({ format: 'surprise' }, '2027-06-13', 'A day, `always`, or empty: no surprise'),
  ),
  registry_surprise_keeps: maybe({ ...hiddenFromOwners, default: 'all' }),
  registry_pay_to: maybe(text({ maxLength: MAX_PAY_TO }, 'DE89 3704 0044 0532 0130 00')),
});

export const RegistryCreate = shape('RegistryCreate', {
  title,
  status: maybe({ ...status, default: 'private' }),
  story: maybe(story),
  meta: maybe(meta),
});
export type RegistryCreate = Static<typeof RegistryCreate>;

export const RegistryUpdate = shape('RegistryUpdate', {
  title: Type.Optional(title),
  status: Type.Optional(status),
  story: maybe(story),
  meta: maybe(meta),
});
export type RegistryUpdate = Static<typeof RegistryUpdate>;

export const Invitees = shape('Invitees', { invitees });
export type Invitees = Static<typeof Invitees>;

export const InviteesResponse = shape('InviteesResponse', {
  invitees: Type.Array(Type.String(), { examples: [['bob', 'aunt@example.test']] }),
});
export type InviteesResponse = Static<typeof InviteesResponse>;

export const RegistryQuery = pagination(100);
export type RegistryQuery = Static<typeof RegistryQuery>;
