import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Config, integer, itemAccess, readConfig, roles, siteUrl } from '../config.ts';
import { calledAs } from '../lib/invocation.ts';
import type { Database } from '../store/database.ts';
import { type JoiningStore, joiningStore } from '../store/joining.ts';
import { openDatabase } from '../store/open.ts';
import {
  isBeingRemoved,
  type NewSite,
  Refusal,
  type SiteSettings,
  type SiteStore,
  type StoredSite,
  siteStore,
} from '../store/sites.ts';
import { exportSite, importSite, type RowCounts, readSiteFile, type SiteInFile } from '../store/transfer.ts';
import { webhookStore } from '../store/webhooks.ts';

const CALL = calledAs('sites');

const USAGE = `Adds, shows and changes the sites of a service with SITES=on, in the store of DATABASE_URL. A running service
notices within five seconds.

  ${CALL} add URL [--admin-roles a,b] [--item-access registry|authenticated]
                                  prints the address that the plugin on this site is given
  ${CALL} add -          the same for each line of standard input, for all of them or none
  ${CALL} list           each site's key, address and state
  ${CALL} show KEY
  ${CALL} set KEY [--url URL] [--admin-roles a,b] [--item-access registry|authenticated] [--items N]
                                  N is the limit on active items of a site that has joined
  ${CALL} suspend KEY | resume KEY
  ${CALL} code [--uses N | --withdraw=CODE]
                                  prints a code with which one site, or N sites, may join by themselves; --withdraw makes
                                  a code invalid
  ${CALL} release KEY    frees the site's address for its new holder; the site stays, suspended, without an address
  ${CALL} secret KEY     prints a new secret for a site that has lost its own, with which it joins again
  ${CALL} remove KEY --yes
                                  deletes the site with everything that belongs to it; takes a minute or more
  ${CALL} export KEY FILE
                                  writes the site with all its rows to a new file
  ${CALL} import FILE    adds the site of such a file, and prints its address as add does
`;

// All that the commands read from the environment.
const SETTINGS = ['DATABASE_URL', 'PUBLIC_URL', 'PORT', 'ADMIN_ROLES', 'ITEM_ACCESS'];
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = {
  ...{ url: TEXT, 'admin-roles': TEXT, 'item-access': TEXT, items: TEXT },
  ...{ uses: TEXT, withdraw: TEXT, yes: FLAG, help: FLAG },
};
const CHANGES = ['url', 'admin-roles', 'item-access', 'items'] as const;
const MOST_ITEMS = 2_147_483_647;
const MOST_USES = 999_999;

// Shown in place of the address of a site whose address was released.
const NO_ADDRESS = '-';

const SHOWN_AT_ONCE = 500;
// Rows that are deleted at once, and the pause after them, in which a running service writes.
const DELETED_AT_ONCE = 1_000;
const PAUSE_MS = 10;
// By then no service still serves a removed site: it notices within five seconds, and finishes within `leavingMs`.
const NOTICED_MS = 65_000;

type Values = ReturnType<typeof parsed>['values'];
/** Where a command runs: the operator's terminal. */
export type Terminal = {
  env: Record<string, string | undefined>;
  input(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
  /** How long a running service may take to notice that a site is removed. */
  noticedMs?: number;
};

type Parts = {
  database: Database;
  store: SiteStore;
  joining: JoiningStore;
  config: Config;
  input(): Promise<string>;
  noticedMs: number;
  say(line: string): void;
};
type Command = {
  names?: readonly string[];
  options?: readonly (keyof Values)[];
  run(parts: Parts, first: string, values: Values, second: string): Promise<void>;
};

const parsed = (args: string[]) => parseArgs({ args, options: OPTIONS, allowPositionals: true });

function read<T>(name: string, parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new Refusal(`${name} ${(error as Error).message}`);
  }
}

const changesIn = ({ url, 'admin-roles': names, 'item-access': access }: Values): Partial<SiteSettings> => ({
  ...(url !== undefined && { url: read('--url', siteUrl, url) }),
  ...(names !== undefined && { adminRoles: read('--admin-roles', roles, names) }),
  ...(access !== undefined && { itemAccess: read('--item-access', itemAccess, access) }),
});

const toAdd = ({ adminRoles, itemAccess }: Config, url: string, values: Values): SiteSettings => ({
  ...{ adminRoles, itemAccess, ...changesIn(values) },
  url: read('the address', siteUrl, url),
});

function linesToAdd(config: Config, input: string): SiteSettings[] {
  const lines = input.split('\n').map((line) => line.trim());
  return lines.flatMap((line, i) => {
    if (line === '') return [];
    try {
      const { positionals, values } = parsed(line.split(/\s+/));
      const [url, ...more] = positionals;
      if (url === undefined || more.length > 0) throw new Refusal('must be one address with its options');
      onlyOptions('add', ['admin-roles', 'item-access'], values);
      return [toAdd(config, url, values)];
    } catch (error) {
      throw new Refusal(`line ${i + 1}: ${(error as Error).message}`);
    }
  });
}

function onlyOptions(command: string, options: readonly string[], values: Values): void {
  const other = Object.keys(values).find((name) => !options.includes(name));
  if (other) throw new Refusal(`${command} has no option --${other}`);
}

async function siteOf(store: SiteStore, key: string): Promise<StoredSite> {
  const site = await store.byKey(key);
  if (!site || site.state === 'removed') throw new Refusal(`there is no site ${key}`);
  return site;
}

function needsAddress({ key, url }: StoredSite): void {
  if (url === '') throw new Refusal(`${key} has no address: give it one with set ${key} --url URL`);
}

const siteIn = ({ key, url, admin_roles, item_access, state, created_at }: SiteInFile): NewSite => ({
  ...{ key, state, createdAt: created_at },
  url: read('the address', siteUrl, url),
  adminRoles: read('admin_roles', roles, admin_roles.join()),
  itemAccess: read('item_access', itemAccess, item_access),
});

const rowsOf = ({ items = 0, claims = 0 }: RowCounts) => `${items} items and ${claims} claims`;

const baseUrl = ({ publicUrl }: Config, { key }: Pick<StoredSite, 'key'>) => `${publicUrl}/sites/${key}`;

async function deleteRows(store: SiteStore, site: StoredSite): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await store.deleteSome(site, DELETED_AT_ONCE);
    if (count === 0) return deleted;
    deleted += count;
    await sleep(PAUSE_MS);
  }
}

const setState = (state: 'active' | 'suspended'): Command => ({
  names: ['KEY'],
  async run({ store, say }, key) {
    const site = await siteOf(store, key);
    if (state === 'active') needsAddress(site);
    await store.setState(site, state);
    say(`${key} is ${state}`);
  },
});

const COMMANDS: Record<string, Command> = {
  add: {
    names: ['URL'],
    options: ['admin-roles', 'item-access'],
    async run({ store, config, input, say }, url, values) {
      const sites = url === '-' ? linesToAdd(config, await input()) : [toAdd(config, url, values)];
      const added = await store.add(sites, new Date().toISOString());
      for (const site of added) say(baseUrl(config, site));
    },
  },

  list: {
    async run({ store, say }) {
      for (let last = 0; ; ) {
        const sites = await store.some(last, SHOWN_AT_ONCE);
        for (const site of sites) say(`${site.key} ${site.url || NO_ADDRESS} ${site.state}`);
        if (sites.length < SHOWN_AT_ONCE) return;
        last = sites.at(-1)!.id;
      }
    },
  },

  show: {
    names: ['KEY'],
    async run({ store, config, say }, key) {
      const site = await siteOf(store, key);
      const { url, adminRoles, itemAccess, createdAt, mostItems } = site;
      say(`key          ${key}`);
      say(`base URL     ${baseUrl(config, site)}`);
      say(`address      ${url || NO_ADDRESS}`);
      say(`state        ${site.state}`);
      say(`admin roles  ${adminRoles.join()}`);
      say(`item access  ${itemAccess}`);
      if (mostItems !== undefined) say(`items        ${mostItems} at most`);
      say(`added        ${createdAt}`);
    },
  },

  set: {
    names: ['KEY'],
    options: CHANGES,
    async run({ store, say }, key, values) {
      const changes = changesIn(values);
      const { items } = values;
      if (Object.keys(values).length === 0)
        throw new Refusal(`set needs ${CHANGES.map((name) => `--${name}`).join(' or ')}`);
      const most = items === undefined ? undefined : read('--items', integer(1, MOST_ITEMS), items);
      if (most !== undefined && Object.keys(changes).length > 0)
        throw new Refusal('--items is set by itself, without other options');
      const site = await siteOf(store, key);
      if (most === undefined) await store.set(site, { ...site, ...changes });
      else if (site.mostItems === undefined)
        throw new Refusal(`${key} has no limit: only sites that have joined by themselves have one`);
      else if (!(await store.setMostItems(site, most)))
        throw new Refusal(`${key} has more than ${most} active items`);
      say(`${key} is changed`);
    },
  },

  suspend: setState('suspended'),
  resume: setState('active'),

  code: {
    options: ['uses', 'withdraw'],
    async run({ joining, say }, _name, { uses = '1', withdraw }) {
      if (withdraw === undefined)
        return say(await joining.makeCode(read('--uses', integer(1, MOST_USES), uses)));
      if (!(await joining.withdraw(withdraw))) throw new Refusal(`there is no code ${withdraw}`);
      say(`${withdraw} is withdrawn`);
    },
  },

  release: {
    names: ['KEY'],
    async run({ store, say }, key) {
      const site = await siteOf(store, key);
      await store.release(site);
      say(`${site.url || NO_ADDRESS} is free; ${key} is suspended, and has no address`);
    },
  },

  secret: {
    names: ['KEY'],
    async run({ store, joining, say }, key) {
      say(await joining.newSecret(await siteOf(store, key)));
    },
  },

  export: {
    names: ['KEY', 'FILE'],
    async run({ database, store, say }, key, _values, file) {
      const site = await siteOf(store, key);
      needsAddress(site);
      say(`${file}: ${rowsOf(await exportSite(database, site, file))} of ${site.url}`);
      if (await webhookStore(database, site.id).any())
        say('Its webhooks stay behind, since their secrets open here alone: make them anew where it goes');
    },
  },

  import: {
    names: ['FILE'],
    async run({ database, config, say }, file) {
      const { site, rows } = await readSiteFile(file);
      const imported = await importSite(database, siteIn(site), file);
      say(`${file}: ${rowsOf(rows)} of ${imported.url}`);
      if (rows.item_limits) say(`Its secret stays behind: ${CALL} secret ${imported.key} prints a new one`);
      say(baseUrl(config, imported));
    },
  },

  remove: {
    names: ['KEY'],
    options: ['yes'],
    async run({ store, noticedMs, say }, key, { yes }) {
      const found = await store.byKey(key);
      const site = found && isBeingRemoved(found) ? found : await siteOf(store, key);
      if (!yes) throw new Refusal(`remove deletes ${site.url || key} with everything in it: say --yes, too`);
      await store.beginRemoval(site);
      const noticed = sleep(noticedMs);
      let rows = await deleteRows(store, site);
      await noticed;
      rows += await deleteRows(store, site);
      await store.endRemoval(site);
      say(`${key} is removed with ${rows} rows`);
    },
  },
};

async function main(args: string[], terminal: Terminal): Promise<number> {
  const { env: given, input, out, noticedMs = NOTICED_MS } = terminal;
  const { positionals, values } = parsed(args);
  const [name = '', ...operands] = positionals;
  if (values.help) {
    out(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name]! : undefined;
  const fault = name ? `there is no command ${name}` : 'name a command';
  if (!command) throw new Refusal(`${fault}: ${CALL} --help lists them all`);
  const { names: needed = [], options = [] } = command;
  onlyOptions(name, options, values);
  const wanted = needed.length > 0 ? `needs one ${needed.join(' and one ')}` : 'takes nothing more';
  if (operands.length !== needed.length) throw new Refusal(`${name} ${wanted}`);

  const env = Object.fromEntries(SETTINGS.map((each) => [each, given[each]]));
  const config = readConfig({ ...env, SITES: 'on' });
  const path = config.databaseUrl.slice('sqlite:'.length);
  if (!given.DATABASE_URL?.trim() && !existsSync(path))
    throw new Refusal(`there is no ${path}: set DATABASE_URL as the service has it`);
  const database = await openDatabase(config.databaseUrl);
  try {
    const joining = joiningStore(database, { now: Date.now });
    const [first = '', second = ''] = operands;
    const say = (line: string) => out(`${line}\n`);
    const parts = { database, store: siteStore(database), joining, config, input, noticedMs, say };
    await command.run(parts, first, values, second);
    return 0;
  } finally {
    await database.close();
  }
}

const ofProcess = (): Terminal => ({
  env: process.env,
  input: () => text(process.stdin),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});

/** Runs a command and returns its exit code. A failure is written as one line. */
export async function runSites(args: string[], terminal = ofProcess()): Promise<number> {
  try {
    return await main(args, terminal);
  } catch (error) {
    const { message, stack } = error as Error;
    terminal.err(`${message.replaceAll(/\s*\n\s*(- )?/g, ' ')}\n`);
    if (terminal.env.LOG_LEVEL === 'debug' && !(error instanceof Refusal)) terminal.err(`${stack}\n`);
    return 1;
  }
}

if (import.meta.main) process.exitCode = await runSites(process.argv.slice(2));
