import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import type { Deliveries } from '../background/webhook-dispatcher.ts';
import { bounded } from '../lib/cache.ts';
import type { AllCounters } from './counters.ts';

// How many sites the metrics name, and how often these are chosen.
const NAMED = 20;
const CHOSEN_EVERY_MS = 60_000;

/** Counts the requests of the busiest sites by key, and of all others together. */
export function collectSiteMetrics(app: FastifyInstance): void {
  let named = new Set<string>();
  let chosenAt = performance.now();
  const recent = bounded<string, number>(10_000);
  const requests = new Counter({
    name: 'trousseau_site_requests_total',
    help: 'Requests of the busiest sites and of all others, by outcome',
    labelNames: ['site', 'outcome'],
    // A site that becomes one of the busiest is counted by its key from then on; what was counted as the rest stays there.
    collect() {
      if (performance.now() - chosenAt < CHOSEN_EVERY_MS) return;
      chosenAt = performance.now();
      const byTraffic = [...recent.entries()].sort(([, one], [, other]) => other - one).map(([key]) => key);
      const busiest = new Set([...new Set([...byTraffic, ...named])].slice(0, NAMED));
      recent.clear();
      for (const site of named)
        if (!busiest.has(site))
          for (const outcome of ['answered', 'refused', 'failed']) this.remove({ site, outcome });
      named = busiest;
    },
  });
  app.addHook('onResponse', ({ site: { key } = {} }, { statusCode }, done) => {
    if (key === undefined) return done();
    const outcome =
      statusCode === 429 || statusCode === 503 ? 'refused' : statusCode >= 500 ? 'failed' : 'answered';
    recent.set(key, (recent.get(key) ?? 0) + 1);
    if (named.size < NAMED) named.add(key);
    requests.inc({ site: named.has(key) ? key : 'rest', outcome });
    done();
  });
}

/** Counts requests, and reads on every scrape what the parts have counted. */
export function collectMetrics(app: FastifyInstance, { host, users, claims, store }: AllCounters): void {
  register.clear();
  collectDefaultMetrics();
  // Creating it lets this worker answer when the primary process gathers the metrics of all workers.
  if (cluster.isWorker) new AggregatorRegistry();
  const seconds = new Histogram({
    name: 'trousseau_request_seconds',
    help: 'Time to answer a request, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'none' } = request.routeOptions;
    seconds.observe(
      { route: url, method: request.method, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });

  const hostRequests = () => ({ answered: host.answered, failed: host.failed });
  counter('host_requests_total', 'Requests to the registry host', 'outcome', hostRequests);
  gauge('host_requests_running', 'Requests to the registry host that run or wait', () => host.running);
  const cachedUsers = () => ({ hit: users.hits, miss: users.misses });
  counter('users_cache_total', 'Look-ups of cached users', 'result', cachedUsers);
  gauge('store_statements_pending', 'Statements to the store that run or wait', () => store.pending);
  counter('claims_made_total', 'Claims, by the state they were made in', 'state', () => claims.made);
}

/** The same for jobs and webhooks, in the process that runs them; the number that waits is read from the store. */
export function collectJobMetrics(expired: Record<string, number>, { counters, waiting }: Deliveries): void {
  const help = 'Claims whose time was over when the job came by, by the state they were in';
  counter('claims_expired_total', help, 'state', () => expired);
  const attempts = 'Attempts to bring an event to a webhook, by outcome';
  counter('webhook_attempts_total', attempts, 'outcome', () => counters);
  const left = 'Events that webhooks are still to get';
  gauge('webhook_deliveries_waiting', left, async () => (await waiting()).count);
  const age = 'Age of the oldest event that a webhook is still to get';
  gauge('webhook_oldest_waiting_seconds', age, async () => (await waiting()).age / 1000);
}

function counter(name: string, help: string, label: string, read: () => Record<string, number>): void {
  new Counter({
    name: `trousseau_${name}`,
    help,
    labelNames: [label],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name: `trousseau_${name}`,
    help,
    async collect() {
      // If the store can't be read, only its own figures are missing (NaN), not the whole page.
      this.set(await Promise.resolve(read()).catch(() => Number.NaN));
    },
  });
}

/** Serves `/metrics` on a port of its own: of this process and, where it has workers, of all these together. */
export async function serveMetrics(port: number, host: string): Promise<{ close(): Promise<void> }> {
  const workers = Object.keys(cluster.workers ?? {}).length > 0 ? new AggregatorRegistry() : undefined;
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const texts = [...(workers ? [await workers.clusterMetrics()] : []), await register.metrics()];
      response.writeHead(200, { 'content-type': register.contentType }).end(texts.join('\n'));
    } catch {
      response.writeHead(503).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
