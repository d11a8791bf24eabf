import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// From so many pages on, writers wait until the last ones are copied: then the log begins anew.
const LONG_LOG = 4_000;

// Never made anew, should it have been removed. While it waits for its turn among writers, it holds up nobody.
const db = new DatabaseSync(new URL(`${pathToFileURL(workerData)}?mode=rw`), { timeout: 200 });
const besideWriters = db.prepare('pragma wal_checkpoint(passive)');
const beforeWriters = db.prepare('pragma wal_checkpoint(full)');

parentPort!.on('message', () => {
  try {
    const { log, checkpointed } = besideWriters.get() as { log: number; checkpointed: number };
    // While someone reads what was there before, the rest can't be copied, and writers would wait in vain.
    if (log >= LONG_LOG && checkpointed === log) beforeWriters.get();
  } catch {
    // A disk that is full or fails: the next commit meets it, too, and says so.
  }
  parentPort!.postMessage('done');
});
