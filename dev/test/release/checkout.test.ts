import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { unzipSync } from 'fflate';
import { until } from '../../until.ts';
import { cleanFolder } from './clean-folder.ts';
import { copyOfThisCheckout, printed } from './repository.ts';

const repository = copyOfThisCheckout({ after });
/** What a zip calls the system that made it. */
const UNIX = 3;

/** Runs `npm run pack` on this checkout, and returns the full paths of the artifacts. */
const pack = (component: string, env: NodeJS.ProcessEnv = {}): string[] =>
  printed(repository, 'pack', [component], env).trim().split('\n').map(repository.path);

/** Installs with dependencies. Without a network it skips the test, except in CI. */
function install(t: TestContext, folder: ReturnType<typeof cleanFolder>, tarballs: string[]): boolean {
  try {
    folder.install('--prefer-offline', ...tarballs);
    return true;
  } catch (error) {
    if (process.env.CI || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(String(error))) throw error;
    t.skip('the npm registry cannot be reached');
    return false;
  }
}

/** Waits for the address that a starting service prints; rejects with its output if it ends instead. */
function addressOf(service: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = said.match(/listening at (http:\/\/[\w.:]+)/)?.[1];
      if (address) resolve(address);
    });
  service.on('error', reject);
  service.on('close', () => reject(new Error(`the service ended:\n${said}`)));
  return promise;
}

test('the packed service installs in a clean folder, starts, answers the packed client and stops', {
  timeout: 900_000,
}, async (t) => {
  const tarballs = pack('api');
  const folder = cleanFolder(t);
  if (!install(t, folder, tarballs)) return;
  const installed = ['trousseau', 'trousseau-client'].flatMap(folder.filesOf);
  assert.ok(
    installed.every((path) => !/(?<!\.d)\.ts$|(^|\/)(test|bench)\//.test(path)),
    installed.join(),
  );

  const program = join(folder.folder, 'node_modules/.bin/trousseau');
  const run = (...args: string[]) => folder.run(program, ...args);
  const { version } = JSON.parse(folder.read('node_modules/trousseau/package.json'));
  assert.equal(folder.run('npx', '--offline', 'trousseau', '--version'), `${version}\n`);
  assert.match(run('--help'), /npx trousseau +starts the item service/);
  assert.throws(() => run('nothing'), /There is no command nothing: npx trousseau --help lists them all/);

  const service = spawn(program, { cwd: folder.folder, env: { PATH: folder.env.PATH, PORT: '0' } });
  const exited = once(service, 'exit');
  t.after(() => service.kill('SIGKILL'));
  const address = await addressOf(service);

  const health = await fetch(new URL('/health', address));
  assert.deepEqual(await health.json(), { status: 'healthy', service: 'trousseau-api' });
  const conformance = await until('the host answers in time, however busy the machine is', () => {
    try {
      return run('conformance', '--url', address, '--only', 'health');
    } catch (error) {
      if (/ answers 504 /.test((error as Error).message)) return undefined;
      throw error;
    }
  });
  assert.match(conformance, /\b[1-9]\d* passed\b.*\b0 failed/s);
  assert.match(run('mcp', '--help'), /npx trousseau mcp \[--http PORT\]/);
  assert.match(run('sites', '--help'), /npx trousseau sites add URL/);
  const site = run('sites', 'add', 'https://site.example');
  assert.match(site, /\/sites\/\w+/);
  assert.match(run('sites', 'list'), /https:\/\/site\.example/);
  const doctor = () => run('doctor', '--site', 'http://127.0.0.1:9', '--service', address);
  assert.throws(doctor, /FAIL +the site answers/);

  folder.write(
    'use.ts',
    `import { createClient, type Item } from 'trousseau-client';
const health = await createClient({ baseUrl: process.argv[2] }).health();
const status: 'healthy' | undefined = health?.status;
// @ts-expect-error a price is a number or null: the types are known, not \`any\`
const price: Item['price'] = 'three';
console.log(status, price);
`,
  );
  folder.typeCheck('use.ts');
  assert.equal(folder.run(process.execPath, 'use.ts', address), 'healthy three\n');

  service.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
});

/** Reads the entries of a zip's directory, by the offsets in its format. */
function directoryOf(zip: Buffer) {
  const entries: { name: string; system: number; mode: number; time: string }[] = [];
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1)) {
    const [clock, day] = [zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14)];
    const two = (number: number) => String(number).padStart(2, '0');
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)),
      system: zip.readUInt8(at + 5),
      mode: zip.readUInt32LE(at + 38) >>> 16,
      time: `${(day >> 9) + 1980}-${two((day >> 5) & 15)}-${two(day & 31)}T${two(clock >> 11)}:${two((clock >> 5) & 63)}:${two((clock & 31) * 2)}Z`,
    });
  }
  return entries;
}

const NEEDED = {
  plugin:
    'trousseau.php autoload.php uninstall.php readme.txt LICENSE assets/trousseau.js languages/trousseau-ar.mo',
  theme: 'style.css theme.json functions.php templates/index.html languages/ar.mo LICENSE',
};
for (const [component, needed] of Object.entries(NEEDED))
  test(`the ${component} of this checkout packs with all that WordPress needs and nothing of ours`, () => {
    const [zip = ''] = pack(component);
    const entries = directoryOf(readFileSync(zip));
    const names = entries.map(({ name }) => name);
    for (const name of needed.split(' ')) assert.ok(names.includes(`trousseau/${name}`), name);
    assert.deepEqual(names, names.toSorted());
    // Rule 16 of the plugin directory: nothing compressed or executable, and no name that a system refuses.
    const refused =
      /\.(?:zip|gz|tgz|rar|tar|7z|phar|exe|sh|a|bin|deploy|dist|dmg|dump|img|iso|lha|o|obj|so)$/;
    for (const name of names) {
      assert.match(name, /^trousseau\/[\w./-]+$/);
      assert.doesNotMatch(name, /\.ts$|\/(test|assets\/src|\.\w+)\b/);
      assert.doesNotMatch(name, refused);
    }
    const time = new Date(repository.git('log', '-1', '--format=%cI')).getTime();
    for (const { name, system, mode, time: stored } of entries) {
      assert.deepEqual([system, mode], [UNIX, 0o100644], name);
      assert.ok(Math.abs(Date.parse(stored) - time) <= 2_000, `${name}: ${stored}`);
    }
  });

test('a zip has the same bytes in another time zone, with other modes and times of files', () => {
  const [zip = ''] = pack('theme', { TZ: 'Asia/Kolkata' });
  const bytes = readFileSync(zip);
  chmodSync(repository.path('theme/functions.php'), 0o600);
  utimesSync(repository.path('theme/style.css'), 0, 0);
  pack('theme', { TZ: 'America/Los_Angeles' });
  assert.ok(bytes.equals(readFileSync(zip)));
});

test('the extension of this checkout packs with every file that its manifest and pages name, and nothing of ours', () => {
  const [path = ''] = pack('extension');
  const zip = unzipSync(readFileSync(path));
  const names = Object.keys(zip);
  const text = (name: string) => Buffer.from(zip[name]!).toString();
  const named = ['manifest.json', 'popup.html', 'sites.html', 'pages.css'].flatMap((name) =>
    [...text(name).matchAll(/"([\w/]+\.(?:js|html|css|png|svg))"/g)].map(([, file]) => file!),
  );
  assert.ok(named.length > 10, named.join());
  for (const name of [...named, 'reader.js', 'LICENSE', '_locales/ar/messages.json'])
    assert.ok(names.includes(name), name);
  const found = names.filter((name) => /\.ts$|^(test|src|\.)/.test(name));
  assert.deepEqual(found, []);
});
