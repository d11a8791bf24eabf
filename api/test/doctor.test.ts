import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFakeHost } from './fake-host.ts';
import { freePort } from './free-port.ts';
import { keyOf, startManySitesHere } from './many-sites.ts';
import { freshPostgres, withoutPostgres } from './postgres.ts';
import {
  authorization,
  freshSqlite,
  openedDatabase,
  SECRET_KEY,
  startTestService,
  temporaryFolder,
} from './support.ts';

const DOCTOR = fileURLToPath(new URL('../src/commands/doctor.ts', import.meta.url));

async function doctor(args: string[], env: Record<string, string> = {}): Promise<string> {
  const run = promisify(execFile)(process.execPath, [DOCTOR, ...args], { env });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

const onServer = { skip: await withoutPostgres() };

describe('the doctor', () => {
  it('asks the service at the address of the settings, or at the one it is given', async () => {
    await using folder = await temporaryFolder();
    await using host = await startFakeHost();
    const DATABASE_URL = `sqlite:${folder.path}/items.db`;
    const args = ['--site', host.url];
    await using service = await startTestService({ DATABASE_URL, HOST_URL: host.url });
    const found = await doctor(args, { DATABASE_URL, PORT: new URL(service.url).port });
    assert.match(found, new RegExp(`^ok +the service answers: ${service.url}$`, 'm'));
    const elsewhere = ['--service', `http://127.0.0.1:${await freePort()}`];
    const given = await doctor([...args, ...elsewhere], { DATABASE_URL });
    assert.match(given, /^FAIL +the service answers: .*\n +cure: start it, or give its address/m);
  });

  it('says which of many sites it looks at, by its base URL alone', async () => {
    await using store = await freshSqlite();
    await using many = await startManySitesHere(store, {});
    await using host = await startFakeHost();
    const base = await many.add(host.url);
    const [key, env] = [keyOf(base), { DATABASE_URL: store.url, SITES: 'on' }];
    const found = await doctor(['--service', `${base}/`], env);
    assert.match(found, new RegExp(`^ok +the site answers: ${host.url}/`, 'm'));
    assert.match(found, new RegExp(`^ok +the service answers: ${base}$`, 'm'));
    assert.match(found, new RegExp(`^ok +the store has this site: ${key} is ${host.url}$`, 'm'));

    const other = await doctor(['--service', base, '--site', 'http://127.0.0.1:1'], env);
    assert.match(other, new RegExp(`^FAIL +the store has this site: ${key} is ${host.url}, not `, 'm'));
    await many.command('suspend', key);
    const suspended = await doctor(['--service', base], env);
    assert.match(suspended, new RegExp(`this site: ${key} is suspended\n +cure: .*resume ${key}$`, 'm'));
    const unknown = 'x'.repeat(22);
    const none = await doctor(['--service', base.replace(key, unknown), '--site', host.url], env);
    assert.match(none, /^FAIL +the service answers: .*\n/m);
    const missing = `the store has this site: there is no site ${unknown}`;
    assert.match(none, new RegExp(`^FAIL +${missing}\n +cure: `, 'm'));
    const joined = await doctor(['--service', base, '--site', host.url], { ...env, SITES_JOIN: 'code' });
    assert.match(joined, /^FAIL +the store has this site: .* is suspended/m);
    const away = await doctor(['--service', base], { ...env, DATABASE_URL: 'postgres://ann@127.0.0.1:1/x' });
    assert.match(away, /^The store cannot be read: /);
  });

  it('makes no key in a store whose service has its own', onServer, async () => {
    await using store = await freshPostgres();
    await using service = await startTestService({ DATABASE_URL: store.url, SECRET_KEY });
    const hook = { url: 'https://hooks.example/', events: ['item.created'] };
    const headers = { 'content-type': 'application/json', authorization: authorization('admin') };
    const made = await fetch(`${service.url}/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify(hook),
    });
    assert.equal(made.status, 201);
    await using database = await openedDatabase(store.url);
    const args = ['--site', 'http://127.0.0.1:1', '--service', service.url];
    const without = await doctor(args, { DATABASE_URL: store.url });
    assert.match(without, /^FAIL .* can be decrypted: there is no SECRET_KEY\n +cure: set SECRET_KEY/m);
    assert.deepEqual(await database.read(`select 1 from bindings where name = 'service key'`), []);
    assert.match(
      await doctor(args, { DATABASE_URL: store.url, SECRET_KEY }),
      /^ok .* can be decrypted: yes$/m,
    );
  });

  it('explains its use where it does not know an argument, without repeating it, or what is wrong', async () => {
    const usage = await doctor(['--password', 'abcd', 'efgh']);
    assert.match(usage, /^Checks a WordPress site(?!.*(at parseArgs|efgh))/s);
    assert.match(await doctor(['--site', 'site.example']), /\n {2}- --site must be an http or https address/);
    assert.equal(await doctor(['--help'], { PORT: 'x' }), await doctor(['--help']));
    const run = promisify(execFile)(process.execPath, [DOCTOR, '--site', 'site.example'], { env: {} });
    await assert.rejects(run, { code: 1, stdout: '' });
    await using folder = await temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.path}/none.db` };
    const said = await doctor(['--site', 'http://127.0.0.1:1'], env);
    assert.match(said, /^FAIL +the store is healthy: there is no .*none\.db\n +cure: start the service/m);
  });
});
