// The load generator: a process of its own, so that it can have a core of its own. It takes one job at a time from
// the bench and answers with its counts.
import { connect, type Socket } from 'node:net';
import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, requestAt } from './ask.ts';
import { ITEMS_EACH } from './shape.ts';

export type Job = {
  url: string;
  ask: Ask;
  /** Each request carries one of them, chosen at random. */
  authorizations: string[];
  connections: number;
  /** Requests of the warm-up are not counted. */
  warmupSeconds: number;
  seconds: number;
  /** Requests per second, each sent when it is due, answered or not; as many as possible when absent. */
  rate?: number | undefined;
};

export type Count = {
  perSecond: number;
  /** The share of the time in which the generator was busy: near 1, the generator was the bottleneck. */
  busy: number;
  /** Milliseconds from the moment a request was due to the end of its answer. */
  latency: { p50: number; p99: number; p999: number };
};

export type Outcome = Count | { error: string };

type Connection = { send(dueAt: number): void; busy(): boolean; close(): void };
type Answered = (connection: Connection, dueAt: number) => void;
/** When a free connection is given its next request; `turn` is called in every round of the loop. */
type Pace = { start(idle: Connection[]): void; free(connection: Connection): void; turn(now: number): void };

// One buffer for all connections: each read is processed before the next one.
const received = Buffer.allocUnsafe(256 * 1024);
let reads = 0;

async function run(job: Job): Promise<Count> {
  const request = requests(job);
  const pace = job.rate ? atRate(job.rate) : flatOut;
  const broken = Promise.withResolvers<never>();
  const latencies = createHistogram();
  const quiet = Promise.withResolvers<void>();
  let counting = false;
  let ended = false;
  let underWay = 0;
  const answered: Answered = (connection, dueAt) => {
    if (counting) latencies.record(Math.max(1, Math.round((performance.now() - dueAt) * 1000)));
    if (!ended) pace.free(connection);
    else if (--underWay === 0) quiet.resolve();
  };
  const opening = Array.from({ length: job.connections }, () =>
    open(new URL(job.url), request, answered, broken.reject),
  );
  const connections = await Promise.race([broken.promise, Promise.all(opening)]);
  const loop = restless((now) => {
    if (!ended) pace.turn(now);
  });
  try {
    pace.start([...connections]);
    await Promise.race([broken.promise, pause(job.warmupSeconds * 1000)]);
    counting = true;
    const start = performance.now();
    loop.idle = 0;
    // A server that hasn't answered yet gets more time.
    for (let times = 0; latencies.count === 0 && times < 20; times++)
      await Promise.race([broken.promise, pause(job.seconds * 1000)]);
    const elapsed = performance.now() - start;
    const busy = 1 - loop.idle / elapsed;
    counting = false;

    // Requests that a slow server still works on would slow down the next candidate.
    ended = true;
    underWay = connections.filter((connection) => connection.busy()).length;
    if (underWay > 0) await Promise.race([broken.promise, quiet.promise]);

    if (latencies.count === 0) throw new Error(`no answer in ${Math.round(elapsed / 1000)} s`);
    const milliseconds = (percentile: number) => latencies.percentile(percentile) / 1000;
    return {
      perSecond: latencies.count / (elapsed / 1000),
      busy,
      latency: { p50: milliseconds(50), p99: milliseconds(99), p999: milliseconds(99.9) },
    };
  } finally {
    loop.stop();
    for (const connection of connections) connection.close();
  }
}

/**
 * Calls `turn` in a loop that never sleeps: waking the generator would cost the server time, most of all a slow server,
 * and timers are late by up to a millisecond.
 */
function restless(turn: (now: number) => void): { idle: number; stop(): void } {
  let seen = reads;
  let last = performance.now();
  let next = setImmediate(function round() {
    const now = performance.now();
    if (seen === reads) loop.idle += now - last;
    seen = reads;
    last = now;
    turn(now);
    next = setImmediate(round);
  });
  const loop = { idle: 0, stop: () => clearImmediate(next) };
  return loop;
}

const flatOut: Pace = {
  start: (idle) => {
    for (const connection of idle) connection.send(performance.now());
  },
  free: (connection) => connection.send(performance.now()),
  turn: () => {},
};

function atRate(rate: number): Pace {
  const waiting: number[] = [];
  let idle: Connection[] = [];
  let dueAt = Number.POSITIVE_INFINITY;
  return {
    start(connections) {
      idle = connections;
      dueAt = performance.now();
    },
    free(connection) {
      const dueAt = waiting.shift();
      if (dueAt === undefined) idle.push(connection);
      else connection.send(dueAt);
    },
    turn(now) {
      for (; dueAt <= now; dueAt += 1000 / rate) {
        const connection = idle.shift();
        if (connection) connection.send(dueAt);
        else waiting.push(dueAt);
      }
    },
  };
}

/** Opens a connection with one request at a time, and reopens it if the server closes it after each answer. */
async function open(
  { hostname, port }: URL,
  request: () => string,
  answered: Answered,
  broken: (error: Error) => void,
): Promise<Connection> {
  let socket: Socket;
  let dueAt = 0;
  // Bytes of the answer still to be received; 0 while no answer is expected.
  let missing = 0;
  let begun = false;
  let busy = false;
  let closed = false;

  const dial = () =>
    new Promise<void>((resolve) => {
      socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          buffer: received,
          callback: (length) => {
            take(length);
            return !closed;
          },
        },
      });
      socket.on('connect', resolve);
      socket.on('error', broken);
      socket.on('close', async () => {
        if (closed) return;
        if (missing !== Number.POSITIVE_INFINITY) return broken(new Error('the server closed a connection'));
        await dial();
        done();
      });
    });

  function take(length: number): void {
    reads++;
    if (begun) missing -= length;
    else {
      begun = true;
      const head = received.toString('latin1', 0, Math.min(length, 4096));
      const end = head.indexOf('\r\n\r\n') + 4;
      // Failures would make the figure meaningless.
      if (head[9] !== '2' || end < 4) broken(new Error(`not a success:\n${head}`));
      const announced = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      missing = announced ? end + Number(announced) - length : Number.POSITIVE_INFINITY;
    }
    if (missing === 0) done();
  }

  function done(): void {
    begun = false;
    missing = 0;
    busy = false;
    if (!closed) answered(self, dueAt);
  }

  const self: Connection = {
    send(at) {
      dueAt = at;
      busy = true;
      socket.write(request(), 'latin1');
    },
    busy: () => busy,
    close() {
      closed = true;
      socket.destroy();
    },
  };
  await dial();
  return self;
}

function requests({ url, ask, authorizations }: Job): () => string {
  const { method } = ask;
  const any = (count: number) => Math.floor(Math.random() * count);
  const headers = authorizations.map(
    (authorization) => ` HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: ${authorization}\r\n`,
  );
  return () => {
    const { path, text } = requestAt(ask, any(ask.among), any(ITEMS_EACH));
    const start = `${method} ${path}${headers[any(headers.length)]}`;
    if (text === undefined) return `${start}\r\n`;
    return `${start}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
  };
}

process.on('disconnect', () => process.exit());
process.on('message', (job: Job) => {
  run(job).then(
    (count) => process.send!(count satisfies Outcome),
    (error: Error) => process.send!({ error: error.message } satisfies Outcome),
  );
});
