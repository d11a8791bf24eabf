import { Lookup, LookupRequest, ref } from '../contract/index.ts';
import { routesOf } from './routes.ts';

export const lookup = {
  create: routesOf('Lookups').route(
    {
      summary: "Reads the product on a shop's page; stores nothing",
      honoursLanguage: true,
      honoursPerson: true,
      refusals: { 429: 'More than 30 lookups in a minute, for an admin 600' },
      examples: { 'A page of a shop': { url: 'https://shop.example/saucepan' } },
    },
    { body: LookupRequest, response: { 200: ref(Lookup) } },
    ({ site, viewer, body, headers }) => {
      const language = validOrEmpty(LANGUAGES, headers['accept-language']);
      const person = validOrEmpty(PERSON, headers['trousseau-for']);
      return site.lookups!.ask(viewer, body.url, language, person);
    },
  ),
};

// A longer list would tell the shop who is asking.
const LANGUAGES = /^[A-Za-z][\w*;=,. -]{0,99}$/;
// An anonymous id for the person on whose behalf an admin asks. It only keeps our queues fair: shops never see it.
const PERSON = /^[\w-]{1,64}$/;

const validOrEmpty = (pattern: RegExp, header: string | string[] | undefined): string =>
  typeof header === 'string' && pattern.test(header) ? header : '';
