import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { type Cipher, cipherOf } from '../lib/cipher.ts';
import { bindings } from '../store/bindings.ts';
import type { Database } from '../store/database.ts';
import { SERVICE } from '../store/sites.ts';

/** The file next to a SQLite store that holds its key, if the settings name none. */
export const keyFileOf = (databaseUrl: string): string => `${databaseUrl.slice('sqlite:'.length)}.key`;

/**
 * Returns the cipher of the service. `SECRET_KEY` names the key. Without it the key of a SQLite store is in a file of its own, so
 * that a copy of the store alone reveals no secret, and outside of production a PostgreSQL store holds its services' key. Either
 * is made when it is first needed. A key that is named later also opens what the store's own has encrypted.
 */
export function openCipher(
  { secretKey, databaseUrl }: Pick<Config, 'secretKey' | 'databaseUrl'>,
  database: Pick<Database, 'read' | 'write'>,
): () => Promise<Cipher> {
  const isOnServer = !databaseUrl.startsWith('sqlite:');
  const stored = bindings(database, SERVICE);
  let opened: Promise<Cipher> | undefined;

  async function open(): Promise<Cipher> {
    if (secretKey === undefined)
      return cipherOf(isOnServer ? await stored.serviceKey() : await keyInFile(databaseUrl));
    const former = isOnServer ? await stored.madeServiceKey() : undefined;
    return cipherOf(secretKey, former === undefined ? undefined : cipherOf(former));
  }

  return async () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

const newKey = () => randomBytes(32).toString('base64');

async function keyInFile(databaseUrl: string): Promise<string> {
  // A store in memory ends with the service.
  if (databaseUrl === 'sqlite::memory:') return newKey();
  const file = keyFileOf(databaseUrl);
  const known = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  // The file appears complete, and the first process to create it wins.
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, `${newKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await link(own, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(own);
  return (await readFile(file, 'utf8')).trim();
}
