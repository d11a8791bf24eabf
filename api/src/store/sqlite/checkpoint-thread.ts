import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// From so many pages on, writers wait until the last ones are copied: then the log begins anew.
const LONG_LOG = 4_000;

// Never made anew, should it have been removed. A commit takes less than it waits.
const db = new DatabaseSync(new URL(`${pathToFileURL(workerData)}?mode=rw`), { timeout: 20 });
const besideWriters = db.prepare('pragma wal_checkpoint(passive)');
const beforeWriters = db.prepare('pragma wal_checkpoint(full)');

parentPort!.on('message', () => {
  try {
    if (Number(besideWriters.get()!.log) >= LONG_LOG) beforeWriters.get();
  } catch {
    // A disk that is full or fails: the next commit meets it, too, and says so.
  }
  parentPort!.postMessage('done');
});
