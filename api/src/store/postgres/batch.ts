import pg from 'pg';
import type { Row, Value, Written } from '../database.ts';

/** A statement of a batch. The session remembers it under its name, unless that is ''. */
export type Asked = {
  readonly text: string;
  readonly name: string;
  readonly values: (string | null)[];
  resolve(written: Written): void;
  reject(error: unknown): void;
};

type Reader = (text: string) => Value;
/** By name, what a session has prepared: how the columns of its rows are read. */
export type Prepared = Map<string, readonly Reader[]>;

/** The statement didn't run, because an earlier one of its batch had failed. */
export const SKIPPED = new Error('an earlier statement of the batch has failed');

/**
 * Statements that go out and are answered together: only the last is followed by a Sync, where `pg` sends one after each. Outside
 * a transaction they form one: a failure undoes them all. That saves three quarters of the CPU time of sending a statement.
 */
export class Batch extends pg.Query {
  readonly #asked: readonly Asked[];
  readonly #prepared: Prepared;
  readonly #client: pg.Client;
  readonly #settled: () => unknown;
  #rows: Row[] = [];
  #readers: readonly Reader[] | undefined;
  readonly #written: Written[] = [];
  #last = '';
  #isSettled = false;
  /** Ends the time limit that `pg` gives to a query. */
  declare callback: () => void;

  /** `settled` is called before any statement is resolved or rejected; if it returns an error, all are rejected with it. */
  constructor(asked: readonly Asked[], client: pg.Client, prepared: Prepared, settled: () => unknown) {
    super('', () => {});
    this.#asked = asked;
    this.#prepared = prepared;
    this.#client = client;
    this.#settled = settled;
  }

  override submit = (connection: pg.Connection): void => {
    const described = new Set<string>();
    connection.stream.cork();
    for (const { text, name, values } of this.#asked) {
      const isKnown = name !== '' && (this.#prepared.has(name) || described.has(name));
      if (!isKnown) {
        // A statement that has failed here may be prepared or not.
        if (name) connection.close({ type: 'S', name }, true);
        connection.parse({ text, name, types: [] }, true);
        described.add(name);
      }
      connection.bind({ statement: name, values }, true);
      if (!isKnown) connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  };

  handleRowDescription({ fields }: { fields: { dataTypeID: number }[] }): void {
    this.#readers = fields.map(({ dataTypeID }) => this.#client.getTypeParser(dataTypeID, 'text') as Reader);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const readers = this.#readers ?? this.#prepared.get(this.#asked[this.#written.length]!.name)!;
    this.#rows.push(fields.map((text, i) => (text === null ? null : readers[i]!(text))));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#asked[this.#written.length]!;
    if (name && (this.#readers || !this.#prepared.has(name))) this.#prepared.set(name, this.#readers ?? []);
    this.#written.push({ rows: this.#rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#last = text;
    this.#rows = [];
    this.#readers = undefined;
  }

  handleReadyForQuery(): void {
    this.#settle();
  }

  /** An error of the server is about the statement that is next, unless all had run; any other, about all of them. */
  handleError(error: unknown): void {
    const done = this.#written.length;
    // The server reports a COMMIT once it is stored, and may be stopped before it is ready for more.
    if (done === this.#asked.length && this.#last === 'COMMIT') this.#settle();
    else this.#settle(error, error instanceof pg.DatabaseError ? done : this.#asked.length);
  }

  #settle(error?: unknown, failed = this.#asked.length): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.callback();
    const failure = this.#settled() ?? (failed < this.#asked.length ? undefined : error);
    for (const [i, { resolve, reject }] of this.#asked.entries()) {
      if (failure) reject(failure);
      else if (i < failed) resolve(this.#written[i]!);
      else reject(i === failed ? error : SKIPPED);
    }
  }
}
