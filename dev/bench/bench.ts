// Measures the service against its peers and the bare limit.
//
// candidates.ts lists the servers and their requests; shape.ts and data.ts make the rows, and host.ts a host that answers at
// once; process.ts starts a server, load.ts sends it requests from a process of its own, report.ts writes the tables.
// site.ts, sites.ts and lookups.ts are benchmarks of their own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readArguments } from '../arguments.ts';
import { allOf } from './all-of.ts';
import { requestAt } from './ask.ts';
import {
  type Candidate,
  limitOf,
  PEERS,
  peer,
  ROUTES,
  type Route,
  type RouteResponse,
  type Server,
  TITLES,
  trousseau,
} from './candidates.ts';
import { openRows, type Rows } from './data.ts';
import { GUEST, startHost } from './host.ts';
import type { Count, Job, Outcome } from './load.ts';
import { save } from './plot.ts';
import { ownMemory, stopper } from './process.ts';
import {
  comparison,
  type Measured,
  resultsOf,
  type Series,
  scaling,
  sitesOfOne,
  surroundings,
  turnAbout,
} from './report.ts';
import { shape } from './shape.ts';

const CONNECTIONS = 64;
const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const USERS = [1, 10, 100, 1_000, 10_000];

const USAGE = `npm run bench -- [scale|site|sites] [options]

Without a name, compares the service with its peers and the bare limit, on the same rows.
  scale     the service with ten thousand to ten million rows
  site      a crowd on a site's pages
  sites     one service with many sites

  --quick                    fewer rows, rounds and seconds, to check that it runs
  --save                     write the result file and the plot for docs/performance.md
  --rows N, --rounds N, --seconds N
  --routes a,b               of ${ROUTES.join(', ')}
  --peers a,b                of ${PEERS.join(', ')}
  --database postgres://…    on PostgreSQL instead of SQLite
  --sites plain,cached       which sites the benchmark \`site\` measures`;

const { values, positionals } = readArguments(USAGE, {
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    rows: { type: 'string' },
    routes: { type: 'string' },
    peers: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    database: { type: 'string' },
    sites: { type: 'string' },
  },
});
const { quick } = values;
const routes = named(ROUTES, values.routes, ROUTES);
const peers = named(PEERS, values.peers, quick ? ['express'] : PEERS);
const rounds = number('rounds', quick ? 3 : 7);
const seconds = number('seconds', quick ? 0.7 : 3);
const warmupSeconds = quick ? 0.2 : 0.5;

const method = { connections: CONNECTIONS, rounds, seconds, onPostgres: values.database !== undefined };

const say = (line: string) => console.error(line);

// An interrupted run, even one interrupted twice, still removes its files and databases.
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => reject(new Error('interrupted')));
});
const resources = new AsyncDisposableStack();
try {
  const works = { compare, scale, site, sites: manySites };
  const [work] = named(Object.keys(works) as (keyof typeof works)[], positionals.join(',') || undefined, [
    'compare',
  ]);
  await Promise.race([works[work!](), interrupted]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await resources.disposeAsync();
  process.exit();
}

type Contender = {
  name: string;
  isPeer: boolean;
  server: Server;
  authorizations: string[];
  measured: Measured;
};

/** Compares the service with the bare limit and the peers, on the same rows. */
async function compare(): Promise<void> {
  // With more rows it would forget what users may see of a registry, and the host would be measured.
  const rows = number('rows', quick ? 100_000 : 200_000);
  const sets = resources.use(await openRows(values.database, say));
  const host = resources.use(await startHost(shape(rows).itemsOf));
  const enter = (candidate: Candidate) => started(candidate, sets, rows, host.url);

  const ours = await enter(trousseau('registry'));
  const answers = await samples(ours.server);
  const contenders = [await enter(limitOf(answers)), ours];
  for (const name of peers) {
    const candidate = peer(name, method.onPostgres);
    const contender = await enter(candidate);
    if (candidate.layout) refuseOther(name, answers, await samples(contender.server));
    contenders.push({ ...contender, isPeer: true });
  }

  const pair: Measured[] = [];
  const generator = startGenerator();
  for (const { server } of contenders.slice(1)) await visitRegistries(server, rows);
  for (const route of routes) await measure(generator, route, contenders, true);
  if (routes.includes('claim')) pair.push(...(await claimsBesideCreates(generator, ours)));
  for (const { server, measured } of contenders) measured.memory = ownMemory(server.pid);
  console.log(surroundings({ ...method, rows }));
  console.log(
    comparison(
      contenders.map(({ measured }) => measured),
      routes,
    ),
  );
  if (pair.length > 0) console.log(turnAbout(pair, 'claim'));
  if (values.save) {
    const others = contenders.filter(({ isPeer }) => isPeer);
    const beside = others.map(({ name, measured }): [string, Measured] => [name, measured]);
    save('peers', resultsOf(rows, ours.measured, beside, routes));
  }
}

/** Measures claims and creates of items in turn, so that a disturbance of the machine affects both. */
async function claimsBesideCreates(
  generator: Generator,
  { server, ...ours }: Contender,
): Promise<Measured[]> {
  const pair = (['create', 'claim'] as const).map((route) => ({
    ...ours,
    server: { ...server, asks: { claim: server.asks[route] } } as Server,
    measured: { ...ours.measured, name: TITLES[route], series: {} },
  }));
  await measure(generator, 'claim', pair, false);
  return pair.map(({ measured }) => measured);
}

/** Measures the cost of a request with more rows, and with more users. */
async function scale(): Promise<void> {
  const sets = resources.use(await openRows(values.database, say));
  const most = number('rows', quick ? 100_000 : 10_000_000);
  const contenders: Contender[] = [];
  for (const rows of SIZES.filter((size) => size <= most)) {
    const host = resources.use(await startHost(shape(rows).itemsOf));
    // A crowd of users asks for any item here.
    const contender = await started(trousseau('authenticated'), sets, rows, host.url);
    contender.measured.name = `${rows.toLocaleString('en')} rows`;
    await visitRegistries(contender.server, rows);
    contenders.push(contender);
  }
  const generator = startGenerator();
  const smallest = contenders[0]!;
  const crowds: Contender[] = [];
  for (const users of quick ? USERS.slice(0, 4) : USERS) {
    const authorizations = Array.from({ length: users }, (_, i) => smallest.server.authorization(i + 1));
    await allOf(authorizations, (authorization) => ask(smallest.server, 'item', 0, authorization));
    const measured = { ...smallest.measured, name: `${users.toLocaleString('en')} users`, series: {} };
    crowds.push({ ...smallest, authorizations, measured });
  }
  await measure(generator, 'item', crowds, false);
  for (const route of routes) await measure(generator, route, contenders, false, () => sets.touch());
  console.log(surroundings({ ...method, rows: most }));
  console.log(
    scaling(
      contenders.map(({ measured }) => measured),
      routes,
    ),
  );
  const sizes = contenders.map(({ measured }, n): [string, Measured] => [String(SIZES[n]), measured]);
  if (values.save) save('rows', resultsOf(most, smallest.measured, sizes, routes));
  console.log(
    scaling(
      crowds.map(({ measured }) => measured),
      ['item'],
    ),
  );
}

/** Measures a crowd that opens a registry's page on a real WordPress. */
async function site(): Promise<void> {
  const { measureSite, SITES } = await import('./site.ts');
  const sites = named(SITES, values.sites, SITES);
  console.log(await measureSite({ sites, rounds: number('rounds', 1), quick, say }));
}

/** Measures many sites on one service: how much busy ones slow down a quiet one, and what idle ones cost. */
async function manySites(): Promise<void> {
  const { measureSites } = await import('./sites.ts');
  console.log(sitesOfOne(await measureSites(quick ? 4 : 20, say)));
}

async function started(candidate: Candidate, sets: Rows, rows: number, hostUrl: string): Promise<Contender> {
  const { name, version, layout } = candidate;
  say(`starting ${name}`);
  const databaseUrl = layout ? await sets.copy(rows, layout, name) : '';
  const startMs: number[] = [];
  for (let left = quick || !layout ? 1 : 5; ; left--) {
    const server = await candidate.start({ databaseUrl, hostUrl, rows });
    startMs.push(server.startMs);
    if (left > 1) {
      await server.stop();
      continue;
    }
    resources.defer(() => server.stop());
    const measured: Measured = {
      name,
      version,
      startMs,
      memory: undefined,
      series: {},
    };
    return { name, isPeer: false, server, authorizations: [server.authorization(1)], measured };
  }
}

/**
 * Measures all servers in each round, so that a disturbance affects all; then their latencies at one rate: half of what the
 * better peer reached, or without peers half of one's own.
 */
async function measure(
  generator: Generator,
  route: Route,
  contenders: Contender[],
  withLatency: boolean,
  beforeRound: () => Promise<void> = async () => {},
): Promise<void> {
  const able = contenders.flatMap((contender) => {
    const ask = contender.server.asks[route];
    if (!ask) return [];
    const { server, authorizations, measured, isPeer } = contender;
    const job: Job = {
      url: server.url,
      ask,
      authorizations: ask.user === undefined ? authorizations : [server.authorization(ask.user)],
      connections: CONNECTIONS,
      warmupSeconds,
      seconds,
    };
    const series: Series = { perSecond: [], busy: [], latency: [], rate: 0 };
    measured.series[route] = series;
    return [{ name: measured.name, isPeer, measured, job, series }];
  });
  for (const one of [...able]) {
    try {
      await generator.count({ ...one.job, seconds: quick ? 0.5 : 2 });
    } catch (error) {
      // The figures of the others stay valid if a peer fails.
      if (!one.isPeer) throw error;
      say(`${one.name} is left out: ${(error as Error).message}`);
      able.splice(able.indexOf(one), 1);
      delete one.measured.series[route];
    }
  }
  for (let round = 1; round <= rounds; round++) {
    await beforeRound();
    for (const { job, series } of able) {
      const { perSecond, busy } = await generator.count(job);
      series.perSecond.push(perSecond);
      series.busy.push(busy);
    }
    const figures = able.map(({ name, series }) => `${name} ${Math.round(series.perSecond.at(-1)!)}`);
    say(`${route} ${round}/${rounds}: ${figures.join(', ')}`);
  }
  if (!withLatency) return;
  const half = ({ series }: (typeof able)[number]) =>
    series.perSecond.toSorted((a, b) => a - b)[rounds >> 1]! / 2;
  const peers = able.filter(({ isPeer }) => isPeer).map(half);
  for (const one of able) one.series.rate = peers.length > 0 ? Math.max(...peers) : half(one);
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    for (const { job, series } of able)
      series.latency.push((await generator.count({ ...job, rate: series.rate })).latency);
  }
}

/** Returns one answer of each route, in the order of the routes, with the writes last. */
async function samples(server: Server): Promise<Partial<Record<Route, RouteResponse>>> {
  const answers: Partial<Record<Route, RouteResponse>> = {};
  for (const route of ROUTES) {
    const { user = 1 } = server.asks[route] ?? {};
    if (server.asks[route]) answers[route] = await ask(server, route, 0.5, server.authorization(user));
  }
  return answers;
}

/** Requests the route once, for the id at this position (0 to 1) among all ids. */
async function ask(
  server: Server,
  route: Route,
  place: number,
  authorization: string,
): Promise<RouteResponse> {
  const about = server.asks[route]!;
  const { path, text: body } = requestAt(
    about,
    Math.min(about.among - 1, Math.round(about.among * place)),
    0,
  );
  const response = await fetch(server.url + path, {
    method: about.method,
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${route} answers ${response.status}: ${text}`);
  const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: text };
}

// Candidates with different answers would do different work, and their figures could not be compared.
type Responses = Partial<Record<Route, RouteResponse>>;
function refuseOther(name: string, ours: Responses, theirs: Responses): void {
  const timeless = ({ status, body }: RouteResponse) => [
    status,
    JSON.parse(body, (key, value) => (/^(updated|created)_at$/.test(key) ? typeof value : value)),
  ];
  for (const [route, their] of Object.entries(theirs) as [Route, RouteResponse][]) {
    if (!isDeepStrictEqual(timeless(ours[route]!), timeless(their)))
      throw new Error(`${name} answers ${route} differently:\n${their.body}\n${ours[route]!.body}`);
  }
}

/** Requests every registry once, so that the server remembers the users and the registries before it is measured. */
async function visitRegistries(server: Server, rows: number): Promise<void> {
  const { visited } = shape(rows);
  const places = Array.from({ length: visited }, (_, i) => i / visited);
  for (const user of routes.includes('claim') ? [1, GUEST] : [1])
    await allOf(places, (place) => ask(server, 'registry', place, server.authorization(user)));
}

type Generator = { count(job: Job): Promise<Count> };

function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, 'load.ts'));
  resources.defer(stopper(child));
  const gone = once(child, 'exit').then(() => ({ error: 'the generator is gone' }));
  return {
    async count(job) {
      child.send(job);
      const message = once(child, 'message').then(([outcome]) => outcome as Outcome);
      const outcome = await Promise.race([message, gone]);
      if ('error' in outcome)
        throw new Error(`${job.ask.method} ${job.url}${job.ask.path}: ${outcome.error}`);
      return outcome;
    },
  };
}

function number(name: 'rows' | 'rounds' | 'seconds', usual: number): number {
  const value = Number(values[name] ?? usual);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}

function named<T extends string>(all: readonly T[], wanted: string | undefined, usual: readonly T[]): T[] {
  if (wanted === undefined) return [...usual];
  const names = wanted.split(',').filter((name) => name && name !== 'none') as T[];
  const unknown = names.find((name) => !all.includes(name));
  if (unknown) throw new Error(`${unknown} is none of ${all.join(', ')}`);
  return names;
}
