import type { Static } from 'typebox';
import { nullable, oneOf, text } from './common.ts';
import { Type } from './typebox.ts';

export const LookupRequest = Type.Object(
  {
    url: text({
      minLength: 10,
      maxLength: 2000,
      description: 'The http or https address of a page, without a user name',
      examples: ['https://shop.example/saucepan'],
    }),
  },
  { $id: 'LookupRequest' },
);
export type LookupRequest = Static<typeof LookupRequest>;

const source = Type.Optional(
  oneOf(['json-ld', 'microdata', 'rdfa', 'open-graph', 'html', 'address'], { examples: ['json-ld'] }),
);

export const LookupSources = Type.Object(
  {
    name: source,
    description: source,
    image_url: source,
    price: source,
    currency: source,
    retailer: source,
  },
  { $id: 'LookupSources', description: 'For each field that is not null, where it came from' },
);
export type LookupSources = Static<typeof LookupSources>;

/** Why a page told nothing. */
export const LOOKUP_PROBLEMS = [
  'unreachable',
  'late',
  'refused',
  'not_a_page',
  'too_large',
  'not_allowed',
  'nothing_found',
] as const;

export const LookupProblem = Type.Object(
  {
    code: oneOf(LOOKUP_PROBLEMS, {
      description:
        '`unreachable`: no connection, or no end of redirects; `late`: not within 8 seconds; `refused`: a status of ' +
        '400 or above, or a page that only keeps robots out; `not_a_page`: something else than HTML; `too_large`: ' +
        'more than 4 MiB; `not_allowed`: as it is written not an address of the public web; `nothing_found`: no thing that is sold',
      examples: ['refused'],
    }),
    detail: Type.String({ examples: ['The shop refuses to show the page (status 403).'] }),
  },
  { $id: 'LookupProblem' },
);
export type LookupProblem = Static<typeof LookupProblem>;

export const Lookup = Type.Object(
  {
    url: Type.String({
      description:
        "The page's own address, where it has one on the same site; else the one that was asked for",
      examples: ['https://shop.example/saucepan'],
    }),
    name: nullable(Type.String({ examples: ['Copper saucepan'] })),
    description: nullable(Type.String({ examples: ['The 18 cm one'] })),
    image_url: nullable(Type.String({ examples: ['https://shop.example/saucepan.jpg'] })),
    price: nullable(Type.Number({ examples: [129.5] })),
    currency: nullable(Type.String({ description: 'ISO 4217', examples: ['EUR'] })),
    retailer: nullable(Type.String({ examples: ['Kitchen & Co'] })),
    sources: Type.Unsafe<LookupSources>({ $ref: 'LookupSources#' }),
    problem: Type.Unsafe<LookupProblem | null>({
      anyOf: [{ $ref: 'LookupProblem#' }, { type: 'null' }],
      examples: [null],
    }),
  },
  {
    $id: 'Lookup',
    description:
      'Facts of a page about the product it sells; a field that the page does not tell for certain is null',
  },
);
export type Lookup = Static<typeof Lookup>;
