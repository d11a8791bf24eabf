import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../../api/test/sql-session.ts';
import { allOf } from './all-of.ts';
import { authorizationOf, startHost } from './host.ts';
import { SERVICE, startServer } from './process.ts';

export const CALLERS = 1_000;
const PIECES = 10;

// The first user owns the registry; the next ones are its guests, as many as one registry may have.
const guests = Array.from({ length: CALLERS }, (_, i) => 2 + i);

// In cents: the goal, and the least and most that one caller pledges.
const GOAL = 40_000;
const SHARES = [100, 10_000] as const;

/** How long the callers of a round waited, in milliseconds, and the answers that they got. */
export type Round = { p50: number; p99: number; last: number; answers: string };
export type Rush = { setting: string; wish: Wish['name']; rounds: Round[] };

type Setting = { name: string; services: number; databaseUrl: string; env?: Record<string, string> };
type Caller = { socket: Socket; authorization: string };
type Outcome = { status: number; body: string; milliseconds: number };

/** An item that all callers want at once. */
type Wish = {
  name: 'last pieces' | 'shares of a goal';
  item: object;
  quantity(): number;
  /** Throws if an answer is wrong, and summarizes the answers in words. `taken` is the number that the owner reads afterwards. */
  check(quantities: readonly number[], outcomes: readonly Outcome[], taken: number): string;
};

const count = (outcomes: readonly Outcome[], status: number) =>
  outcomes.filter((outcome) => outcome.status === status).length;

const pieces: Wish = {
  name: 'last pieces',
  item: { name: 'Copper saucepan', url: 'https://shop.example/saucepan', quantity_needed: PIECES },
  quantity: () => 1,
  check(_, outcomes, taken) {
    const [made, refused] = [count(outcomes, 201), count(outcomes, 409)];
    if (made !== PIECES || refused !== CALLERS - PIECES || taken !== PIECES)
      throw new Error(`${made} × 201, ${refused} × 409 of ${CALLERS}, ${taken} taken`);
    return `${made} × 201, ${refused} × 409`;
  },
};

const shares: Wish = {
  name: 'shares of a goal',
  item: { name: 'Pram', url: 'https://shop.example/pram', unit: 'money', quantity_needed: GOAL },
  quantity: () => randomInt(SHARES[0], SHARES[1] + 1),
  check(quantities, outcomes, taken) {
    const pledged = quantities
      .filter((_, i) => outcomes[i]!.status === 201)
      .reduce((sum, one) => sum + one, 0);
    if (pledged !== taken || taken > GOAL) throw new Error(`${pledged} pledged, ${taken} taken of ${GOAL}`);
    for (const [i, { status, body }] of outcomes.entries()) {
      if (status === 201) continue;
      // A refusal names the sum that was left at that moment: less than this share, and no less than what is left at the end.
      const named = /"([\d.]+) EUR are left/.exec(body)?.[1];
      const left = Math.round(Number(named) * 100);
      if (status !== 409 || !(left < quantities[i]! && left >= GOAL - taken))
        throw new Error(`a share of ${quantities[i]} was answered ${status}: ${body}`);
    }
    return `${count(outcomes, 201)} × 201, ${count(outcomes, 409)} × 409, ${(taken / 100).toFixed(2)} €`;
  },
};

/** Has all callers claim the last pieces of an item at once, or pledge shares, round after round, on every kind of store. */
export async function rush(server: string | undefined, rounds: number): Promise<Rush[]> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'trousseau-rush-'));
  resources.defer(() => rm(folder, { recursive: true }));
  const host = resources.use(await startHost(() => [], guests));
  const settings: Setting[] = [
    { name: 'SQLite', services: 1, databaseUrl: `sqlite:${folder}/one.db` },
    {
      name: 'SQLite, `WORKERS=2`',
      services: 1,
      databaseUrl: `sqlite:${folder}/two.db`,
      env: { WORKERS: '2' },
    },
  ];
  if (server) {
    const name = `trousseau_bench_rush_${process.pid}`;
    const admin = await openSession(server);
    resources.defer(() => admin.end());
    await admin.query(`create database ${name}`);
    resources.defer(() => admin.query(`drop database ${name}`).then(() => {}));
    const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    settings.push({ name: 'two services on one PostgreSQL', services: 2, databaseUrl });
  }
  const measured: Rush[] = [];
  for (const setting of settings) measured.push(...(await rushOn(setting, host.url, rounds)));
  return measured;
}

async function rushOn(setting: Setting, hostUrl: string, rounds: number): Promise<Rush[]> {
  const { name, services, databaseUrl, env } = setting;
  await using resources = new AsyncDisposableStack();
  const urls: URL[] = [];
  for (let n = 0; n < services; n++) {
    const service = await startServer(SERVICE, {
      cwd: import.meta.dirname,
      env: {
        DATABASE_URL: databaseUrl,
        HOST_URL: hostUrl,
        AUTH_CACHE_TTL: '86400',
        REGISTRY_CACHE_TTL: '86400',
        ...env,
      },
    });
    resources.defer(() => service.stop());
    urls.push(new URL(service.url));
  }
  const callers = guests.map((user, i): Caller => {
    const { hostname, port } = urls[i % urls.length]!;
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    return { socket, authorization: authorizationOf(user) };
  });
  resources.defer(() => callers.forEach(({ socket }) => void socket.destroy()));
  // Each caller first reads the registry, over the connection on which it claims.
  await allOf(callers, (caller) => sent(caller, 'GET', '/registries/1/items'));
  const owner = { ...callers[0]!, authorization: authorizationOf(1) };
  const measured: Rush[] = [];
  for (const wish of [pieces, shares]) {
    const waited: Round[] = [];
    // The first round only warms up the compiler and does not count.
    for (let round = 0; round <= rounds; round++) {
      const made = await sent(owner, 'POST', '/items', { registry_id: 1, ...wish.item });
      const { id } = JSON.parse(made.body).data as { id: number };
      const quantities = callers.map(() => wish.quantity());
      const outcomes = await Promise.all(
        callers.map((caller, i) =>
          sent(caller, 'POST', `/registries/1/items/${id}/claims`, { quantity: quantities[i] }),
        ),
      );
      const taken = JSON.parse((await sent(owner, 'GET', `/items/${id}`)).body).data
        .quantity_purchased as number;
      const answers = wish.check(quantities, outcomes, taken);
      const times = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
      const at = (share: number) => times[Math.ceil(share * CALLERS) - 1]!;
      if (round > 0) waited.push({ p50: at(0.5), p99: at(0.99), last: at(1), answers });
    }
    measured.push({ setting: name, wish: wish.name, rounds: waited });
  }
  return measured;
}

/** Sends one request over the caller's own connection. */
async function sent(
  { socket, authorization }: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<Outcome> {
  const text = body ? JSON.stringify(body) : '';
  const answered = Promise.withResolvers<string>();
  let answer = '';
  const take = (chunk: Buffer) => {
    answer += chunk.toString('latin1');
    const end = answer.indexOf('\r\n\r\n') + 4;
    const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
    if (end >= 4 && answer.length >= end + Number(length)) answered.resolve(answer.slice(end));
  };
  socket.on('data', take).once('error', answered.reject).once('close', answered.reject);
  const start = performance.now();
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
      `idempotency-key: ${randomUUID()}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  try {
    const rest = await answered.promise;
    return { status: Number(answer.slice(9, 12)), body: rest, milliseconds: performance.now() - start };
  } finally {
    socket.off('data', take).off('error', answered.reject).off('close', answered.reject);
  }
}
