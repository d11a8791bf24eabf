// `npm run containers` builds images from the real Dockerfile, and starts the real compose files with Debian's podman. It takes minutes,
// needs root, and runs every night.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { freePort } from '../../api/test/free-port.ts';
import { until } from '../../dev/until.ts';
import { launchChromium } from '../../dev/wordpress/browser.ts';
import { copyCompose, type Engine, startEngine } from './engine.ts';
import { give, keeper, makeFirstAccount, makeList, startMailServer, words } from './first-gift.ts';
import { deploy, makeCertificate } from './gateway.ts';

const top = join(import.meta.dirname, '../..');
const composeFile = join(top, 'compose.yaml');
const imageOf = (name: string) =>
  (parse(readFileSync(composeFile, 'utf8')).services[name].image as string).replace(/\$\{.*\}/, 'latest');
const [API, SITE] = [imageOf('api'), imageOf('wordpress')];
const PATIENT = { withinMs: 240_000, everyMs: 500 };

let engine: Engine;
let browser: Browser;
before(async () => {
  engine = await startEngine();
  browser = await launchChromium();
  await engine.build('api', API);
  await engine.build('wordpress', SITE);
});
after(async () => {
  await browser?.close();
  await engine?.stop();
});

const inspect = async (image: string) => JSON.parse(await engine.podman('image', 'inspect', image))[0];

const allHealthy = (names: string[]) => {
  const areHealthy = async () => (await Promise.all(names.map(engine.isHealthy))).every(Boolean);
  return until('all are healthy', areHealthy, PATIENT);
};

/** The size in megabytes of the base of Node's slim image. */
const SLIM_MB = 75;
const mb = ({ Size }: { Size: number }) => Math.round(Size / 1e6);

describe('the images', () => {
  test('are small, check their health and have no root', async (t) => {
    const [debian, api, site] = [await inspect('debian'), await inspect(API), await inspect(SITE)];
    t.diagnostic(`MB: trousseau-api ${mb(api)}, of which ${mb(debian)} are Debian; trousseau ${mb(site)}`);
    // Debian's own slim image is smaller than the one made here.
    const size = mb(api) - mb(debian) + SLIM_MB;
    assert.ok(size < 250, `${size} MB`);
    for (const { Config, Healthcheck } of [api, site]) {
      assert.ok(Config.Healthcheck ?? Healthcheck);
      assert.match(Config.User, /^(1000:1000|www-data)$/);
    }
  });

  test('the service runs as any user on a read-only disk, and ends cleanly', async () => {
    const running = 'run -d --name alone --read-only --user 4711:4711 --cap-drop all -v alone:/data';
    await engine.podman(...running.split(' '), '-e', 'HOST_URL=https://site.example', API);
    await until('it is healthy', () => engine.isHealthy('alone'), PATIENT);
    await engine.podman('stop', '-t', '20', 'alone');
    assert.equal(await engine.podman('inspect', '-f', '{{.State.ExitCode}}', 'alone'), '0');
    await engine.podman('rm', '-v', 'alone');
  });
});

describe('compose.yaml', () => {
  const project = 'simple';
  const parts = ['wordpress', 'api', 'database'];
  const named = (part: string) => `${project}_${part}_1`;
  let folder: string;
  let url: string;
  let list: string;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  const compose = (...args: string[]) => engine.compose(project, folder, ...args);
  const areHealthy = () => allHealthy(parts.map(named));
  const isGiven = async () => {
    const text = await words(browser, list);
    return /Bread knife/.test(text) && !/Waits|held for you/.test(text) && /given|giving|Given/i.test(text);
  };

  before(async () => {
    folder = join(engine.folder, project);
    mail = await startMailServer();
    const port = await freePort();
    url = `http://localhost:${port}`;
    // The previous image: the same sources with an older version.
    const main = '/usr/share/trousseau/plugin/trousseau.php';
    const older = `RUN sed -i "s/^ \\* Version: .*/ * Version: 0.0.1/" ${main}`;
    for (const [image, change] of [
      [SITE, `USER root\n${older}\nUSER www-data`],
      [API, 'LABEL before=yes'],
    ] as const) {
      await engine.podman('tag', image, `new-${image.split('/').pop()}`);
      writeFileSync(join(engine.folder, 'before'), `FROM ${image}\n${change}\n`);
      await engine.podman('build', '-q', '-f', join(engine.folder, 'before'), '-t', image);
    }
    copyCompose(composeFile, folder);
    const smtp = `smtp://host.containers.internal:${mail.port}`;
    writeFileSync(join(folder, '.env'), `PORT=${port}\nSMTP_URL=${smtp}\n`);
  });
  after(() => mail?.close());

  test('an empty site asks for the first account, and is connected', async () => {
    await compose('up', '-d');
    await areHealthy();
    await makeFirstAccount(browser, url);
    list = await makeList(browser, url);
  });

  test('a guest gives a gift', async () => {
    await give(browser, list, mail.mails);
    await until('the gift is given', isGiven, PATIENT);
  });

  for (const part of parts)
    test(`${part} is killed and comes back`, async () => {
      const pidOf = async () => Number(await engine.podman('inspect', '-f', '{{.State.Pid}}', named(part)));
      const pid = await pidOf();
      process.kill(pid, 'SIGKILL');
      const isAnother = async () => ![0, pid].includes(await pidOf());
      await until('another process runs', isAnother, PATIENT);
      await areHealthy();
      await until('the gift is still given', isGiven, PATIENT);
    });

  const main = 'wp-content/plugins/trousseau/trousseau.php';
  const version = () => engine.podman('exec', named('wordpress'), 'grep', '-h', ' Version:', main);

  test('new images take over', async () => {
    assert.match(await version(), / 0\.0\.1$/);
    for (const image of [SITE, API]) await engine.podman('tag', `new-${image.split('/').pop()}`, image);
    await compose('up', '-d');
    await areHealthy();
    assert.doesNotMatch(await version(), / 0\.0\.1$/);
    const found = await engine.podman('inspect', '-f', '{{.Config.Labels.before}}', named('api'));
    assert.equal(found, '<no value>');
    await until('the gift is still given', isGiven, PATIENT);
  });

  test('a backup is restored where all was lost', async () => {
    const volumes = ['wordpress', 'api', 'database', 'keys'];
    const tar = (volume: string, mode: string) => {
      const mounted = ['-v', `${project}_${volume}:/volume`, '-v', `${folder}:/backup`];
      const running = 'run --rm --network none --entrypoint tar'.split(' ');
      const archive = `/backup/${volume}.tgz`;
      return engine.podman(...running, ...mounted, 'mariadb:11', mode, archive, '-C', '/volume', '.');
    };
    await compose('stop');
    for (const volume of volumes) await tar(volume, '-czf');
    await compose('down', '-v');
    await compose('up', '--no-start');
    for (const volume of volumes) await tar(volume, '-xzf');
    const skip = readFileSync(join(deploy, '../docs/docker.md'), 'utf8').match(
      /docker compose (run .* node -e) \\\n +'(.*)'/,
    )!;
    await compose(...skip[1]!.split(' '), skip[2]!);
    await compose('up', '-d');
    await areHealthy();
    await until('the gift is still given', isGiven, PATIENT);
    await compose('down', '-v');
  });

  test('another user, a first account from .env', async () => {
    const port = await freePort();
    const account = `ADMIN_EMAIL=${keeper.email}\nADMIN_PASSWORD=${keeper.password}\n`;
    writeFileSync(join(folder, '.env'), `PORT=${port}\nPUID=4711\nPGID=4711\n${account}`);
    await compose('up', '-d');
    await areHealthy();
    for (const part of ['wordpress', 'api'])
      assert.match(await engine.podman('exec', named(part), 'id', '-u'), /^4711$/);
    const answer = await fetch(`http://localhost:${port}/wp-login.php`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ log: keeper.email, pwd: keeper.password }),
    });
    assert.equal(answer.status, 302);
    await compose('down', '-v');
  });
});

describe('deploy/compose.yaml', () => {
  const project = 'production';
  const named = (part: string) => `${project}_${part}_1`;
  const [SITE_NAME, API_NAME, GATEWAY_KEY] = ['gifts.example.org', 'api.gifts.example.org', '1f'.repeat(32)];

  test('all parts start, join each other through the gateway, and let in who has a key', async () => {
    const folder = join(engine.folder, project);
    const port = await freePort();
    // The usual ports may be taken on this machine.
    copyCompose(join(deploy, 'compose.yaml'), folder, (text) =>
      text
        .replace("['80:80', '443:443']", `['127.0.0.1:${port}:443']`)
        .replaceAll('context: ..', 'context: .'),
    );
    cpSync(join(deploy, 'compose'), join(folder, 'compose'), { recursive: true });
    cpSync(join(deploy, 'nginx.conf'), join(folder, 'nginx.conf'));
    await makeCertificate(join(folder, 'compose'), SITE_NAME, API_NAME);
    writeFileSync(join(folder, 'compose/keys.conf'), `"${GATEWAY_KEY}" 1;\n`);
    const secrets = ['MARIADB_PASSWORD', 'POSTGRES_PASSWORD', 'SERVICE_KEY', 'SECRET_KEY'].map(
      (name) => `${name}=${randomBytes(32).toString('hex')}`,
    );
    const names = [`SITE_NAME=${SITE_NAME}`, `API_NAME=${API_NAME}`, `GATEWAY_KEY=${GATEWAY_KEY}`];
    writeFileSync(join(folder, '.env'), [...names, ...secrets].join('\n'));
    // Node and WordPress trust the test's certificate.
    const trusted = '/etc/nginx/trousseau/certificate.pem';
    const mounted = [`./compose/certificate.pem:${trusted}:ro`];
    const trust = `$GLOBALS['wp_filter']['http_request_args'][10]['test'] = array( 'accepted_args' => 1, 'function' => fn( $request ) => array_merge( $request, array( 'sslcertificates' => '${trusted}' ) ) );`;
    const account = { ADMIN_EMAIL: keeper.email, ADMIN_PASSWORD: keeper.password };
    const config = inspect(SITE).then(({ Config }) =>
      Config.Env.find((one: string) => one.startsWith('WORDPRESS_CONFIG_EXTRA=')).replace(/^[^=]*=/, ''),
    );
    const WORDPRESS_CONFIG_EXTRA = `${await config} ${trust}`.replaceAll('$', '$$$$');
    const more = {
      api: { environment: { NODE_EXTRA_CA_CERTS: trusted }, volumes: mounted },
      wordpress: { environment: { WORDPRESS_CONFIG_EXTRA, ...account }, volumes: mounted },
    };
    writeFileSync(join(folder, 'compose.override.yaml'), JSON.stringify({ services: more }));

    await engine.compose(project, folder, 'up', '-d');
    const parts = ['gateway', 'api', 'wordpress', 'mariadb', 'postgres'].map(named);
    await allHealthy(parts);
    const ca = readFileSync(join(folder, 'compose/certificate.pem'));
    const ask = (servername: string, path: string, headers = {}) =>
      new Promise<number>((resolve, reject) => {
        const there = { host: '127.0.0.1', port, path, ca, servername };
        request({ ...there, headers: { host: servername, ...headers } }, (answer) =>
          resolve(answer.resume().statusCode!),
        )
          .on('error', reject)
          .end();
      });
    assert.equal(await ask(SITE_NAME, '/'), 200);
    assert.equal(await ask(API_NAME, '/items'), 403, 'without a key');
    const script = 'require "/var/www/html/wp-load.php"; echo (bool) get_option( "trousseau_connected" );';
    const isConnected = async () => {
      await ask(SITE_NAME, '/');
      return (await engine.podman('exec', named('wordpress'), 'php', '-r', script)) === '1';
    };
    await until('the site is connected', isConnected, PATIENT);
    await engine.compose(project, folder, 'down', '-v');
  });
});
