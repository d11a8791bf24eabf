/** A promise about wall-clock time. */
export type Timing = {
  what: string;
  mostMs: number;
  /** Does the work once, and returns the milliseconds that it took. */
  measure(): Promise<number>;
};

/** Returns the milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
