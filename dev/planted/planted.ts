// Plants known faults, one at a time, in a copy of this repository, and reports whether the tests nearest to each catch it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { randomFrom } from '../faults/kit.ts';
import { startCleanup } from '../wordpress/cleanup.ts';
import { type Fault, plant, readFaults } from './patches.ts';

const root = join(import.meta.dirname, '../..');
/** A test that hangs because of a fault hasn't caught it. */
const LONGEST_MS = 10 * 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

const [sample, seed] = [values.sample, values.seed].map((text) =>
  text === undefined ? undefined : whole(text),
);
const faults = choose(readFaults());
if (values.list) for (const { name, sentence } of faults) console.log(`${name.padEnd(34)} ${sentence}`);
else process.exitCode = (await tryAll()) ? 0 : 1;

function whole(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`“${text}” isn't a whole number`);
  return Number(text);
}

function choose(all: Fault[]): Fault[] {
  const unknown = positionals.filter((name) => !all.some((fault) => fault.name === name));
  if (unknown.length > 0) throw new Error(`No planted fault is called ${unknown.join(' or ')}`);
  const named = positionals.length > 0 ? all.filter(({ name }) => positionals.includes(name)) : all;
  if (sample === undefined) return named;
  console.log(`--sample ${sample} --seed ${seed}`);
  const random = randomFrom(seed!);
  const keyed = named.map((fault) => ({ fault, key: random(2 ** 31) }));
  const drawn = keyed.sort((one, other) => one.key - other.key).slice(0, sample);
  return named.filter((fault) => drawn.some((each) => each.fault === fault));
}

async function tryAll(): Promise<boolean> {
  // Tests that can't run here fail instead of being skipped.
  process.env.CI = 'true';
  const cleanup = startCleanup();
  const copy = mkdtempSync(join(tmpdir(), 'trousseau-planted-'));
  cleanup.atEnd('rm', '-rf', copy);
  copyRepository(copy);
  process.env.NODE_COMPILE_CACHE = join(copy, 'node_modules/.cache/tests');
  // Tests that are stopped at their first failure leave files behind.
  process.env.TMPDIR = join(copy, 'tmp');
  // The copy's own pool, which builds the copy's scripts.
  const pool: typeof import('../wordpress/pool.ts') = await import(join(copy, 'dev/wordpress/pool.ts'));
  await pool.globalSetup();
  try {
    const healthy = new Map<string, Promise<Outcome>>();
    let missed = 0;
    for (const fault of faults) {
      const { verdict, seconds, by } = await tryOne(fault, copy, healthy);
      if (verdict !== 'caught') missed++;
      console.log(
        `${verdict.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s  ${fault.name.padEnd(34)} ${by}`,
      );
    }
    console.log(`${faults.length - missed} of ${faults.length} planted faults were caught.`);
    return missed === 0 && faults.length > 0;
  } finally {
    await pool.globalTeardown();
    await cleanup.run();
  }
}

/** Copies the files of this checkout, including changes, and links its installed packages. */
function copyRepository(copy: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    const from = join(root, file);
    if (lstatSync(from, { throwIfNoEntry: false }))
      cpSync(from, join(copy, file), { preserveTimestamps: true, verbatimSymlinks: true });
  }
  // A database server runs as another user.
  chmodSync(copy, 0o755);
  for (const name of ['node_modules', 'tmp']) mkdirSync(join(copy, name));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const from = join(root, 'node_modules', name);
    // A workspace is a relative link, so in the copy it leads to the copy's own workspace.
    const isWorkspace = lstatSync(from).isSymbolicLink();
    if (name !== '.cache')
      symlinkSync(isWorkspace ? readlinkSync(from) : from, join(copy, 'node_modules', name));
  }
}

interface Outcome {
  /** The tests that ran, without skipped ones. */
  ran: number;
  /** The first test whose own code failed. */
  failed: string | undefined;
  /** Anything else that went wrong, such as a file that can't be loaded. */
  broken: string | undefined;
}

interface Result {
  verdict: 'caught' | 'MISSED' | 'BROKEN' | 'DOES NOT APPLY' | 'RED WITHOUT IT';
  seconds: number;
  by: string;
}

async function tryOne(fault: Fault, copy: string, healthy: Map<string, Promise<Outcome>>): Promise<Result> {
  let started = performance.now();
  const result = (verdict: Result['verdict'], by: string): Result => {
    return { verdict, by, seconds: (performance.now() - started) / 1000 };
  };
  let planted: Map<string, string>;
  try {
    planted = plant(fault, copy);
  } catch (error) {
    return result('DOES NOT APPLY', (error as Error).message.split('\n')[0]!);
  }
  const withoutFault = (alike: Fault[]): Promise<Outcome> => {
    const key = alike.map(({ name }) => name).join();
    const known = healthy.get(key) ?? runTests(copy, alike);
    healthy.set(key, known);
    return known;
  };
  let before = await withoutFault(faults.filter(({ tests }) => tests.join() === fault.tests.join()));
  // If the tests of all these faults fail together, the ones for this fault may still pass alone.
  if (before.failed ?? before.broken) before = await withoutFault([fault]);
  if (before.failed ?? before.broken) return result('RED WITHOUT IT', (before.failed ?? before.broken)!);

  started = performance.now();
  const takeOut = [...planted].map(([file, text]) => replaceFile(join(copy, file), text));
  try {
    const { ran, failed, broken } = await runTests(copy, [fault]);
    if (failed) return result('caught', failed);
    if (broken) return result('BROKEN', broken);
    return result('MISSED', ran === 0 ? 'no test ran' : `${ran} tests passed`);
  } finally {
    for (const each of takeOut) each();
  }
}

/** Returns a function that puts the old text back. */
function replaceFile(path: string, text: string): () => void {
  const before = readFileSync(path);
  const { atime, mtime } = statSync(path);
  writeFileSync(path, text);
  return () => {
    writeFileSync(path, before);
    // PHP recognizes changed files by their modification time.
    utimesSync(path, atime, mtime);
  };
}

/** Runs the tests for these faults, which name the same files, until the first test fails. */
async function runTests(copy: string, alike: Fault[]): Promise<Outcome> {
  const files = alike[0]!.tests.map((file) => join(copy, file));
  const only = alike.map(({ only }) => only).filter((name) => name !== undefined);
  const cases = alike.map(({ cases }) => cases).filter((part) => part !== undefined);
  if (cases.length === alike.length) process.env.TEST_CASES = cases.join();
  else delete process.env.TEST_CASES;
  const outcome: Outcome = { ran: 0, failed: undefined, broken: undefined };
  const ending = new AbortController();
  const limit = setTimeout(() => {
    outcome.broken = 'the tests did not end';
    ending.abort();
  }, LONGEST_MS);
  const events = run({
    cwd: copy,
    files,
    concurrency: 1,
    signal: ending.signal,
    ...(only.length === alike.length && { testNamePatterns: only.map((name) => new RegExp(name)) }),
  });
  events.on('test:complete', ({ name, details, skip, todo }) => {
    if (skip !== undefined || todo !== undefined || ending.signal.aborted) return;
    const { failureType, cause } = (details.error ?? {}) as { failureType?: string; cause?: unknown };
    // The test runner also reports each file as a test.
    const isTest = details.type !== 'suite' && !files.includes(join(copy, name)) && !files.includes(name);
    if (isTest) outcome.ran++;
    if (details.passed || failureType === 'subtestsFailed') return;
    if (!isTest || !/^test(CodeFailure|TimeoutFailure)$/.test(failureType ?? ''))
      outcome.broken ??= `${name}: ${cause}`;
    else {
      outcome.failed = name;
      ending.abort();
    }
  });
  await new Promise((done) => events.on('end', done).on('error', done).resume());
  clearTimeout(limit);
  return outcome;
}
