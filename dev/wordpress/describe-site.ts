// Describes tests on a site that starts before the first test and stops after the last, with people who visit it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Client } from 'trousseau-client';
import type { Clock } from '../../api/src/lib/clock.ts';
import { patientClient } from '../../api/test/support.ts';
import * as setUp from './set-up.ts';
import { type Answer, complaints, rest, sendWaitingMails, type Visitor, visit, visitorOf } from './site.ts';
import { startWholeSite, type WholeSite } from './whole-site.ts';
import {
  skipWithoutWordPress,
  startWordPress,
  type WordPress,
  type WordPressOptions,
  type WordPressUser,
} from './wordpress.ts';

type Name = keyof WordPress['users'];
type Person = Name | WordPressUser;

/** The functions of set-up.ts, each without its parameter for the site. */
type OfSite<Functions> = {
  [Key in keyof Functions as Functions[Key] extends (site: WordPress, ...rest: never[]) => unknown
    ? Key
    : never]: Functions[Key] extends (site: WordPress, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

export interface TestedWordPress extends WordPress, OfSite<typeof setUp> {
  /** People who log in with their first request. */
  visitors: Record<Name | 'nobody', Visitor>;
  /** Opens the site on a new device, of a stranger if no person is named. */
  visit(person?: Person | null): Promise<Visitor>;
  rest(person: Person | null, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Returns path and query of an address of the site. */
  local(address: string): string;
  /** Returns the device of a guest without an account who has opened the invitation. */
  guest(registry: number, email: string): Promise<Visitor>;
  sendWaitingMails(...before: setUp.Call[]): ReturnType<typeof sendWaitingMails>;
  /** Opens a tab in a browser of its own, in which this person is logged in. The browser closes after the last test. */
  tab(person?: Person | null, options?: BrowserContextOptions): Promise<Page>;
  closeTabs(): Promise<void>;
  /** Disposes of this after the last test, when the site has stopped. */
  use<Part extends AsyncDisposable>(part: Part): Part;
}

export interface List {
  id: number;
  permalink: string;
  /** Paths of the list and of its owners' pages. */
  path: string;
  gifts: string;
  details: string;
  guests: string;
  /** The ids of the gifts, in order. */
  items: number[];
  /** Returns the path of the page for giving the gift at this position. */
  give: (place?: number) => string;
}

/** A name, or fields that differ from the defaults. */
export type Gift = string | (Record<string, unknown> & { name: string });

export interface TestedSite extends TestedWordPress, Omit<WholeSite, keyof WordPress> {
  client(person?: Person): Client;
  /** Makes a private list of alice's with these gifts. */
  list(fields?: Record<string, unknown>, ...gifts: Gift[]): Promise<List>;
}

interface Options extends WordPressOptions {
  skip?: string | false;
}

interface SiteOptions extends Options {
  /** Settings of the service. */
  service?: Record<string, string>;
  /** The shop's pictures by name, as PNG. */
  pictures?: Record<string, Buffer>;
  /** The service's clock. */
  clock?: Partial<Clock>;
}

interface StartsWith<Started> {
  /** Adds options that are known only when the site starts. */
  startWith(options: () => Started | Promise<Started>): void;
}

function toolsOf(site: TestedWordPress): Partial<TestedSite> {
  const userOf = (person: Person): WordPressUser =>
    typeof person === 'string' ? site.users[person] : person;
  const client = (person: Person = 'alice') =>
    patientClient({ baseUrl: (site as TestedSite).service.url, ...userOf(person) });
  const bound = Object.entries(setUp).map(([name, run]) => [
    name,
    (...given: unknown[]) => (run as (...all: unknown[]) => unknown)(site, ...given),
  ]);
  const names = ['admin', 'alice', 'bob', 'carol', 'nobody'] as const;
  let browser: Promise<Browser> | undefined;
  return {
    ...Object.fromEntries(bound),
    visitors: Object.fromEntries(
      names.map((name) => [name, visitorOf(site, () => (name === 'nobody' ? null : site.users[name]))]),
    ) as unknown as TestedSite['visitors'],
    visit: (person = null) => visit(site, person && userOf(person)),
    rest: (person, ...asked) => rest(site, person && userOf(person), ...asked),
    local: (address) => address.replace(new URL(address).origin, ''),
    async guest(registry, email) {
      const device = await site.visit();
      const link = site.local(await site.guestLink(registry, email));
      assert.equal((await device(link, { do: 'open' })).status, 303);
      return device;
    },
    sendWaitingMails: (...calls) => sendWaitingMails(site, ...calls),
    async tab(person = null, options = {}) {
      const { launchChromium, signIn } = await import('./browser.ts');
      browser ??= launchChromium();
      const context = await (await browser).newContext(options);
      const page = await context.newPage();
      if (person) await signIn(page, site, userOf(person));
      return page;
    },
    closeTabs: async () => (await browser)?.close(),
    client,
    async list(fields = {}, ...gifts) {
      const { id, permalink } = (await client().registries.create({
        ...{ title: 'Ann & Sam', status: 'private', ...fields },
      }))!;
      const items: number[] = [];
      for (const gift of gifts) {
        const { name, ...more } = typeof gift === 'string' ? { name: gift } : gift;
        const item = { name, url: `https://shop.example/${encodeURIComponent(name)}`, ...more };
        items.push((await client().registries.items.create(id, item))!.data.id);
      }
      const page = (name: string) => `/registries/${id}/${name}/`;
      const give = (place = 0) => `${page('give')}?item=${items[place]}`;
      const pages = { gifts: page('gifts'), details: page('details'), guests: page('guests') };
      return { id, permalink, path: site.local(permalink), ...pages, items, give };
    },
  };
}

function describeWith<Site extends TestedWordPress, Started extends Options>(
  name: string,
  { skip, ...options }: Started,
  start: (options: Started) => Promise<WordPress>,
  tests: (site: Site & StartsWith<Started>) => void,
): void {
  describe(name, { skip: skip || skipWithoutWordPress() }, () => {
    let more: (() => Started | Promise<Started>) | undefined;
    const site = {} as Site & StartsWith<Started>;
    const parts = new AsyncDisposableStack();
    Object.assign(site, toolsOf(site), {
      startWith: (given: typeof more) => (more = given),
      use: (part: AsyncDisposable) => parts.use(part),
    });
    before(async () => {
      Object.assign(site, await start({ ...options, ...(await more?.()) } as Started));
    });
    after(async () => {
      await Promise.all([site.closeTabs(), site.stop?.()]);
      await parts.disposeAsync();
    });
    tests(site);
    test('PHP logged no complaint', () => assert.deepEqual(complaints(site), []));
  });
}

/** Describes tests on a site that is joined to a service; see `startWholeSite`. */
export const describeSite = (
  name: string,
  options: SiteOptions,
  tests: (site: TestedSite & StartsWith<SiteOptions>) => void,
): void =>
  describeWith<TestedSite, SiteOptions>(
    name,
    options,
    ({ service, pictures, clock, ...rest }) => startWholeSite(rest, service, pictures, clock),
    tests,
  );

/** Describes tests on a site without a service. */
export const describeWordPress = (
  name: string,
  options: Options,
  tests: (site: TestedWordPress & StartsWith<Options>) => void,
): void => describeWith<TestedWordPress, Options>(name, options, startWordPress, tests);
