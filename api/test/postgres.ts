import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { openSession } from './sql-session.ts';

/** An empty store that nobody else uses; it is gone when the test is. */
export type EmptyStore = { url: string; [Symbol.asyncDispose](): Promise<void> };

const SERVER = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** The reason why no PostgreSQL is there to test on; under CI that is a failure. */
export async function withoutPostgres(tries = 3): Promise<string | false> {
  try {
    await (await openSession(SERVER)).end();
    return false;
  } catch (error) {
    // On a busy machine a server that is there may be late.
    if ((error as Error).message === 'timeout expired' && tries > 1) return withoutPostgres(tries - 1);
    const why = `no PostgreSQL answers at TEST_POSTGRES_URL: ${(error as Error).message}`;
    if (process.env.CI === 'true') throw new Error(why);
    return why;
  }
}

/** A schema of its own on the server at hand, over so many connections where that is said. */
export async function freshPostgres({ max }: { max?: number } = {}): Promise<EmptyStore> {
  const schema = `trousseau_${randomBytes(6).toString('hex')}`;
  const url = new URL(SERVER);
  url.searchParams.set('options', `-c search_path=${schema}`);
  if (max !== undefined) url.searchParams.set('max', String(max));
  const say = async (statement: string) => {
    const session = await openSession(SERVER);
    await session.query(statement);
    await session.end();
  };
  await say(`create schema ${schema}`);
  return { url: url.href, [Symbol.asyncDispose]: () => say(`drop schema ${schema} cascade`) };
}

// To set up PostgreSQL's files takes most of a start: they are made once, and each starts on a copy.
let files: Promise<Blob> | undefined;

async function setUpFiles(): Promise<Blob> {
  const db = await PGlite.create();
  const made = await db.dumpDataDir('none');
  await db.close();
  return made;
}

/** PostgreSQL itself, compiled to WebAssembly, behind its wire protocol: where no server is at hand. */
export async function freshPglite(): Promise<EmptyStore> {
  files ??= setUpFiles();
  const db = await PGlite.create({ loadDataDir: await files });
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 100 });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?max=1`,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await db.close();
    },
  };
}
