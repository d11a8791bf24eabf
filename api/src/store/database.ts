import type { Soon } from '../soon.ts';

export type Value = string | number | null;
export type Row = Value[];

/** Runs one statement, written with `$1…`, and gives its rows as arrays in the order of the columns named. */
export type Run = (sql: string, params?: readonly Value[]) => Promise<Row[]>;

/** The same, for one that only reads. */
export type Read = (...statement: Parameters<Run>) => Soon<Row[]>;

/**
 * What a store is built on: one interface, one driver an engine. A write is one statement, so that nothing is
 * ever half done; what is promised has reached the disk.
 */
export interface Database {
  /** How this engine spells a generated primary key, the one thing the engines don't share. */
  readonly identity: string;
  /** Statements that run or wait. */
  readonly counted: { pending: number };
  readonly read: Read;
  readonly write: Run;
  /** Several statements, all or none. For migrations: it may hold up everybody else. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
