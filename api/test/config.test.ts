import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../src/config.ts';
import { SECRET_KEY } from './support.ts';

describe('settings', () => {
  it('have the documented defaults, and an empty variable is an unset one', () => {
    const defaults = {
      ...{ port: 8000, listenAddress: '127.0.0.1', publicUrl: 'http://127.0.0.1:8000', appEnv: 'local' },
      ...{ sites: 'off', siteItems: 100_000, sitesJoin: 'off', workers: 1, metricsPort: undefined },
      ...{ hostUrl: undefined, hostMovedFrom: undefined, databaseUrl: 'sqlite:data/trousseau.db' },
      ...{ registryPostType: 'registry', registryMetaPrefix: 'registry_', secretKey: undefined },
      ...{ authCacheTtl: 300, registryCacheTtl: 5, adminRoles: ['administrator'], apiKey: undefined },
      ...{ lookups: 'on', lookupAllow: [], itemAccess: 'authenticated', corsOrigins: undefined },
      ...{ trustProxy: undefined, logLevel: 'info' },
    };
    assert.deepEqual(readConfig({}), defaults);
    assert.deepEqual(readConfig({ PORT: '', API_KEY: ' ', HOST_URL: '', CORS_ORIGINS: '  ' }), defaults);
  });

  it('are read as written, trimmed', () => {
    const read = readConfig({
      PORT: ' 0 ',
      APP_ENV: 'production',
      HOST_URL: 'https://site.example/blog///',
      ADMIN_ROLES: 'administrator, shop_manager,',
      CORS_ORIGINS: 'https://a.example,http://b.example:8080/',
      TRUST_PROXY: '10.0.0.0/8, ::1',
      AUTH_CACHE_TTL: '0',
      METRICS_PORT: '0',
      REGISTRY_META_PREFIX: '_wl_',
      LOOKUP_ALLOW: 'Shop.Internal:8080, [::1]:080 ,0x7f.1:80',
    });
    assert.equal(read.port, 0);
    assert.equal(read.hostUrl, 'https://site.example/blog');
    assert.deepEqual(read.adminRoles, ['administrator', 'shop_manager']);
    assert.deepEqual(read.corsOrigins, ['https://a.example', 'http://b.example:8080']);
    assert.deepEqual(read.trustProxy, ['10.0.0.0/8', '::1']);
    assert.deepEqual(read.lookupAllow, ['shop.internal:8080', '[::1]:80', '127.0.0.1:80']);
    assert.deepEqual([read.authCacheTtl, read.metricsPort, read.registryMetaPrefix], [0, 0, '_wl_']);
    const stores = ['sqlite::memory:', 'sqlite:/var/x.db', 'postgres://u@h/db', 'postgresql://h/db'];
    for (const DATABASE_URL of stores) assert.equal(readConfig({ DATABASE_URL }).databaseUrl, DATABASE_URL);
  });

  it('let the service be reached from elsewhere only where it has a real host', () => {
    for (const LISTEN_ADDRESS of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      assert.equal(readConfig({ LISTEN_ADDRESS }).listenAddress, LISTEN_ADDRESS);
    const HOST_URL = 'https://site.example';
    assert.equal(readConfig({ LISTEN_ADDRESS: '0.0.0.0', HOST_URL }).listenAddress, '0.0.0.0');
  });

  it('name no site for a service of many', () => {
    const read = readConfig({ SITES: 'on', APP_ENV: 'production', LISTEN_ADDRESS: '0.0.0.0', PORT: '80' });
    assert.deepEqual([read.sites, read.publicUrl], ['on', 'http://127.0.0.1:80']);
    assert.equal(readConfig({ PUBLIC_URL: 'https://gifts.example/' }).publicUrl, 'https://gifts.example');
    assert.throws(
      () => readConfig({ SITES: 'on', HOST_URL: 'https://site.example', HOST_MOVED_FROM: 'x' }),
      /- HOST_URL is for .* npm run sites -- add URL\n {2}- HOST_MOVED_FROM is for .* set KEY --url URL$/,
    );
  });

  const faulty: Record<string, string[]> = {
    PORT: ['65536', '-1', '80a', '1.5', '0x50', '1e3'],
    APP_ENV: ['prod', 'Local'],
    SITES: ['yes', 'On'],
    PUBLIC_URL: ['gifts.example', 'https://ann:word@gifts.example', 'https://gifts.example/?a=1'],
    HOST_URL: ['site.example', 'ftp://site.example', '/blog', 'https://site.example?x=1', 'http://'],
    REGISTRY_POST_TYPE: ['my registry', 'a/b', '../users', 'É'],
    REGISTRY_META_PREFIX: ['a b', 'a"b', 'x'.repeat(65)],
    DATABASE_URL: ['mysql://x/y', 'data.db', 'sqlite:', 'postgres:/x', 'postgres://a:1,b:1/db'],
    SECRET_KEY: ['too short to be hidden4'],
    API_KEY: ['top-secrét', 'top\nsecret'],
    ADMIN_ROLES: [',', ' , '],
    AUTH_CACHE_TTL: ['-1', 'five', '86401', '0.5'],
    REGISTRY_CACHE_TTL: ['-1', 'five', '86401'],
    ITEM_ACCESS: ['all', 'REGISTRY'],
    LOOKUPS: ['yes', 'OFF'],
    LOOKUP_ALLOW: [
      ...['shop.example', '127.0.0.1', ':8080', 'shop.example:0', 'shop.example:65536', 'shop.example:80a'],
      ...['http://shop.example:80', 'ann@shop.example:80', 'shop.example:80/path', '::1:80', '*:80'],
      ...['10.0.0.0/8:80'],
    ],
    CORS_ORIGINS: ['*', 'a.example', 'https://a.example/path', 'https://a.example, b', 'null', 'file:///x'],
    TRUST_PROXY: ['true', '*', 'proxy.example', '10.0.0.0/33', '::1/129', '10.0.0.1/8/8', '10.0.0.1/'],
    LISTEN_ADDRESS: ['0.0.0.0', '::', '192.0.2.1', 'site.example', '127.site.example'],
    WORKERS: ['0', '65', 'auto'],
    METRICS_PORT: ['65536', 'on'],
    LOG_LEVEL: ['verbose', 'INFO'],
  };

  it('that cannot be used stop the start', () => {
    for (const [name, values] of Object.entries(faulty))
      for (const value of values)
        assert.throws(() => readConfig({ [name]: value }), new RegExp(`^Error: .*\\n  - ${name} \\S`), value);
  });

  it('that exclude each other stop the start', () => {
    const both = { LISTEN_ADDRESS: '999.1.1.1', HOST_URL: 'https://site.example', WORKERS: '2' };
    const ports = { PORT: '9000', METRICS_PORT: '9000', DATABASE_URL: 'sqlite::memory:' };
    const all =
      /- LISTEN_ADDRESS must be an address.*\n.*- METRICS_PORT must.*\n.*- DATABASE_URL must be a file/;
    assert.throws(() => readConfig({ ...both, ...ports }), all);
  });

  it('at fault are all named in one message, and no secret is', () => {
    const env = Object.fromEntries(Object.entries(faulty).map(([name, [value]]) => [name, value ?? '']));
    const message = (settings: Record<string, string>): string => {
      try {
        readConfig(settings);
      } catch (error) {
        return (error as Error).message;
      }
      return assert.fail('these settings were taken');
    };
    const all = message(env);
    // An unusable host may or may not be the embedded one.
    for (const name of Object.keys(faulty).filter((name) => name !== 'LISTEN_ADDRESS'))
      assert.equal(all.split(`- ${name} `).length, 2, `${name}: ${all}`);
    const secret = message({
      HOST_URL: 'https://user:hidden1@site.example',
      DATABASE_URL: 'postgres://user:hidden2@:bad:port/db',
      CORS_ORIGINS: 'https://user:hidden3@site.example',
    });
    assert.doesNotMatch(message({ HOST_URL: 'htps://user:hidden4@site.example' }), /hidden/);
    assert.doesNotMatch(all + secret, /hidden|top-/);
    for (const name of ['HOST_URL', 'DATABASE_URL', 'CORS_ORIGINS'])
      assert.ok(secret.includes(`- ${name} `), secret);
    for (const end of ['?', '#'])
      assert.match(message({ HOST_URL: `https://site.example/${end}` }), /without query or fragment/);
    assert.match(message({ APP_ENV: 'production' }), /HOST_URL must be set .*production/);
  });

  it('ask for a key of its own in production on PostgreSQL, where one in the store would protect nothing', () => {
    const settings = { HOST_URL: 'https://site.example', DATABASE_URL: 'postgres://ann@10.0.0.30/gifts' };
    for (const env of [settings, { ...settings, HOST_URL: '', SITES: 'on' }]) {
      const inProduction = { ...env, APP_ENV: 'production' };
      assert.throws(() => readConfig(inProduction), /\n {2}- SECRET_KEY must be set /);
      assert.equal(readConfig({ ...inProduction, SECRET_KEY }).secretKey, SECRET_KEY);
      assert.equal(readConfig(env).secretKey, undefined, 'to try it out');
    }
    const onSqlite = { ...settings, APP_ENV: 'production', DATABASE_URL: 'sqlite:/var/lib/x.db' };
    assert.equal(readConfig(onSqlite).secretKey, undefined, 'a file beside the store has the key');
  });
});
