import { parse } from 'node:querystring';

/** The query as an object, whole numbers as numbers: from there on it is checked as strictly as a body. */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
  const query: Record<string, unknown> = parse(text);
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string' && /^-?\d{1,16}$/.test(value)) query[name] = Number(value);
  return query;
}
