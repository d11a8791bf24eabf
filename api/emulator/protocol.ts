/** The answer of a route; the server turns it into bytes. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string> };

/** A refusal in WordPress's form: `{code, message, data: {status, …}}`. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: object;

  constructor(status: number, code: string, message: string, details: object = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  get body() {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.details } };
  }
}

/** Returns the refusal of a request without permission: 401 for anonymous callers, 403 for users. */
export const refuse = (user: object | undefined, code: string, message: string) =>
  new Refusal(user ? 403 : 401, code, message);

/** The parameters of one request, read one by one; `check` refuses the request and names every fault found. */
export class Parameters {
  readonly #values: Map<string, unknown>;
  readonly #faults: Record<string, { code: string; message: string; data: object | null }> = {};

  constructor(query: URLSearchParams, body: object = {}) {
    this.#values = new Map();
    for (const [name, value] of query) {
      if (!name.endsWith('[]')) this.#values.set(name, value);
      else this.#values.set(name.slice(0, -2), query.getAll(name));
    }
    for (const [name, value] of Object.entries(body)) this.#values.set(name, value);
  }

  has(name: string): boolean {
    return (this.#values.get(name) ?? null) !== null;
  }

  get(name: string): unknown {
    return this.#values.get(name) ?? undefined;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value;
    this.fault(name, 'rest_invalid_type', `${name} is not of type string.`);
  }

  integer(name: string, bounds: { min?: number; max?: number } = {}): number | undefined {
    if (!this.has(name)) return;
    const { min = -Infinity, max = Infinity } = bounds;
    const value = toInteger(this.get(name));
    if (value === undefined) this.fault(name, 'rest_invalid_type', `${name} is not of type integer.`);
    else if (value >= min && value <= max) return value;
    else if (max === Infinity)
      this.fault(name, 'rest_out_of_bounds', `${name} must be greater than or equal to ${min}`);
    else
      this.fault(
        name,
        'rest_out_of_bounds',
        `${name} must be between ${min} (inclusive) and ${max} (inclusive)`,
      );
  }

  flag(name: string): boolean {
    const value = String(this.get(name) ?? false).toLowerCase();
    if (!['true', 'false', '1', '0'].includes(value))
      this.fault(name, 'rest_invalid_type', `${name} is not of type boolean.`);
    return value === 'true' || value === '1';
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    if (!this.has(name)) return fallback;
    return choices.find((choice) => choice === this.get(name)) ?? this.#notOneOf(name, choices, fallback);
  }

  /** Reads a list: `a,b`, `name[]=a&name[]=b` or a JSON array. */
  list(name: string): string[] | undefined {
    if (!this.has(name)) return;
    const value = this.get(name);
    const parts = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,]+/);
    return parts.filter((part) => part !== '');
  }

  choices(name: string, choices: readonly string[], fallback: string[]): string[] {
    const parts = this.list(name) ?? fallback;
    return parts.every((part) => choices.includes(part)) ? parts : this.#notOneOf(name, choices, fallback);
  }

  integers(name: string): number[] {
    const numbers = (this.list(name) ?? []).map(toInteger);
    if (numbers.includes(undefined))
      this.fault(name, 'rest_invalid_type', `${name}[${numbers.indexOf(undefined)}] is not of type integer.`);
    return numbers.filter((number) => number !== undefined);
  }

  fault(name: string, code: string, message: string): void {
    this.#faults[name] = { code, message, data: code === 'rest_invalid_type' ? { param: name } : null };
  }

  check(): void {
    const names = Object.keys(this.#faults);
    if (names.length === 0) return;
    const params = Object.fromEntries(names.map((name) => [name, this.#faults[name]?.message]));
    throw new Refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${names.join(', ')}`, {
      params,
      details: this.#faults,
    });
  }

  #notOneOf<Fallback>(name: string, choices: readonly string[], fallback: Fallback): Fallback {
    const said = new Intl.ListFormat('en').format(choices);
    this.fault(name, 'rest_not_in_enum', `${name} is not one of ${said}.`);
    return fallback;
  }
}

function toInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

export const CONTEXTS = ['view', 'embed', 'edit'] as const;
export type Context = (typeof CONTEXTS)[number];

/** Keeps only the fields named in `_fields`, such as `title.raw`. PHP writes an empty object as `[]`. */
export function keepFields(value: unknown, fields: string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => keepFields(entry, fields));
  const kept: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value as object)) {
    const below = fields.filter((field) => field.startsWith(`${name}.`));
    if (fields.includes(name)) kept[name] = entry;
    else if (below.length > 0 && entry !== null && typeof entry === 'object' && !Array.isArray(entry))
      kept[name] = keepFields(
        entry,
        below.map((field) => field.slice(name.length + 1)),
      );
  }
  return Object.keys(kept).length > 0 ? kept : [];
}
