import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { FORMATS } from '../contract/formats.ts';
import * as contract from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import type { JoinRules } from '../domain/joining.ts';
import { affiliate } from '../http/affiliate.ts';
import { requireApiKey, signIn } from '../http/auth.ts';
import { claim } from '../http/claims.ts';
import { documentRoutes } from '../http/docs.ts';
import { answerBrokenRequest, answerError, requestId } from '../http/errors.ts';
import { event } from '../http/events.ts';
import { invitee } from '../http/invitees.ts';
import { item } from '../http/items.ts';
import { acceptJsonOnly } from '../http/json-body.ts';
import { RequestLog } from '../http/log.ts';
import { lookup } from '../http/lookups.ts';
import { type PressureLimits, refuseUnderPressure } from '../http/pressure.ts';
import { parseQuery } from '../http/query.ts';
import { registry } from '../http/registries.ts';
import { registryItem } from '../http/registry-items.ts';
import { routesOf } from '../http/routes.ts';
import { type ManySites, type Site, siteHooks } from '../http/site.ts';
import { stripSiteKey } from '../http/site-key.ts';
import { statusRoute } from '../http/status.ts';
import { limitStoreTime } from '../http/store-time.ts';
import { takeTurns } from '../http/turns.ts';
import { explainUnrouted } from '../http/unrouted.ts';
import { questionKey, user } from '../http/users.ts';
import { validatorsWhenUsed } from '../http/validators.ts';
import { webhook } from '../http/webhooks.ts';
import type { Clock } from '../lib/clock.ts';
import type { AllCounters } from './counters.ts';

/** How long senders may take, in milliseconds: for the head and for the whole request, and how often that is checked. */
export type SenderLimits = { headMs: number; requestMs: number; lookEveryMs: number };

const SENDER_LIMITS: SenderLimits = { headMs: 15_000, requestMs: 30_000, lookEveryMs: 5_000 };

export type HttpLimits = { senders?: SenderLimits; pressure?: Partial<PressureLimits> };

export type Parts = {
  config: Config;
  /** The one site of a service, or those under `/sites/KEY`. */
  sites: { only: Site } | { many: ManySites; joining?: JoinRules | undefined };
  counters: AllCounters;
  log: Logger;
  clock: Clock;
  version: string;
  limits?: HttpLimits | undefined;
};

const { Welcome, Health, ref } = contract;
const { route } = routesOf('Health');

const home = route({ summary: 'Welcome' }, { security: [], response: { 200: ref(Welcome) } }, () => ({
  message: 'Welcome to the Trousseau item service',
}));

const health = route(
  { summary: 'Whether the service runs' },
  { security: [], response: { 200: ref(Health) } },
  () => ({ status: 'healthy', service: 'trousseau-api' }),
);

/** A logger that is its own child: another for each request would cost as much as finding the item. */
function singleLogger(log: Logger): FastifyBaseLogger {
  const only: FastifyBaseLogger = Object.create(log, { child: { value: () => only } });
  return only;
}

// One for all apps of the process: their shapes are the contract's, so each is compiled only once.
const buildValidator = validatorsWhenUsed();

/** All of HTTP on one page: every option of the server and every route. */
export async function buildApp(parts: Parts): Promise<FastifyInstance> {
  const { config, sites, counters, log, clock, version } = parts;
  const { senders = SENDER_LIMITS, pressure } = parts.limits ?? {};
  const ofMany = 'many' in sites ? siteHooks(sites.many) : undefined;
  const app = Fastify({
    loggerInstance: singleLogger(log),
    logController: new RequestLog(),
    genReqId: requestId,
    ...(ofMany && { rewriteUrl: stripSiteKey }),
    trustProxy: config.trustProxy ?? false,
    // Nothing below waits for anything outside, so this limit would only keep the service from starting on a starved machine.
    pluginTimeout: 0,
    bodyLimit: 1024 * 1024,
    requestTimeout: senders.requestMs,
    keepAliveTimeout: 75_000,
    http: {
      headersTimeout: senders.headMs,
      connectionsCheckingInterval: senders.lookEveryMs,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    routerOptions: { maxParamLength: 4_000, querystringParser: parseQuery },
    // Refused by our own hook, in our own envelope.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerError,
    ajv: {
      customOptions: {
        allErrors: true,
        // A refusal names the value.
        verbose: true,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        formats: FORMATS,
      },
    },
    schemaController: {
      compilersFactory: {
        buildValidator,
        // Most responses are JSON that is written already. Compiled serializers would save nothing for the others, and add 58 %
        // to the CPU time of a start (370 ms), and 26 MB.
        buildSerializer: () => () => JSON.stringify,
      },
    },
  });
  app.server.maxConnections = 10_000;
  // On the prototype of all requests, which costs none of them anything.
  if ('only' in sites) app.decorateRequest('site', { getter: () => sites.only });
  else app.decorateRequest('site');
  for (const shape of Object.values(contract))
    if (typeof shape === 'object' && '$id' in shape) app.addSchema(shape);

  app.setErrorHandler<Parameters<typeof answerError>[0]>((error, request, reply) => {
    const { authorization } = request.headers;
    // The host has refused these cached credentials since.
    if (error instanceof Problem && error.code === 'unauthorized' && authorization)
      request.site?.users.forget(authorization);
    answerError(error, request, reply);
  });
  // An unknown `Expect` header is ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  acceptJsonOnly(app);
  const unrouted = explainUnrouted(app, ofMany !== undefined);

  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    // A connection with a request under way becomes idle only after its answer; closing would then wait for its client.
    closing = setInterval(() => app.server.closeIdleConnections(), 50);
  });
  app.addHook('onClose', async () => {
    clearInterval(closing);
  });

  if (config.metricsPort !== undefined) {
    const { collectMetrics, collectSiteMetrics } = await import('./metrics.ts');
    collectMetrics(app, counters);
    if (ofMany) collectSiteMetrics(app);
  }

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // An empty request has ended already (`optimizeEmptyRequests`): if it announces a type, a parser would wait for ever.
    if (request.raw.readableEnded) delete request.headers['content-type'];
    if (!closing) return done();
    reply.header('connection', 'close');
    done(new Problem('unavailable', 'The service is stopping', { retryAfter: 5 }));
  });
  // Also called where a route matches but has nothing to send.
  app.setNotFoundHandler((request) => {
    throw unrouted(request);
  });

  // With CORS, every path has a route for OPTIONS. One that isn't a preflight is still refused as if there were none.
  const isPlainOptions = ({ method, headers }: FastifyRequest) =>
    method === 'OPTIONS' && headers['access-control-request-method'] === undefined;
  if (config.corsOrigins) {
    const options = {
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders:
        'authorization, x-api-key, content-type, if-match, if-none-match, idempotency-key, x-request-id',
      exposedHeaders: 'etag, x-host-total, x-host-totalpages, retry-after, x-request-id',
      maxAge: 600,
      strictPreflight: false,
    };
    await app.register(import('@fastify/cors'), {
      delegator: (request, done) => done(null, { ...options, preflight: !isPlainOptions(request) }),
    });
  }

  const gate = config.apiKey === undefined ? undefined : requireApiKey(config.apiKey);

  // Refused before the body is read, and behind the gateway key: without it nobody learns which paths there are.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && !isPlainOptions(request)) return done();
    const refuse = (error?: Error) => done(error ?? unrouted(request));
    const checkSite = (error?: Error) =>
      error || !ofMany ? refuse(error) : ofMany.checkSite.call(app, request, reply, refuse);
    gate && !/^\/(health)?(\?|$)/.test(request.url) ? gate.call(app, request, reply, checkSite) : checkSite();
  });

  const documentation = config.appEnv === 'local' ? documentRoutes(app, version) : undefined;

  // SQLite has no server that could be down, and its driver limits the wait for a lock.
  if (/^postgres/.test(config.databaseUrl)) limitStoreTime(app);

  // Everything is behind the gateway key, where there is one, except `/` and `/health`, which are added to `app` itself.
  await app.register(async (behindKey) => {
    if (gate) behindKey.addHook('onRequest', gate);
    if (ofMany) behindKey.addHook('onRequest', ofMany.findSite);
    refuseUnderPressure(behindKey, clock, pressure);
    if (ofMany) takeTurns(behindKey, clock);
    const ofService = ofMany && { onRequest: ofMany.mustNameNone };
    if (documentation)
      for (const path of ['/openapi.json', '/docs', '/docs/*'])
        behindKey.get(path, { ...ofService }, documentation);

    if ('many' in sites && sites.joining) {
      const { joining } = await import('../http/joining.ts');
      behindKey.post('/sites', { ...joining(sites.joining), ...ofService });
    }

    const ofSite = ofMany && { onRequest: ofMany.checkSite };
    app.get('/', { ...home, ...ofSite });
    app.get('/health', { ...health, ...ofSite });

    await behindKey.register(async (signedIn) => {
      signedIn.decorateRequest('viewer');
      if (ofMany) signedIn.addHook('onRequest', ofMany.mustNameSite);
      signedIn.addHook('onRequest', signIn);

      signedIn.get('/status', statusRoute(version, clock.wall));

      signedIn.get('/items', item.list);
      signedIn.post('/items', item.create);
      signedIn.get('/items/:item_id', item.get);
      signedIn.put('/items/:item_id', item.update);
      signedIn.delete('/items/:item_id', item.delete);
      signedIn.post('/items/:item_id/move', item.move);

      signedIn.get('/registries', registry.list);
      signedIn.post('/registries', registry.create);
      signedIn.get('/registries/:id', registry.get);
      signedIn.patch('/registries/:id', registry.update);
      signedIn.delete('/registries/:id', registry.delete);
      signedIn.put('/registries/:id/rights', registry.setRights);

      signedIn.get('/registries/:id/items', registryItem.list);
      signedIn.post('/registries/:id/items', registryItem.create);
      signedIn.delete('/registries/:id/items/:item_id', registryItem.delete);

      signedIn.post('/registries/:id/items/:item_id/claims', claim.create);
      signedIn.get('/registries/:id/claims', claim.ofRegistry);
      signedIn.get('/claims', claim.list);
      signedIn.delete('/claims', claim.erase);
      signedIn.get('/claims/:claim_id', claim.get);
      signedIn.patch('/claims/:claim_id', claim.update);
      signedIn.delete('/claims/:claim_id', claim.release);

      signedIn.get('/registries/:id/events', event.ofRegistry);
      signedIn.get('/events', event.ofAll);

      for (const [path, of] of [
        ['/registries/:id/webhooks', webhook.ofRegistry],
        ['/webhooks', webhook.ofSite],
      ] as const) {
        signedIn.get(path, of.list);
        signedIn.post(path, of.create);
        signedIn.delete(`${path}/:webhook_id`, of.delete);
        signedIn.post(`${path}/:webhook_id/test`, of.test);
        signedIn.get(`${path}/:webhook_id/deliveries`, of.deliveries);
      }

      signedIn.put('/users/:user_id/roles', user.setRoles);
      signedIn.get('/question-key', questionKey);

      signedIn.get('/registries/:id/invitees', invitee.list);
      signedIn.post('/registries/:id/invitees', invitee.add);
      signedIn.delete('/registries/:id/invitees/:invitee', invitee.remove);

      signedIn.get('/registries/:id/items/:item_id/affiliate', affiliate.get);
      signedIn.put('/registries/:id/items/:item_id/affiliate', affiliate.set);
      signedIn.delete('/registries/:id/items/:item_id/affiliate', affiliate.clear);

      if (config.lookups === 'on') signedIn.post('/lookups', lookup.create);
    });
  });

  return app;
}
