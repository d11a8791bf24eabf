import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../api/test/free-port.ts';
import { openSession } from '../../api/test/sql-session.ts';
import { adapted, example, execute, type Machine, type Restored } from './backup-machine.ts';
import { asPostgres, childrenOf, kill } from './cluster.ts';
import { comesAbout } from './time.ts';

export const hasPgBackRest = () => spawnSync('pgbackrest', ['version']).status === 0;

/** Makes a machine whose PostgreSQL log is archived by pgBackRest, after so many seconds at most. */
export async function postgresMachine(
  folder: string,
  archiveTimeout: number,
): Promise<Machine & AsyncDisposable> {
  const { bin, prefix, own } = asPostgres()!;
  own(folder);
  const inFolder = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path);
    own(path);
    return path;
  };
  const [machine, other] = [await inFolder('machine'), await inFolder('other')];
  const running = new Map<string, number>();

  /** Writes a machine's files from the examples, with its own folders and ports. */
  async function configure(home: string, port: number) {
    const data = join(home, 'data');
    const config = join(home, 'pgbackrest.conf');
    const paths = `log-path=${home}\nlock-path=${home}\nspool-path=${home}`;
    const bucket = /^repo1-type[^#]*/m.exec(example('pgbackrest.conf'))![0];
    const text = adapted('pgbackrest.conf', {
      [bucket]: `repo1-path=${other}\n${paths}\n`,
      '/var/lib/postgresql/15/main': `${data}\npg1-port=${port}\npg1-socket-path=${home}\npg1-user=postgres`,
    });
    await writeFile(config, text);
    const settings = adapted('postgresql.conf', {
      'pgbackrest --stanza': `pgbackrest --config=${config} --stanza`,
      'archive_timeout = 10': `archive_timeout = ${archiveTimeout}`,
    });
    const pgbackrest = (...args: string[]) =>
      execute([...prefix, 'pgbackrest', `--config=${config}`, '--stanza=trousseau', ...args]);
    const start = async (isArchived = true) => {
      await writeFile(
        join(data, 'postgresql.auto.conf'),
        `${readFileSync(join(data, 'postgresql.auto.conf'), 'utf8')}${isArchived ? settings : ''}
port = ${port}\nunix_socket_directories = '${home}'\nlisten_addresses = '127.0.0.1'\n`,
      );
      const options = ['-D', data, '-l', join(home, 'log'), '-s', '-w', '-t', '120'];
      await execute([...prefix, join(bin, 'pg_ctl'), ...options, 'start']);
      running.set(data, Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]));
    };
    return { data, pgbackrest, start };
  }

  const end = (data: string) => {
    const pid = running.get(data);
    if (pid === undefined) return;
    running.delete(data);
    for (const one of [pid, ...childrenOf(pid)]) kill(one, 'SIGKILL');
  };

  const port = await freePort();
  const { data, pgbackrest, start } = await configure(machine, port);
  const initdb = '-U postgres -A trust -E UTF8 --locale=C --no-sync'.split(' ');
  await execute([...prefix, join(bin, 'initdb'), '-D', data, ...initdb]);
  await pgbackrest('--no-online', 'stanza-create');
  await start();
  const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  let restores = 0;

  async function ask<T>(url: string, sql: string): Promise<T[]> {
    const session = await openSession(url);
    try {
      return (await session.query(sql)).rows as T[];
    } finally {
      await session.end();
    }
  }

  return {
    storeUrl: urlAt(port),
    run: async (sql) => void (await ask(urlAt(port), sql)),
    startBackup: async () => void (await pgbackrest('--type=full', 'backup')),
    async die() {
      end(data);
      // A backend that was just about to write recreates a file.
      await rm(machine, { recursive: true, force: true, maxRetries: 20 });
    },
    async restore(until): Promise<Restored> {
      const port = await freePort();
      const home = await inFolder(`restored-${++restores}`);
      const there = await configure(home, port);
      const time = until
        ? [
            '--type=time',
            `--target=${until.toISOString().replace('T', ' ').replace('Z', '+00')}`,
            '--target-action=promote',
          ]
        : [];
      // A restore that is only for inspection must not write to the archive.
      await there.pgbackrest(...time, ...(until ? ['--archive-mode=off'] : []), 'restore');
      await there.start(until === undefined);
      const url = urlAt(port);
      const query = <T>(sql: string) => ask<T>(url, sql);
      const isPromoted = async () =>
        !(await query<{ waits: boolean }>('select pg_is_in_recovery() as waits'))[0]?.waits;
      if (!(await comesAbout(isPromoted, 60_000))) throw new Error('PostgreSQL goes on waiting for changes');
      return {
        storeUrl: url,
        query,
        afterRestore: async () => void (await query(example('after-restore-postgres.sql'))),
        [Symbol.asyncDispose]: async () => end(there.data),
      };
    },
    async [Symbol.asyncDispose]() {
      for (const data of [...running.keys()]) end(data);
    },
  };
}
