import { statfsSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { type Route, TITLES } from './candidates.ts';
import { CACHE } from './data.ts';
import type { Count } from './load.ts';
import type { Results } from './plot.ts';
import { pinned } from './process.ts';
import type { SitesMeasured } from './sites.ts';

/** The counts of one route, round by round. */
export type Series = { perSecond: number[]; busy: number[]; latency: Count['latency'][]; rate: number };

export type Measured = {
  name: string;
  version: string;
  startMs: number[];
  /** In MB. */
  memory: number | undefined;
  series: Partial<Record<Route, Series>>;
};

const TMPFS = 0x01021994;

type Method = { rows: number; connections: number; rounds: number; seconds: number; onPostgres: boolean };

/** Describes the machine and the settings of the run. */
export function surroundings({ rows, connections, rounds, seconds, onPostgres }: Method): string {
  const lines = [
    ...machine(onPostgres ? 'PostgreSQL' : `SQLite ${process.versions.sqlite}`),
    `up to ${whole(rows)} rows, ${connections} connections, ${rounds} alternated rounds of ${seconds} s: **median**`,
    `(least–most). ${pinned ? 'Servers on one core, generator on another.' : 'Servers and generator share their cores.'}`,
  ];
  if (!onPostgres && statfsSync(CACHE).type === TMPFS)
    lines.push(
      'The rows are in memory (tmpfs): durable writes cost nothing there. Set TMPDIR to a folder on a disk.',
    );
  return `\n${lines.join('\n')}`;
}

function machine(store: string): string[] {
  const { versions, platform, argv } = process;
  return [
    `\`npm run bench -- ${argv.slice(2).join(' ')}\` on ${new Date().toISOString().slice(0, 10)}:`,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${platform} ${release()}, Node ${versions.node}, ${store};`,
  ];
}

/** Returns the table of throughput: the first of `measured` is the limit, the second the service, the others its peers. */
export function comparison(measured: Measured[], routes: readonly Route[]): string {
  const [limit, ours, ...peers] = measured as [Measured, Measured, ...Measured[]];
  const perRoute = (cell: (route: Route) => string) => routes.map(cell);
  const titles = routes.map((route) => TITLES[route]);

  const speed = table('Requests per second', titles, measured, (each) =>
    perRoute((route) => spread(each.series[route]?.perSecond, whole)),
  );
  const toLimit = table('To the bare limit', titles, [ours, ...peers], (each) =>
    perRoute((route) => spread(ratios(each, limit, route), twoDigits)),
  );
  const toPeer = table('Trousseau to the peer', titles, peers, (each) =>
    perRoute((route) => spread(ratios(ours, each, route), twoDigits)),
  );
  const latency = table(
    "Latency at half of the better peer's requests per second (without peers, of one's own): p50 / p99 / p99.9 ms",
    titles,
    measured,
    (each) => perRoute((route) => latencies(each.series[route])),
  );
  const processes = table(
    'Process',
    ['start to first answer, ms', 'memory of its own after all, MB', 'version'],
    measured,
    (each) => [
      spread(each.startMs, whole),
      each.memory === undefined ? '–' : whole(each.memory),
      each.version,
    ],
  );
  const notes = generatorBound(measured, routes);
  return [speed, toLimit, ...(peers.length > 0 ? [toPeer] : []), latency, processes, ...notes].join('\n');
}

/** Returns the run as a result file: under each server's name, the ratios of the first server to that one, route by route. */
export function resultsOf(
  rows: number,
  first: Measured,
  others: [name: string, measured: Measured][],
  routes: readonly Route[],
): Results {
  const ratiosTo = (other: Measured): Results['ratios'][string] =>
    Object.fromEntries(
      routes.flatMap((route) => {
        const values = ratios(first, other, route);
        if (!values || values.length === 0) return [];
        return [[route, [median(values), Math.min(...values), Math.max(...values)].map(rounded)]];
      }),
    );
  return {
    date: new Date().toISOString().slice(0, 10),
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`,
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
    rows,
    ratios: Object.fromEntries(others.map(([name, measured]) => [name, ratiosTo(measured)])),
  };
}

/** Returns the table of the cost of a request, as a ratio to the first of `measured`. */
export function scaling(measured: Measured[], routes: readonly Route[]): string {
  const titles = routes.map((route) => TITLES[route]);
  const smallest = measured[0]!;
  return [
    table('Requests per second', titles, measured, (each) =>
      routes.map((route) => spread(each.series[route]?.perSecond, whole)),
    ),
    table('Cost of a request, to the smallest', titles, measured, (each) =>
      routes.map((route) => spread(ratios(smallest, each, route), twoDigits)),
    ),
    ...generatorBound(measured, routes),
  ].join('\n');
}

/** Returns the table of routes of one server that were measured in turn, each as a ratio to the first. */
export function turnAbout(measured: Measured[], route: Route): string {
  const [first, ...others] = measured as [Measured, ...Measured[]];
  return table(
    'In turn, on the same store',
    ['requests per second', `to ${first.name}`],
    measured,
    (each) => [
      spread(each.series[route]?.perSecond, whole),
      others.includes(each) ? spread(ratios(each, first, route), twoDigits) : '1.00',
    ],
  );
}

// For the calculated cost: a machine at this price under half load, and sites as busy as that of a popular registry.
const MACHINE_EUROS = 10;
const REQUESTS_A_MONTH = 100_000;

/** Returns the tables of a quiet site next to busy ones, of idle sites, and a site's calculated cost. */
export function sitesOfOne({ besides, sizes }: SitesMeasured): string {
  const flood = Math.max(...besides.map(({ others }) => others));
  const carried = Math.floor(((flood / 2) * 86_400 * 30) / REQUESTS_A_MONTH);
  return [
    ...['', ...machine('SQLite'), ''],
    '| A quiet site | p50 ms | p99 ms | other answers per second |',
    '| --- | --- | --- | --- |',
    ...besides.map(
      ({ name, p50, p99, others }) =>
        `| ${name} | ${milliseconds(p50)} | ${milliseconds(p99)} | ${whole(others)} |`,
    ),
    '',
    '| Sites, all idle but one | start ms | own memory MB |',
    '| --- | --- | --- |',
    ...sizes.map(
      ({ sites, startMs, memory }) =>
        `| ${whole(sites)} | ${whole(startMs)} | ${memory === undefined ? '–' : whole(memory)} |`,
    ),
    '',
    `On paper: ${whole(flood)} answers a second, used to a half, are ${whole(carried)} sites of ` +
      `${whole(REQUESTS_A_MONTH)} requests a month; a machine of ${MACHINE_EUROS} € makes that ` +
      `${((100 * MACHINE_EUROS) / carried).toFixed(3)} cents a site and month.`,
  ].join('\n');
}

/** Returns ratios per round, because a disturbance of the machine usually affects both servers of a round. */
function ratios(a: Measured, b: Measured, route: Route): number[] | undefined {
  const [of, to] = [a.series[route]?.perSecond, b.series[route]?.perSecond];
  return of && to && of.map((value, round) => value / to[round]!);
}

function latencies(series: Series | undefined): string {
  if (!series || series.latency.length === 0) return '–';
  const figure = (name: keyof Count['latency']) =>
    milliseconds(median(series.latency.map((each) => each[name])));
  return `${figure('p50')} / ${figure('p99')} / ${figure('p999')} at ${whole(series.rate)}`;
}

// A generator that was always busy may have been the bottleneck: the server might have done more.
const generatorBound = (measured: Measured[], routes: readonly Route[]): string[] =>
  measured.flatMap(({ name, series }) =>
    routes
      .filter((route) => series[route] && median(series[route].busy) > 0.97)
      .map((route) => `The generator was the limit: ${name}, ${TITLES[route]}.`),
  );

function table(
  title: string,
  columns: string[],
  rows: Measured[],
  cells: (row: Measured) => string[],
): string {
  const lines = [
    ['', ...columns],
    ['---', ...columns.map(() => '---')],
    ...rows.map((row) => [row.name, ...cells(row)]),
  ];
  return `\n**${title}**\n\n${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}`;
}

function spread(values: number[] | undefined, format: (value: number) => string): string {
  if (!values || values.length === 0) return '–';
  if (values.length === 1) return format(values[0]!);
  return `**${format(median(values))}** (${format(Math.min(...values))}–${format(Math.max(...values))})`;
}

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const milliseconds = (value: number) => value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
const whole = (value: number) => Math.round(value).toLocaleString('en');
const twoDigits = (value: number) => value.toFixed(2);
const rounded = (value: number) => Number(twoDigits(value));
