import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { readConfig } from '../../api/src/config.ts';
import { freePort } from '../../api/test/free-port.ts';
import { startTestService, temporaryFolder } from '../../api/test/support.ts';
import { deploy, MAIN_FILE, makeCertificate, skipWithoutNginx } from './gateway.ts';

type Service = {
  image: string;
  build?: string;
  restart: string;
  environment: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  networks?: { default: { ipv4_address: string } };
};

const file = (path: string) => readFileSync(join(deploy, path), 'utf8');
const composeText = file('compose.yaml');
const compose: { services: Record<string, Service>; volumes: object } = parse(composeText);
const services = Object.entries(compose.services);

for (const name of ['gateway', 'compose']) {
  test(`nginx accepts the files in ${name}/`, { skip: skipWithoutNginx() }, async () => {
    await using folder = await temporaryFolder();
    const own = join(folder.path, 'trousseau');
    // What is made where it is deployed, then the files themselves.
    cpSync(join(deploy, 'gateway/keys.conf'), join(own, 'keys.conf'), { recursive: true });
    await makeCertificate(own);
    cpSync(join(deploy, name), own, { recursive: true });
    // Ports below 1024 and the system's log folder are for root; the name is one of the containers' network.
    const server = file(`${name}/server.conf`).replaceAll('443', String(await freePort()));
    await writeFile(join(own, 'server.conf'), server.replace('/var/log/nginx/', ''));
    await writeFile(join(own, 'upstream.conf'), file(`${name}/upstream.conf`).replace('api:', '127.0.0.1:'));
    await writeFile(join(folder.path, 'other.conf'), '');
    await writeFile(join(folder.path, 'nginx.conf'), MAIN_FILE);
    const nginx = ['-t', '-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr'];
    const tried = spawnSync('nginx', nginx, { encoding: 'utf8' });
    assert.equal(tried.status, 0, tried.stderr);
    assert.doesNotMatch(tried.stderr, /\[warn\]/);
  });
}

test('as they are, the examples let nobody in', () => {
  for (const name of ['keys.conf', 'sites.conf'])
    assert.match(file(`gateway/${name}`), /^(#.*\n)+$/, `${name} has more than comments`);
});

test('every variable of the compose file is explained, and no other', () => {
  const used = new Set(Array.from(composeText.matchAll(/(?<!\$)\$\{(\w+)/g), (found) => found[1]));
  assert.deepEqual(Object.keys(parseEnv(file('.env.example'))).sort(), [...used].sort());
});

test('every service of the compose file is pinned, watched, restarted and started after what it needs', () => {
  for (const [name, { image, build, restart, healthcheck, depends_on = {} }] of services) {
    if (build === undefined) assert.match(image, /:\d+/, `${name}: no version`);
    const watched =
      healthcheck ?? readFileSync(join(deploy, build!, 'Dockerfile'), 'utf8').includes('HEALTHCHECK');
    assert.ok(watched, `${name}: no health check`);
    assert.equal(restart, 'unless-stopped', name);
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      assert.ok(compose.services[needed], `${name} needs ${needed}`);
      assert.equal(condition, 'service_healthy');
    }
  }
});

test('everything that the compose file mounts is there', () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!));
  const paths = mounted.filter((source) => source.startsWith('.'));
  for (const path of paths) assert.ok(existsSync(join(deploy, path)), path);
  const named = mounted.filter((source) => !source.startsWith('.'));
  assert.deepEqual(named.sort(), Object.keys(compose.volumes).sort());

  const included = Array.from(file('nginx.conf').matchAll(/ trousseau\/(\S+);/g), (found) => found[1]!);
  const madeThere = Array.from(file('.gitignore').matchAll(/^compose\/(.+)$/gm), (found) => found[1]!);
  for (const name of included)
    assert.ok(madeThere.includes(name) || existsSync(join(deploy, 'compose', name)), `compose/${name}`);
});

test('the addresses in the compose file are those in the files it mounts', () => {
  const address = (name: string) => compose.services[name]!.networks!.default.ipv4_address;
  assert.equal(compose.services.api!.environment.TRUST_PROXY, address('gateway'));
  assert.match(file('compose/sites.conf'), new RegExp(`^${address('wordpress')} 1;$`, 'm'));
  assert.match(file('compose/upstream.conf'), /^server api:8000;$/m);
});

test('the service starts with the settings that the examples give it', () => {
  const filled: Record<string, string | undefined> = {
    ...parseEnv(file('.env.example')),
    POSTGRES_PASSWORD: 'ab12',
  };
  const environment = Object.entries(compose.services.api!.environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable) => filled[variable] ?? ''),
  ]);
  const inCompose = readConfig({ APP_ENV: 'production', ...Object.fromEntries(environment) });
  assert.equal(inCompose.hostUrl, 'https://gifts.example.org');
  assert.deepEqual(inCompose.trustProxy, ['172.30.83.2']);

  // With what is commented out as well.
  const unit = file('trousseau-api.env.example').replace(/^# (?=[A-Z_]+=)/gm, '');
  const inUnit = readConfig({ APP_ENV: 'production', ...parseEnv(unit) });
  assert.equal(inUnit.workers, 2);
  assert.match(inUnit.databaseUrl, /^postgres:/);
});

test('every alarm is about metrics that the service has, and is explained', async () => {
  const port = await freePort();
  await using service = await startTestService({ METRICS_PORT: String(port) });
  await service.fetch('/health');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const rules: { alert: string; expr: string }[] = parse(file('alerts.yml')).groups[0].rules;
  const manual = file('../docs/operations.md');
  assert.ok(rules.length > 0);
  for (const { alert, expr } of rules) {
    for (const [name] of expr.matchAll(/\b(trousseau|nodejs|process)_\w+/g))
      assert.match(metrics, new RegExp(`^${name}[ {]`, 'm'), `${alert}: ${name}`);
    assert.match(manual, new RegExp(`^\\| \`${alert}\` \\|`, 'm'), `${alert} is not explained`);
  }
});
