// The MariaDB of development sites: a running one, or one started for them.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleanup } from './cleanup.ts';

export interface Database {
  name: string;
  /** The value for WordPress's DB_HOST. */
  host: string;
}

const usualPlaces = ['localhost:/run/mysqld/mysqld.sock', '127.0.0.1:3306'];

/** Returns the host of a database server for sites: one that is already running, or else one started in the folder. */
export async function databaseServer(folder: string, cleanup: Cleanup): Promise<string> {
  return runningServer() ?? (await startMariaDb(folder, cleanup));
}

export function createDatabase(host: string, cleanup: Cleanup): Database {
  const name = `trousseau_dev_${randomBytes(6).toString('hex')}`;
  cleanup.atEnd('php', '-r', phpFor(host, `drop database if exists ${name}`));
  const refusal = sql(host, `create database ${name} character set utf8mb4`);
  if (refusal) throw new Error(`MariaDB at ${host} refuses a new database: ${refusal}`);
  return { name, host };
}

export function canHaveDatabase(): boolean {
  return runningServer() !== undefined || findProgram('mariadbd') !== undefined;
}

function runningServer(): string | undefined {
  return usualPlaces.find((host) => sql(host, 'select 1') === '');
}

async function startMariaDb(folder: string, cleanup: Cleanup): Promise<string> {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const common = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`];
  const install = spawnSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { encoding: 'utf8' },
  );
  if (install.status !== 0) throw new Error(`MariaDB cannot be set up: ${install.stderr || install.error}`);
  const server = spawn(
    findProgram('mariadbd') ?? 'mariadbd',
    [...common, `--socket=${socket}`, `--pid-file=${folder}/mariadb.pid`, '--skip-networking'],
    { detached: true, stdio: 'ignore' },
  );
  cleanup.atEnd('kill', '-9', `-${server.pid}`);
  server.unref();
  const host = `localhost:${socket}`;
  const deadline = Date.now() + 30_000;
  while (sql(host, 'select 1')) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('MariaDB does not start');
    await sleep(50);
  }
  return host;
}

/** Runs one statement through PHP, so that no database client is needed. Returns an error message, or an empty string. */
function sql(host: string, statement: string): string {
  const run = spawnSync('php', ['-r', phpFor(host, statement)], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout : `${run.stdout}${run.stderr}`;
}

function phpFor(host: string, statement: string): string {
  const [name, place = ''] = host.split(':');
  const socket = place.startsWith('/') ? place : '';
  const address = `'${name}', 'root', '', '', ${Number(place) || 0}, '${socket}'`;
  return (
    `mysqli_report( MYSQLI_REPORT_OFF ); $db = @mysqli_connect( ${address} ); ` +
    `if ( ! $db ) { echo mysqli_connect_error(); exit; } ` +
    `if ( ! $db->query( '${statement}' ) ) { echo $db->error; }`
  );
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}
