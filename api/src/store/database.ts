export type Value = string | number | null;
export type Row = Value[];

/** A value, or a list for `isAmong`, passed as one parameter: written into the SQL, each list would make a new statement. */
export type Input = Value | readonly (string | number)[];

/** Stands for the id of its unit's new item, the next of the site that the guard's first parameter names. */
export const NEW_ID = { of: 'item' } as const;
export type Param = Input | typeof NEW_ID;

export const isNewId = (param: Param): param is typeof NEW_ID =>
  typeof param === 'object' && param !== null && 'of' in param;

/** A statement with `$1…`; `events` marks one that stores or decides about events of the site that is `$1`. */
export type Statement = readonly [sql: string, params?: readonly Param[], mark?: 'events' | undefined];

/** A statement's values, given the id of its unit's new item. */
export const valuesOf = ([, params = []]: Statement, newId: number | null = null): Input[] =>
  params.map((param) => (isNewId(param) ? newId : param));

/** The most prepared statements of a driver: each costs SQLite 10 kB, PostgreSQL 30 kB a connection. */
export const MOST_PREPARED = 500;

/** Runs one statement and returns its rows as arrays, in the order of the named columns. */
export type Run = (sql: string, params?: readonly Input[]) => Promise<Row[]>;

/** Statements that are stored together or not at all. The first is the guard: the others run only if it changed a row. */
export type Unit = readonly [guard: Statement, ...others: Statement[]];

/** The result of a unit's guard: the number of changed rows, and the returned rows. */
export type Written = { count: number; rows: Row[] };

/** Stores a unit. If the guard changed nothing (`count` 0), nothing is stored. */
export type Write = (...unit: Unit) => Promise<Written>;

/** Parts of the schema that the engines spell differently. */
export type Dialect = {
  /** The end of a table definition whose rows are stored in the order of their primary key. */
  clustered: string;
  /** Statements that tell the engine how many rows have a value of an index's columns in common. */
  statistics: readonly string[];
};

/** How durable an answered write is, in words; `cure`: what to do if it can be lost even though its machine survives. */
export type Durability = { words: string; cure?: string };

/** The interface of each engine's driver. An answered write has reached the disk, unless `durability` names a cure. */
export interface Database {
  readonly dialect: Dialect;
  /** The condition that a column's value is in a list; `list` is its parameter. */
  isAmong(column: string, list: string): string;
  /** The engine's own clock in milliseconds: the one clock that all processes on a store share. */
  readonly now: string;
  readonly counters: { pending: number };
  durability(): Promise<Durability>;
  readonly read: Run;
  readonly write: Write;
  /** Several statements, all or none, with reads between them and no time limit. For migrations and commands. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Reads a snapshot, however long that takes, while other processes write. For commands, too. */
  snapshot<T>(work: (read: Run) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
