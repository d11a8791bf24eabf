import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread that runs a module, and that doesn't keep the service from ending. */
export function startThread(
  module: URL,
  options: Pick<WorkerOptions, 'resourceLimits' | 'workerData'>,
): Worker {
  // A thread finds the compile cache only through NODE_COMPILE_CACHE, and needs no other variable. Without the cache,
  // compiling and Node's TypeScript parser take up to 25 MB. `dirname` drops the folder of Node's version.
  const compiled = getCompileCacheDir();
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) };
  const thread = new Worker(module, { ...options, env });
  thread.unref();
  // An error without a listener would end everything.
  thread.on('error', () => {});
  return thread;
}
