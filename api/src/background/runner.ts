import type { Leases } from '../store/leases.ts';

export type Job = {
  /** In plain words, as `docs/monitor.md` and the log have it. */
  name: string;
  everyMs: number;
  /** Whether there is work; only then is a lease taken, which is a write. A job without `hasWork` runs in every process. */
  hasWork?(): Promise<boolean>;
  run(): Promise<void>;
};

export type Jobs = { close(): Promise<void> };

type Parts = {
  leases: Leases;
  log: { error(details: object, message: string): void };
  everyMsInTests?: number | undefined;
};

// For this long, a process that died during a job keeps other processes from running it.
const LEASE_MS = 15_000;

// Some jobs ask the host: loading the code for that must not delay the service's first answers.
const FIRST_MS = 1000;

export function startJobs(jobs: readonly Job[], { leases, log, everyMsInTests }: Parts): Jobs {
  async function runOnce({ name, hasWork, run }: Job): Promise<void> {
    try {
      if (!hasWork) return await run();
      if (!(await hasWork())) return;
      const lease = await leases.acquire(`job ${name}`, LEASE_MS);
      if (!lease) return;
      await run().finally(lease.release);
    } catch (error) {
      log.error({ err: error }, `the job “${name}” failed and is tried again`);
    }
  }

  const repeats = jobs.map((job) =>
    repeat(everyMsInTests ?? job.everyMs, () => runOnce(job), everyMsInTests === undefined ? FIRST_MS : 0),
  );
  return { close: async () => void (await Promise.all(repeats.map(({ close }) => close()))) };
}

/** Runs `work`, which must not fail, after `firstMs` and at each interval. A turn is skipped while the previous one runs. */
export function repeat(everyMs: number, work: () => Promise<void>, firstMs = 0): Jobs {
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const first = setTimeout(tick, firstMs).unref();
  const timer = setInterval(tick, everyMs).unref();
  return {
    async close() {
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}
