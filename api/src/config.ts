import { isIP } from 'node:net';
import { calledAs } from './lib/invocation.ts';

export type Config = ReturnType<typeof readConfig>;

/** Parses a setting; operators read the messages of its errors. */
type Parse<T> = (text: string) => T;

/** Settings from the environment. Every faulty one is named in one message. */
export function readConfig(env: Record<string, string | undefined>) {
  const faults: string[] = [];

  // Empty variables, which Compose and unit files leave behind, count as unset. Faulty ones stay undefined until the throw.
  function setting<T>(name: string, fallback: string, parse: Parse<T>): T;
  function setting<T>(name: string, fallback: undefined, parse: Parse<T>): T | undefined;
  function setting<T>(name: string, fallback: string | undefined, parse: Parse<T>): T | undefined {
    const text = env[name]?.trim() || fallback;
    try {
      return text === undefined ? undefined : parse(text);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return undefined;
    }
  }

  const port = setting('PORT', '8000', integer(0, 65_535));
  const config = {
    port,
    listenAddress: setting('LISTEN_ADDRESS', '127.0.0.1', ownAddress),
    appEnv: setting('APP_ENV', 'local', choice('local', 'production')),
    sites: setting('SITES', 'off', choice('off', 'on')),
    publicUrl: setting('PUBLIC_URL', undefined, siteUrl) ?? `http://127.0.0.1:${port}`,
    sitesJoin: setting('SITES_JOIN', 'off', choice('off', 'code', 'open')),
    siteItems: setting('SITE_ITEMS', '100000', integer(1, 2_147_483_647)),
    hostUrl: setting('HOST_URL', undefined, siteUrl),
    hostMovedFrom: setting('HOST_MOVED_FROM', undefined, plain),
    registryPostType: setting('REGISTRY_POST_TYPE', 'registry', restBase),
    registryMetaPrefix: setting('REGISTRY_META_PREFIX', 'registry_', metaPrefix),
    secretKey: setting('SECRET_KEY', undefined, longSecret),
    databaseUrl: setting('DATABASE_URL', 'sqlite:data/trousseau.db', databaseUrl),
    authCacheTtl: setting('AUTH_CACHE_TTL', '300', integer(0, 86_400)),
    registryCacheTtl: setting('REGISTRY_CACHE_TTL', '5', integer(0, 86_400)),
    adminRoles: setting('ADMIN_ROLES', 'administrator', roles),
    apiKey: setting('API_KEY', undefined, headerValue),
    lookups: setting('LOOKUPS', 'on', choice('on', 'off')),
    lookupAllow: setting('LOOKUP_ALLOW', '', list(hostAndPort)),
    itemAccess: setting('ITEM_ACCESS', 'authenticated', itemAccess),
    corsOrigins: setting('CORS_ORIGINS', undefined, list(origin)),
    trustProxy: setting('TRUST_PROXY', undefined, list(network)),
    workers: setting('WORKERS', '1', integer(1, 64)),
    metricsPort: setting('METRICS_PORT', undefined, integer(0, 65_535)),
    logLevel: setting('LOG_LEVEL', 'info', logLevel),
  };

  const isSet = (name: string) => Boolean(env[name]?.trim());
  const [manySites, oneSite] = [config.sites === 'on', config.sites === 'off'];
  for (const [name, cure] of Object.entries(ONE_SITE_ONLY))
    if (manySites && isSet(name))
      faults.push(`${name} is for a service with one site: with SITES=on, unset it and ${cure}`);
  if (oneSite && config.sitesJoin !== undefined && config.sitesJoin !== 'off')
    faults.push('SITES_JOIN is for a service with many sites: set SITES=on, or leave it off');
  if (manySites && config.appEnv === 'production' && config.sitesJoin !== 'off' && !isSet('PUBLIC_URL'))
    faults.push('PUBLIC_URL must be set when APP_ENV is production and sites join: they are told to call it');
  if (oneSite && config.appEnv === 'production' && !isSet('HOST_URL'))
    faults.push('HOST_URL must be set when APP_ENV is production: the embedded host is for development');
  if (config.appEnv === 'production' && config.databaseUrl?.startsWith('postgres') && !isSet('SECRET_KEY'))
    faults.push(
      'SECRET_KEY must be set when APP_ENV is production and the store is PostgreSQL: without it the key to the secrets of ' +
        'webhooks would be in the database that it protects. Make one with openssl rand -base64 32, the same for all ' +
        'services on the store',
    );
  if (oneSite && !isSet('HOST_URL') && config.listenAddress && !isLoopback(config.listenAddress))
    faults.push(
      `LISTEN_ADDRESS must be a loopback address (127.0.0.1, ::1 or localhost) while HOST_URL is unset, not ` +
        `"${config.listenAddress}": the passwords of the embedded host are public`,
    );
  if (config.metricsPort && config.metricsPort === port) faults.push('METRICS_PORT must differ from PORT');
  if (config.databaseUrl === 'sqlite::memory:' && config.workers > 1)
    faults.push('DATABASE_URL must be a file or PostgreSQL for several WORKERS: processes share no memory');
  if (faults.length === 0) return config;
  const message = ['The service cannot start with these settings:', ...faults].join('\n  - ');
  // EX_CONFIG: our unit file tells systemd not to restart the service after it.
  throw Object.assign(new Error(message), { exitCode: 78 });
}

// Settings of a service of one site, and what to do instead with SITES=on.
const ONE_SITE_ONLY = {
  HOST_URL: `add the site to the store: ${calledAs('sites')} add URL`,
  HOST_MOVED_FROM: `give the site its new address: ${calledAs('sites')} set KEY --url URL`,
};

const plain: Parse<string> = (text) => text;

const isLoopback = (address: string) =>
  address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));

const longSecret: Parse<string> = (text) => {
  // The message doesn't repeat it: it is a secret.
  if (text.length < 32) throw new Error('must have 32 characters or more, as from openssl rand -base64 32');
  return text;
};

const ownAddress: Parse<string> = (text) => {
  if (!isIP(text) && !/^(?=.*[a-z])[\w.-]+$/i.test(text))
    throw new Error(`must be an address or a name of this machine, not "${text}"`);
  return text;
};

const headerValue: Parse<string> = (text) => {
  if (!/^[\x20-\x7e]*$/.test(text)) throw new Error('must be ASCII: it is sent in a header');
  return text;
};

export function integer(minimum: number, maximum: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new Error(`must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
    return value;
  };
}

function choice<const T extends string>(...values: T[]): Parse<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (!found) throw new Error(`must be one of ${values.join(', ')}, not "${text}"`);
    return found;
  };
}

function matching(pattern: RegExp, what: string): Parse<string> {
  return (text) => {
    if (!pattern.test(text)) throw new Error(`must be ${what} (${pattern.source}), not "${text}"`);
    return text;
  };
}

function list<T>(parse: Parse<T>): Parse<T[]> {
  return (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map(parse);
}

function httpUrl(text: string): URL {
  const url = URL.parse(text);
  // A value with an "@" is not repeated: it may hold a password.
  const shown = text.includes('@') ? '' : `, not "${text}"`;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`must be an http or https address${shown}`);
  if (url.username || url.password) throw new Error('must not contain credentials');
  return url;
}

/** An address as it's written in a URL: IPv6 in brackets. */
export const inUrl = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address);

export const roles: Parse<string[]> = (text) => {
  const named = list(plain)(text);
  if (named.length === 0) throw new Error('must name a role');
  return named;
};

export const itemAccess = choice('authenticated', 'registry');
const logLevel = choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent');
const restBase = matching(/^[a-z0-9_-]{1,64}$/, 'a REST base');
const metaPrefix = matching(/^[a-z0-9_-]{0,64}$/i, 'a prefix');

export const siteUrl: Parse<string> = (text) => {
  const url = httpUrl(text);
  if (/[?#]/.test(url.href))
    throw new Error(`must be a site's address without query or fragment, not "${text}"`);
  return url.href.replace(/\/+$/, '');
};

const origin: Parse<string> = (text) => {
  const url = httpUrl(text);
  if (url.origin !== text.replace(/\/$/, ''))
    throw new Error(`must list origins such as https://site.example, not "${text}"`);
  return url.origin;
};

const network: Parse<string> = (text) => {
  const [address = '', prefix, ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const isLength = prefix === undefined || (/^[1-9]\d*$/.test(prefix) && Number(prefix) <= most);
  if (isIP(address) && rest.length === 0 && isLength) return text;
  throw new Error(`must list addresses or networks such as 10.0.0.0/8, not "${text}"`);
};

const hostAndPort: Parse<string> = (text) => {
  const [, host = '', port = ''] = /^(\[[\da-fA-F:.]+\]|[\p{L}\d._-]+):(\d{1,5})$/u.exec(text) ?? [];
  const hostname = host && URL.parse(`http://${host}/`)?.hostname;
  if (!hostname || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(`must list hosts with their ports such as 127.0.0.1:8080, not "${text}"`);
  return `${hostname}:${Number(port)}`;
};

const databaseUrl: Parse<string> = (text) => {
  // A PostgreSQL address is not repeated in the message: it may hold a password.
  if (/^postgres(ql)?:\/\//.test(text)) {
    const address = URL.parse(text);
    if (/^[^/]*\/\/[^/?#]*,[^@/?#]*([/?#]|$)/.test(text) || /,/.test(address?.searchParams.get('host') ?? ''))
      throw new Error('must name one host: for several, a proxy such as HAProxy finds the leader');
    if (!address) throw new Error('is not a usable postgres:// address');
    return text;
  }
  if (!/^sqlite:./.test(text)) throw new Error('must be sqlite:PATH or postgres://…');
  return text;
};
