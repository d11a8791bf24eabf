import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Options } from '../src/app/service.ts';
import { runSites } from '../src/commands/sites.ts';
import { askAt, type Call } from './answers.ts';
import { basic } from './fake-host.ts';
import { type EmptyStore, freshPostgres, withoutPostgres } from './postgres.ts';
import { type ServiceProcess, startServiceProcess } from './service-process.ts';
import { freshSqlite, startTestService } from './support.ts';

const COMMANDS = fileURLToPath(new URL('../src/commands/sites.ts', import.meta.url));

export const stores = [
  { name: 'SQLite', open: freshSqlite, skip: false as const },
  { name: 'PostgreSQL', open: freshPostgres, skip: await withoutPostgres() },
];

export type Outcome = { code: number; out: string; err: string };

/** A command that says in one line why it does nothing. */
export const isRefused = ({ code, out, err }: Outcome, why: RegExp) => {
  assert.deepEqual([code, out], [1, ''], err);
  assert.match(err, /^[^\n]+\n$/);
  assert.match(err, why);
};

/** Runs `npm run sites -- …` on this store, in this process. */
export async function siteCommand(
  store: Pick<EmptyStore, 'url'>,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  noticedMs?: number,
): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runSites(args, {
    env: { DATABASE_URL: store.url, ...env },
    input: async () => input,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ...(noticedMs !== undefined && { noticedMs }),
  });
  return { code, out: out.join(''), err: err.join('') };
}

/** The same as an operator does, in a process of its own. */
export async function siteCommandProcess(
  store: Pick<EmptyStore, 'url'>,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [COMMANDS, ...args], {
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), DATABASE_URL: store.url, ...env },
  });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode ?? -1, out, err };
}

export type SiteCall = Call<string>;

export async function startManySites(store: Pick<EmptyStore, 'url'>, env: Record<string, string> = {}) {
  const settings = { SITES: 'on', DATABASE_URL: store.url, LOG_LEVEL: 'debug', ITEM_ACCESS: 'registry' };
  const service: ServiceProcess = startServiceProcess({ ...settings, ...env });
  return { service, ...callsOf(store, await service.url, env, service[Symbol.asyncDispose]) };
}

/** The same in this process, with other limits than those that ship. */
export async function startManySitesHere(
  store: Pick<EmptyStore, 'url'>,
  options: Options,
  env: Record<string, string> = {},
) {
  const settings = { SITES: 'on', DATABASE_URL: store.url, ITEM_ACCESS: 'registry', ...env };
  const service = await startTestService(settings, options);
  // A removal waits for no service that has yet to notice it.
  return { service, ...callsOf(store, service.url, env, service[Symbol.asyncDispose], 0) };
}

function callsOf(
  store: Pick<EmptyStore, 'url'>,
  url: string,
  env: Record<string, string>,
  dispose: () => Promise<void>,
  noticedMs?: number,
) {
  const command = (...args: string[]) =>
    siteCommand(store, args, { env: { PUBLIC_URL: url, ITEM_ACCESS: 'registry', ...env } }, noticedMs);

  return {
    ...{ url, command },

    at: (base: string): SiteCall => askAt(base, basic),

    async add(...args: string[]): Promise<string> {
      const { code, out, err } = await command('add', ...args);
      if (code !== 0) throw new Error(err);
      return out.trim();
    },

    [Symbol.asyncDispose]: dispose,
  };
}

export const keyOf = (base: string): string => base.split('/').at(-1)!;
