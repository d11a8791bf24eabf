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
import { SECRET_KEY, startTestService, temporaryFolder } from '../../api/test/support.ts';
import root from '../../package.json' with { type: 'json' };
import { deploy, MAIN_FILE, makeCertificate, skipWithoutNginx } from './gateway.ts';

type Service = {
  image: string;
  build?: { context: string; target: string };
  restart: string;
  environment: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  networks?: string[] | Record<string, { ipv4_address: string; aliases?: string[] }>;
};

const file = (path: string) => readFileSync(join(deploy, path), 'utf8');
const composeText = file('compose.yaml');
const compose: {
  services: Record<string, Service>;
  volumes: object;
  networks: Record<string, { internal?: boolean } | null>;
} = parse(composeText);
const services = Object.entries(compose.services);
const dockerfile = file('../Dockerfile');

for (const name of ['gateway', 'compose']) {
  test(`nginx accepts the files in ${name}/`, { skip: skipWithoutNginx() }, async () => {
    await using folder = await temporaryFolder();
    const own = join(folder.path, 'trousseau');
    // First the files that operators create themselves, then the shipped ones.
    cpSync(join(deploy, 'gateway/keys.conf'), join(own, 'keys.conf'), { recursive: true });
    await makeCertificate(own);
    cpSync(join(deploy, name), own, { recursive: true });
    // Ports below 1024 and the system's log folder need root.
    const server = file(`${name}/server.conf`).replaceAll('443', String(await freePort()));
    await writeFile(join(own, 'server.conf'), server.replace('/var/log/nginx/', ''));
    // The gateway's file refers to the variables of the site's file.
    const [variables = ''] = file('compose/site.conf.template').split(/^server /m);
    const filled = variables.replace(/\$\{SERVICE_KEY\}/, 'cd34');
    await writeFile(join(folder.path, 'other.conf'), name === 'compose' ? filled : '');
    await writeFile(join(folder.path, 'nginx.conf'), MAIN_FILE);
    const nginx = ['-t', '-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr'];
    const tried = spawnSync('nginx', nginx, { encoding: 'utf8' });
    assert.equal(tried.status, 0, tried.stderr);
    assert.doesNotMatch(tried.stderr, /\[warn\]/);
    // An empty key, as from a variable that isn't set, would let everybody in.
    await writeFile(join(own, 'keys.conf'), '"" 1;\n');
    assert.match(spawnSync('nginx', nginx, { encoding: 'utf8' }).stderr, /conflicting parameter ""/);
  });
}

test('the unchanged examples let nobody in, and explain every variable of the compose file and no other', () => {
  for (const name of ['keys.conf', 'sites.conf'])
    assert.match(file(`gateway/${name}`), /^(#.*\n)+$/, `${name} has more than comments`);
  const used = new Set(Array.from(composeText.matchAll(/(?<!\$)\$\{(\w+)/g), (found) => found[1]));
  assert.deepEqual(Object.keys(parseEnv(file('.env.example'))).sort(), [...used].sort());
});

test('the small compose file is short, for this machine alone, and each of its variables is explained', () => {
  const text = file('../compose.yaml');
  assert.ok(text.trim().split('\n').length <= 30);
  const manual = file('../docs/docker.md');
  const variables = new Set(Array.from(text.matchAll(/\$\{(\w+)/g), (found) => found[1]!));
  for (const name of variables) assert.match(manual, new RegExp(`^\\| .*\`${name}\``, 'm'), name);
  const small: { services: Record<string, Service & { ports?: string[] }> } = parse(text);
  for (const { ports = [] } of Object.values(small.services))
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
});

test('every service of the compose file has a version, a health check, restarts and its dependencies', () => {
  for (const [name, { image, build, restart, healthcheck, depends_on = {} }] of services) {
    if (build === undefined) assert.match(image, /:\d+/, `${name}: no version`);
    const stage = build && dockerfile.split(/^FROM /m).find((part) => part.includes(` AS ${build.target}\n`));
    assert.ok(healthcheck ?? stage?.includes('HEALTHCHECK'), `${name}: no health check`);
    assert.equal(restart, 'unless-stopped', name);
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      assert.ok(compose.services[needed], `${name} needs ${needed}`);
      assert.equal(condition, 'service_healthy');
    }
  }
});

test('files that the compose file mounts exist', () => {
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

test('mounted files name the addresses of the compose file', () => {
  const address = (name: string, network: string) => {
    const { networks } = compose.services[name]!;
    return Array.isArray(networks) ? undefined : networks?.[network]?.ipv4_address;
  };
  assert.equal(compose.services.api!.environment.TRUST_PROXY, address('gateway', 'items'));
  assert.match(file('compose/sites.conf'), new RegExp(`^${address('wordpress', 'site')} 1;$`, 'm'));
  assert.match(file('compose/upstream.conf'), new RegExp(`^server ${address('api', 'items')}:8000;$`, 'm'));
  const site = file('compose/site.conf.template');
  assert.ok(site.includes(`proxy_pass http://${address('wordpress', 'site')}:8080;`));
});

test('each container reaches what it needs and nothing else', () => {
  const on = (name: string) => {
    const { networks = [] } = compose.services[name]!;
    return (Array.isArray(networks) ? networks : Object.keys(networks)).sort();
  };
  for (const [name, networks] of Object.entries({
    ...{ gateway: 'items site', wordpress: 'site site-store', mariadb: 'site-store' },
    ...{ api: 'items items-store metrics', postgres: 'items-store' },
  }))
    assert.equal(on(name).join(' '), networks, name);
  for (const network of ['site-store', 'items-store', 'metrics'])
    assert.equal(compose.networks[network]?.internal, true, `${network} has no way out`);
  // WordPress and the service reach each other by their public names, through the gateway.
  const { networks } = compose.services.gateway!;
  assert.ok(networks && !Array.isArray(networks));
  const names = (network: string) => networks[network]?.aliases?.map((alias) => alias.replace(/\W+/g, ''));
  assert.deepEqual([names('site'), names('items')], [['API_NAME', 'SITE_NAME'], ['SITE_NAME']]);
});

test('the examples keep items to the registry’s people and have the service ask for a key', () => {
  const { ITEM_ACCESS, ADMIN_ROLES, API_KEY } = compose.services.api!.environment;
  assert.equal(ITEM_ACCESS, 'registry');
  assert.equal(ADMIN_ROLES, 'administrator,trousseau_service');
  assert.match(API_KEY!, /^\$\{SERVICE_KEY/);
  const unit = parseEnv(file('trousseau-api.env.example'));
  assert.equal(unit.ITEM_ACCESS, 'registry');
  assert.equal(unit.ADMIN_ROLES, 'administrator,trousseau_service');
  const readme = file('../README.md');
  const steps = readme.slice(readme.indexOf('## On your WordPress'), readme.indexOf('## Documentation'));
  assert.match(steps, /ITEM_ACCESS=registry ADMIN_ROLES=administrator,trousseau_service/);
});

test('the service starts with the settings that the examples give it', () => {
  const filled: Record<string, string | undefined> = {
    ...parseEnv(file('.env.example')),
    POSTGRES_PASSWORD: 'ab12',
    SERVICE_KEY: 'cd34',
    SECRET_KEY,
  };
  const environment = Object.entries(compose.services.api!.environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable) => filled[variable] ?? ''),
  ]);
  const inCompose = readConfig({ APP_ENV: 'production', ...Object.fromEntries(environment) });
  assert.equal(inCompose.hostUrl, 'https://gifts.example.org');
  assert.deepEqual(inCompose.trustProxy, ['172.30.84.2']);
  assert.equal(inCompose.apiKey, 'cd34');

  // Commented settings count as well.
  const unit = file('trousseau-api.env.example').replace(/^# (?=[A-Z_]+=)/gm, '');
  const inUnit = readConfig({ APP_ENV: 'production', ...parseEnv(unit), SECRET_KEY });
  assert.equal(inUnit.workers, 2);
  assert.match(inUnit.databaseUrl, /^postgres:/);
});

test('each way to start the service bounds its short-lived memory alike', () => {
  const [flag] = root.scripts.start.match(/--max-semi-space-size=\d+/)!;
  assert.ok(dockerfile.includes(`CMD ["node", "${flag}", "api/start.js"]`));
  assert.ok(file('trousseau-api.service').includes(`NODE_OPTIONS=${flag}\n`));
});

test('every alarm uses existing metrics, and docs/monitor.md explains it', async () => {
  const port = await freePort();
  await using service = await startTestService({ METRICS_PORT: String(port) });
  await service.fetch('/health');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const rules: { alert: string; expr: string }[] = parse(file('alerts.yml')).groups[0].rules;
  const manual = file('../docs/monitor.md');
  assert.ok(rules.length > 0);
  for (const { alert, expr } of rules) {
    for (const [name] of expr.matchAll(/\b(trousseau|nodejs|process)_\w+/g))
      assert.match(metrics, new RegExp(`^${name}[ {]`, 'm'), `${alert}: ${name}`);
    assert.match(manual, new RegExp(`^\\| \`${alert}\` \\|`, 'm'), `${alert} is not explained`);
  }
});
