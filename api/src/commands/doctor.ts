import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import apiPackage from '../../package.json' with { type: 'json' };
import { keyFileOf, openCipher } from '../app/cipher.ts';
import { type Config, inUrl, readConfig } from '../config.ts';
import type { Status } from '../contract/index.ts';
import { purposeOf } from '../domain/webhooks.ts';
import { hostBodies } from '../host/bodies.ts';
import { type Call, type WordPress, wordpress } from '../host/wordpress.ts';
import { calledAs } from '../lib/invocation.ts';
import { isObject, jsonIn } from '../lib/json.ts';
import { bindings } from '../store/bindings.ts';
import type { Database, Durability } from '../store/database.ts';
import { SCHEMA_VERSION, schemaOf, schemaRefusal } from '../store/migrations.ts';
import { openDriver } from '../store/open.ts';
import { SERVICE, type StoredSite, siteName, siteStore } from '../store/sites.ts';
import { someSecret } from '../store/webhooks.ts';

const USAGE = `Checks a WordPress site, the service and its store, and says how to fix what is wrong.

  ${calledAs('doctor')} [--site URL] [--user NAME --password APPLICATION-PASSWORD] [--service URL]

--service takes the base URL of one site where a service has many: URL/sites/KEY. The site's address is then read from the store.

What is not given is taken from the service's settings: HOST_URL, TROUSSEAU_USERNAME, TROUSSEAU_APP_PASSWORD,
TROUSSEAU_BASE_URL (otherwise LISTEN_ADDRESS and PORT), API_KEY, DATABASE_URL, SECRET_KEY, REGISTRY_POST_TYPE.
`;

const LIMIT_MS = 10_000;

class Trouble extends Error {
  readonly cure: string;
  constructor(message: string, cure: string) {
    super(message);
    this.cure = cure;
  }
}

/** A check that can't run until an earlier one succeeds. */
class NotChecked extends Error {}

function need(met: unknown, what: string): void {
  if (!met) throw new NotChecked(`needs ${what}`);
}

const NOT_STARTED = 'start it, or give its address with --service';

async function ask(url: string, headers: Record<string, string> = {}) {
  try {
    const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) });
    return { status: answer.status, json: jsonIn(await answer.text()) };
  } catch (error) {
    throw new Trouble(`${url} does not answer: ${reasonOf(error as Error)}`, NOT_STARTED);
  }
}

type StoreSettings = Pick<Config, 'databaseUrl'> & {
  /** The store wasn't named: it is the one that a service without settings would use. */
  isDefaultStore?: boolean;
};
type Settings = StoreSettings &
  Pick<Config, 'apiKey' | 'registryPostType' | 'secretKey'> &
  Record<'site' | 'service', string> &
  Record<'user' | 'password', string | undefined>;

/** The checks by their names, in the order in which they build on each other. */
function checksOf(settings: Settings, host: WordPress): Record<string, () => Promise<string>> {
  const { site, service, user, password, apiKey, registryPostType: postType } = settings;
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  const authorization = user && password ? `Basic ${basic}` : undefined;
  const ours = { ...(authorization && { authorization }), ...(apiKey && { 'x-api-key': apiKey }) };
  let hasRoot = false;
  let probe: Record<string, unknown> | undefined;
  let accepted = false;
  let hasStore = false;

  const rest = (path: string, query: Call['query'] = {}) => {
    need(hasRoot, 'the site');
    const call: Call = { method: 'GET', path, query, authorization, answerSize: 'posts' };
    return host.call(call).catch((error) => {
      throw new Trouble(reasonOf(error), "look into the site's error log");
    });
  };
  const needCredentials = () => need(authorization, '--user and --password');
  // Wrong ones would fail every check after this with a cure of its own.
  const needAccepted = () => {
    needCredentials();
    need(accepted, 'accepted credentials');
  };

  const key = keyIn(service);
  return {
    async 'the site answers'() {
      const root = await host.root().catch((error) => {
        const cure = 'is it running, and is the address right? A security plugin may also block its REST API';
        throw new Trouble(reasonOf(error), cure);
      });
      hasRoot = true;
      return root;
    },

    async 'application passwords are on'() {
      const { status, body } = await rest('', { _fields: 'authentication' });
      const offered = isObject(body) ? body.authentication : undefined;
      if (isObject(offered) && 'application-passwords' in offered) return 'yes';
      throw new Trouble(
        status === 200 ? 'the site offers none' : `status ${status}`,
        site.startsWith('https:')
          ? 'a security plugin has switched them off: allow them there'
          : "serve the site over https, or set WP_ENVIRONMENT_TYPE to 'local' on a development site",
      );
    },

    async 'the plugin is active'() {
      const { status, body } = await rest('trousseau/v1/authorization');
      if (!isObject(body) || typeof body.arrived !== 'boolean')
        throw new Trouble(`status ${status}`, 'install and activate the plugin Trousseau on the site');
      probe = body;
      return 'yes';
    },

    async 'the Authorization header arrives'() {
      needCredentials();
      need(probe, 'the plugin');
      if (probe?.arrived === true) return 'yes';
      throw new Trouble(
        'the web server drops it on the way to PHP',
        'Apache: CGIPassAuth On; nginx with FastCGI passes it unless a rule removes it',
      );
    },

    async 'the credentials are accepted'() {
      needCredentials();
      const { status, body } = await rest('wp/v2/users/me', { context: 'edit' });
      accepted = status === 200 && isObject(body);
      if (accepted) return `as ${(body as Record<string, unknown>).username}`;
      throw new Trouble(`status ${status}`, 'create a new application password in the profile of that user');
    },

    async "the plugin's version fits"() {
      need(probe?.version, 'the plugin and accepted credentials: it tells its version to nobody else');
      const version = String(probe?.version);
      const [major, minor] = version.split('.');
      if (apiPackage.version.startsWith(`${major}.${minor}.`))
        return `${version}, the service ${apiPackage.version}`;
      throw new Trouble(
        `${version}, but the service is ${apiPackage.version}`,
        'bring both to the same minor version',
      );
    },

    async 'the post type is there'() {
      if (authorization) needAccepted();
      const { status } = await rest(`wp/v2/${postType}`, { per_page: 1 });
      if (status === 200) return postType;
      throw new Trouble(`status ${status} for ${postType}`, 'activate the plugin, or set REGISTRY_POST_TYPE');
    },

    async 'the service answers'() {
      const { status, json } = await ask(`${service}/health`);
      if (isObject(json) && json.service === 'trousseau-api') return service;
      throw new Trouble(`${service} answers ${status} and is not the item service`, NOT_STARTED);
    },

    async 'the service reaches the host'() {
      needAccepted();
      const { status, json } = await ask(`${service}/registries?limit=1`, ours);
      if (status === 200) return 'yes';
      const detail = isObject(json) ? String(json.detail) : 'no JSON';
      const cures: Record<number, string> = {
        401: `HOST_URL of the service names another site than ${site}`,
        403: 'set API_KEY to the gateway key',
        502: "check the service's HOST_URL and whether its machine reaches the site",
        504: 'the site is too slow, or a firewall swallows the requests',
      };
      throw new Trouble(`status ${status}: ${detail}`, cures[status] ?? "look into the service's log");
    },

    async 'surprises are safe'() {
      needAccepted();
      const { status, json } = await ask(`${service}/status`, ours);
      need(status === 200 && isObject(json), 'a service that reaches the host');
      if ((json as Status).item_access === 'registry') return "only a registry's own people see its items";
      throw new Trouble(
        'ITEM_ACCESS is authenticated: /items shows what is claimed to everyone who is signed in, owners included',
        'set ITEM_ACCESS=registry for the service',
      );
    },

    async 'the store is healthy'() {
      const { version, words, cure } = await inStore(settings, checkStore);
      hasStore = true;
      if (cure) throw new Trouble(words, cure);
      const whose = settings.isDefaultStore
        ? ' (DATABASE_URL is not set here: this is the default store)'
        : '';
      return `schema version ${version}, ${words}${whose}`;
    },

    async 'the secrets of webhooks can be decrypted'() {
      need(hasStore, 'a healthy store');
      return inStore(settings, (database) => checkSecrets(settings, database));
    },

    ...(key !== undefined && {
      async 'the store has this site'() {
        need(hasStore, 'a healthy store');
        return checkStoredSite(await storedSite(settings, key), site, key);
      },
    }),
  };
}

/** The cause of a failure of the host, in words for the operator. */
const reasonOf = ({ message, cause, code = '' }: Error & { code?: string }): string =>
  cause instanceof Error ? reasonOf(cause) : message || code;

/** Opens the store and looks into it, whether or not the service is running. */
async function inStore<T>(
  { databaseUrl: url, isDefaultStore = false }: StoreSettings,
  look: (database: Database) => Promise<T>,
): Promise<T> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (path !== undefined && !existsSync(path))
    throw new Trouble(
      `there is no ${path}${isDefaultStore ? ', the store of a service without DATABASE_URL' : ''}`,
      isDefaultStore ? 'set DATABASE_URL as the service has it' : 'start the service once',
    );
  let database: Database | undefined;
  try {
    database = await openDriver(url);
    return await look(database);
  } catch (error) {
    if (error instanceof Trouble) throw error;
    throw new Trouble(reasonOf(error as Error), 'check DATABASE_URL and that the store runs');
  } finally {
    await database?.close();
  }
}

async function checkStore(database: Database): Promise<Durability & { version: number }> {
  const schema = await schemaOf(database.read);
  const { version } = schema;
  const versions = `schema version ${version}, this service knows ${SCHEMA_VERSION}`;
  if (version < SCHEMA_VERSION) throw new Trouble(versions, 'start the service once: it migrates');
  if (schemaRefusal(schema)) throw new Trouble(versions, 'upgrade the service');
  return { version, ...(await database.durability()) };
}

async function checkSecrets({ databaseUrl, secretKey }: Settings, database: Database): Promise<string> {
  const some = await someSecret(database);
  const isOnServer = !databaseUrl.startsWith('sqlite:');
  if (!some) return 'there are no webhooks';
  const [siteId, id, secret] = some;
  const keyFile = keyFileOf(databaseUrl);
  // Without a key openCipher() would make one.
  const hasKey = isOnServer ? await bindings(database, SERVICE).existingServiceKey() : existsSync(keyFile);
  if (secretKey === undefined && !hasKey)
    throw new Trouble(`there is no ${isOnServer ? 'SECRET_KEY' : keyFile}`, LOST_KEY);
  try {
    const { decrypt } = await openCipher({ databaseUrl, secretKey }, database)();
    decrypt(secret, purposeOf(siteId, id));
  } catch {
    throw new Trouble("the key doesn't decrypt them", LOST_KEY);
  }
  return isOnServer && secretKey === undefined
    ? 'yes, with a key in the same store: SECRET_KEY would keep it apart'
    : 'yes';
}

const keyIn = (service: string): string | undefined => /\/sites\/([\w-]{22})$/.exec(service)?.[1];

const storedSite = (settings: StoreSettings, key: string): Promise<StoredSite | undefined> =>
  inStore(settings, (database) => siteStore(database).byKey(key));

function checkStoredSite(stored: StoredSite | undefined, site: string, key: string): string {
  if (!stored || stored.state === 'removed')
    throw new Trouble(`there is no site ${key}`, `${calledAs('sites')} list shows them all`);
  if (siteName(stored.url) !== siteName(site))
    throw new Trouble(
      `${key} is ${stored.url}, not ${site}`,
      'give the site its own base URL, or the doctor its address',
    );
  if (stored.state === 'suspended')
    throw new Trouble(`${key} is suspended`, `${calledAs('sites')} resume ${key}`);
  return `${key} is ${stored.url}`;
}

const LOST_KEY = 'set SECRET_KEY as the service has it, restore the key file, or create the webhooks again';

/** Runs every check, one line each; returns how many failed or could not be made. */
export async function diagnose(settings: Settings, say: (line: string) => void): Promise<number> {
  const host = wordpress(settings.site, hostBodies(), { totalMs: LIMIT_MS });
  let troubles = 0;
  for (const [name, run] of Object.entries(checksOf(settings, host))) {
    try {
      say(`ok    ${name}: ${await run()}`);
    } catch (error) {
      troubles++;
      const cure = error instanceof Trouble ? `\n      cure: ${error.cure}` : '';
      say(`${error instanceof NotChecked ? '-    ' : 'FAIL '} ${name}: ${(error as Error).message}${cure}`);
    }
  }
  await host.close();
  return troubles;
}

/** The settings. If some are faulty, says which ones and ends the process. */
function settingsOf(env: Record<string, string | undefined>, site: string | undefined): Config {
  try {
    return readConfig({ ...env, ...(site && { SITES: 'off', SITES_JOIN: 'off', HOST_URL: site }) });
  } catch (error) {
    const { message } = error as Error;
    const heading = message.replace('The service cannot start', 'Nothing can be checked');
    process.stderr.write(`${site ? heading.replace('HOST_URL', '--site') : heading}\n`);
    process.exit(1);
  }
}

function explainUse(exitCode: number): never {
  process.stderr.write(USAGE);
  process.exit(exitCode);
}

function optionsIn(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const texts = { site: text, user: text, password: text, service: text };
    return parseArgs({ args, options: { ...texts, help: { type: 'boolean' } } }).values;
  } catch {
    // Node names the argument, which may be part of a password.
    return explainUse(1);
  }
}

/** Runs the command; the environment supplies what its arguments leave out. */
export async function runDoctor(args: string[]): Promise<void> {
  const values = optionsIn(args);
  if (values.help) explainUse(0);
  const { env } = process;
  const named = (values.service ?? env.TROUSSEAU_BASE_URL)?.replace(/\/+$/, '');
  const key = named === undefined ? undefined : keyIn(named);
  const given = settingsOf(env, values.site);
  const unread = ({ message }: Error) =>
    void process.stderr.write(`The store cannot be read: ${message}\n\n`);
  const stored = key && !given.hostUrl ? await storedSite(given, key).catch(unread) : undefined;
  const config = stored ? { ...given, hostUrl: stored.url } : given;
  if (!config.hostUrl) explainUse(1);
  const settings: Settings = {
    ...{ ...config, site: config.hostUrl, isDefaultStore: !env.DATABASE_URL?.trim() },
    service: named ?? `http://${inUrl(config.listenAddress)}:${config.port}`,
    user: values.user ?? env.TROUSSEAU_USERNAME,
    password: values.password ?? env.TROUSSEAU_APP_PASSWORD,
  };
  process.exitCode = (await diagnose(settings, console.log)) > 0 ? 1 : 0;
}

if (import.meta.main) await runDoctor(process.argv.slice(2));
