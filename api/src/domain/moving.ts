import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Imported, MoveEnd } from '../contract/index.ts';
import { Problem, storeUnavailable } from '../problem.ts';
import type { Database } from '../store/database.ts';
import type { JoiningStore } from '../store/joining.ts';
import { fillSite, readSentFile, SiteInUse, TooLarge, TooManyItems } from '../store/sent-file.ts';
import { type SiteStore, type StoredSite, siteName, stateAt } from '../store/sites.ts';
import { exportSite, UnusableFile } from '../store/transfer.ts';
import type { Viewer } from './access.ts';
import type { SiteProofs } from './joining.ts';

const MIB = 1024 * 1024;
const LIMITS = {
  /** A site that moves opens again by itself after this time. */
  closedMs: 10 * 60_000,
  /** After this no process begins a request for a closed site. */
  noticedMs: 6_000,
  /** The largest file, as it comes, unpacked and in rows: on SQLite other writes wait three seconds for it. */
  packed: 64 * MIB,
  unpacked: 64 * MIB,
  rows: 200_000,
};
export type MoveLimits = typeof LIMITS;

// How words call a file that has no name.
const FILE = 'The file';

type Parts = {
  sites: SiteStore;
  tokens: JoiningStore;
  /** Opened by the first site that moves. */
  proofs: () => Promise<SiteProofs>;
  /** Does work for which a connection to the store is held for long. */
  apart<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** This process reads the settings of a site anew. */
  changed(key: string): void;
  log: Logger;
  now: () => number;
  limits?: Partial<MoveLimits> | undefined;
};

/** Sites that move from this service to another, or here. */
export type MoveRules = ReturnType<typeof moveRules>;

export function moveRules({ sites, tokens, proofs, apart, changed, log, now, ...options }: Parts) {
  const limits = { ...LIMITS, ...options.limits };
  let isImporting = false;

  async function siteOf(viewer: Viewer, key: string): Promise<StoredSite> {
    if (!viewer.admin) throw new Problem('forbidden', 'Only admins may move a site');
    const site = await sites.byKey(key);
    if (!site || site.state === 'removed') throw new Problem('not_found', 'Not found');
    return site;
  }

  /** Fails unless the site shows this token now, for the first time. */
  async function prove({ url }: StoredSite, token: string, network: string): Promise<void> {
    const shownAt = await (await proofs()).shownAt(url, token, network);
    if (shownAt === undefined || !(await tokens.use(shownAt, token)))
      throw new Problem('forbidden', 'The site does not show this token');
  }

  /** A store that fails is no fault of the file. */
  async function inStore<T>(work: (database: Database) => Promise<T>): Promise<T> {
    try {
      return await apart(work);
    } catch (error) {
      if (error instanceof SiteInUse)
        throw new Problem('conflict', 'This site is not empty: it has gifts or webhooks here');
      if (error instanceof TooManyItems)
        throw new Problem(
          'conflict',
          `This site holds at most ${error.most.toLocaleString('en')} active items`,
        );
      if (error instanceof Problem || error instanceof UnusableFile) throw error;
      throw storeUnavailable(error);
    }
  }

  async function imported(site: StoredSite, upload: Readable, path: string): Promise<Imported> {
    await unpack(upload, path, limits);
    const file = await readSentFile(path, FILE, limits.rows);
    if (siteName(String(file.site.url)) !== siteName(site.url))
      throw new Problem('invalid', `${FILE} is of another site than ${site.url}`);
    await inStore((database) => fillSite(database, site, file));
    return { items: file.items, claims: file.claims };
  }

  return {
    /** Closes the site, and gives all its rows as they are then: a file of `sites export`, packed. */
    async export(viewer: Viewer, key: string, token: string, network: string): Promise<Readable> {
      await prove(await siteOf(viewer, key), token, network);
      const until = now() + limits.closedMs;
      const site = await siteOf(viewer, key);
      if (!(await sites.closeForMove(site, until))) throw hasMoved();
      changed(key);
      log.info({ site: key, until: new Date(until).toISOString() }, 'a site is closed to be moved');
      await sleep(limits.noticedMs);
      return inFolder(async (path) => {
        const { id, state, ...settings } = site;
        const asStored = { ...settings, state: state === 'suspended' ? state : ('active' as const) };
        await inStore((database) => exportSite(database, id, asStored, path));
        // Opened meanwhile, it may have changed since.
        if ((await sites.byKey(key))?.moving !== until)
          throw new Problem('conflict', 'The move has ended, or begun anew, before the file was written');
        const file = await open(path);
        const packed = createGzip();
        // It fails where the caller breaks off; the file ends with it, too.
        pipeline(file.createReadStream(), packed).catch(() => {});
        return packed;
      });
    },

    /** Ends a move: the site is elsewhere for good, or stays and opens. */
    async end(viewer: Viewer, key: string, state: MoveEnd['state']): Promise<void> {
      const site = await siteOf(viewer, key);
      if (state === 'kept') {
        if (site.moving === 'moved') throw hasMoved();
        await sites.openAgain(site);
      } else if (site.moving !== 'moved') {
        if (stateAt(now(), site) !== 'moving' || !(await sites.setMoved(site)))
          throw new Problem('conflict', 'This site was not exported in the last ten minutes');
      } else return;
      changed(key);
      log.info({ site: key }, state === 'moved' ? 'a site has moved' : 'a site stays');
    },

    /** Gives a site without gifts the rows of a file of `export`, all or none. */
    async import(viewer: Viewer, key: string, upload: Readable): Promise<Imported> {
      const site = await siteOf(viewer, key);
      if (isImporting)
        throw new Problem('unavailable', 'Another site is being imported', {
          headers: { 'retry-after': '5' },
        });
      isImporting = true;
      try {
        const rows = await inFolder((path) => imported(site, upload, path));
        log.info({ site: key, ...rows }, 'a site was imported');
        return rows;
      } catch (error) {
        if (error instanceof UnusableFile) throw new Problem('invalid', error.message);
        if (error instanceof TooLarge) throw tooLarge(limits);
        throw error;
      } finally {
        isImporting = false;
        // The answer waits for nothing, but whoever still sends gets it only then.
        upload.resume();
      }
    },
  };
}

const hasMoved = () => new Problem('gone', 'This site has moved to another service');

const tooLarge = ({ unpacked, rows }: MoveLimits) =>
  new Problem(
    'too_large',
    `${FILE} is larger than ${unpacked / MIB} MiB unpacked, or has more than ${rows.toLocaleString('en')} rows`,
  );

/** Gives the work a path at which nobody else reads, for as long as it runs. */
async function inFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'trousseau-move-'));
  try {
    return await work(join(folder, 'site.jsonl'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Passes up to so many bytes on. */
function atMost(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(passed > bytes ? new TooLarge() : null, chunk);
    },
  });
}

/** Writes what was sent to a new file, unpacked. */
async function unpack(upload: Readable, path: string, { packed, unpacked }: MoveLimits): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(
      // The caller is to get an answer, and not a connection that ends.
      upload.iterator({ destroyOnReturn: false }),
      atMost(packed),
      createGunzip(),
      atMost(unpacked),
      file.createWriteStream(),
    );
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw new UnusableFile(`${FILE} is not whole: export the site again`);
    if (upload.errored || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new Problem('bad_request', 'The file has ended before its end', { cause: error });
    throw error;
  } finally {
    await file.close().catch(() => {});
  }
}
