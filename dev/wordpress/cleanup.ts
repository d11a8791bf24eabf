// Undoes what was set up, however this process ends. Node can do nothing more when it is killed, so the work is done by
// a shell of its own: it learns beforehand what to do, and does it when its input ends, as it does with this process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const script = `
todo=
while IFS= read -r command; do todo="$command
$todo"; done
eval "$todo"`;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Cleanup {
  /** Adds a command line for the end. What was added last is done first. */
  atEnd(...words: string[]): void;
  /** Does it all now; the second call waits for the first. */
  run(): Promise<void>;
}

export function startCleanup(): Cleanup {
  // In a session of its own, so that a Ctrl-C doesn't end it too.
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
