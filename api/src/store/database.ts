import type { Soon } from '../soon.ts';

export type Value = string | number | null;
export type Row = Value[];

/** A statement, written with `$1…`. */
export type Statement = [sql: string, params?: readonly Value[]];

/** Runs one statement and gives its rows as arrays in the order of the columns named. */
export type Run = (...statement: Statement) => Promise<Row[]>;

/** The same, for one that only reads. */
export type Read = (...statement: Statement) => Soon<Row[]>;

/** How many rows a statement has written, and the id of the one that it inserted. */
export type Written = { count: number; id: number };

/** Runs one statement that writes. */
export type Write = (...statement: Statement) => Promise<Written>;

/**
 * What a store is built on: one interface, one driver an engine. A write is one statement, so that nothing is
 * ever half done; what is promised has reached the disk.
 */
export interface Database {
  /** How this engine spells a generated primary key. */
  readonly identity: string;
  /** What an insert says to learn the generated id: SQLite knows it unasked, and takes half as long again to give a row. */
  readonly returningId: string;
  /** Statements that run or wait. */
  readonly counted: { pending: number };
  readonly read: Read;
  readonly write: Write;
  /** Several statements, all or none. For migrations: it may hold up everybody else. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
