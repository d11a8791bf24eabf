// Runs test files: all of them, those that are named, or those in whose text something stands (`--using startTestService`).
// A few processes take one file after the other, since to load and compile the service takes a process longer than most of
// these files take to run.
import { spawnSync } from 'node:child_process';
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, run, suite } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;

if (process.env.NODE_TEST_CONTEXT) await takeFiles(process.argv[2]!, process.argv.slice(3));
else startProcesses();

function startProcesses(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { using: { type: 'string', default: '' }, again: { type: 'boolean', default: false } },
  });
  const given = positionals.length > 0 ? positionals : ['*/test/**/*.test.ts'];
  const missing = given.filter((name) => globSync(name, { cwd: here }).length === 0);
  if (missing.length > 0) throw new Error(`No test file is called ${missing.join(' or ')}`);
  const files = globSync(given, { cwd: here })
    .filter((file) => new RegExp(values.using).test(readFileSync(join(here, file), 'utf8')))
    .sort()
    // Those that take longest are in the folders at the end.
    .reverse();
  if (files.length === 0) throw new Error(`No test file holds ${values.using}`);
  const failed = new Set(files);
  // Some files wait for programs that they start: one process more than cores keeps these busy.
  const processes = values.again ? 1 : Math.min(files.length, availableParallelism() + 1);
  const taken = mkdtempSync(join(tmpdir(), 'trousseau-tests-'));
  process.on('exit', () => rmSync(taken, { recursive: true, force: true }));
  process.env.NODE_COMPILE_CACHE ??= join(here, 'node_modules/.cache/tests');
  // By its own name, since Node's types don't know the last one yet.
  const options = {
    files: Array.from({ length: processes }, () => import.meta.filename),
    argv: [taken, ...files],
    concurrency: processes,
    globalSetupPath: join(here, 'dev/wordpress/pool.ts'),
  };
  run(options)
    .on('test:pass', ({ name, nesting }) => nesting === 0 && failed.delete(name))
    .on('test:fail', ({ name, nesting }) => nesting === 0 && failed.add(name))
    .compose(spec)
    .on('end', () => {
      if (failed.size > 0 && !(processes > 1 && passAlone([...failed]))) process.exitCode = 1;
    })
    .pipe(process.stdout);
}

/**
 * Where nobody watches, one or two files that failed beside all others run once more, alone: browsers and WordPresses on a busy
 * machine are late now and then. They are named, passed or not, since such a file is to be mended.
 */
function passAlone(failed: string[]): boolean {
  const { status } =
    process.env.CI && failed.length <= 2
      ? spawnSync(process.execPath, [import.meta.filename, '--again', ...failed], { stdio: 'inherit' })
      : { status: 1 };
  console.error(`${status === 0 ? 'Unsteady, passed only when alone' : 'Failed'}: ${failed.join(', ')}`);
  return status === 0;
}

/** In one of the processes: takes a file that nobody has taken, and the next when all its tests are done. */
async function takeFiles(taken: string, files: string[]): Promise<void> {
  for (const [n, file] of files.entries()) {
    try {
      closeSync(openSync(join(taken, String(n)), 'wx'));
    } catch {
      continue;
    }
    await new Promise<void>((done) => {
      suite(file, async () => {
        try {
          await import(pathToFileURL(join(here, file)).href);
        } finally {
          after(() => done());
        }
      });
    });
  }
}
