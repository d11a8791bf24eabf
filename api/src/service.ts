import cluster from 'node:cluster';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { type EmbeddedHost, startEmbeddedHost } from '../emulator/server.ts';
import apiPackage from '../package.json' with { type: 'json' };
import { buildApp, type Clock } from './app.ts';
import type { Config } from './config.ts';
import { wordpress } from './host/wordpress.ts';
import type { Write } from './store/database.ts';
import { openDatabase } from './store/open.ts';

export type Service = { url: string; embeddedHost: EmbeddedHost | undefined; close(): Promise<void> };

type Host = { url: string; embedded: EmbeddedHost | undefined; close(): Promise<void> };

const systemClock: Clock = { wall: () => Date.now(), steady: () => performance.now() };

type Options = { clock?: Clock; write?: Write };

/**
 * Starts everything that the settings ask for; stops what it had begun if something cannot start. `write` is
 * another process's way to write to the store, where this one shall not.
 */
export async function startService(config: Config, log: Logger, options: Options = {}): Promise<Service> {
  const { clock = systemClock, write } = options;
  const started: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    const database = await openDatabase(config.databaseUrl, write);
    started.push(() => database.close());

    const site = await startHost(config);
    started.push(site.close);

    const host = wordpress(site.url);
    started.push(() => host.close());

    const app = await buildApp({ config, database, host, log, clock, version: apiPackage.version });
    started.push(() => app.close());
    const url = await listen(app, config);
    if (config.metricsPort !== undefined && cluster.isPrimary) {
      const { serveMetrics } = await import('./metrics.ts');
      const metrics = await serveMetrics(config.metricsPort, config.listenAddress);
      started.push(metrics.close);
    }
    return { url, embeddedHost: site.embedded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listen(
  app: Awaited<ReturnType<typeof buildApp>>,
  { port, listenAddress }: Config,
): Promise<string> {
  try {
    return await app.listen({ port, host: listenAddress });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${listenAddress} is taken: stop what uses it, or set PORT to another`,
      EACCES: `Port ${port} needs rights that this process lacks: set PORT to 1024 or more`,
      EADDRNOTAVAIL: `${listenAddress} is no address of this machine: set LISTEN_ADDRESS to one`,
      ENOTFOUND: `${listenAddress} is no address of this machine: set LISTEN_ADDRESS to one`,
    };
    throw code && reason[code] ? new Error(reason[code], { cause: error }) : error;
  }
}

/** The host that the settings name, or else the embedded one, which keeps its data beside the items. */
export async function startHost(config: Config): Promise<Host> {
  const { hostUrl, databaseUrl, registryPostType, registryMetaPrefix } = config;
  if (hostUrl !== undefined) return { url: hostUrl, embedded: undefined, close: async () => {} };
  const path = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : 'data/trousseau.db';
  const file = path === ':memory:' ? path : join(dirname(path), 'embedded-host.db');
  if (file !== path && !existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  const embedded = await startEmbeddedHost({
    file,
    postType: registryPostType,
    metaPrefix: registryMetaPrefix,
  });
  return { url: embedded.url, embedded, close: () => embedded.close() };
}
