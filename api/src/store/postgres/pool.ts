import { type Connection, connectionTo } from './connection.ts';
import { leaderAt } from './leader.ts';

const READERS = 5;
const LEAST_CONNECT_MS = 3_000;
const FOR_EVER_MS = 2 ** 31 - 1;

/** The connections to a PostgreSQL server; `?max=` in the URL says how many read. Each opens when it is first used. */
export function openPool(url: string, totalLimit: number, statementLimit: number) {
  const leader = leaderAt(url);
  const settings = { application_name: 'trousseau-api', statement_timeout: statementLimit };
  // Connecting may take three fifths of the time that a request waits: three of the usual five seconds.
  const connectMs = Math.max(LEAST_CONNECT_MS, 0.6 * totalLimit);
  const connect = () => connectionTo(leader, totalLimit, { ...settings, connectionTimeoutMillis: connectMs });
  const max = Number(/[?&]max=([1-9]\d*)/.exec(url)?.[1] ?? READERS);
  const readers = Array.from({ length: max }, connect);
  // Groups of writes have a connection of their own. Where there is to be one connection in all, they take turns at that one.
  const writer = max > 1 ? connect() : readers[0]!;

  return {
    readers,
    writer,
    leastBusy: (): Connection =>
      readers.reduce((least, each) => (each.pending < least.pending ? each : least)),

    /** Uses another connection, however long that takes; statements that wait for a lock wait as long. */
    async patiently<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
      const patient = connectionTo(leader, FOR_EVER_MS, { connectionTimeoutMillis: connectMs });
      return use(patient).finally(() => patient.close());
    },

    async close(): Promise<void> {
      await Promise.all([...new Set([...readers, writer])].map((connection) => connection.close()));
    },
  };
}
