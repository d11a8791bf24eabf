// Undoes this process's set-up, however it ends. A killed Node can't clean up, so a separate shell does the work:
// it gets the commands in advance, and runs them when its input ends, which happens when this process ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const script = `
todo=
while IFS= read -r command; do todo="$command
$todo"; done
eval "$todo"`;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Cleanup {
  /** Adds a command line for the end. The last one added runs first. */
  atEnd(...words: string[]): void;
  /** Runs all commands now; a second call waits for the first. */
  run(): Promise<void>;
}

export function startCleanup(): Cleanup {
  // The shell has its own session, so that Ctrl-C doesn't end it too.
  const shell = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(shell, 'exit');
  shell.stdin.on('error', () => {});
  shell.unref();

  const run = async () => {
    for (const signal of signals) process.off(signal, onSignal);
    shell.ref();
    shell.stdin.end();
    await ended;
  };
  const onSignal = (signal: NodeJS.Signals) => run().then(() => process.kill(process.pid, signal));
  for (const signal of signals) process.once(signal, onSignal);
  return {
    atEnd: (...words) => shell.stdin.write(`${words.map(quoted).join(' ')}\n`),
    run,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
