import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { until } from '../../dev/until.ts';
import { freePort } from './free-port.ts';
import { listen } from './listen.ts';
import { stores } from './many-sites.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import {
  authorization,
  freshSqlite,
  memoryHost,
  PASSWORDS,
  patientClient,
  temporaryFolder,
} from './support.ts';

const ITEM = { registry_id: 1, name: 'Pan', url: 'https://shop.example/pan' };

/** The processes that wrote this message, in the order in which they did. */
const writersOf = (service: ServiceProcess, message: string) =>
  service
    .log()
    .filter(({ msg }) => String(msg).startsWith(message))
    .map(({ pid }) => Number(pid));

const workersOf = (service: ServiceProcess) => [...new Set(writersOf(service, 'Server listening'))];

const settled = (service: ServiceProcess, ready: () => boolean) =>
  until('the workers get there', ready).catch((error) => {
    throw new Error(`${error.message}: ${service.stdout()}${service.stderr()}`);
  });

async function startTwoWorkers(env: Record<string, string>, prefix?: string[]): Promise<ServiceProcess> {
  const service = startServiceProcess({ ...env, WORKERS: '2' }, prefix);
  await settled(service, () => workersOf(service).length === 2);
  // The line about the embedded host is the last of a start.
  if (!env.HOST_URL) await service.said(/Trousseau is ready/);
  return service;
}

const AS_ALICE = { authorization: authorization('alice'), 'content-type': 'application/json' };

/** The address once every worker knows Alice: on a busy machine, the host may answer too late for a first request. */
async function readyForAlice(service: ServiceProcess): Promise<string> {
  const url = await service.url;
  await until('each worker knows Alice', async () => {
    const asked = Array.from({ length: 10 }, () => statusOf(`${url}/items`, { headers: AS_ALICE }));
    return (await Promise.all(asked)).every((status) => status === 200);
  });
  return url;
}

const clientOf = async (service: ServiceProcess) =>
  patientClient({
    baseUrl: await readyForAlice(service),
    username: 'alice',
    password: PASSWORDS.alice,
  });

/** The store's file in the hands of another program, which writes. */
function locked(url: string): DatabaseSync {
  const other = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
  other.exec('begin immediate');
  return other;
}

async function pendingAt(metricsPort: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^trousseau_store_statements_pending (\d+)/m.exec(text)?.[1]);
}

/** A process that was killed, though its parent has not been told. */
function isDead(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** The status of an answer over a new connection: those that are open belong to a worker. */
async function statusOf(
  url: string,
  options: RequestOptions = {},
  body?: object,
): Promise<number | undefined> {
  const asked = request(url, { agent: false, signal: AbortSignal.timeout(60_000), ...options });
  const [answer] = await once(asked.end(body && JSON.stringify(body)), 'response');
  return answer.resume().statusCode;
}

/** A failing store gives its reason in every worker, and its waiting statements are counted. */
async function failsInEveryWorker(service: ServiceProcess, url: string, metricsPort: string): Promise<void> {
  const items = `${await service.url}/items`;
  const other = locked(url);
  const reasons = () =>
    service.log().filter(({ msg }) => String(msg).startsWith('The item store cannot be reached'));
  let counted = 0;
  // Round after round: on a busy machine the writes of one are over before the figures come, or all in one worker.
  await until('statements wait, and each worker says why', async () => {
    const late = Promise.all(
      Array.from({ length: 20 }, () => statusOf(items, { method: 'POST', headers: AS_ALICE }, ITEM)),
    );
    counted = Math.max(counted, await pendingAt(metricsPort));
    assert.deepEqual(await late, Array(20).fill(503));
    return counted > 0 && new Set(reasons().map(({ pid }) => pid)).size === 2;
  });
  other.exec('rollback');
  other.close();
  const causes = reasons().map(({ err }) => (err as { message?: string } | undefined)?.message);
  assert.deepEqual(new Set(causes), new Set(['database is locked']));
}

/** No connection waits for an idle worker, which is killed then. */
async function answersBeside(service: ServiceProcess, frozen: number): Promise<void> {
  const health = `${await service.url}/health`;
  process.kill(frozen, 'SIGSTOP');
  try {
    assert.deepEqual(
      await Promise.all(Array.from({ length: 20 }, () => statusOf(health))),
      Array(20).fill(200),
    );
  } finally {
    process.kill(frozen, 'SIGKILL');
  }
}

// Most of it waits.
describe('several processes', { concurrency: 2 }, () => {
  for (const { name, open, skip } of stores) {
    test(`several processes on ${name} serve one port, also beside one that is frozen, replace the dead and stop together`, {
      skip,
    }, async () => {
      await using store = await open();
      await using folder = await temporaryFolder();
      const inFolder = ['sh', '-c', 'cd "$0" && exec "$@"', folder.path];
      const METRICS_PORT = String(await freePort());
      await using service = await startTwoWorkers({ DATABASE_URL: store.url, METRICS_PORT }, inFolder);
      const workers = () => workersOf(service);
      assert.equal(service.stderr().match(/Trousseau is ready/g)?.length, 1, 'one embedded host, one banner');
      const client = await clientOf(service);
      if (store.url.startsWith('sqlite:')) await failsInEveryWorker(service, store.url, METRICS_PORT);

      const add = (n: number) => client.items.create({ ...ITEM, name: `Pan ${n}` });
      const first = await Promise.all(Array.from({ length: 60 }, (_, n) => add(n)));
      assert.equal(new Set(first.map((answer) => answer!.data.id)).size, 60);

      const [victim] = workers();
      await answersBeside(service, victim!);
      await settled(service, () => workers().length === 3);
      const died = service.log().find(({ msg }) => String(msg).includes('is replaced'));
      assert.deepEqual([died?.worker, died?.signal], [victim, 'SIGKILL']);

      await readyForAlice(service);
      const later = await Promise.all(Array.from({ length: 60 }, (_, n) => add(60 + n)));
      const stored = (await client.items.list({ limit: 1000 }))!.map((item) => item.id);
      const answered = [...first, ...later].map((answer) => answer!.data.id);
      assert.deepEqual(stored.sort(), answered.sort());

      service.child.kill('SIGTERM');
      assert.deepEqual(await service.exit, { code: 0, signal: null });
      assert.equal(writersOf(service, 'stopped').length, 3, 'two workers and the one that started them');
      for (const worker of workers()) assert.throws(() => process.kill(worker, 0), { code: 'ESRCH' });
    });
  }

  test('a worker that dies while its write is carried out takes nobody with it', async () => {
    await using store = await freshSqlite();
    // Both are going to be gone, and a port that the system chose with them.
    const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
    await using service = await startTwoWorkers({ DATABASE_URL: store.url, PORT, METRICS_PORT });
    const workers = workersOf(service);
    const client = await clientOf(service);
    await client.items.create(ITEM);
    const other = locked(store.url);
    const writes: Promise<unknown>[] = [];
    // Round after round: on a busy machine those of one come too far apart.
    await until('many wait', async () => {
      for (let n = 0; n < 20; n++) writes.push(client.items.create(ITEM).catch(() => {}));
      return (await pendingAt(METRICS_PORT)) >= 20;
    });
    // A worker's next figures come behind its writes.
    await pendingAt(METRICS_PORT);
    // It carries the writes out and answers before it can know.
    service.child.kill('SIGSTOP');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    other.close();
    await until('they are dead', () => workers.every(isDead));
    service.child.kill('SIGCONT');
    await Promise.all(writes);
    await settled(service, () => workersOf(service).length === 4);
    await readyForAlice(service);
    await client.items.create(ITEM);
  });

  test('callers of a worker whose supervisor is gone are told, not cut off', async () => {
    await using store = await freshSqlite();
    await using host = await memoryHost();
    await using service = await startTwoWorkers({ DATABASE_URL: store.url, HOST_URL: host.url });
    const url = await readyForAlice(service);
    // The worker says when it has a request.
    const headers = { ...AS_ALICE, expect: '100-continue' };
    const create = () => {
      const asked = request(`${url}/items`, { method: 'POST', headers, agent: false });
      const status = once(asked, 'response').then(([answer]) => answer.resume().statusCode);
      const heard = once(asked, 'continue');
      asked.flushHeaders();
      return { status, heard, go: () => void asked.end(JSON.stringify(ITEM)) };
    };
    service.child.kill('SIGSTOP');
    const asked = Array.from({ length: 5 }, create);
    await Promise.all(asked.map(({ heard }) => heard));
    service.child.kill('SIGKILL');
    for (const { go } of asked) go();
    assert.deepEqual(await Promise.all(asked.map(({ status }) => status)), Array(5).fill(503));
  });

  const onLinux = process.platform === 'linux' ? false : 'a process’s children are found in /proc';

  test('a worker killed while the service starts is replaced, and all end when the process that started them is killed', {
    skip: onLinux,
  }, async () => {
    await using store = await freshSqlite();
    await using service = startServiceProcess({ DATABASE_URL: store.url, WORKERS: '2' });
    const workers = async () => {
      const list = `/proc/${service.child.pid}/task/${service.child.pid}/children`;
      return (await readFile(list, 'utf8')).trim().split(' ').filter(Boolean).map(Number);
    };
    const victim = await until('a worker is there', async () => (await workers())[0], { everyMs: 1 });
    process.kill(victim, 'SIGKILL');
    await service.said(/curl -u bob/);
    assert.equal((await fetch(`${await service.url}/health`)).status, 200);
    const left = await workers();
    assert.ok(!left.includes(victim));
    service.child.kill('SIGKILL');
    await service.exit;
    await settled(service, () => left.every(isDead));
  });

  test('workers that cannot start end the whole, and say why', async () => {
    await using store = await freshSqlite();
    await using taken = await listen(createServer());
    const env = { DATABASE_URL: store.url, WORKERS: '2', PORT: String(taken.port) };
    await using service = startServiceProcess(env);
    assert.equal((await service.exit).code, 1);
    assert.match(service.stderr(), /at LISTEN_ADDRESS and PORT: .*EADDRINUSE/);
  });
});
