import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// Never made anew, should it have been removed.
const db = new DatabaseSync(new URL(`${pathToFileURL(workerData)}?mode=rw`));
const copy = db.prepare('pragma wal_checkpoint(passive)');

parentPort!.on('message', () => {
  try {
    copy.get();
  } catch {
    // A disk that is full or fails: the next commit meets it, too, and says so.
  }
  parentPort!.postMessage('done');
});
