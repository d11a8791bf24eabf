// Runs test files: all of them, those that are named, or a selection (dev/test-files.ts). A few processes take one file after the
// other, since loading the service takes a process longer than most of these files take to run.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, run, suite } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startCpuMeter } from './dev/cpu.ts';
import { changedFiles, fitInto, nearestTests, SECONDS_FOR_CHANGED } from './dev/nearest.ts';
import { PLACES, type Place, recordTimes, selectFiles } from './dev/test-files.ts';

const here = import.meta.dirname;

// Node itself refuses a process that a file of `--quick` would start.
const MAY_START_NOTHING = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-fs-write=*',
  '--allow-worker',
  '--allow-wasi',
  // It warns of the three lines above.
  '--disable-warning=SecurityWarning',
];

// Most of what tests make is soon forgotten: with more room, it is collected less often.
const ROOM_FOR_YOUNG = ['--max-semi-space-size=64', '--min-semi-space-size=32'];

/** Milliseconds for which a process waits, after its last test, for what is still open. */
const PATIENCE = 60_000;

const HELP = `npm test -- [files] [options]
  --changed        the files nearest to what differs from the last commit, in under a minute
  --quick          files that start no process and take a few seconds
  --using REGEXP   files in whose text this stands
  --shard 1/3      the first of three parts that take about the same time
  --again PLACE    once more in another place, the files that are marked for it: ${Object.keys(PLACES).join(', ')}
  --rest PLACE     the other files that can run there
  --times          shows how long each file took, and how much CPU with all that it started
  --record         records these times, by which the longest files start first`;

/** One file's line on `--times`; while the file runs, its JSON is empty. */
interface Taken {
  file: string;
  seconds: number;
  cpu: number;
}

if (process.env.NODE_TEST_CONTEXT) await takeFiles(process.argv[2]!, process.argv[3]!, process.argv.slice(4));
else startProcesses();

function startProcesses(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      changed: { type: 'boolean' },
      using: { type: 'string' },
      quick: { type: 'boolean' },
      shard: { type: 'string' },
      again: { type: 'string' },
      rest: { type: 'string' },
      times: { type: 'boolean' },
      record: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const place = values.again ?? values.rest;
  if (place !== undefined && !(place in PLACES)) throw new Error(`${place} is no place\n${HELP}`);
  if (place !== undefined) Object.assign(process.env, PLACES[place as Place].env);
  const names = values.changed ? nearestToChange() : positionals;
  if (names === undefined) return;
  const files = selectFiles({ ...values, names } as Parameters<typeof selectFiles>[0]);
  const failed = new Set(files);
  // Files that start processes wait for them half of their time; those of `--quick` don't wait.
  const processes = Math.min(files.length, availableParallelism() + (values.quick ? 0 : 1));
  const taken = mkdtempSync(join(tmpdir(), 'trousseau-tests-'));
  process.on('exit', () => rmSync(taken, { recursive: true, force: true }));
  process.env.NODE_COMPILE_CACHE ??= join(here, 'node_modules/.cache/tests');
  // By its own name, since Node's types don't know the last one yet.
  const options = {
    files: Array.from({ length: processes }, () => import.meta.filename),
    argv: [taken, values.times ? 'measured' : 'unmeasured', ...files],
    concurrency: processes,
    execArgv: [...ROOM_FOR_YOUNG, ...(values.quick ? MAY_START_NOTHING : [])],
    ...(!values.quick && { globalSetupPath: join(here, 'dev/wordpress/pool.ts') }),
  };
  const stopProgress = showProgress(taken, files);
  run(options)
    .on('test:pass', ({ name, nesting }) => nesting === 0 && failed.delete(name))
    .on('test:fail', ({ name, nesting }) => nesting === 0 && failed.add(name))
    .compose(spec)
    .on('end', () => {
      stopProgress();
      if (values.times) showTimes(taken, files);
      if (values.record)
        recordTimes(new Map(readTaken(taken, files).done.map((one) => [one.file, one.seconds])));
      if (failed.size === 0) return;
      console.error(`Failed: ${[...failed].join(', ')}`);
      process.exitCode = 1;
    })
    .pipe(process.stdout);
}

/** Returns undefined if no test is near, which is not a failure. */
function nearestToChange(): string[] | undefined {
  const { run, left } = fitInto(SECONDS_FOR_CHANGED, nearestTests(changedFiles()));
  const others = left.length > 8 ? ` and ${left.length - 8} others` : '';
  if (left.length > 0) console.log(`Farther away or longer: ${left.slice(0, 8).join(', ')}${others}`);
  if (run.length > 0) return run;
  console.log('No test file is near to what has changed.');
  return undefined;
}

/** In one of the processes: takes a file that nobody has taken, and the next when all its tests are done. */
async function takeFiles(taken: string, measured: string, files: string[]): Promise<void> {
  // It looks at all processes of the machine twice a second.
  const cpu = measured === 'measured' ? startCpuMeter() : () => 0;
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
    const times: Taken = { file, seconds: (performance.now() - before.ms) / 1000, cpu: cpu() - before.cpu };
    writeFileSync(join(taken, String(n)), JSON.stringify(times));
  }
  // What a test has left open would keep this process for ever.
  setTimeout(() => {
    console.error(`The tests are over, and still open are: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, PATIENCE).unref();
}

function readTaken(taken: string, files: string[]): { done: Taken[]; running: string[] } {
  const done: Taken[] = [];
  const running: string[] = [];
  for (const [n, file] of files.entries()) {
    let text: string;
    try {
      text = readFileSync(join(taken, String(n)), 'utf8');
    } catch {
      continue;
    }
    if (text) done.push(JSON.parse(text));
    else running.push(file);
  }
  return { done, running };
}

/** Says on stderr, every half minute, how far the run is. */
function showProgress(taken: string, files: string[]): () => void {
  const began = performance.now();
  const timer = setInterval(() => {
    const { done, running } = readTaken(taken, files);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.error(
      `… ${done.length} of ${files.length} files after ${seconds} s; running: ${running.join(', ')}`,
    );
  }, 30_000).unref();
  return () => clearInterval(timer);
}

function showTimes(taken: string, files: string[]): void {
  const { done } = readTaken(taken, files);
  for (const { file, seconds, cpu } of done.sort((one, other) => other.cpu - one.cpu))
    console.log(`${cpu.toFixed(1).padStart(7)} s of CPU ${seconds.toFixed(1).padStart(7)} s  ${file}`);
  const sum = done.reduce((sum, { cpu }) => sum + cpu, 0);
  console.log(`${sum.toFixed(1).padStart(7)} s of CPU in all`);
}
