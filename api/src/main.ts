import cluster from 'node:cluster';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import pino from 'pino';
import type { Service } from './app/service.ts';
import { readConfig } from './config.ts';
import { IS_PACKAGE } from './lib/invocation.ts';

const GRACE_MS = 10_000;

// Disables allocation-site pretenuring, which sometimes takes a request's objects for long-lived ones: 9 of 120 processes
// under load became a third slower for good and paused for 20 ms again and again, none of 130 without it.
setFlagsFromString('--no-allocation-site-pretenuring');

// Compiled code makes a start a quarter faster. It is stored next to the packages, writable only for those who may change the
// code itself. On a read-only disk every start compiles.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/trousseau'));
const { startService } = await import('./app/service.ts');

try {
  await main();
} catch (error) {
  // One readable message; the whole story is for those who ask for it.
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  // A worker's channel to its supervisor would keep it alive.
  process.exit((error as { exitCode?: number } | undefined)?.exitCode ?? 1);
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const base = { service: 'trousseau-api', pid: process.pid };
  // Lines are at most a tenth of a second late. If nobody reads the log, lines beyond `maxLength` are dropped instead of
  // holding up the service. Pieces aren't small, since each wakes a thread, nor large: each line measures its whole piece anew.
  const lines = pino.destination({
    sync: false,
    minLength: 12 * 1024,
    maxWrite: 16 * 1024,
    periodicFlush: 100,
    maxLength: 16 * 1024 * 1024,
  });
  // A full disk or a closed terminal mustn't end the service, nor keep it from ending by flushing for ever.
  lines.on('error', () => {
    lines.flushSync = () => {};
  });
  const log = pino({ level: config.logLevel, base, timestamp: pino.stdTimeFunctions.isoTime }, lines);

  const workers = config.workers > 1 ? await import('./app/workers.ts') : undefined;
  let service: Service | undefined;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // Nothing is served yet, so nothing is to be finished.
    if (!service) process.exit(1);
    log.info('stopping');
    const late = setTimeout(() => {
      log.error('not stopped in time');
      process.exit(1);
    }, GRACE_MS);
    try {
      await service.close();
      log.info('stopped');
    } catch (error) {
      log.error({ err: error }, 'not stopped cleanly');
      process.exitCode = 1;
    }
    clearTimeout(late);
    worker?.disconnect();
  };
  const worker = cluster.isWorker ? workers?.connectToPrimary(stop) : undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      // Terminals and service managers signal every process, but the primary process tells the workers to stop.
      if (worker) return;
      if (stopping) process.exit(1);
      void stop();
    });

  service = await (workers && !worker
    ? workers.startWorkers(config, log)
    : startService(config, log, worker));
  if (service.embeddedHost) process.stderr.write(banner(service));
}

function banner({ url, embeddedHost }: Service): string {
  const { users, url: hostUrl } = embeddedHost!;
  const password = (name: string) =>
    users.find(({ username }) => username === name)?.password.replaceAll(' ', '');
  const accounts = users.map(
    (user) => `    ${user.username.padEnd(8)} ${user.password}   ${user.roles.join(', ')}`,
  );
  return `
  Trousseau is ready at ${url} (to try it in a browser: ${url}/docs)

  Registries are kept by the embedded host at ${hostUrl}. It is for development only:
  its passwords are printed below. In production set HOST_URL to your WordPress site.
${IS_PACKAGE ? '' : '  To see all of it, with WordPress and its pages: npm run site\n'}
    user     application password            role
${accounts.join('\n')}

  Try:
    curl -u alice:${password('alice')} ${url}/registries
    curl -u alice:${password('alice')} ${url}/registries -H 'content-type: application/json' -d '{"title":"Ann & Bob"}'
    curl -u bob:${password('bob')} ${url}/items

`;
}
