export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The most levels of JSON that is accepted: code that recurses into more could exhaust the stack. */
export const MOST_LEVELS = 100;

/** Whether JSON is nested deeper than that. */
export const isTooDeep = (json: string): boolean => valuesIn(json) === Number.POSITIVE_INFINITY;

/** How many values JSON has, give or take one for each list; infinite if it is too deep, or has more than `most`. */
export function valuesIn(json: string, most = Number.POSITIVE_INFINITY): number {
  let level = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ',') values++;
    else if (character === '[' || character === '{') {
      values++;
      if (++level > MOST_LEVELS) return Number.POSITIVE_INFINITY;
    } else if (character === ']' || character === '}') level--;
    if (values > most) return Number.POSITIVE_INFINITY;
  }
  return values;
}

/** The value of JSON text; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same for text from elsewhere; undefined also if it is too deep. */
export const parsed = (json: string): unknown => (isTooDeep(json) ? undefined : jsonIn(json));
