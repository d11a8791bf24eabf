import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

/** Counters that the parts of the service keep. */
export type Counters = {
  host: { running: number; answered: number; failed: number };
  users: { hits: number; misses: number };
  registries: { hits: number; misses: number };
  store: { pending: number };
  claims: { made: Record<string, number>; refused: Record<string, number> };
  lookups?: { asked: number; fetched: number; tooMany: number; answered: Record<string, number> } | undefined;
};

/** Counts requests, and reads on every scrape what the parts have counted. */
export function collectMetrics(app: FastifyInstance, counters: Counters): void {
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

  const { host, store, lookups, claims } = counters;
  counter('trousseau_host_requests_total', 'Requests to the registry host', 'outcome', () => ({
    answered: host.answered,
    failed: host.failed,
  }));
  gauge(
    'trousseau_host_requests_running',
    'Requests to the registry host that run or wait',
    () => host.running,
  );
  for (const cache of ['users', 'registries'] as const) {
    counter(`trousseau_${cache}_cache_total`, `Look-ups of cached ${cache}`, 'result', () => ({
      hit: counters[cache].hits,
      miss: counters[cache].misses,
    }));
  }
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
  counter(
    'trousseau_claims_refused_total',
    'Claims, and more pieces of one, that were refused, by reason',
    'reason',
    () => claims.refused,
  );
  if (!lookups) return;
  counter('trousseau_lookups_asked_total', "Look-ups of shops' pages that were asked for", 'result', () => ({
    remembered: lookups.asked - lookups.fetched,
    fetched: lookups.fetched,
    refused: lookups.tooMany,
  }));
  counter(
    'trousseau_lookups_answered_total',
    'Answers to these, by problem',
    'problem',
    () => lookups.answered,
  );
}

/** The same for what happens by itself, in the process in which it happens: no other counts any of this. */
export function collectJobMetrics({ expired }: { expired: Record<string, number> }): void {
  counter(
    'trousseau_claims_expired_total',
    'Claims whose time was over when the job came by, by the state they were in',
    'state',
    () => expired,
  );
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
