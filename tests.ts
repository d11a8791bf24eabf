// Runs test files: all of them, those that are named, those in whose text something stands (`--using startTestService`), or those
// that start no process and take a few seconds (`--quick`). `--times` shows how long each took, and how much CPU with all that it started.
// A few processes take one file after the other, since to load and compile the service takes a process longer than most of
// these files take to run.
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, run, suite } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startCpuMeter } from './dev/cpu.ts';
import { isQuick } from './dev/quick.ts';

const here = import.meta.dirname;

// Node itself refuses a process that such a file would start.
const MAY_START_NOTHING = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-fs-write=*',
  '--allow-worker',
  '--allow-wasi',
];

if (process.env.NODE_TEST_CONTEXT) await takeFiles(process.argv[2]!, process.argv.slice(3));
else startProcesses();

function startProcesses(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      using: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      times: { type: 'boolean', default: false },
    },
  });
  const given = positionals.length > 0 ? positionals : ['*/test/**/*.test.ts'];
  const missing = given.filter((name) => globSync(name, { cwd: here }).length === 0);
  if (missing.length > 0) throw new Error(`No test file is called ${missing.join(' or ')}`);
  const files = globSync(given, { cwd: here })
    .filter((file) => new RegExp(values.using).test(readFileSync(join(here, file), 'utf8')))
    .filter((file) => !values.quick || isQuick(join(here, file)))
    .sort()
    // Those that take longest are in the folders at the end.
    .reverse();
  if (files.length === 0) throw new Error('No test file is of this kind');
  const failed = new Set(files);
  // Some files wait for programs that they start: one process more than cores keeps these busy.
  const processes = Math.min(files.length, availableParallelism() + 1);
  const taken = mkdtempSync(join(tmpdir(), 'trousseau-tests-'));
  process.on('exit', () => rmSync(taken, { recursive: true, force: true }));
  process.env.NODE_COMPILE_CACHE ??= join(here, 'node_modules/.cache/tests');
  // By its own name, since Node's types don't know the last one yet.
  const options = {
    files: Array.from({ length: processes }, () => import.meta.filename),
    argv: [taken, ...files],
    concurrency: processes,
    ...(values.quick
      ? { execArgv: MAY_START_NOTHING }
      : { globalSetupPath: join(here, 'dev/wordpress/pool.ts') }),
  };
  run(options)
    .on('test:pass', ({ name, nesting }) => nesting === 0 && failed.delete(name))
    .on('test:fail', ({ name, nesting }) => nesting === 0 && failed.add(name))
    .compose(spec)
    .on('end', () => {
      if (values.times) showTimes(taken, files);
      if (failed.size === 0) return;
      console.error(`Failed: ${[...failed].join(', ')}`);
      process.exitCode = 1;
    })
    .pipe(process.stdout);
}

/** In one of the processes: takes a file that nobody has taken, and the next when all its tests are done. */
async function takeFiles(taken: string, files: string[]): Promise<void> {
  const cpu = startCpuMeter();
  for (const [n, file] of files.entries()) {
    try {
      closeSync(openSync(join(taken, String(n)), 'wx'));
    } catch {
      continue;
    }
    const before = { ms: performance.now(), cpu: cpu() };
    await new Promise<void>((done) => {
      suite(file, async () => {
        try {
          await import(pathToFileURL(join(here, file)).href);
        } finally {
          after(() => done());
        }
      });
    });
    const times = { file, seconds: (performance.now() - before.ms) / 1000, cpu: cpu() - before.cpu };
    writeFileSync(join(taken, String(n)), JSON.stringify(times));
  }
}

function showTimes(taken: string, files: string[]): void {
  const all = files.flatMap((_, n): { file: string; seconds: number; cpu: number }[] => {
    try {
      return [JSON.parse(readFileSync(join(taken, String(n)), 'utf8'))];
    } catch {
      return [];
    }
  });
  for (const { file, seconds, cpu } of all.sort((one, other) => other.cpu - one.cpu))
    console.log(`${cpu.toFixed(1).padStart(7)} s of CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`);
  const sum = all.reduce((sum, { cpu }) => sum + cpu, 0);
  console.log(`${sum.toFixed(1).padStart(7)} s of CPU in all`);
}
