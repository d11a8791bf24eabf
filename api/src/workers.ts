import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { Problem, type ProblemCode } from './problem.ts';
import { type Service, startHost } from './service.ts';
import type { Database, Statement, Write, Written } from './store/database.ts';
import { openDatabase } from './store/open.ts';

// A process that lives shorter than this is not replaced at once, lest it be for ever.
const SHORT_LIFE_MS = 5_000;

type Result = Written | { problem: { code: ProblemCode; detail: string; headers: Record<string, string> } };
type ToWorker = { stop: true } | { batch: number; results: Result[] };
type ToPrimary = { batch: number; writes: Statement[] };

/**
 * Serves one port from several processes and replaces those that die. Migrations, the embedded host and writes to
 * SQLite are this process's business: two processes that write take turns at the lock, one writes for all in one
 * commit.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Service> {
  const database = await openDatabase(config.databaseUrl);
  const host = await startHost(config);
  let stopping = false;
  let metrics: { close(): Promise<void> } | undefined;

  const close = async () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const gone = workers.map((worker) => once(worker, 'exit'));
    for (const worker of workers) tell(worker, { stop: true });
    await Promise.all(gone);
    await metrics?.close();
    await host.close();
    await database.close();
  };

  // Workers accept by themselves: a connection handed over to one that has just died would hang for ever. Node looks at
  // this only once, in the line after it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: 'advanced' });
  function fork(): Worker {
    const startedAt = performance.now();
    const worker = cluster.fork({ HOST_URL: host.url });
    worker.on('message', (message: ToPrimary) => {
      // Others talk over this channel too: the metrics of all workers are gathered by it.
      if (!('writes' in message)) return;
      const { batch, writes } = message;
      Promise.all(writes.map((write) => result(database, write))).then((results) =>
        tell(worker, { batch, results }),
      );
    });
    // What is said to one that has just died gets lost, and that is all: `exit` is about to tell.
    worker.on('error', (error) =>
      log.warn({ err: error, worker: worker.process.pid }, 'a worker is not to be reached'),
    );
    worker.once('exit', async (code, signal) => {
      if (stopping) return;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker died and is replaced');
      if (performance.now() - startedAt < SHORT_LIFE_MS) await sleep(1_000);
      if (!stopping) fork();
    });
    return worker;
  }

  try {
    const addresses = await Promise.all(Array.from({ length: config.workers }, () => listening(fork())));
    const url = `http://${config.listenAddress}:${addresses[0]!.port}`;
    if (config.metricsPort !== undefined) {
      const { serveMetrics } = await import('./metrics.ts');
      metrics = await serveMetrics(config.metricsPort, config.listenAddress);
    }
    return { url, embeddedHost: host.embedded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const tell = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

async function result(database: Database, statement: Statement): Promise<Result> {
  try {
    return await database.write(...statement);
  } catch (error) {
    const { code, message, headers } = error instanceof Problem ? error : unavailable(error);
    return { problem: { code, detail: message, headers } };
  }
}

async function listening(worker: Worker): Promise<Address> {
  const decided = new AbortController();
  const { signal } = decided;
  try {
    return await Promise.race([
      once(worker, 'listening', { signal }).then(([address]) => address as Address),
      once(worker, 'exit', { signal }).then(() => {
        throw new Error('A worker could not start: its own message says why');
      }),
    ]);
  } finally {
    decided.abort();
  }
}

/** In a worker: writes through the process that started it, and stops when that says so or is gone. */
export function workerEnd(stop: () => void): { write: Write; done(): void } {
  type Waiting = { resolve(written: Written): void; reject(error: unknown): void };
  let queue: (Waiting & { statement: Statement })[] = [];
  const sent = new Map<number, Waiting[]>();
  let batches = 0;

  async function send(): Promise<void> {
    await nextTick();
    const batch = ++batches;
    const writes = queue.map(({ statement }) => statement);
    sent.set(batch, queue);
    queue = [];
    process.send?.({ batch, writes } satisfies ToPrimary);
  }

  process.on('message', (message: ToWorker) => {
    if ('stop' in message) return stop();
    if (!('results' in message)) return;
    const waiting = sent.get(message.batch) ?? [];
    sent.delete(message.batch);
    message.results.forEach((result, i) => {
      if ('problem' in result)
        waiting[i]?.reject(new Problem(result.problem.code, result.problem.detail, result.problem));
      else waiting[i]?.resolve(result);
    });
  });
  process.on('disconnect', () => {
    for (const { reject } of [...sent.values()].flat())
      reject(unavailable(new Error('the writing process is gone')));
    stop();
  });

  return {
    write: (...statement) =>
      new Promise((resolve, reject) => {
        if (queue.push({ statement, resolve, reject }) === 1) void send();
      }),
    done: () => process.disconnect(),
  };
}

const unavailable = (cause: unknown) =>
  new Problem('unavailable', 'The item store cannot be reached at the moment', {
    cause,
    headers: { 'retry-after': '5' },
  });
