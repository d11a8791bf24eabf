import cluster, { type Address, type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, inUrl } from '../config.ts';
import { Problem, type ProblemCode, storeUnavailable } from '../contract/problem.ts';
import { within } from '../lib/store-time.ts';
import type { Database, Unit, Written } from '../store/database.ts';
import { groupCommit, type Waiting } from '../store/group-commit.ts';
import { openService, type Service, type Supervisor } from './service.ts';

// A worker that lived shorter than this is replaced after a pause, so that one that dies at each start isn't forked in a loop.
const SHORT_LIFE_MS = 5_000;

/** A failure in a message. Of an error, only text, stack and cause survive the sending, so a problem's code goes along. */
type Failure = { error: Error; problem?: { code: ProblemCode; retryAfter: number | undefined } };
type Result = Written | { failure: Failure };
/** What one process asks another: to store units, or to forget what it remembers of a registry that was changed. */
type Ask = { units: Unit[] } | { changed: { site: number; registry: number } };
type Message = { stop: true } | { number: number; ask: Ask } | { number: number; reply: unknown };

// Longest wait for other workers to acknowledge a changed registry.
const ACK_LIMIT_MS = 1_000;

/** One end of the channel between two processes, over which both ask and answer. */
function endOfChannel(send: (message: Message) => void, answer: (ask: Ask) => Promise<unknown>) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastNumber = 0;
  let gone: Error | undefined;
  return {
    async ask(ask: Ask): Promise<unknown> {
      if (gone) throw gone;
      const number = ++lastNumber;
      const reply = Promise.withResolvers<unknown>();
      waiting.set(number, reply);
      send({ number, ask });
      return reply.promise;
    },
    /** Handles a `Message`, and ignores anything else: the metrics of all workers are gathered over the same channel. */
    async receive(message: Message): Promise<void> {
      if ('ask' in message) send({ number: message.number, reply: await answer(message.ask) });
      if (!('reply' in message)) return;
      waiting.get(message.number)?.resolve(message.reply);
      waiting.delete(message.number);
    },
    /** The other process is gone. */
    close(error: Error): void {
      gone = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

/**
 * Serves one port from several processes and replaces those that die. This process alone runs migrations, the embedded host,
 * jobs and SQLite's writes: one writer puts the writes of all into one commit, several would wait for each other's lock.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Service> {
  await using parts = new AsyncDisposableStack();
  let stopping = false;

  // Workers accept connections themselves: one handed to a dead worker would hang for ever. `setupPrimary` reads this.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: 'advanced' });

  const channels = new Map<Worker, ReturnType<typeof endOfChannel>>();

  /** Tells every worker, except the one that made the change. Resolves once each has acknowledged it or taken too long. */
  async function tellWorkers(ask: Ask, changedBy?: Worker): Promise<void> {
    const tooBusy = () => new Error('a worker is too busy');
    const others = [...channels].filter(([worker]) => worker !== changedBy && worker.isConnected());
    await Promise.allSettled(others.map(([, channel]) => within(ACK_LIMIT_MS, tooBusy, channel.ask(ask))));
  }

  function fork(database: Database, hostUrl: string | undefined): Worker {
    const worker = cluster.fork(hostUrl === undefined ? {} : { HOST_URL: hostUrl });
    const channel = endOfChannel(
      (message) => sendToWorker(worker, message),
      (ask) =>
        'units' in ask
          ? Promise.all(ask.units.map((unit) => writeUnit(database, unit)))
          : tellWorkers(ask, worker),
    );
    channels.set(worker, channel);
    worker.on('message', channel.receive);
    worker.once('exit', () => {
      channels.delete(worker);
      channel.close(new Error('the worker is gone'));
    });
    // A message to a worker that has just died is lost; its `exit` event follows.
    worker.on('error', (error) =>
      log.warn({ err: error, worker: worker.process.pid }, 'a worker cannot be reached'),
    );
    return worker;
  }

  /** Keeps one worker running until the service stops, and replaces it when it dies. Returns the address of the first one. */
  function superviseWorker(database: Database, hostUrl: string | undefined): Promise<Address> {
    const firstAddress = Promise.withResolvers<Address>();
    let hasListened = false;
    void (async () => {
      while (!stopping) {
        const startedAt = performance.now();
        const worker = fork(database, hostUrl);
        worker.once('listening', (address: Address) => {
          hasListened = true;
          firstAddress.resolve(address);
        });
        const { code, signal } = await exitOf(worker);
        if (stopping) return;
        // A worker that exited by itself has said why. One that was killed is replaced, even while the service starts.
        if (!hasListened && signal === null)
          return firstAddress.reject(new Error('A worker could not start: its own message says why'));
        log.error({ worker: worker.process.pid, code, signal }, 'a worker died and is replaced');
        if (performance.now() - startedAt < SHORT_LIFE_MS) await sleep(1_000);
      }
    })();
    return firstAddress.promise;
  }

  const announceChange = (site: number, registry: number) => tellWorkers({ changed: { site, registry } });
  const { served, database, onListening } = await openService(config, log, { announceChange }, parts);

  parts.defer(async () => {
    stopping = true;
    served.stopJobs();
    const workers = [...channels.keys()];
    const exits = workers.map(exitOf);
    for (const worker of workers) sendToWorker(worker, { stop: true });
    await Promise.all(exits);
  });
  const addresses = await Promise.all(
    Array.from({ length: config.workers }, () => superviseWorker(database, served.hostUrl)),
  );
  const url = `http://${inUrl(config.listenAddress)}:${addresses[0]!.port}`;
  await onListening();
  const running = parts.move();
  return { url, embeddedHost: served.embedded, close: () => running.disposeAsync() };
}

// Not `once` of node:events, which rejects if an `error` event comes first.
const exitOf = (worker: Worker): Promise<{ code: number; signal: string | null }> =>
  new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));

const sendToWorker = (worker: Worker, message: Message) => {
  if (worker.isConnected()) worker.send(message);
};

async function writeUnit(database: Database, unit: Unit): Promise<Result> {
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

/** Lets a worker write and announce changes through the primary process. Calls `stop` when that says so or is gone. */
export function connectToPrimary(stop: () => void): Required<Supervisor> & { disconnect(): void } {
  let onRegistryChanged: (site: number, registry: number) => void = () => {};

  const primary = endOfChannel(
    // Without a callback, a failed send would end this process and cut callers off. The event `disconnect` stops it properly.
    (message) => process.send?.(message, () => {}),
    async (ask) => {
      if ('changed' in ask) onRegistryChanged(ask.changed.site, ask.changed.registry);
    },
  );

  async function writeThroughPrimary(group: Waiting[]): Promise<void> {
    try {
      const results = (await primary.ask({ units: group.map(({ unit }) => unit) })) as Result[];
      for (const [i, result] of results.entries()) {
        if ('failure' in result) group[i]!.reject(errorOf(result.failure));
        else group[i]!.resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  process.on('message', (message: Message) => ('stop' in message ? stop() : void primary.receive(message)));
  // Otherwise Node exits as soon as the primary is gone, which cuts callers off instead of telling them.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.on('disconnect', () => {
    primary.close(storeUnavailable(new Error('the writing process is gone')));
    stop();
  });

  return {
    // One message carries all writes of one round of the event loop. `void`: the next doesn't wait for its answer.
    write: groupCommit(async (group) => void writeThroughPrimary(group)).write,
    // This fails only if the primary is gone; then all workers stop.
    announceChange: async (site, registry) =>
      void (await primary.ask({ changed: { site, registry } }).catch(() => {})),
    onChanged: (listener) => {
      onRegistryChanged = listener;
    },
    disconnect: () => {
      if (process.connected) process.disconnect();
    },
  };
}
