import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './read-page.ts';

parentPort!.on('message', (page) => {
  try {
    parentPort!.postMessage(readPage(page, workerData.bytes));
  } catch (error) {
    parentPort!.postMessage({ failed: String((error as Error).stack) });
  }
});
