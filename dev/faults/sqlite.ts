import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedHost } from '../../api/emulator/server.ts';
import type { Answer } from '../../api/test/answers.ts';
import { temporaryFolder } from '../../api/test/support.ts';
import {
  gift,
  isStored,
  isUnavailable,
  judged,
  Ledger,
  type Part,
  type StoredRow,
  startService,
  stop,
  type Tally,
} from './kit.ts';

const isRoot = process.getuid?.() === 0;

/** A service with a file of its own, and ways to disturb it. */
type Patient = {
  file: string;
  pid: number;
  /** Tries to store an item. */
  write(): Promise<Answer | undefined>;
  read(): Promise<Answer | undefined>;
};

/** Makes something fail around a running service, restarts it, and checks everything that it had promised. */
async function ofRunning(
  tally: Tally,
  hostUrl: string,
  name: string,
  parent: string,
  work: (patient: Patient) => Promise<void>,
): Promise<void> {
  const ledger = new Ledger(tally);
  await tally.fault(name, async () => {
    const file = `${parent}/${name.replaceAll(/\W+/g, '-')}/items.db`;
    mkdirSync(file.replace('/items.db', ''), { recursive: true });
    const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: hostUrl };
    {
      await using service = startService(env);
      const url = await service.url;
      const patient: Patient = {
        file,
        pid: service.child.pid!,
        write: () => ledger.storeOne(url),
        read: () => tally.send(url, 'alice', 'GET /items'),
      };
      isStored(await patient.write(), 'before');
      await work(patient);
      for (let i = 0; i < 5; i++) isStored(await patient.write(), 'after');
      isRead(await patient.read(), 'after');
      await stop(service);
      tally.readLog(service.stdout());
    }
    const db = new DatabaseSync(file);
    assert.equal(db.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
    ledger.judge(db.prepare('select id, name from items').all() as StoredRow[]);
    db.close();
  });
}

function isRead(answer: Answer | undefined, where: string): void {
  if (answer?.status !== 200) throw judged(answer, `${where}: ${answer?.status} ${answer?.text}`);
}

/** Writes until the store refuses. */
async function untilRefused({ write }: Patient): Promise<void> {
  for (let i = 0; i < 5_000; i++) {
    const answer = await write();
    if (answer?.status !== 201) return isUnavailable(answer, 'full');
  }
  throw new Error('it is never full');
}

async function fullDisk(patient: Patient): Promise<void> {
  const filler = `${patient.file}.filler`;
  try {
    fillUp(filler);
    await untilRefused(patient);
    isUnavailable(await patient.write(), 'still full');
    isRead(await patient.read(), 'what is there can be read');
  } finally {
    rmSync(filler);
  }
}

function fillUp(file: string): void {
  for (let size = 64 * 1024; size >= 512; size /= 2) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

// Lets the system prevent the process's files from growing, as on a failing disk.
async function failingWrites(patient: Patient): Promise<void> {
  const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${patient.pid}`, `--fsize=${bytes}`]);
  limit(`${statSync(`${patient.file}-wal`).size}:unlimited`);
  await untilRefused(patient);
  isRead(await patient.read(), 'what is there can be read');
  limit('unlimited');
}

async function locked({ file, write, read }: Patient): Promise<void> {
  // The service may still be writing after its last answer.
  const other = new DatabaseSync(file, { timeout: 60_000 });
  try {
    other.exec('begin immediate');
    const short = write();
    await sleep(500);
    other.exec('rollback');
    isStored(await short, 'a short lock');
    other.exec('begin immediate');
    const writes = [write(), write(), write()];
    isRead(await read(), 'reads do not wait');
    for (const answer of await Promise.all(writes)) isUnavailable(answer, 'a long lock');
    other.exec('rollback');
  } finally {
    other.close();
  }
}

/** Removes the file of a running service: everything that the service confirms afterwards must still be stored. */
async function removed(tally: Tally, hostUrl: string, folder: string): Promise<void> {
  const sets = [['', '-wal', '-shm'], ['-wal']];
  await Promise.all(
    sets.map((names) =>
      tally.fault(`items.db${names.join(' and items.db')} removed`, async () => {
        const file = `${folder}/removed${names.length}.db`;
        const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: hostUrl };
        const ledger = new Ledger(tally);
        {
          await using service = startService(env);
          const url = await service.url;
          await tally.send(url, 'alice', 'POST /items', { registry_id: 1, ...gift('Gone with the file') });
          for (const name of names) rmSync(file + name);
          for (let i = 0; i < 3; i++) await ledger.storeOne(url);
          service.child.kill('SIGKILL');
          await service.exit;
        }
        await using service = startService(env);
        const url = await service.url;
        isStored(await ledger.storeOne(url), 'after a new start');
        const db = new DatabaseSync(file, { readOnly: true });
        ledger.judge(db.prepare('select id, name from items').all() as StoredRow[]);
        db.close();
      }),
    ),
  );
}

/** Checks that the service refuses to start on a file that it can't write, with one line that names the file. */
async function readOnly(hostUrl: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/read-only.db`;
  const env = { DATABASE_URL: `sqlite:${file}`, HOST_URL: hostUrl };
  {
    await using service = startService(env);
    await service.url;
    await stop(service);
  }
  chmodSync(file, 0o444);
  chmodSync(folder, 0o555);
  // Root may write anywhere, so the service runs without its capabilities.
  const humble = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
  {
    await using service = startService(env, humble);
    assert.equal((await service.exit).code, 1, 'it started all the same');
    const said = service.stderr().trim();
    assert.ok(said.includes(file) && !said.includes('\n'), said);
  }
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  await using service = startService(env);
  await service.url;
}

/** Mounts a disk of two megabytes, or returns the reason why it can't. */
function smallDisk(path: string): Disposable | string {
  if (!isRoot) return 'only root can mount a small disk';
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    return (error as Error).message.replaceAll('\n', ' ');
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', [path]) };
}

/** Makes SQLite's disk full or failing, and its file locked, removed or read-only. */
export const sqliteFaults: Part = async (_run, tally) => {
  await using folder = await temporaryFolder();
  const host = await startEmbeddedHost({ file: ':memory:' });
  const { path } = folder;
  const small = smallDisk(`${path}/disk`);
  if (typeof small === 'string') tally.skip('a full disk', small);
  using disk = typeof small === 'string' ? undefined : small;
  await Promise.all([
    disk && ofRunning(tally, host.url, 'a full disk', `${path}/disk`, fullDisk),
    ofRunning(tally, host.url, 'a disk that fails', path, failingWrites),
    ofRunning(tally, host.url, 'locked by another process', path, locked),
    removed(tally, host.url, path),
    tally.fault('read-only', () => readOnly(host.url, `${path}/read-only`)),
  ]);
  await host.close();
};
