import type { Static } from 'typebox';
import { nullable, oneOf, ref, sample, text } from './common.ts';
import { described, shape } from './shape.ts';
import { Type } from './typebox.ts';

export const LookupRequest = shape('LookupRequest', {
  url: text(
    { minLength: 10, maxLength: 2000 },
    'https://shop.example/saucepan',
    'The http or https address of a page, without a user name',
  ),
});
export type LookupRequest = Static<typeof LookupRequest>;

const source = Type.Optional(
  oneOf(['json-ld', 'microdata', 'rdfa', 'open-graph', 'html', 'address'], { examples: ['json-ld'] }),
);

export const LookupSources = described('LookupSources', 'Where each field that is not null came from', {
  name: source,
  description: source,
  image_url: source,
  price: source,
  currency: source,
  retailer: source,
});
export type LookupSources = Static<typeof LookupSources>;

export const LookupProblem = shape('LookupProblem', {
  code: oneOf(['unreachable', 'late', 'refused', 'not_a_page', 'too_large', 'not_allowed', 'nothing_found'], {
    description:
      '`unreachable`: no connection, or no end of redirects; `late`: not within 8 seconds; `refused`: a status of ' +
      '400 or above, or a page that only keeps robots out; `not_a_page`: something other than HTML; `too_large`: ' +
      "more than 4 MiB; `not_allowed`: the address as written isn't on the public web; `nothing_found`: no product on the page",
    examples: ['refused'],
  }),
  detail: sample('The shop refuses to show the page (status 403).'),
});
export type LookupProblem = Static<typeof LookupProblem>;

export const Lookup = described(
  'Lookup',
  'Facts of a page about the product it sells; a field that the page does not tell for certain is null',
  {
    url: sample(
      'https://shop.example/saucepan',
      "The page's own address, where it has one on the same site; else the one that was asked for",
    ),
    name: nullable(sample('Copper saucepan')),
    description: nullable(sample('The 18 cm one')),
    image_url: nullable(sample('https://shop.example/saucepan.jpg')),
    price: nullable(Type.Number({ examples: [129.5] })),
    currency: nullable(sample('EUR', 'ISO 4217')),
    retailer: nullable(sample('Kitchen & Co')),
    sources: ref(LookupSources),
    problem: Type.Union([ref(LookupProblem), Type.Null()], { examples: [null] }),
  },
);
export type Lookup = Static<typeof Lookup>;
