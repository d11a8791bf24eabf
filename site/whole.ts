// Starts all of Trousseau on one machine: a WordPress with plugin and theme, the service in this process, both joined, a
// page for the emails, and sample lists.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startService } from '../api/src/app/service.ts';
import { readConfig } from '../api/src/config.ts';
import { startCleanup } from '../dev/wordpress/cleanup.ts';
import { startWordPress, type WordPress, type WordPressOptions } from '../dev/wordpress/wordpress.ts';
import { startMailPage } from './mail.ts';
import { fillSample, type Sample } from './sample.ts';

const CLOCK_MS = 30_000;

/** The ports of a site, its emails and its service: the same at each start, so that addresses last. */
export const portsOf = (port: number) => [port, (port + 1000) % 65_536, (port + 3000) % 65_536] as const;

/** WebAssembly PHP on a busy machine may take many times as long as ordinary PHP. */
const HOST_MS = 60_000;

export interface Site extends Sample {
  url: string;
  /** The service's address. */
  service: string;
  /** The address of the page with the emails. */
  mails: string;
  wordpress: WordPress;
  stop(): Promise<void>;
}

export interface SiteOptions extends WordPressOptions {
  /** Called for each step. */
  say(step: string): void;
}

const MARK = '.trousseau-site';
const STORE = 'items.db';

/**
 * Reports whether a site was begun in this folder, which then has no other files. Throws if the site belongs
 * to another port, where it may be running.
 */
export function isSite(folder: string, port = 0): boolean {
  const mark = join(folder, MARK);
  if (!existsSync(mark)) return [STORE, 'sample.json'].every((name) => existsSync(join(folder, name)));
  const own = readFileSync(mark, 'utf8');
  if (own === '' || own === `${port}`) return true;
  throw new Error(`${folder} has the site of port ${own}: start it with --port ${own}`);
}

/** Starts the site. With a `folder`, it is stored there for the next start; without one, it is removed at the end. */
export async function startSite({ say, ...options }: SiteOptions): Promise<Site> {
  await using begun = new AsyncDisposableStack();
  const folder = options.folder ?? temporaryFolder(begun);
  const done = join(folder, 'sample.json');
  if (existsSync(folder) && readdirSync(folder).length > 0 && !isSite(folder, options.port))
    throw new Error(`${folder} has other files in it: name an empty folder with --folder`);
  // An unfinished site is recreated.
  if (!existsSync(done)) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MARK), `${options.port ?? 0}`);
  const mail = options.mail ?? join(folder, 'mail');

  say('Starting WordPress');
  const wordpress = await startWordPress({
    theme: 'trousseau',
    fresh: true,
    external: true,
    // Hides what WordPress would say about this machine, its log and missing updates, which aren't faults of the site.
    muPlugins: ['own-checks'],
    ...options,
    say,
    mail,
  });
  begun.defer(() => wordpress.stop());
  const [, mailPort, servicePort] = options.port ? portsOf(options.port) : [0, 0, 0];
  const service = await startService(
    readConfig({
      PORT: String(servicePort),
      HOST_URL: wordpress.url,
      DATABASE_URL: `sqlite:${join(folder, STORE)}`,
      ITEM_ACCESS: 'registry',
      ADMIN_ROLES: 'administrator,trousseau_service',
    }),
    pino({ level: 'info' }, pino.destination(join(folder, 'service.log'))),
    { limits: { host: { totalMs: HOST_MS } } },
  );
  begun.defer(() => service.close());
  say('Joining WordPress and the service');
  await wordpress.call('join_service', service.url);

  if (!existsSync(done)) {
    say('Making the sample');
    const made = await fillSample(wordpress, service.url, say);
    writeFileSync(`${done}.part`, JSON.stringify(made));
    renameSync(`${done}.part`, done);
  }
  // Runs WordPress's cron, which no visitor starts here: due emails, pictures from shops.
  const tick = () => fetch(`${wordpress.url}/wp-cron.php`);
  const clock = setInterval(() => tick().catch(() => {}), CLOCK_MS);
  begun.defer(async () => clearInterval(clock));
  const mails = await startMailPage(mail, mailPort, tick);
  begun.defer(() => mails.stop());
  const sample = JSON.parse(readFileSync(done, 'utf8')) as Sample;
  const running = begun.move();
  return {
    ...sample,
    url: wordpress.url,
    service: service.url,
    mails: mails.url,
    wordpress,
    stop: () => running.disposeAsync(),
  };
}

function temporaryFolder(begun: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'trousseau-site-'));
  const cleanup = startCleanup();
  cleanup.atEnd('rm', '-rf', folder);
  begun.defer(() => cleanup.run());
  return folder;
}
