// `npm run conformance`: the contract as a suite, against any deployment and any implementation.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CannotBegin, readAccounts } from './accounts.ts';
import { count, jsonOf, junitOf, lineOf, summaryOf } from './report.ts';
import { chosen, runSuite } from './suite.ts';

// The package holds JavaScript.
const CALL = import.meta.filename.endsWith('.js') ? 'npx trousseau conformance' : 'npm run conformance --';

const HELP = `${CALL} [options]

  --url ADDRESS    the service; http://127.0.0.1:8000 unless said, where it listens by default
  --users FILE     JSON with the accounts: conformance/users.example.json is one, and what is used unless said
  --quick          leave out the cases that wait for a minute
  --only TEXT      only cases whose name holds this text; may be given several times
  --parallel N     how many cases run at the same time; 8 unless said
  --receiver H:P   host and port of this machine to which the service may send webhooks (LOOKUP_ALLOW)
  --junit FILE     write the outcome as JUnit's XML
  --json FILE      write the outcome as JSON
  --list           name the cases, and ask nobody

It works in registries of its own, deletes them, and touches nothing else.
Ends with 0 when all cases passed, 1 when one failed or something was left behind, 2 when it could not begin,
130 when it was interrupted.`;

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
  if (cases.length === 0) throw new CannotBegin('No case has such a name: --list names them all');
  if (values.list) return say(cases.map((one) => `${one.id}${one.slow ? '  (slow)' : ''}`).join('\n'));
  if (!/^[1-9]\d?$/.test(parallel))
    throw new CannotBegin(`--parallel is a number from 1 to 99, not ${parallel}`);
  const url = values.url.replace(/\/+$/, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CannotBegin(`--url is an http or https address, not ${values.url}`);
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
      if (swept > 0) say(`Deleted what an earlier run had left: ${swept}.`);
      say(`${length} cases against ${url} (ITEM_ACCESS=${itemAccess}), in registries of their own alone.`);
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

/** The command, whose outcome is the exit code. */
export async function runConformance(args: string[]): Promise<void> {
  try {
    process.exitCode = await main(args);
  } catch (error) {
    const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof CannotBegin)) throw error;
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

if (import.meta.main) await runConformance(process.argv.slice(2));
