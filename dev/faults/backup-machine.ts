import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A machine with a store that is backed up continuously. */
export type Machine = {
  storeUrl: string;
  /** Runs SQL that fills the store before the service starts. */
  run(sql: string): Promise<void>;
  /** Backs up the store, and every change from now on. */
  startBackup(): Promise<void>;
  /** Kills all processes and deletes all files of the machine. */
  die(): Promise<void>;
  /** Restores the store on another machine, to its last state or as it was at a given time. */
  restore(until?: Date): Promise<Restored>;
};
export type Restored = {
  storeUrl: string;
  query<T>(sql: string): Promise<T[]>;
  /** Runs the commands for an administrator after a restore. */
  afterRestore(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const deploy = join(import.meta.dirname, '../../deploy/backup');
export const example = (name: string) => readFileSync(join(deploy, name), 'utf8');

/** Reads an example file and replaces the parts that name another machine. Each must occur in it. */
export function adapted(name: string, parts: Record<string, string>): string {
  let text = example(name);
  for (const [part, own] of Object.entries(parts)) {
    assert.ok(text.includes(part), `${name} does not hold ${part}`);
    text = text.replace(part, own);
  }
  return text;
}

/** Runs a program and returns its output; a failure throws an error with it. */
export async function execute(command: readonly string[], input = ''): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${said.trim().slice(-600)}`);
  return said;
}
