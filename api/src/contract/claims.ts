import type { Static } from 'typebox';
import {
  Id,
  MAX_INTEGER,
  maybe,
  nullable,
  oneOf,
  pagination,
  ref,
  sample,
  Timestamp,
  text,
} from './common.ts';
import { Item } from './items.ts';
import { described, shape } from './shape.ts';
import { Type } from './typebox.ts';

/** How many claims one registry takes, whatever became of them. */
export const MAX_CLAIMS = 10_000;
/** How many unconfirmed claims one registry takes, and one giver. */
export const MAX_PENDING = { registry: 50, giver: 10 };
/** How many seconds a claim lasts if its request names no time. */
export const DEFAULT_EXPIRY = { pending: 60 * 60, reserved: 14 * 24 * 60 * 60 };

const EXPIRES_IN = { minimum: 60, maximum: 90 * 24 * 60 * 60 };

const quantity = Type.Integer({ minimum: 1, maximum: MAX_INTEGER, examples: [1] });
const message = nullable(text({ maxLength: 500 }, 'For your Sunday soups'));
const expiresIn = Type.Integer({ ...EXPIRES_IN, description: 'Seconds from now', examples: [86_400] });
// The longest text in which a buyer or a registry says where shares are sent.
export const MAX_PAY_TO = 300;
const payTo = nullable(text({ maxLength: MAX_PAY_TO }, 'DE89 3704 0044 0532 0130 00, Aunt May'));
const address = text({ minLength: 3, maxLength: 254, format: 'address' }, 'aunt@example.test');

export const CLAIM_STATES = ['pending', 'reserved', 'purchased', 'released', 'expired'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

const state = <const S extends readonly ClaimState[]>(states: S, example: ClaimState) =>
  oneOf(states, {
    description:
      '`pending`: the giver is not confirmed yet; `reserved`: will be bought; `purchased`; `released`: taken back; ' +
      '`expired`: its time is over',
    examples: [example],
  });

const Giver = Type.Object({
  user_id: nullable(Id),
  name: sample('Aunt May', 'Empty once the person was erased'),
  email: nullable(sample('aunt@example.test')),
});

export const Claim = described('Claim', 'Someone gives a number of pieces of an item', {
  id: sample('7Jd0TtMkQh2xVw9sYb3LnA', '22 characters that nobody can guess'),
  registry_id: Id,
  item_id: Id,
  quantity,
  state: state(CLAIM_STATES, 'reserved'),
  giver: Giver,
  message,
  buys: Type.Optional(
    Type.Boolean({ description: 'On a money item: this giver buys it', examples: [false] }),
  ),
  pay_to: maybe(
    sample(
      'DE89 3704 0044 0532 0130 00, Aunt May',
      'On a money item, for a giver whose share is confirmed: where to send it',
    ),
  ),
  thanked_at: nullable(Timestamp),
  expires_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Claim = Static<typeof Claim>;

export const ClaimWithItem = shape('ClaimWithItem', {
  ...Claim.properties,
  item: Type.Union([ref(Item), Type.Null()], {
    description: 'Null: it is no longer on its list',
    examples: [null],
  }),
});
export type ClaimWithItem = Static<typeof ClaimWithItem>;

// Absent and `null` mean the same when a claim is made.
export const ClaimCreate = shape('ClaimCreate', {
  quantity: maybe({ ...quantity, default: 1 }),
  state: maybe({ ...state(['pending', 'reserved', 'purchased'], 'reserved'), default: 'reserved' }),
  message: Type.Optional(message),
  expires_in: maybe(expiresIn),
  giver: maybe(
    Type.Object(
      { name: text({ minLength: 1, maxLength: 100 }, 'Aunt May'), email: maybe(address), user_id: maybe(Id) },
      {
        description:
          'The giver, named only by an admin who records the claim for them; otherwise the caller gives',
      },
    ),
  ),
});
export type ClaimCreate = Static<typeof ClaimCreate>;

/** Only supplied keys change. */
export const ClaimUpdate = shape('ClaimUpdate', {
  state: Type.Optional(state(['pending', 'reserved', 'purchased', 'released'], 'purchased')),
  quantity: Type.Optional(quantity),
  message: Type.Optional(message),
  expires_in: Type.Optional(expiresIn),
  buys: Type.Optional(
    Type.Boolean({
      description: 'On a money item, confirmed: this giver buys it, and the others send their shares to them',
      examples: [true],
    }),
  ),
  pay_to: Type.Optional(payTo),
  thanked: Type.Optional(Type.Boolean({ description: 'By owner and admin only', examples: [true] })),
});
export type ClaimUpdate = Static<typeof ClaimUpdate>;

export const RegistryClaims = shape('RegistryClaims', {
  claims: Type.Array(ref(Claim)),
  concealed_until: nullable(
    Type.String({
      description: 'For an owner who is to be surprised: the day from which they see the claims, or `always`',
      examples: [null, '2027-06-13', 'always'],
    }),
  ),
});
export type RegistryClaims = Static<typeof RegistryClaims>;

export const ErasedClaims = shape('ErasedClaims', {
  erased: Type.Integer({ description: 'How many claims were theirs', examples: [3] }),
});
export type ErasedClaims = Static<typeof ErasedClaims>;

const email = text({ minLength: 1, maxLength: 254 }, 'aunt@example.test');

const person = { email: Type.Optional(email), user_id: Type.Optional(Id) };

export const MAX_NAMED_CLAIMS = 100;

export const ClaimQuery = Type.Object({
  ...pagination(1000).properties,
  ...person,
  ids: Type.Optional(
    Type.String({
      pattern: `^[\\w-]{22}(,[\\w-]{22}){0,${MAX_NAMED_CLAIMS - 1}}$`,
      description: `Up to ${MAX_NAMED_CLAIMS} claims by their ids, whoever gives them, instead of a page`,
      examples: ['7Jd0TtMkQh2xVw9sYb3LnA,9XkPq4vBRz6WmC1tHs8EfG'],
    }),
  ),
  with: Type.Optional(
    oneOf(['item'], { description: "Each with its item, as an admin's `GET /items/{id}` has it" }),
  ),
});
export type ClaimQuery = Static<typeof ClaimQuery>;

/** One person, or all givers of one registry. */
export const ClaimErasure = Type.Object({
  ...person,
  registry_id: Type.Optional(Id),
  unchanged_for: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_INTEGER,
      default: 0,
      description: 'Seconds in which nothing about a claim has changed, with `registry_id`',
      examples: [31_536_000],
    }),
  ),
});
export type ClaimErasure = Static<typeof ClaimErasure>;
