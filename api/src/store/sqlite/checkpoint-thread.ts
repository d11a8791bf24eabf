import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// `rw`: a store that has been removed isn't made anew.
const db = new DatabaseSync(new URL(`${pathToFileURL(workerData)}?mode=rw`));
const checkpoint = db.prepare('pragma wal_checkpoint(passive)');

parentPort!.on('message', () => {
  try {
    checkpoint.get();
  } catch {
    // A disk that is full or fails: the next commit meets it, too, and says so.
  }
  parentPort!.postMessage('done');
});
