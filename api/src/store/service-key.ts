import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** The key by which services on one store encrypt secrets where their settings name none. */
export function serviceKey(db: Pick<Database, 'read' | 'write'>) {
  const found = async (): Promise<string | undefined> =>
    (await db.read('select secret from service_keys'))[0]?.[0] as string | undefined;

  return {
    found,

    /** The first process that needs it makes it. */
    async made(): Promise<string> {
      const known = await found();
      if (known !== undefined) return known;
      const secret = randomBytes(32).toString('base64');
      await db.write([
        'insert into service_keys (one, secret) values (1, $1) on conflict do nothing',
        [secret],
      ]);
      return (await found())!;
    },
  };
}
