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
      const [language, person] = [languageIn(headers['accept-language']), personIn(headers['trousseau-for'])];
      return site.lookups!.ask(viewer, body.url, language, person);
    },
  ),
};

/** The languages that a caller asks for, cut short: a long list would tell the shop who is asking. */
function languageIn(header: string | undefined): string {
  return header !== undefined && /^[A-Za-z][\w*;=,. -]{0,99}$/.test(header) ? header : '';
}

/** A word that stands for one person, always the same one; it is no name, and is sent nowhere. */
function personIn(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w-]{1,64}$/.test(header) ? header : '';
}
