import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread that runs a module, and that doesn't keep the service from ending. */
export function startThread(
  module: URL,
  options: Pick<WorkerOptions, 'resourceLimits' | 'workerData'>,
): Worker {
  // A thread looks for compiled code only where its environment says; to compile anew, and to load for it what reads
  // TypeScript, takes up to 25 MB. It needs nothing else of this process's environment.
  const compiled = getCompileCacheDir();
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) };
  const thread = new Worker(module, { ...options, env });
  thread.unref();
  // An error without a listener would end everything.
  thread.on('error', () => {});
  return thread;
}
