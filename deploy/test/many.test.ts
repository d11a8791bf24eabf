import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfig } from '../../api/src/config.ts';
import { basic, startFakeHost } from '../../api/test/fake-host.ts';
import { siteCommand } from '../../api/test/many-sites.ts';
import { freshPostgres, withoutPostgres } from '../../api/test/postgres.ts';
import { startServiceProcess } from '../../api/test/service-process.ts';
import { partsOf, SECRET_KEY } from '../../api/test/support.ts';
import { deploy, skipWithoutNginx, startGateway } from './gateway.ts';

const KEY = '3a'.repeat(32);
const SERVICE_KEY = '4b'.repeat(32);
const file = (name: string) => readFileSync(join(deploy, 'many', name), 'utf8');

test('two services behind one gateway serve the ten sites of many/', {
  skip: skipWithoutNginx() || (await withoutPostgres()),
}, async (t) => {
  const ends = partsOf(t);
  const store = ends.use(await freshPostgres({ max: 3 }));
  const shown = parseEnv(file('trousseau-api.env.example')) as Record<string, string>;
  const example = { ...shown, API_KEY: SERVICE_KEY, SECRET_KEY };
  assert.equal(readConfig(example).sites, 'on');
  const local = { DATABASE_URL: store.url, LISTEN_ADDRESS: '127.0.0.1', PORT: '0', TRUST_PROXY: '127.0.0.1' };
  const env = { ...example, ...local };
  const services = [ends.use(startServiceProcess(env)), ends.use(startServiceProcess(env))];
  const urls = await Promise.all(services.map(({ url }) => url));

  let upstream = file('upstream.conf');
  for (const [n, address] of ['10.0.0.11:8000', '10.0.0.12:8000'].entries())
    upstream = upstream.replace(address, new URL(urls[n]!).host);
  const settings = { upstream, keys: [KEY], serviceKey: SERVICE_KEY, sites: ['127.0.0.1'] };
  const gateway = ends.use(await startGateway(settings));

  const lines: string[] = [];
  for (const line of file('sites.txt').trim().split('\n')) {
    const host = ends.use(await startFakeHost());
    lines.push(line.replace(/^\S+/, host.url));
  }
  const given = { input: lines.join('\n'), env: { ...env, PUBLIC_URL: gateway.url } };
  const { code, out, err } = await siteCommand(store, ['add', '-'], given);
  assert.equal(code, 0, err);
  const bases = out.trim().split('\n');
  assert.equal(bases.length, 10);

  for (const [n, base] of bases.entries()) {
    const path = new URL(base).pathname;
    const headers = { authorization: basic('ann'), 'x-api-key': KEY };
    const gift = { registry_id: 7, name: `Pan ${n}`, url: 'https://shop.example/pan' };
    const made = await gateway.ask(`${path}/items`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(gift),
    });
    assert.equal(made.status, 201, made.body);
    const status = JSON.parse((await gateway.ask(`${path}/status`, { headers })).body);
    assert.equal(status.item_access, lines[n]!.includes('authenticated') ? 'authenticated' : 'registry');
    // Both services have the item, but only on its own site.
    for (const url of urls) {
      const own = { ...headers, 'x-api-key': SERVICE_KEY };
      const items = await (await fetch(`${url}${path}/registries/7/items`, { headers: own })).json();
      const found = items.map(({ name }: { name: string }) => name);
      assert.deepEqual(found, [gift.name]);
    }
  }
  assert.equal((await gateway.ask(`${new URL(bases[0]!).pathname}/items`)).status, 403);
});
