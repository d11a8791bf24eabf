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
 * Returns the service's cipher. Its key is `SECRET_KEY`, or else is made when first needed: in a file next to a SQLite store, so
 * that a copy of the store reveals no secret, or in a PostgreSQL store, where it still decrypts once `SECRET_KEY` is set.
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
    const former = isOnServer ? await stored.existingServiceKey() : undefined;
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
  if (known?.trim() === '') throw new Error(`${file} is empty: restore it, or remove it for a new key`);
  if (known !== undefined) return known.trim();
  // The file appears complete, and the first process to create it wins.
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${newKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(file, 'utf8')).trim();
}
