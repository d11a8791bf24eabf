import { Refusal } from './protocol.ts';
import { plainText } from './text.ts';

/** One key of a registry's meta: which values the plugin accepts, and how it normalizes them. */
type Rule = { blank: string; demand: string; allows(value: string): boolean; clean(value: string): string };

type Name =
  | 'item_ids'
  | 'invitees'
  | 'owners'
  | 'event_type'
  | 'event_date'
  | 'currency'
  | 'surprise_until'
  | 'surprise_keeps'
  | 'pay_to';

const people = (most: number): Rule => ({
  blank: '[]',
  demand: `must be a JSON array of up to ${most} user names and e-mail addresses of 1 to 254 characters`,
  allows: (value) => {
    const list = listOf(value);
    return list !== undefined && list.length <= most && list.every(isPerson);
  },
  clean: (value) => {
    const first = new Map<string, string>();
    for (const name of (listOf(value) as string[]).map((name) => name.trim()))
      if (!first.has(name.toLowerCase())) first.set(name.toLowerCase(), name);
    return JSON.stringify([...first.values()]);
  },
});

const rules: Record<Name, Rule> = {
  item_ids: {
    blank: '[]',
    demand: 'must be a JSON array of item ids',
    allows: (value) => listOf(value)?.every((id) => Number.isSafeInteger(id) && (id as number) > 0) ?? false,
    clean: (value) => JSON.stringify([...new Set(listOf(value))]),
  },
  invitees: people(1000),
  owners: people(5),
  event_type: {
    blank: '',
    demand: 'must not be longer than 1000 characters',
    allows: (value) => [...value].length <= 1000,
    clean: plainText,
  },
  event_date: {
    blank: '',
    demand: 'must be a date such as 2027-05-30',
    allows: (value) => value === '' || isDate(value),
    clean: (value) => value,
  },
  currency: {
    blank: '',
    demand: 'must be a currency such as EUR',
    allows: (value) => value === '' || /^[A-Z]{3}$/.test(value),
    clean: (value) => value,
  },
  surprise_until: {
    blank: '',
    demand: 'must be a date such as 2027-05-30, or always',
    allows: (value) => value === '' || value === 'always' || isDate(value),
    clean: (value) => value,
  },
  surprise_keeps: {
    blank: '',
    demand: 'must be all or names',
    allows: (value) => ['', 'all', 'names'].includes(value),
    clean: (value) => value,
  },
  pay_to: {
    blank: '',
    demand: 'must not be longer than 3000 characters',
    allows: (value) => [...value].length <= 3000,
    clean: (value) => value.replace(/<[^<>]*>/g, '').trim(),
  },
};
const names = Object.keys(rules) as (keyof typeof rules)[];

export type Meta = Record<keyof typeof rules, string>;

/** Returns the meta as the host shows it, with the site's own key names. */
export function showMeta(meta: Meta, prefix: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [prefix + name, meta[name]]));
}

/** Returns the meta with a request's changes: unknown keys are ignored, `null` resets, and one bad value refuses them all. */
export function changeMeta(meta: Partial<Meta>, prefix: string, request: object): Meta {
  const sent = new Map<string, unknown>(Object.entries(request));
  const changed = {} as Meta;
  for (const name of names) {
    const { blank, demand, allows, clean } = rules[name];
    const param = `meta.${prefix}${name}`;
    const value = sent.get(prefix + name);
    if (value === undefined) changed[name] = meta[name] ?? blank;
    else if (value === null) changed[name] = blank;
    else if (typeof value !== 'string')
      throw new Refusal(400, 'rest_invalid_type', `${param} is not of type string.`);
    else if (allows(value)) changed[name] = clean(value);
    else
      throw new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${param}`, {
        params: { [param]: `${param} ${demand}` },
      });
  }
  return changed;
}

function listOf(value: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isPerson(value: unknown): boolean {
  const length = typeof value === 'string' ? [...value.trim()].length : 0;
  return length >= 1 && length <= 254;
}

function isDate(value: string): boolean {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
}
