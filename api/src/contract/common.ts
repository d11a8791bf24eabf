import type { Static, TSchema } from 'typebox';
import { described, shape } from './shape.ts';
import { Type } from './typebox.ts';

/** Largest integer outside of ids: what a 32-bit column holds. */
export const MAX_INTEGER = 2_147_483_647;

// No NUL and no lone surrogate: PostgreSQL stores neither, and neither survives UTF-8.
export const CLEAN_TEXT = '^[^\\u0000\\ud800-\\udfff]*$';

/** Documents a field by an example, and by a description where its name doesn't say enough. */
const documented = (example?: unknown, description?: string) => ({
  ...(description !== undefined && { description }),
  ...(example !== undefined && { examples: [example] }),
});

/** Text in answers, without bounds, documented by an example. */
export const sample = (example: string, description?: string) =>
  Type.String(documented(example, description));

type Bounds = { minLength?: number; maxLength?: number; format?: string };

/** Text within bounds, counted in characters (code points). */
export const text = (bounds: Bounds, example?: string, description?: string) =>
  Type.String({ pattern: CLEAN_TEXT, ...bounds, ...documented(example, description) });

/** The same schema, taking `null` as well. One `type` list keeps error messages to one line a field. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<T> | null>(
    values ? { ...rest, enum: [...values, null] } : { ...rest, type: [type, 'null'] },
  );
}

/** A field that may be absent or `null`. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

export const oneOf = <const T extends readonly (string | number | boolean)[]>(
  values: T,
  options: { description?: string; examples?: unknown[] } = {},
) => Type.Unsafe<T[number]>({ ...options, enum: values });

/** A shape by its name: documented once, referred to everywhere. */
export const ref = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${(schema as T & { $id: string }).$id}#` });

/** A list; its entries are looked at only when there are not too many of them, so that no body costs much. */
export const list = <T extends TSchema>(
  items: T,
  maxItems: number,
  options: { description?: string; examples?: unknown[] } = {},
) =>
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  Type.Unsafe<Static<T>[]>({ ...options, type: 'array', maxItems, if: { maxItems }, then: { items } });

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });

export const Timestamp = sample('2026-11-20T07:09:36.123Z', 'ISO 8601 in UTC with milliseconds');

export const ApiError = described('Error', 'Every failure has this shape', {
  detail: sample('Item not found'),
});
export type ApiError = Static<typeof ApiError>;

export const Welcome = shape('Welcome', { message: sample('Welcome to the Trousseau item service') });
export type Welcome = Static<typeof Welcome>;

export const Health = shape('Health', {
  status: Type.Literal('healthy'),
  service: Type.Literal('trousseau-api'),
});
export type Health = Static<typeof Health>;

export const Status = described('Status', 'State that only the service knows, for its operators', {
  version: sample('0.1.0', 'Version of the service'),
  time: { ...Timestamp, description: "The service's clock" },
  item_access: oneOf(['authenticated', 'registry'], {
    description:
      'People who may use the item routes. With `authenticated` every signed-in user sees there what is claimed, also an owner who is to be surprised',
    examples: ['registry'],
  }),
  claims_expired_at: {
    ...Timestamp,
    description:
      'Every claim that ran out a minute or more before then has ended: the time of the answer, or earlier where the job that ends them is late',
  },
});
export type Status = Static<typeof Status>;

/** How many entries a page holds if the caller doesn't say. */
export const DEFAULT_LIMIT = 100;

/** `skip` and `limit` of a list whose pages hold at most `maximum`. */
export const pagination = (maximum: number) =>
  Type.Object({
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum, default: DEFAULT_LIMIT })),
  });
