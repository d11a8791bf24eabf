import type { Static } from 'typebox';
import { Id, list, nullable, oneOf, ref, sample, Timestamp, text } from './common.ts';
import { EVENT_TYPES } from './events.ts';
import { shape } from './shape.ts';
import { Type } from './typebox.ts';

const FAMILIES = ['item.*', 'items.*', 'registry.*', 'claim.*'] as const;
const WEBHOOK_TYPES = [...EVENT_TYPES, ...FAMILIES] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

const type = oneOf(WEBHOOK_TYPES);
const types = {
  description: 'Types of events, or families of them; none means all',
  examples: [['claim.*']],
};

export const WebhookCreate = shape('WebhookCreate', {
  url: text(
    { minLength: 1, maxLength: 2000 },
    'https://books.example/hooks/registry',
    'An https address on the public web, without a user name; any other only if `LOOKUP_ALLOW` has its `host:port`',
  ),
  types: Type.Optional(
    Type.Unsafe<WebhookType[] | null>({ ...list(type, 50, types), type: ['array', 'null'] }),
  ),
});
export type WebhookCreate = Static<typeof WebhookCreate>;

const fields = {
  id: sample('7Jd0TtMkQh2xVw9sYb3LnA'),
  registry_id: nullable({ ...Id, description: 'Null where it is for the whole site' }),
  url: sample('https://books.example/hooks/registry'),
  types: Type.Array(type, types),
  disabled_at: nullable({
    ...Timestamp,
    description:
      'When it ended: by an answer of 410, after five days of failures, or because its maker lost the right to it',
    examples: [null],
  }),
  created_at: Timestamp,
};

export const Webhook = shape('Webhook', fields);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = shape('WebhookWithSecret', {
  ...fields,
  secret: sample(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'Verifies the signatures, by Standard Webhooks; only this answer has it',
  ),
});
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

const status = nullable(
  Type.Integer({ description: 'HTTP status of the last answer; null if none came', examples: [204] }),
);

export const WebhookDelivery = shape('WebhookDelivery', {
  event_id: sample('evt_3Vd0TtMkQh2xVw9sYb3LnA'),
  attempt: Type.Integer({ minimum: 0, description: 'How often it was tried', examples: [1] }),
  status,
  next_attempt_at: nullable({
    ...Timestamp,
    description: 'Null where it was received, or is given up',
    examples: [null],
  }),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookProblem = shape('WebhookProblem', {
  code: oneOf(['unreachable', 'late', 'not_allowed'], {
    description:
      "`unreachable`: no connection, or no HTTP answer; `late`: not within 15 seconds; `not_allowed`: the address as written isn't on the public web",
    examples: ['unreachable'],
  }),
  detail: sample('The receiver cannot be reached.'),
});
export type WebhookProblem = Static<typeof WebhookProblem>;

export const WebhookTest = shape('WebhookTest', {
  status,
  ms: Type.Integer({ minimum: 0, description: 'How many milliseconds the ping took', examples: [42] }),
  problem: Type.Union([ref(WebhookProblem), Type.Null()], {
    description: 'Only where nothing answered',
    examples: [null],
  }),
});
export type WebhookTest = Static<typeof WebhookTest>;

export const Webhooks = Type.Array(ref(Webhook));
export const WebhookDeliveries = Type.Array(ref(WebhookDelivery));
