import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

// From so many pages on, writers wait until the last ones are copied: then the log begins anew.
const LONG_LOG = 4_000;

// Never made anew, should it have been removed. Many short waits, since SQLite looks for its turn more rarely in a long one.
const db = new DatabaseSync(new URL(`${pathToFileURL(workerData)}?mode=rw`), { timeout: 20 });
const WAITS = 10;
const besideWriters = db.prepare('pragma wal_checkpoint(passive)');
const beforeWriters = db.prepare('pragma wal_checkpoint(full)');

parentPort!.on('message', () => {
  try {
    const { log, checkpointed } = besideWriters.get() as { log: number; checkpointed: number };
    // While someone still reads an older state, the rest can't be copied, and writers would wait for nothing.
    if (log >= LONG_LOG && checkpointed === log)
      for (let waits = 0; waits < WAITS && beforeWriters.get()!.busy; waits++);
  } catch {
    // A disk that is full or fails: the next commit meets it, too, and says so.
  }
  parentPort!.postMessage('done');
});
