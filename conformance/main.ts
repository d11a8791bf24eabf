// `npm run conformance`: the contract as a suite, against any deployment and any implementation.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CannotBegin, readAccounts } from './accounts.ts';
import { count, jsonOf, junitOf, lineOf, summaryOf } from './report.ts';
import { chosen, runSuite } from './suite.ts';

// The npm package contains JavaScript.
const CALL = import.meta.filename.endsWith('.js') ? 'npx trousseau conformance' : 'npm run conformance --';

const HELP = `${CALL} [options]

  --url ADDRESS    the service (default: http://127.0.0.1:8000)
  --users FILE     JSON file with the accounts (default: conformance/users.example.json)
  --quick          leave out the cases that wait for a minute
  --only TEXT      run only cases whose names contain this text; may be repeated
  --parallel N     run this many cases at a time (default: 8)
  --receiver H:P   host and port of this machine to which the service may send webhooks (LOOKUP_ALLOW)
  --junit FILE     write the results as JUnit XML
  --json FILE      write the results as JSON
  --list           list the cases without running them

The suite creates its own registries, deletes them afterwards, and touches nothing else.
Exit code: 0 if all cases passed, 1 if one failed or something was left behind, 2 if the suite could not start,
130 if it was interrupted.`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8000' },
      users: { type: 'string', default: join(import.meta.dirname, 'users.example.json') },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      parallel: { type: 'string', default: '8' },
      receiver: { type: 'string' },
      junit: { type: 'string' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, parallel } = values;
  const slow = !values.quick;
  if (values.help) return say(HELP);
  const cases = chosen({ slow, only });
  if (cases.length === 0) throw new CannotBegin('No case has such a name: see --list');
  if (values.list) return say(cases.map((one) => `${one.id}${one.slow ? '  (slow)' : ''}`).join('\n'));
  if (!/^[1-9]\d?$/.test(parallel))
    throw new CannotBegin(`--parallel must be a number from 1 to 99, not ${parallel}`);
  const url = values.url.replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CannotBegin(`--url must be an http or https address, not ${values.url}`);
  const accounts = await readAccounts(values.users);

  const interruption = new AbortController();
  const interrupt = (signal: string) => {
    if (interruption.signal.aborted) return;
    say(`${signal}: deleting what was made …`);
    interruption.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupt);

  const since = performance.now();
  const run = await runSuite({
    ...{
      url,
      accounts,
      slow,
      only,
      parallel: Number(parallel),
      receiver: values.receiver,
      signal: interruption.signal,
    },
    onBegin: ({ itemAccess }, { length }, swept) => {
      if (swept > 0) say(`Deleted data left behind by an earlier run: ${swept}.`);
      say(`${length} cases against ${url} (ITEM_ACCESS=${itemAccess}), in registries of their own.`);
    },
    onOutcome: (outcome) => say(lineOf(outcome)),
  });
  say(summaryOf(run, (performance.now() - since) / 1000));
  if (values.junit) await writeFile(values.junit, junitOf(run));
  if (values.json) await writeFile(values.json, jsonOf(run));
  if (run.interrupted) return 130;
  return count(run, 'failed') > 0 || run.left.length > 0 ? 1 : 0;
}

function say(text: string): 0 {
  console.log(text);
  return 0;
}

/** Runs the command, and sets the exit code. */
export async function runConformance(args: string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    // An error with a code comes from a wrong option, or from a receiver or file that can't be opened.
    const isKnown = error instanceof CannotBegin || Object.hasOwn(error as Error, 'code');
    console.error(isKnown ? (error as Error).message : error);
    process.exitCode = 2;
  }
}

if (import.meta.main) await runConformance(process.argv.slice(2));
