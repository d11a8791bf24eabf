import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createClient } from 'trousseau-client';
import { startGate } from '../wordpress/gate.ts';
import { startNginxCache } from '../wordpress/nginx-cache.ts';
import { startWordPress, type WordPress } from '../wordpress/wordpress.ts';
import { type Running, SERVICE, startServer } from './process.ts';

const GIFTS = 30;
const CROWDS = [8, 30, 100];
const WORKERS = 4;
// This pause has the effect of an hour without visitors: the site asks for its lists again, and the service has forgotten
// the registry and the site's account.
const QUIET_MS = 6_000;
const AUTH_CACHE_TTL = '5';
const ALONE = 60;
const KEPT_CROWD = 1000;

type Say = (line: string) => void;
type Options = { sites: readonly SiteKind[]; rounds: number; quick: boolean; say: Say };

export const SITES = ['plain', 'cached', 'paged'] as const;
type SiteKind = (typeof SITES)[number];

/** The result of a crowd: how many pages were complete, and how long the slowest took, in ms. */
type Crowd = { size: number; whole: number; slowest: number };
type Row = { name: string; plain: Crowd[]; registry: Crowd[] };
/** Results of pages requested one at a time: the time to the first byte, and the CPU time of PHP, both in ms. */
type Alone = { firstByte: number[]; processor: number };
type Measured = { title: string; rows: Row[]; plain: Alone; registry: Alone };

/** Measures a crowd at a registry's page and at a plain page of the same WordPress, in every state of the service. */
export async function measureSite({ sites, rounds, quick, say }: Options): Promise<string> {
  // The site, its database and the service share all cores, and the crowd costs little.
  execFileSync('taskset', ['-cp', `0-${cpus().length - 1}`, String(process.pid)], { stdio: 'ignore' });
  const measured: Measured[] = [];
  const parts: string[] = [];
  for (const kind of sites) {
    await using bench = await startSite(kind);
    if (kind === 'paged') parts.push(await measureKept(bench, rounds, quick, say));
    else
      measured.push(
        await measure(bench, rounds, quick ? CROWDS.slice(0, 2) : CROWDS, kind === 'cached', say),
      );
  }
  const machine = [
    `\`npm run bench -- ${process.argv.slice(2).join(' ')}\` on ${new Date().toISOString().slice(0, 10)}:`,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${release()}, WordPress ${version} with ${WORKERS} PHP workers,`,
    `registries of ${GIFTS} gifts, ${rounds} rounds: medians.`,
  ].join('\n');
  const cells = [
    'A cell: whole pages of all; the slowest page to the slowest of as many views of a plain page at the same time of day, and how',
    'much later it was.',
  ].join('\n');
  const about = measured.length ? [`${machine}\n${cells}`] : [machine];
  return [...about, ...measured.map(report), ...parts].join('\n\n');
}

let version = '';

type Bench = Awaited<ReturnType<typeof startSite>>;

async function startSite(kind: SiteKind) {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-bench-site-'));
  const site = await startWordPress({
    workers: WORKERS,
    theme: 'trousseau',
    ...(kind === 'cached' && { objectCache: join(folder, 'cache') }),
    // Page caches store pages compressed: compressing a page for each visitor would cost more than everything else.
    ...(kind === 'paged' && { muPlugin: `ob_start( 'ob_gzhandler' );` }),
  });
  version = site.version;
  const env = {
    HOST_URL: site.url,
    ITEM_ACCESS: 'registry',
    AUTH_CACHE_TTL,
    DATABASE_URL: `sqlite:${folder}/items.db`,
    LOG_LEVEL: 'warn',
  };
  const start = (): Promise<Running> => startServer(SERVICE, { cwd: import.meta.dirname, env });
  let service = await start();
  const gate = await startGate(() => service.url);
  await php(
    site,
    `update_option( 'trousseau_base_url', '${gate.url}' ); update_option( 'trousseau_username', 'admin' );
    update_option( 'trousseau_app_password', '${site.users.admin.password}' ); update_option( 'dev_patience', 1 );`,
  );
  const { alice, bob } = site.users;
  const client = createClient({ env: {}, baseUrl: service.url, username: 'alice', password: alice.password });
  const make = async (title: string, status: 'publish' | 'private') => {
    const meta = { registry_invitees: ['bob'] };
    const { id, permalink } = (await client.registries.create({
      title,
      status,
      meta,
      story: 'How we met.',
    }))!;
    const gifts = Array.from({ length: GIFTS }, (_, n) =>
      client.registries.items.create(id, {
        name: `Gift number ${n}`,
        url: `https://shop.example/gifts/${n}`,
        description: 'In blue or in green, as you like it.',
        price: 49.9,
        quantity_needed: 2,
      }),
    );
    await Promise.all(gifts);
    return { id, url: permalink };
  };
  const open: { id: number; url: string }[] = [];
  for (let n = 0; n < 10; n++) open.push(await make(`Couple ${n}`, 'publish'));
  const closed = await make('Behind a door', 'private');
  // The cookie of a guest who is logged in.
  const cookie = await php(
    site,
    `$expires = time() + DAY_IN_SECONDS; echo LOGGED_IN_COOKIE . '=' . rawurlencode( wp_generate_auth_cookie( ${bob.id}, $expires, 'logged_in' ) );`,
  );
  const due =
    [...open, closed]
      .map(({ id }) => `Trousseau\\Plugin::get( Trousseau\\Platform\\Lock::class )->forget( 'gifts-${id}' );`)
      .join(' ') + CALM;
  return {
    site,
    gate,
    due: () => php(site, due),
    open,
    closed,
    cookie,
    plain: await php(site, `echo get_permalink( get_page_by_path( 'sample-page' ) );`),
    /** Restarts the service, so that it remembers no users, and makes every list due for a refresh. */
    async restart() {
      await service.stop();
      service = await start();
      await php(site, due);
    },
    /** Restarts the service and deletes the site's stored lists, which ordinary visits never do. */
    async lose() {
      await service.stop();
      service = await start();
      const ids = [...open, closed].map(({ id }) => id).join(', ');
      await php(
        site,
        `array_map( array( Trousseau\\Plugin::get( Trousseau\\Service\\GiftCache::class ), 'forget' ), array( ${ids} ) ); ${CALM}`,
      );
    },
    async [Symbol.asyncDispose]() {
      await gate.close();
      await service.stop();
      await site.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Makes the site forget earlier failures of the service.
const CALM = `Trousseau\\Plugin::get( Trousseau\\Platform\\KeptValues::class )->delete( 'trouble' ); Trousseau\\Plugin::get( Trousseau\\Platform\\Lock::class )->forget( 'service' );`;

const php = (site: WordPress, code: string): Promise<string> => site.wp(code);

async function measure(
  bench: Bench,
  rounds: number,
  sizes: number[],
  cached: boolean,
  say: Say,
): Promise<Measured> {
  const { site, gate, open, closed, plain, cookie, due, restart, lose } = bench;
  const one = open[0]!.url;
  const warm = async () => {
    await gate.be('passing');
    await php(site, CALM);
    for (const { url } of open) await whole(url, '');
    await whole(closed.url, cookie);
  };
  const states: { name: string; urls: string[]; cookie?: string; before(): Promise<void> }[] = [
    { name: 'remembered', urls: [one], before: async () => {} },
    { name: 'quiet, nothing remembered', urls: [one], before: () => sleep(QUIET_MS) },
    { name: 'service just started', urls: [one], before: restart },
    { name: 'ten registries, service just started', urls: open.map(({ url }) => url), before: restart },
    {
      name: 'a private one for its guests, quiet',
      urls: [closed.url],
      cookie,
      before: () => sleep(QUIET_MS),
    },
    { name: 'a private one, service just started', urls: [closed.url], cookie, before: restart },
    { name: 'service just started, the site’s lists lost', urls: [one], before: lose },
    { name: 'service stopped', urls: [one], before: () => quietThen('stopped') },
    { name: 'service hanging', urls: [one], before: () => quietThen('hanging') },
  ];
  async function quietThen(mood: 'stopped' | 'hanging') {
    await gate.be(mood);
    await due();
  }

  const rows: Row[] = states.map(({ name }) => ({ name, plain: [], registry: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [place, { name, urls, before, cookie = '' }] of states.entries()) {
      for (const size of sizes) {
        const plainCrowd = await crowd(size, [plain], cookie, isPage);
        await warm();
        await before();
        const registryCrowd = await crowd(size, urls, cookie, isWhole);
        rows[place]!.plain.push(plainCrowd);
        rows[place]!.registry.push(registryCrowd);
        const { whole, slowest } = registryCrowd;
        say(
          `${name}, ${size}: ${whole} whole, ${Math.round(slowest)} ms (plain ${Math.round(plainCrowd.slowest)})`,
        );
      }
    }
  }

  const title = cached ? 'With an object cache' : 'Without an object cache';
  await warm();
  return { title, rows, plain: await alone(site, plain), registry: await alone(site, one) };
}

/** Measures a crowd served by nginx's page cache, at a registry's page and at a plain one in turn. */
async function measureKept(
  { site, open, plain, due }: Bench,
  rounds: number,
  quick: boolean,
  say: Say,
): Promise<string> {
  const size = quick ? 200 : KEPT_CROWD;
  const front = await startNginxCache(site.url);
  try {
    const kept = (url: string) => front.url + new URL(url).pathname;
    const pages = { plain: kept(plain), registry: kept(open[0]!.url) };
    await due();
    await whole(open[0]!.url, '');
    const took: Record<keyof typeof pages, number[][]> = { plain: [], registry: [] };
    const good = { plain: 0, registry: 0 };
    const bytes = { plain: 0, registry: 0 };
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 ? (['registry', 'plain'] as const) : (['plain', 'registry'] as const);
      for (const name of order) {
        const isGood = name === 'plain' ? isPage : isWhole;
        bytes[name] = (await fetched(pages[name])).body.length;
        const views = await Promise.all(Array.from({ length: size }, () => fetched(pages[name])));
        // The pages are checked after the measurement, so that it doesn't include unpacking them.
        good[name] += views.filter(({ body }) => isGood(unpacked(body))).length;
        took[name].push(views.map(({ done }) => done));
      }
      const [ours, theirs] = [took.registry, took.plain].map((of) => percentile(of.at(-1)!, 0.99));
      say(`from a cache, ${size}: p99 ${Math.round(ours!)} ms (plain ${Math.round(theirs!)})`);
    }
    const cell = (name: keyof typeof pages) => {
      const at = (share: number) => Math.round(median(took[name].map((one) => percentile(one, share))));
      return `${Math.round(bytes[name] / 1024)} kB | ${good[name]} of ${size * rounds} | ${at(0.5)} ms | ${at(0.99)} ms`;
    };
    const ratios = took.registry.map(
      (ours, round) => percentile(ours, 0.99) / percentile(took.plain[round]!, 0.99),
    );
    return [
      `**From a page cache (nginx), ${size} at once**`,
      [
        '| | size | whole | half after | p99 |',
        '| --- | --- | --- | --- | --- |',
        `| plain page | ${cell('plain')} |`,
        `| registry | ${cell('registry')} |`,
      ].join('\n'),
      `p99 to the plain page's of the same round: **${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}).`,
    ].join('\n\n');
  } finally {
    await front.close();
  }
}

/** Fetches one compressed page, as browsers do, on a connection of its own. */
function fetched(url: string): Promise<{ body: Buffer; done: number }> {
  const began = performance.now();
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const end = () => resolve({ body: Buffer.concat(parts), done: performance.now() - began });
    const asked = request(url, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', end).on('end', end);
    });
    asked.on('error', end).end();
  });
}

function unpacked(body: Buffer): string {
  try {
    return gunzipSync(body).toString();
  } catch {
    return '';
  }
}

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]!;

async function alone(site: WordPress, url: string): Promise<Alone> {
  const before = processorOf(site);
  const firstByte: number[] = [];
  for (let n = 0; n < ALONE; n++) firstByte.push((await view(url, '')).firstByte);
  return { firstByte, processor: (processorOf(site) - before) / ALONE };
}

/** Returns the CPU time of the site's PHP in milliseconds, without that of other processes. */
function processorOf({ url }: WordPress): number {
  const { host } = new URL(url);
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('php\0')) continue;
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`-S\0${host}\0`)) continue;
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended.
    }
  }
  return ticks * 10;
}

type View = { text: string; firstByte: number; done: number };

/** Fetches one page as a guest's browser does, on a connection of its own. */
function view(url: string, cookie: string): Promise<View> {
  const began = performance.now();
  return new Promise((resolve) => {
    const failed = () => resolve({ text: '', firstByte: 0, done: performance.now() - began });
    const asked = request(url, { agent: false, headers: { cookie } }, (response) => {
      const firstByte = performance.now() - began;
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', failed);
      response.on('end', () => resolve({ text, firstByte, done: performance.now() - began }));
    });
    asked.on('error', failed).end();
  });
}

const isPage = (text: string) => text.includes('</html>');
const isWhole = (text: string) => isPage(text) && text.split('<h3>Gift number ').length - 1 === GIFTS;

async function whole(url: string, cookie: string): Promise<void> {
  for (let left = 50; !isWhole((await view(url, cookie)).text); left--) {
    if (left === 0) throw new Error(`${url} never shows all gifts`);
    await sleep(200);
  }
}

async function crowd(
  size: number,
  urls: string[],
  cookie: string,
  isGood: (text: string) => boolean,
): Promise<Crowd> {
  const views = await Promise.all(
    Array.from({ length: size }, (_, n) => view(urls[n % urls.length]!, cookie)),
  );
  return {
    size,
    whole: views.filter(({ text }) => isGood(text)).length,
    slowest: Math.max(...views.map(({ done }) => done)),
  };
}

function report({ title, rows, plain: page, registry: gifts }: Measured): string {
  const sizes = [...new Set(rows[0]!.plain.map(({ size }) => size))];
  const cells = ({ plain, registry }: Row) =>
    sizes.map((size) => {
      const [ours, theirs] = [registry, plain].map((crowds) => crowds.filter((one) => one.size === size));
      const slowest = median(ours!.map((one) => one.slowest));
      const beside = median(theirs!.map((one) => one.slowest));
      const later = (slowest - beside) / 1000;
      return `${median(ours!.map((one) => one.whole))}; **${(slowest / beside).toFixed(2)}** (${later < 0 ? '−' : '+'}${Math.abs(later).toFixed(2)} s)`;
    });
  const plain = sizes.map((size) => {
    const crowds = rows.flatMap((row) => row.plain.filter((one) => one.size === size));
    return `${(median(crowds.map((one) => one.slowest)) / 1000).toFixed(2)} s`;
  });
  const lines = [
    ['', ...sizes.map((size) => `${size} at once`)],
    ['---', ...sizes.map(() => '---')],
    ['plain page', ...plain],
    ...rows.map((row) => [row.name, ...cells(row)]),
  ];
  const each = ({ firstByte, processor }: Alone) =>
    `${median(firstByte).toFixed(1)} ms, ${processor.toFixed(1)} of a core for PHP`;
  return [
    `**${title}**`,
    lines.map((line) => `| ${line.join(' | ')} |`).join('\n'),
    `One at a time, first byte: a plain page after ${each(page)}; a registry remembered after ${each(gifts)}.`,
  ].join('\n\n');
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
