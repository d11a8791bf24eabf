import type { FastifyRequest } from 'fastify';
import {
  ref,
  WebhookCreate,
  WebhookDeliveries,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from '../contract/index.ts';
import type { Recall } from './idempotency.ts';
import { emptyRoute, registryId, repeatable, route, webhookId } from './routes.ts';
import { presentDelivery, presentTest, presentWebhook } from './webhook-presenter.ts';

const tag = 'Webhooks';

// The answer has a secret, so it is kept encrypted.
const asFirstAnswered: Recall = async (stored, { site }) => ({
  ...stored,
  json: await site.webhooks.decrypt(stored.json),
});

function routesFor(
  of: string,
  most: number,
  who: string,
  idOf: (request: FastifyRequest) => number | undefined,
) {
  const refusals = { 403: who, 404: 'No such webhook, or one that is not shown to the caller' };
  return {
    create: repeatable(
      {
        tag,
        summary: `Have the events of ${of} sent to an address; only this answer has the secret`,
        refusals: { 403: who, 409: `There are ${most} webhooks already` },
        examples: {
          'Everything that happens': { url: 'https://books.example/hooks/registry' },
          'Claims alone': { url: 'https://books.example/hooks/registry', types: ['claim.*'] },
        },
      },
      { body: WebhookCreate, response: { 201: ref(WebhookWithSecret) } },
      async (request, creationKey) => {
        const { site, viewer, body } = request;
        const { webhook, secret } = await site.webhooks.create(viewer, idOf(request), body, creationKey);
        const answer: WebhookWithSecret = { ...presentWebhook(webhook), secret };
        const json = JSON.stringify(answer);
        return { status: 201, json, ...(creationKey && { storedBody: await site.webhooks.encrypt(json) }) };
      },
      asFirstAnswered,
    ),

    list: route(
      { tag, summary: `The webhooks of ${of}, oldest first`, refusals: { 403: who } },
      { response: { 200: Webhooks } },
      async (request) =>
        (await request.site.webhooks.list(request.viewer, idOf(request))).map(presentWebhook),
    ),

    delete: emptyRoute(
      { tag, summary: `Delete a webhook of ${of}, with what it was still to get`, refusals },
      {},
      (request) => request.site.webhooks.delete(request.viewer, idOf(request), webhookId(request)),
    ),

    test: route(
      {
        tag,
        summary: `Send a ping to a webhook of ${of} now, up to 30 a minute`,
        refusals: { ...refusals, 409: 'Its secret is lost, with the key', 429: '30 tests in a minute' },
      },
      { response: { 200: ref(WebhookTest) } },
      async (request) =>
        presentTest(await request.site.webhooks.test(request.viewer, idOf(request), webhookId(request))),
    ),

    deliveries: route(
      { tag, summary: `The last 50 events for a webhook of ${of}, newest first`, refusals },
      { response: { 200: WebhookDeliveries } },
      async (request) => {
        const { site, viewer } = request;
        const found = await site.webhooks.deliveries(viewer, idOf(request), webhookId(request));
        return found.map(presentDelivery);
      },
    ),
  };
}

export const webhook = {
  ofRegistry: routesFor('a registry', 10, 'Neither owner nor admin', registryId),
  ofSite: routesFor('the whole site', 20, 'Only admins', () => undefined),
};
