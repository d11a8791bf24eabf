export type Value = string | number | null;
export type Row = Value[];

/** A statement, written with `$1…`. */
export type Statement = readonly [sql: string, params?: readonly Value[]];

/** Runs one statement and gives its rows as arrays in the order of the columns named. */
export type Run = (...statement: Statement) => Promise<Row[]>;

/** Statements that are stored together or not at all. The first is the guard: the others run only if it changed a row. */
export type Unit = readonly [guard: Statement, ...others: Statement[]];

/** The result of a unit's guard: the number of changed rows, the inserted row's id, and the returned rows. */
export type Written = { count: number; id: number; rows: Row[] };

/** Stores a unit; a guard that changed nothing (`count` 0) stored nothing. */
export type Write = (...unit: Unit) => Promise<Written>;

/** The interface of each engine's driver. A write that is answered has reached the disk. */
export interface Database {
  /** How this engine spells a generated primary key. */
  readonly identity: string;
  /** The clause by which an insert returns its generated id; SQLite needs none, and is half as slow again with it. */
  readonly returningId: string;
  /** Writes come one after the other, so that a guard sees all that was stored. */
  readonly oneWriter: boolean;
  /**
   * An aggregate takes the rows of an ordered subquery in that order. SQLite does so by its source, not by its documents; a
   * second `order by` would sort a second time.
   */
  readonly keepsOrder: boolean;
  /** The engine's own clock in milliseconds: the one clock that all processes on a store share. */
  readonly now: string;
  /** Statements that run or wait. */
  readonly counters: { pending: number };
  readonly read: Run;
  readonly write: Write;
  /**
   * Several statements, all or none, with reads between them and no limit in time. For migrations alone, before
   * anybody else uses this connection.
   */
  migrate<T>(work: (run: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
