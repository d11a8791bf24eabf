// Makes hosts, stores and processes fail under a running service, and checks the answers of the service.
import { readArguments, refuse } from '../arguments.ts';
import { backup } from './backup.ts';
import { crashOfPostgres, crashOfService, crashOfWorker } from './crashes.ts';
import { failover } from './failover.ts';
import { fuzz } from './fuzz.ts';
import { hostFaults } from './host.ts';
import { type Part, type Run, Tally } from './kit.ts';
import { postgresFaults } from './postgres.ts';
import { sites } from './sites.ts';
import { soak } from './soak.ts';
import { sqliteFaults } from './sqlite.ts';
import { keepTidy } from './tidy.ts';
import { comesAbout } from './time.ts';

const PARTS: Record<string, Part> = {
  host: hostFaults,
  sqlite: sqliteFaults,
  postgres: postgresFaults,
  'kill-service': crashOfService,
  'kill-worker': crashOfWorker,
  'kill-postgres': crashOfPostgres,
  cluster: failover,
  backup,
  fuzz,
  sites,
  soak,
};
const NAMES = Object.keys(PARTS);

const USAGE = `npm run faults -- [--long] [--seed N] [--kills N] [--only a,b]

  --long    run longer, one part after another (about 20 minutes in all)
  --seed N  repeat the faults of an earlier run
  --kills N kill a cluster's leader N times instead of making other faults
  --only    some of ${NAMES.join(', ')}`;

const usage = (problem: string) => refuse(USAGE, problem);

function readRun(): Run & { only: string[] } {
  const { values } = readArguments(USAGE, {
    options: {
      long: { type: 'boolean', default: false },
      seed: { type: 'string' },
      kills: { type: 'string', default: '0' },
      only: { type: 'string' },
    },
  });
  const only = values.only?.split(',') ?? NAMES;
  const unknown = only.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) usage(`Unknown: ${unknown.join(', ')}.`);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  if (!Number.isSafeInteger(seed) || seed < 0) usage('--seed must be a whole number.');
  const kills = Number(values.kills);
  if (!Number.isSafeInteger(kills) || kills < 0) usage('--kills must be a whole number.');
  return { long: values.long, seed, kills, only };
}

const COLUMNS = ['faults', 'requests', 'writes', 'lost', 'doubled', 'seconds'] as const;

function print(tallies: Map<string, Tally>, command: string): void {
  const rows = [...tallies].map(([name, tally]) => [
    name,
    ...COLUMNS.map((column) => String(Math.round(tally[column]))),
  ]);
  const total = COLUMNS.slice(0, -1).map((column) =>
    String([...tallies.values()].reduce((sum, tally) => sum + tally[column], 0)),
  );
  const lines = [['', ...COLUMNS], ...rows, ['total', ...total, '']];
  console.log(`\n${command}\n`);
  for (const [name = '', ...cells] of lines)
    console.log(name.padEnd(14) + cells.map((cell) => cell.padStart(10)).join(''));
  console.log();
  for (const [name, { notes, repeated, skipped, broken }] of tallies) {
    for (const note of notes) console.log(`${name}: ${note}`);
    if (repeated > 0)
      console.log(`${name}: ${repeated} faults repeated because the machine was too busy to judge them`);
    for (const what of skipped) console.log(`${name}: NOT TRIED ${what}`);
    for (const what of broken.slice(0, 10)) console.log(`${name}: BROKEN ${what}`);
    if (broken.length > 10) console.log(`${name}: BROKEN and ${broken.length - 10} more`);
  }
}

const { only, ...run } = readRun();
const command = `npm run faults -- ${run.long ? '--long ' : ''}--seed ${run.seed}${run.kills ? ` --kills ${run.kills}` : ''}${only === NAMES ? '' : ` --only ${only}`}`;
console.log(command);
const leftBehind = keepTidy();
const tallies = new Map(only.map((name) => [name, new Tally()]));
const work = async (name: string) => {
  const tally = tallies.get(name)!;
  const since = performance.now();
  await tally.look('the harness itself', () => PARTS[name]!(run, tally));
  tally.seconds = (performance.now() - since) / 1000;
  console.log(`${name} took ${Math.round(tally.seconds)} s`);
};
// Parts of a short run mostly wait, so they run together; parts of a long run, and the timed soak, run alone.
const alone = only.filter((name) => run.long || name === 'soak');
await Promise.all(only.filter((name) => !alone.includes(name)).map(work));
for (const name of alone) await work(name);
print(tallies, command);
const isTidy = await comesAbout(() => leftBehind().length === 0, 10_000);
if (!isTidy) console.log(`BROKEN left behind: ${leftBehind().join(', ')}`);
const isWhole = ({ broken, lost, doubled }: Tally) => broken.length + lost + doubled === 0;
process.exitCode = isTidy && [...tallies.values()].every(isWhole) ? 0 : 1;
