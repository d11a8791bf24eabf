import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../api/test/free-port.ts';
import { startServiceProcess } from '../../api/test/service-process.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import { until } from '../../dev/until.ts';
import { skipWithoutWordPress, startWordPress } from '../../dev/wordpress/wordpress.ts';
import { deploy, skipWithoutNginx, startGateway } from './gateway.ts';

const KEY = '1f'.repeat(32);
const SERVICE_KEY = '2e'.repeat(32);

// The wp-config.php of WordPress's own container image contains this.
const BEHIND_PROXY =
  "if ( ( $_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '' ) === 'https' ) { $_SERVER['HTTPS'] = 'on'; }";

test('the parts work together as compose.yaml joins them', {
  skip: skipWithoutNginx() || skipWithoutWordPress(),
}, async () => {
  await using stopping = new AsyncDisposableStack();
  const folder = stopping.use(await temporaryFolder());
  const site = await startWordPress({ environment: 'production', muPlugin: BEHIND_PROXY });
  stopping.defer(() => site.stop());
  const [port, plainPort] = [await freePort(), await freePort()];
  const keys = { keys: [KEY], serviceKey: '$trousseau_service_key' };
  const other = await siteFile(site.url, plainPort);
  const gateway = stopping.use(await startGateway({ upstream: `http://127.0.0.1:${port}`, ...keys, other }));
  const service = stopping.use(
    startServiceProcess({
      ...{ APP_ENV: 'production', HOST_URL: gateway.url, NODE_EXTRA_CA_CERTS: gateway.certificate },
      ...{ DATABASE_URL: `sqlite:${join(folder.path, 'items.db')}`, TRUST_PROXY: '127.0.0.1' },
      ...{ API_KEY: SERVICE_KEY, PORT: String(port) },
    }),
  );
  const direct = await service.url;

  const { username, password } = site.users.alice;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const ownName = { ...headers, host: '127.0.0.1', 'x-api-key': KEY };

  // The gateway knows the site by its name, and WordPress knows https by the forwarded header.
  const me = '/wp-json/wp/v2/users/me?context=edit';
  assert.equal((await fetch(site.url + me, { headers })).status, 401);
  assert.equal((await gateway.ask(me, { headers })).status, 200);

  const json = { ...ownName, 'content-type': 'application/json' };
  // On a busy machine, the site may answer the service too late.
  const send = (path: string, body: object) =>
    until(`${path} is answered`, async () => {
      const sent = { method: 'POST', servername: '', headers: json, body: JSON.stringify(body) };
      const answer = await gateway.ask(path, sent);
      return answer.status < 503 && answer;
    });
  const registry = await send('/registries', { title: 'Ann & Bob' });
  assert.equal(registry.status, 201, registry.body);
  const { id } = JSON.parse(registry.body);
  const item = await send(`/registries/${id}/items`, { name: 'Teapot', url: 'https://shop.example/teapot' });
  assert.equal(item.status, 201, item.body);
  assert.equal((await gateway.ask('/docs', { servername: '', headers: ownName })).status, 404);
  const keyless = { ...ownName, 'x-api-key': 'no' };
  assert.equal((await gateway.ask('/items', { servername: '', headers: keyless })).status, 403);

  // The service refuses callers that bypass the gateway, even with the gateway's key.
  for (const key of [{}, { 'x-api-key': KEY }])
    assert.equal((await fetch(`${direct}/items`, { headers: { ...headers, ...key } })).status, 403);

  const plain = request({ host: '127.0.0.1', port: plainPort, path: '/registry/?a=b' });
  const [moved] = await once(plain.end(), 'response');
  assert.equal(moved.statusCode, 301);
  assert.equal(moved.headers.location, 'https://localhost/registry/?a=b');
  moved.resume();
});

/** Returns the site file with the site's name, WordPress's address and their ports filled in. */
async function siteFile(wordpress: string, plainPort: number): Promise<string> {
  const template = await readFile(join(deploy, 'compose/site.conf.template'), 'utf8');
  const filled = template
    .replace(/\$\{SITE_NAME\}/g, 'localhost')
    .replace(/\$\{SERVICE_KEY\}/g, SERVICE_KEY)
    .replace(/listen \[::\].*\n/g, '')
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replace('listen 443', 'listen 127.0.0.1:PORT');
  return filled.replace('http://172.30.83.3:8080', new URL(wordpress).origin);
}
