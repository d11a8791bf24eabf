import { isTooDeep, jsonIn } from '../lib/json.ts';

// Checks of what the host sends.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The value of JSON text. Undefined if it is invalid, or too deep. */
export const parsed = (json: string): unknown => (isTooDeep(json) ? undefined : jsonIn(json));
