import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Input, MOST_PREPARED, type Written } from '../database.ts';
import { Batch, SKIPPED } from './batch.ts';
import type { Leader, Opened, Settings } from './leader.ts';

// How long a refused connection is remembered: short enough to notice within a second that the server is back, long enough
// not to let every caller try a full one.
const REFUSED_MS = 250;
const CLOSE_LIMIT_MS = 5_000;
// The most reads in one batch while the server is quick; otherwise one. The answers to a batch arrive only after its last read.
const MOST_TOGETHER = 8;
const QUICK_MS = 50;
// The server has forgotten a prepared statement, or its result has other types since a migration.
export const STALE = new Set(['26000', '0A000']);
const READ_ONLY = '25006';
// Texts of the server are localised, names of its functions are not.
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

export type Send = (sql: string, params?: readonly Input[]) => Promise<Written>;

/** One connection to a PostgreSQL server. The first statement opens it, and the next one after a loss reopens it. */
export type Connection = {
  /** The weight of all that waits for an answer. */
  readonly pending: number;
  /** For reads only: if another statement of the same batch fails, whatever this one has written is undone. */
  read(sql: string, params: readonly Input[]): Promise<Written>;
  /** Runs the work on one connection, over which nobody else sends anything in the meantime. */
  alone<T>(work: (send: Send) => Promise<T>, weight?: number): Promise<T>;
  close(): Promise<void>;
};

/** A commit whose wait for the standby was cancelled: only the leader has it, and may be lost with it. */
export class Unconfirmed extends Error {
  constructor() {
    super('the wait for the synchronous standby was cancelled');
  }
}

/** Statements don't wait for earlier answers. A connection silent for `limit` is given up: its machine may be gone. */
export function connectionTo(leader: Leader, limit: number, settings: Settings): Connection {
  let current: Promise<Opened> | undefined;
  let live: Opened | undefined;
  let closed = false;
  let pending = 0;
  let heard = 0;
  let isQuick = false;
  let unanswered = 0;
  let held: Promise<void> | undefined;

  function opened(): Promise<Opened> {
    if (closed) return Promise.reject(new Error('the connection is closed'));
    if (live && leader.mayBeFormer(live, unanswered > 0 ? performance.now() : heard)) retire(live);
    if (current) return current;
    const opening = leader.open(settings);
    current = opening;
    opening.then(
      (session) => {
        live = session;
        heard = performance.now();
        const lost = () => {
          if (live === session) leader.leave(session);
          giveUp(session);
        };
        session.client
          .on('error', lost)
          .on('end', lost)
          .on('notice', ({ routine }) => {
            if (routine === CANCELLED_WAIT) session.unconfirmed = true;
          });
      },
      () =>
        setTimeout(() => {
          current = undefined;
        }, REFUSED_MS).unref(),
    );
    return opening;
  }

  function giveUp(session: Opened): void {
    if (live === session) live = current = undefined;
    session.socket.destroy();
  }

  /** The next statement opens another connection; this one ends once all that was sent is answered. */
  function retire(session: Opened): void {
    if (live === session) live = current = undefined;
    sendAsked(session);
    session.client.end().catch(() => {});
    setTimeout(() => session.socket.destroy(), Math.min(limit, CLOSE_LIMIT_MS)).unref();
  }

  function judge(session: Opened, failure: unknown): void {
    const code = codeOf(failure);
    if (code === READ_ONLY) leader.leave(session);
    if (code === READ_ONLY || STALE.has(code)) retire(session);
  }

  /** Statements of one round of the event loop go out together. */
  const send = (session: Opened, text: string, values: readonly Input[] = []) =>
    new Promise<Written>((resolve, reject) => {
      if (session.asked.length === 0) setImmediate(() => sendAsked(session));
      // The session behind a pooler doesn't know what another has prepared.
      const name = session.isPooled ? '' : nameOf(text);
      session.asked.push({ text, name, values: values.map(textOf), resolve, reject });
    });

  function sendAsked(session: Opened): void {
    const asked = session.asked.splice(0);
    if (asked.length === 0) return;
    const since = performance.now();
    const late = setTimeout(() => {
      if (heard < since) {
        leader.leave(session);
        giveUp(session);
      }
      for (const { reject } of asked) reject(new Error(`no answer within ${limit} ms`));
    }, limit);
    unanswered++;
    const settled = () => {
      clearTimeout(late);
      unanswered--;
      heard = performance.now();
      isQuick = heard - since < QUICK_MS;
      // The notice comes before the end of the batch whose commit it is about.
      if (!session.unconfirmed) return undefined;
      session.unconfirmed = false;
      return new Unconfirmed();
    };
    session.client.query(new Batch(asked, session.client, session.prepared, settled));
  }

  async function counted<T>(weight: number, work: () => Promise<T>): Promise<T> {
    pending += weight;
    try {
      while (held) await held;
      return await work();
    } finally {
      pending -= weight;
    }
  }

  return {
    get pending() {
      return pending;
    },
    async read(text, params) {
      for (;;) {
        try {
          return await counted(1, async () => {
            const session = await opened();
            if (session.asked.length >= (isQuick ? MOST_TOGETHER : 1)) sendAsked(session);
            return send(session, text, params).catch((error) => {
              judge(session, error);
              throw error;
            });
          });
        } catch (error) {
          if (error !== SKIPPED) throw error;
        }
      }
    },
    alone: (work, weight = 1) =>
      counted(weight, async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        try {
          const session = await opened();
          sendAsked(session);
          // Only the first failure counts: it aborts the transaction, so later statements fail as well.
          let failure: unknown;
          try {
            return await work(async (text, params) => {
              try {
                return await send(session, text, params);
              } catch (error) {
                failure ??= error;
                throw error;
              }
            });
          } catch (error) {
            // The work may have left a transaction open.
            giveUp(session);
            throw error;
          } finally {
            judge(session, failure);
          }
        } finally {
          held = undefined;
          resolve();
        }
      }),
    async close() {
      closed = true;
      const last = await current?.catch(() => undefined);
      if (!last) return;
      sendAsked(last);
      await Promise.race([last.client.end(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      last.socket.destroy();
    },
  };
}

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown } | undefined)?.code ?? '');

/** A value as PostgreSQL reads it. */
function textOf(value: Input): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return `{${value.map((each) => `"${String(each).replace(/["\\]/g, '\\$&')}"`).join()}}`;
}

// A statement has the same name in all sessions. Beyond the most it has none, and the server forgets it with the next such one.
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined || names.size === MOST_PREPARED) return known ?? '';
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}
