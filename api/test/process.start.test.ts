import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { basic, startFakeHost } from './fake-host.ts';
import { listen } from './listen.ts';
import { startServiceProcess } from './service-process.ts';
import { freshSqlite, temporaryFolder } from './support.ts';

describe('a process that cannot start says why in a few words, and ends', { concurrency: 2 }, () => {
  async function failure(env: Record<string, string>, prefix: string[] = []): Promise<string> {
    await using service = startServiceProcess(env, prefix);
    const hasStarted = () => assert.fail('it has started');
    const { code } = await service.url.then(hasStarted, () => service.exit);
    assert.equal(code, 1, service.stdout());
    const said = service.stderr().trimEnd();
    assert.doesNotMatch(said, /^\s+at |node:internal/m, 'no stack');
    assert.equal(service.stdout(), '');
    return said;
  }
  const assertOneLine = (said: string, ...expected: (RegExp | string)[]) => {
    assert.ok(!said.includes('\n'), said);
    for (const part of expected)
      assert.ok(typeof part === 'string' ? said.includes(part) : part.test(said), `${part}: ${said}`);
  };

  it('on a taken port', async () => {
    await using store = await freshSqlite();
    await using other = await listen(createServer());
    const port = String(other.port);
    const said = await failure({ PORT: port, DATABASE_URL: store.url });
    assertOneLine(said, port, /LISTEN_ADDRESS and PORT: another program uses that port/);
  });

  it('in a folder that cannot be written, or is none', async () => {
    await using folder = await temporaryFolder();
    const { path } = folder;
    await writeFile(`${path}/file`, '');
    await mkdir(`${path}/shut`, { mode: 0o555 });
    // Root writes anywhere, unless it gives that up.
    const humble = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
    const start = (database: string) => failure({ DATABASE_URL: `sqlite:${database}` }, humble);
    assertOneLine(await start(`${path}/shut/data/items.db`), `${path}/shut`, /permission/);
    assertOneLine(await start(`${path}/file/data/items.db`), `${path}/file`);
  });

  it('on a data file that is no database', async () => {
    await using folder = await temporaryFolder();
    const file = `${folder.path}/items.db`;
    await writeFile(file, 'Dear Ann, '.repeat(100));
    assertOneLine(await failure({ DATABASE_URL: `sqlite:${file}` }), file, /not a database/);
  });
});

// Names each module that the process loads, and at the end those of Node itself, on stderr.
const NAME_MODULES = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => { process._rawDebug(url); return next(url, context); } });
  process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')));`;
const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(NAME_MODULES)}"`;

it('the first answers load no documentation, no validators and nothing for settings that are not made', async () => {
  await using store = await freshSqlite();
  await using host = await startFakeHost();
  await using service = startServiceProcess({ DATABASE_URL: store.url, HOST_URL: host.url, NODE_OPTIONS });
  const url = await service.url;
  const headers = { authorization: basic('alice') };
  assert.equal((await fetch(`${url}/health`)).status, 200);
  assert.equal((await fetch(`${url}/items/1`, { headers })).status, 404);
  const loaded = () =>
    new Set(
      service.stderr().match(/(?<=node_modules\/)(?:@[\w.-]+\/)?[\w.-]+|(?<=\/api\/)(?:src|emulator)\/\S+/g),
    );
  const early = loaded();
  for (const name of ['fastify', 'src/app/server.ts']) assert.ok(early.has(name), `${name} is seen`);
  const documentation = ['@fastify/swagger', '@fastify/swagger-ui', 'src/http/openapi.ts'];
  const validators = ['typebox', 'ajv', '@fastify/fast-json-stringify-compiler'];
  const packages = ['@fastify/cors', 'pg', 'prom-client', 'htmlparser2'];
  const ofSettings = ['emulator/server.ts', 'src/app/workers.ts', 'src/app/metrics.ts'];
  const ofPages = ['src/shop/index.ts', 'src/internet/parse-page.ts'];
  for (const name of [...documentation, ...validators, ...packages, ...ofSettings, ...ofPages])
    assert.ok(!early.has(name), `${name} is loaded`);
  assert.equal((await fetch(`${url}/openapi.json`)).status, 200);
  assert.equal((await fetch(`${url}/items?limit=x`, { headers })).status, 422);
  for (const name of ['ajv', ...documentation])
    assert.ok(loaded().has(name), `${name} is loaded when asked for`);
});

it('the second start compiles no TypeScript', async () => {
  await using store = await freshSqlite();
  await using host = await startFakeHost();
  const env = { DATABASE_URL: store.url, HOST_URL: host.url, NODE_OPTIONS };
  const start = async () => {
    // With the folder of compiled code that the service names itself.
    await using service = startServiceProcess(env, ['env', '-u', 'NODE_COMPILE_CACHE']);
    assert.equal((await fetch(`${await service.url}/health`)).status, 200);
    service.child.kill('SIGTERM');
    assert.deepEqual(await service.exit, { code: 0, signal: null });
    return service.stderr();
  };
  await start();
  const loaded = await start();
  assert.match(loaded, /NativeModule sqlite$/m);
  assert.doesNotMatch(loaded, /amaro/);
  // Which comes along with imports of `node:http`, and takes as long as the store and Fastify.
  assert.doesNotMatch(loaded, /NativeModule internal\/deps\/undici/);
  // The package of that name is loaded with the first request to another machine.
  assert.doesNotMatch(loaded, /node_modules\/undici\//);
});
