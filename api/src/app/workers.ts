import cluster, { type Address, type Worker } from 'node:cluster';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Problem, type ProblemCode, storeUnavailable } from '../contract/problem.ts';
import type { Database, Unit, Written } from '../store/database.ts';
import { openService, type Service, type Supervisor } from './service.ts';

// A process that lives shorter than this is replaced after a pause: one that dies at each start would be started forever.
const SHORT_LIFE_MS = 5_000;

/** A failure as it travels between processes, which leave of an error its text, stack and cause. */
type Failure = { error: Error; problem?: { code: ProblemCode; retryAfter: number | undefined } };
type Result = Written | { failure: Failure };
/** A registry was changed: what the others remember of it is not to be believed any more. */
type Change = { changed: { site: number; registry: number }; number: number };
type ToWorker = { stop: true } | { batch: number; results: Result[] } | Change | { announced: number };
type ToPrimary = { batch: number; units: Unit[] } | Change | { acknowledged: number };

// Longest wait for other workers to acknowledge a changed registry.
const ACK_LIMIT_MS = 1_000;

/**
 * Serves one port from several processes and replaces those that die. This process alone runs migrations, the embedded host,
 * jobs and SQLite's writes: one writer puts the writes of all into one commit, several would wait for each other's lock.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Service> {
  const parts = new AsyncDisposableStack();
  let stopping = false;

  // Workers accept by themselves: a connection handed over to one that has just died would hang for ever. Node looks at
  // this only once, in the line after it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: 'advanced' });

  const acknowledgements = new Map<number, () => void>();
  let lastNumber = 0;

  /** Resolves once every worker but the one that changed it has acknowledged, or was too busy for too long. */
  async function announceChange(changed: Change['changed'], by?: Worker): Promise<void> {
    const others = running().filter((worker) => worker !== by && worker.isConnected());
    await Promise.all(
      others.map(async (worker) => {
        const number = ++lastNumber;
        const { promise, resolve } = Promise.withResolvers<void>();
        const limit = setTimeout(resolve, ACK_LIMIT_MS);
        acknowledgements.set(number, resolve);
        sendToWorker(worker, { changed, number });
        await promise;
        clearTimeout(limit);
        acknowledgements.delete(number);
      }),
    );
  }

  function fork(database: Database, hostUrl: string | undefined): Worker {
    const worker = cluster.fork(hostUrl === undefined ? {} : { HOST_URL: hostUrl });
    // Others talk over this channel too: the metrics of all workers are gathered by it.
    worker.on('message', (message: ToPrimary) => {
      if ('units' in message) {
        const { batch, units } = message;
        Promise.all(units.map((unit) => result(database, unit))).then((results) =>
          sendToWorker(worker, { batch, results }),
        );
      } else if ('changed' in message) {
        const { changed, number } = message;
        announceChange(changed, worker).then(() => sendToWorker(worker, { announced: number }));
      } else if ('acknowledged' in message) acknowledgements.get(message.acknowledged)?.();
    });
    // A message to a worker that has just died is lost; its `exit` event follows.
    worker.on('error', (error) =>
      log.warn({ err: error, worker: worker.process.pid }, 'a worker is not to be reached'),
    );
    return worker;
  }

  /** Keeps one worker running until the service stops; gives the address at which the first one listens. */
  function superviseWorker(database: Database, hostUrl: string | undefined): Promise<Address> {
    const first = Promise.withResolvers<Address>();
    let served = false;
    void (async () => {
      while (!stopping) {
        const startedAt = performance.now();
        const worker = fork(database, hostUrl);
        worker.once('listening', (address: Address) => {
          served = true;
          first.resolve(address);
        });
        const { code, signal } = await exitOf(worker);
        if (stopping) return;
        // One that ended by itself has said why; one that was killed is replaced, also while the service starts.
        if (!served && signal === null)
          return first.reject(new Error('A worker could not start: its own message says why'));
        log.error({ worker: worker.process.pid, code, signal }, 'a worker died and is replaced');
        if (performance.now() - startedAt < SHORT_LIFE_MS) await sleep(1_000);
      }
    })();
    return first.promise;
  }

  try {
    const announcing = (site: number, registry: number) => announceChange({ site, registry });
    const opened = await openService(config, log, { announceChange: announcing }, parts);
    const { served, database } = opened;

    parts.defer(async () => {
      stopping = true;
      const workers = running();
      const gone = workers.map(exitOf);
      for (const worker of workers) sendToWorker(worker, { stop: true });
      await Promise.all(gone);
    });
    const addresses = await Promise.all(
      Array.from({ length: config.workers }, () => superviseWorker(database, served.hostUrl)),
    );
    const url = `http://${config.listenAddress}:${addresses[0]!.port}`;
    await opened.started();
    return { url, embeddedHost: served.embedded, close: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

const running = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

// Not by `once`, which fails with whatever else goes wrong before.
const exitOf = (worker: Worker): Promise<{ code: number; signal: string | null }> =>
  new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));

const sendToWorker = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message);
};

async function result(database: Database, unit: Unit): Promise<Result> {
  try {
    return await database.write(...unit);
  } catch (error) {
    if (!(error instanceof Problem)) return { failure: { error: error as Error } };
    const { code, retryAfter } = error;
    return { failure: { error, problem: { code, retryAfter } } };
  }
}

function errorOf({ error, problem }: Failure): Error {
  if (!problem) return error;
  return new Problem(problem.code, error.message, { retryAfter: problem.retryAfter, cause: error.cause });
}

/** In a worker: writes and announces changed registries through the primary process, and stops when that says so or is gone. */
export function connectToPrimary(stop: () => void): Required<Supervisor> & { done(): void } {
  type Waiting = { resolve(written: Written): void; reject(error: unknown): void };
  let queue: (Waiting & { unit: Unit })[] = [];
  const sent = new Map<number, Waiting[]>();
  let batches = 0;

  // An error that nobody takes would end this process, and cut callers off. They are told when “disconnect” comes.
  const sendToPrimary = (message: ToPrimary) => process.send?.(message, () => {});

  async function send(): Promise<void> {
    await nextTick();
    const batch = ++batches;
    const units = queue.map(({ unit }) => unit);
    sent.set(batch, queue);
    queue = [];
    sendToPrimary({ batch, units });
  }

  const announcing = new Map<number, () => void>();
  let changes = 0;
  let onRegistryChanged: (site: number, registry: number) => void = () => {};

  process.on('message', (message: ToWorker) => {
    if ('stop' in message) return stop();
    if ('announced' in message) return announcing.get(message.announced)?.();
    if ('changed' in message) {
      onRegistryChanged(message.changed.site, message.changed.registry);
      sendToPrimary({ acknowledged: message.number });
      return;
    }
    if (!('results' in message)) return;
    const writes = sent.get(message.batch) ?? [];
    sent.delete(message.batch);
    message.results.forEach((result, i) => {
      if ('failure' in result) writes[i]?.reject(errorOf(result.failure));
      else writes[i]?.resolve(result);
    });
  });
  // Otherwise Node ends the process at once, and callers are cut off instead of being told.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.on('disconnect', () => {
    const cause = new Error('the writing process is gone');
    for (const { reject } of [...[...sent.values()].flat(), ...queue]) reject(storeUnavailable(cause));
    sent.clear();
    queue = [];
    for (const done of announcing.values()) done();
    stop();
  });

  return {
    write: (...unit) =>
      new Promise((resolve, reject) => {
        if (!process.connected) return reject(storeUnavailable(new Error('the writing process is gone')));
        if (queue.push({ unit, resolve, reject }) === 1) void send();
      }),
    announceChange: async (site, registry) => {
      if (!process.connected) return;
      const number = ++changes;
      const { promise, resolve } = Promise.withResolvers<void>();
      announcing.set(number, resolve);
      sendToPrimary({ changed: { site, registry }, number });
      await promise;
      announcing.delete(number);
    },
    onChanged: (listener) => {
      onRegistryChanged = listener;
    },
    done: () => {
      if (process.connected) process.disconnect();
    },
  };
}
