import { parentPort, workerData } from 'node:worker_threads';
import { parsePage } from './parse-page.ts';

parentPort!.on('message', (page) => {
  try {
    parentPort!.postMessage(parsePage(page, workerData.mostBytes));
  } catch (error) {
    parentPort!.postMessage({ failed: String((error as Error).stack) });
  }
});
