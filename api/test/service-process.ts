import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '../../dev/until.ts';

const MAIN = fileURLToPath(new URL('../start.js', import.meta.url));

export type ServiceProcess = {
  child: ChildProcess;
  /** Where it listens, once it does; fails with what it said if it ends before. */
  url: Promise<string>;
  stdout: () => string;
  stderr: () => string;
  log: () => Record<string, unknown>[];
  /** The moment a line with this message is in the log, or so many of them. */
  logged(message: string, times?: number): Promise<void>;
  said(pattern: RegExp): Promise<void>;
  exit: Promise<{ code: number | null; signal: string | null }>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * The service as an operator starts it: a process of its own that knows these settings only. `prefix` is a command
 * that starts it with other rights.
 */
export function startServiceProcess(
  env: Record<string, string>,
  prefix: string[] = [],
  lifetimeMs = 10 * 60_000,
): ServiceProcess {
  const [command = '', ...args] = [...prefix, process.execPath, MAIN];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, args, {
    env: { PATH, PORT: '0', ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // No process stays behind, also after a failed test.
    timeout: lifetimeMs,
    killSignal: 'SIGKILL',
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  // `close` and not `exit`: by then everything has been read.
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));

  const find = async (stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(text[stream]);
      if (found) return found;
      const ended = await Promise.race([exit, once(child[stream], 'data').then(() => undefined)]);
      if (ended && !pattern.test(text[stream]))
        throw new Error(`ended with ${ended.code ?? ended.signal} before ${pattern}: ${text.stderr}`);
    }
  };
  const url = find('stdout', /Server listening at (http:[^"]+)"/).then((found) => found[1]!);
  url.catch(() => {});

  return {
    child,
    url,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    log: () =>
      text.stdout
        .split('\n')
        .filter(Boolean)
        .map((one) => JSON.parse(one)),
    logged: async (message, times = 1) =>
      void (await find('stdout', new RegExp(`(?:"msg":"${message}"[^]*){${times}}`))),
    said: async (pattern) => void (await find('stderr', pattern)),
    exit,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Waits until the service knows a caller: on a busy machine, the host may answer too late for a first request. */
export const hostAnswers = (url: string, headers: Record<string, string>) =>
  until('the host answers', async () => (await fetch(url, { headers })).ok);
