import { isTooDeep } from '../lib/json-depth.ts';

// Checks of what the host sends.

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The value of JSON text. Undefined if it is invalid, or too deep. */
export function parsed(json: string): unknown {
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
