/** A statement about time on the wall. */
export type Timing = {
  what: string;
  mostMs: number;
  /** Does it once and gives the milliseconds that it took. */
  measure(): Promise<number>;
};

/** Gives the milliseconds that this takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
