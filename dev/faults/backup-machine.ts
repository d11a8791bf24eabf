import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A machine with a store whose changes are copied to another place all the time. */
export type Machine = {
  storeUrl: string;
  /** Stores this SQL's rows before the service works. */
  run(sql: string): Promise<void>;
  /** Saves all of the store, and from now on every change. */
  startBackup(): Promise<void>;
  /** All processes and files of the machine are gone. */
  die(): Promise<void>;
  /** Brings the store back on another machine: to its end, or as it was at a time. */
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

/** Replaces parts of an example that name another machine; each must stand in it. */
export function adapted(name: string, parts: Record<string, string>): string {
  let text = example(name);
  for (const [part, own] of Object.entries(parts)) {
    assert.ok(text.includes(part), `${name} does not hold ${part}`);
    text = text.replace(part, own);
  }
  return text;
}

/** Runs a program to its end and gives its output; fails with what it said. */
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
