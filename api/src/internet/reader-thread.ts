import { threadCpuUsage } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './read-page.ts';

parentPort!.on('message', (page) => {
  // Measured in CPU time, so that a busy machine still gives a page its time.
  const start = threadCpuUsage();
  const isOver = () => {
    const { user, system } = threadCpuUsage(start);
    return user + system > 1000 * workerData.cpuMs;
  };
  try {
    parentPort!.postMessage(readPage(page, workerData.bytes, isOver));
  } catch (error) {
    parentPort!.postMessage({ failed: String((error as Error).stack) });
  }
});
