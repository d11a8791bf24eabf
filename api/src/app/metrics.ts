import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import type { Deliveries } from '../background/webhook-dispatcher.ts';
import { bounded } from '../lib/cache.ts';
import type { AllCounters } from './counters.ts';

// Sites with a name in the metrics, and how often these are chosen.
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
    // A site that becomes one of the busiest is counted by its key from then on, so that no count ever falls.
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
  // Its making is what lets this worker answer when the others' metrics are gathered.
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

  counter('trousseau_host_requests_total', 'Requests to the registry host', 'outcome', () => ({
    answered: host.answered,
    failed: host.failed,
  }));
  gauge(
    'trousseau_host_requests_running',
    'Requests to the registry host that run or wait',
    () => host.running,
  );
  counter('trousseau_users_cache_total', 'Look-ups of cached users', 'result', () => ({
    hit: users.hits,
    miss: users.misses,
  }));
  gauge(
    'trousseau_store_statements_pending',
    'Statements to the store that run or wait',
    () => store.pending,
  );
  counter(
    'trousseau_claims_made_total',
    'Claims, by the state they were made in',
    'state',
    () => claims.made,
  );
}

/** Like the above for background work, counted in the process that does it and in no other. */
export function collectJobMetrics({ expired }: { expired: Record<string, number> }): void {
  counter(
    'trousseau_claims_expired_total',
    'Claims whose time was over when the job came by, by the state they were in',
    'state',
    () => expired,
  );
}

/** Like the above for webhook deliveries; the number that waits is read from the store. */
export function collectDeliveryMetrics({ counters, waiting }: Deliveries): void {
  counter(
    'trousseau_webhook_attempts_total',
    'Attempts to bring an event to a webhook, by outcome',
    'outcome',
    () => {
      const { delivered, failed, givenUp } = counters;
      return { delivered, failed, given_up: givenUp };
    },
  );
  new Gauge({
    name: 'trousseau_webhook_deliveries_waiting',
    help: 'Events that webhooks are still to get',
    async collect() {
      this.set((await waiting()).count);
    },
  });
  new Gauge({
    name: 'trousseau_webhook_oldest_waiting_seconds',
    help: 'Age of the oldest of these',
    async collect() {
      this.set((await waiting()).age / 1000);
    },
  });
}

function counter(name: string, help: string, label: string, read: () => Record<string, number>): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
    },
  });
}

function gauge(name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    collect() {
      this.set(read());
    },
  });
}

/** Serves `/metrics` on a port of its own: of this process, or of all workers together. */
export async function serveMetrics(port: number, host: string): Promise<{ close(): Promise<void> }> {
  const workers =
    cluster.isPrimary && Object.keys(cluster.workers ?? {}).length > 0 ? new AggregatorRegistry() : undefined;
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
