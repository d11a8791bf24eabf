const ENOUGH_US = 50_000;

/**
 * Returns the microseconds of CPU that one run of `work` takes: the least of three measurements, since the others may hold
 * a collection of garbage. Each repeats the work until clocks that count in steps of 10 ms see enough of it.
 */
export async function cpuOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let measured = 0; measured < 3; measured++) {
    const before = process.threadCpuUsage();
    let spent = 0;
    let runs = 0;
    while (spent < ENOUGH_US) {
      await work();
      runs++;
      const { user, system } = process.threadCpuUsage(before);
      spent = user + system;
    }
    least = Math.min(least, spent / runs);
  }
  return least;
}
