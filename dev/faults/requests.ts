import fc from 'fast-check';
import type { OpenApi } from '../../api/test/answers.ts';
import { authorization, type Name } from '../../api/test/support.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, read field by field
type Schema = any;
export type Documented = OpenApi & {
  paths: Record<string, Record<string, { parameters?: Schema[]; requestBody?: Schema }>>;
};

// `nobody` sends no credentials, or invalid ones.
export type Role = Name | 'nobody';
export type Sent = {
  role: Role;
  target: string;
  body: string | undefined;
  headers: Record<string, string>;
};

export const REGISTRIES = 6;

/** Secrets that only some roles may see. Each is stored in one place only. */
export const SECRET = {
  story: 'secret-story-4711',
  invitee: 'secret-guest-4711@example.test',
  affiliate: 'https://partner.example/secret-affiliate-4711',
  giver: 'secret-giver-4711@example.test',
  surprise: 'secret-surprise-4711@example.test',
  message: 'secret-message-4711',
};

// Registries that are a surprise for their owner.
export const SURPRISES = [2, 5];

const HOSTILE_TEXT = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  "'; drop table items; --",
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '../../etc/passwd',
  '%00%2e%2e%2f',
  'e\u0301\u200d\u{1f469}\u200d\u{1f4bb}\u202e',
  'x'.repeat(501),
  'ж'.repeat(2001),
  '\r\nset-cookie: a=b',
];
const HOSTILE_NUMBERS = [0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21];
const HOSTILE_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '[[[[]]]]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"name":"a","name":null}',
  '{"price":1e999}',
  '{"title":"\\ud800"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`,
  '\ufeff{}',
  `{"name":"${'x'.repeat(100_000)}"}`,
  `{"invitees":[${'"a",'.repeat(5_000)}"a"]}`,
];

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...HOSTILE_TEXT));
const anything = fc.oneof(
  anyText,
  fc.constantFrom<unknown>(...HOSTILE_NUMBERS, true, false, null),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Generates valid values of a schema. */
function valid(schema: Schema, document: Documented): fc.Arbitrary<unknown> {
  if (schema.$ref) return valid(document.components.schemas[schema.$ref.split('/').at(-1)], document);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types: string[] = [schema.type].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => valid({ ...schema, type }, document)));
  const { minimum = -(2 ** 31), maximum = 2 ** 31, minLength = 0, maxLength = 60, examples } = schema;
  const likely = Math.max(minimum, 1);
  switch (types[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      // Mostly ids that are likely to exist.
      return fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: likely, max: Math.min(maximum, likely + 11) }) },
        { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
        { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
      );
    case 'number':
      return fc.double({ min: 0, minExcluded: true, max: 1e12, noNaN: true });
    case 'string':
      if (schema.format === 'currency') return fc.constantFrom('EUR', 'USD', 'JPY');
      if (schema.format === 'surprise') return fc.constantFrom('', 'always', '2030-06-13');
      if (schema.format === 'address')
        return fc.constantFrom('bob@example.test', SECRET.giver, SECRET.surprise, 'a@b');
      if (schema.format === 'date')
        return fc
          .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10));
      return fc
        .oneof(
          { weight: examples ? 2 : 0, arbitrary: fc.constantFrom(...(examples ?? [''])) },
          {
            weight: 6,
            arbitrary: fc.string({
              unit: 'grapheme',
              minLength,
              maxLength: Math.min(maxLength, minLength + 40),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.constantFrom('x'.repeat(Math.max(minLength, 1)), '€'.repeat(maxLength)),
          },
        )
        .filter((text) => [...text].length <= maxLength && !text.includes('\u0000'));
    case 'array':
      return fc.array(valid(schema.items, document), { maxLength: 5 });
    case 'object': {
      const fields = Object.entries(schema.properties as Record<string, Schema>).map(
        ([name, field]): [string, fc.Arbitrary<unknown>] => [name, valid(field, document)],
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
  }
  throw new Error(`The document holds a schema that the fuzz does not know: ${JSON.stringify(schema)}`);
}

/** Generates valid values with one field missing, of another type, or just out of bounds. */
const nearlyValid = (whole: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(whole, fc.nat(), fc.constantFrom('drop', 'replace', 'add', 'nest'), anything)
    .map(([value, index, how, other]) => {
      if (typeof value !== 'object' || value === null) return other;
      const copy: Record<string, unknown> = { ...value };
      const keys = Object.keys(copy);
      const key = keys[index % Math.max(keys.length, 1)] ?? 'name';
      if (how === 'drop') delete copy[key];
      else if (how === 'replace') copy[key] = other;
      else if (how === 'add') copy[`x-${index}`] = other;
      else copy[key] = { [key]: copy[key] };
      return copy;
    });

const asBody = (value: unknown) => JSON.stringify(value) ?? 'undefined';

const roles = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Role>('alice', 'admin') },
  { weight: 3, arbitrary: fc.constantFrom<Role>('bob', 'carol') },
  { weight: 1, arbitrary: fc.constant<Role>('nobody') },
);

const headerText = fc
  .string({ unit: fc.constantFrom(...'aZ09"*,;/=- W'), maxLength: 40 })
  .map((text) => text.trim());
const headers = fc.record(
  {
    'if-match': fc.oneof(fc.constantFrom('*', '"1-1"', '"2-1-admin"', 'W/"1-1"'), headerText),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"1-1"', '"3-1"'), headerText),
    'idempotency-key': fc.oneof(
      fc.integer({ min: 1, max: 30 }).map(String),
      headerText,
      fc.constant('k'.repeat(300)),
    ),
    'x-request-id': headerText,
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      ';',
    ),
    'x-forwarded-for': fc.constantFrom('1.2.3.4', 'not an address'),
  },
  { requiredKeys: [] },
);

const wrongCredentials = fc.oneof(
  fc.constantFrom('', 'Basic', 'Basic !!!', 'Bearer x', `Basic ${'A'.repeat(8_000)}`),
  fc.constant(authorization('alice').replace(/.{6}$/, 'AAAAAA')),
  headerText,
);

// A path segment is neither empty nor `.` or `..`, which clients resolve themselves.
const segment = anyText
  .map((text) => encodeURIComponent(text.toWellFormed()))
  .filter((text) => text.length < 3_000 && !/^(%2e|\.){0,2}$/i.test(text));
const oddId = fc.oneof(segment, fc.constantFrom('0', '-1', '01', '1.0', '1e3', '9007199254740993'));
const oneOfMany = fc.integer({ min: 1, max: 12 }).map(String);

// Paths mostly name a registry and one of its items, rather than unrelated ids: see `furnish`.
const pathParameters: fc.Arbitrary<Record<string, string>> = fc
  .record({
    registry: fc.integer({ min: 1, max: REGISTRIES }),
    second: fc.boolean(),
    id: fc.oneof({ weight: 10, arbitrary: oneOfMany }, { weight: 1, arbitrary: oddId }),
    item_id: fc.oneof({ weight: 10, arbitrary: oneOfMany }, { weight: 1, arbitrary: oddId }),
    user_id: fc.oneof({ weight: 10, arbitrary: oneOfMany }, { weight: 1, arbitrary: oddId }),
    invitee: fc.oneof(fc.constantFrom('bob', 'dora', encodeURIComponent(SECRET.invitee)), segment),
    claim_id: fc.oneof(
      { weight: 10, arbitrary: fc.nat({ max: 99 }).map((n) => `claim-${n}`) },
      { weight: 1, arbitrary: oddId },
    ),
    webhook_id: fc.oneof(
      { weight: 10, arbitrary: fc.constant('webhook-made') },
      { weight: 1, arbitrary: oddId },
    ),
    related: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ registry, second, related, ...odd }) =>
    related ? { ...odd, id: String(registry), item_id: String(2 * registry - (second ? 0 : 1)) } : odd,
  );
const queryValue = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map(String),
  fc.constantFrom('', '-1', '1001', '1e9', 'NaN', '1&skip=2'),
  segment,
);

/** Generates requests to one operation of the OpenAPI document. */
export function requestsTo(document: Documented, method: string, path: string): fc.Arbitrary<Sent> {
  const operation = document.paths[path]![method]!;
  const queries = (operation.parameters ?? [])
    .filter((one) => one.in === 'query')
    .map((one): [string, fc.Arbitrary<string>] => [
      one.name,
      fc.oneof(
        {
          weight: 3,
          arbitrary: valid(one.schema, document).map((value) =>
            encodeURIComponent(String(value).toWellFormed()),
          ),
        },
        { weight: 1, arbitrary: queryValue },
      ),
    ]);
  // Some query parameters exclude each other, so each is also sent alone.
  const alone = queries.map(([name, value]) => value.map((text) => ({ [name]: text })));
  const schema = operation.requestBody?.content['application/json'].schema;
  const body = schema
    ? fc.oneof(
        { weight: 5, arbitrary: valid(schema, document).map(asBody) },
        { weight: 4, arbitrary: nearlyValid(valid(schema, document)).map(asBody) },
        { weight: 1, arbitrary: anything.map(asBody) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
      )
    : // A body although the operation takes none.
      method === 'delete'
      ? fc.oneof(
          { weight: 9, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_BODIES) },
        )
      : fc.constant(undefined);
  return fc
    .record({
      role: roles,
      parameters: pathParameters,
      query: fc.oneof(fc.record(Object.fromEntries(queries), { requiredKeys: [] }), ...alone),
      body,
      headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }),
      credentials: wrongCredentials,
    })
    .map(({ role, parameters, query, body, headers, credentials }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
        const value = parameters[name];
        if (value === undefined) throw new Error(`The fuzz has no value for {${name}} in ${path}`);
        return value;
      });
      const search = Object.entries(query as Record<string, string>)
        .map(([name, value]) => `${name}=${value}`)
        .join('&');
      return {
        role,
        target: `${method.toUpperCase()} ${filled}${search && `?${search}`}`,
        body,
        headers: role === 'nobody' && credentials ? { ...headers, authorization: credentials } : headers,
      };
    });
}

type Furnishing = { as: Name; target: string; body: object };

/** Requests that store something for every role: alice's registries with bob as an invitee, and secrets to look for. */
export const furniture: readonly Furnishing[] = Array.from({ length: REGISTRIES }, (_, before) => {
  const i = before + 1;
  const email = SURPRISES.includes(i) ? SECRET.surprise : SECRET.giver;
  const claims = `POST /registries/${i}/items/${2 * i}/claims`;
  const registry = {
    title: `Registry ${i}`,
    story: SECRET.story,
    status: i % 2 ? 'private' : 'publish',
    meta: {
      registry_invitees: ['bob', SECRET.invitee],
      registry_surprise_until: SURPRISES.includes(i) ? 'always' : '',
    },
  };
  const item = (n: number) => ({
    name: `Gift ${n} of ${i}`,
    url: 'https://shop.example/gift',
    affiliate_url: SECRET.affiliate,
    affiliate_status: 'active',
    quantity_needed: 9,
  });
  const made = (as: Name, target: string, body: object) => ({ as, target, body });
  return [
    made('alice', 'POST /registries', registry),
    made('alice', `POST /registries/${i}/items`, item(1)),
    made('alice', `POST /registries/${i}/items`, item(2)),
    made('admin', claims, { giver: { name: email, email }, message: email }),
    made('bob', claims, { message: SECRET.message, state: i % 2 ? 'reserved' : 'pending' }),
    made('alice', `POST /registries/${i}/webhooks`, { url: 'https://receiver.example/hook' }),
    ...(i === 1 ? [made('admin', 'POST /webhooks', { url: 'https://receiver.example/all' })] : []),
  ];
}).flat();
