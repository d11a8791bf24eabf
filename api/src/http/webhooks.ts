import {
  ref,
  WebhookCreate,
  WebhookDeliveries,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from '../contract/index.ts';
import type { Recall } from './idempotency.ts';
import { registryId, routesOf, webhookId } from './routes.ts';
import { presentDelivery, presentTest, presentWebhook } from './webhook-presenter.ts';

const { emptyRoute, repeatable, route } = routesOf('Webhooks');

// The answer has a secret, so it is kept encrypted.
const asFirstAnswered: Recall = async (stored, { site }) => ({
  ...stored,
  json: await site.webhooks.decrypt(stored.json),
});

function routesFor(of: string, most: number, who: string, idOf: (params: unknown) => number | undefined) {
  const refusals = { 403: who, 404: 'No such webhook, or one that is not shown to the caller' };
  return {
    create: repeatable(
      {
        summary: `Have the events of ${of} sent to an address; only this answer has the secret`,
        refusals: { 403: who, 409: `There are ${most} webhooks already` },
        examples: {
          'Everything that happens': { url: 'https://books.example/hooks/registry' },
          'Claims alone': { url: 'https://books.example/hooks/registry', types: ['claim.*'] },
        },
      },
      { body: WebhookCreate, response: { 201: ref(WebhookWithSecret) } },
      async ({ site, viewer, params, body }, creationKey) => {
        const { webhook, secret } = await site.webhooks.create(viewer, idOf(params), body, creationKey);
        const answer: WebhookWithSecret = { ...presentWebhook(webhook), secret };
        const json = JSON.stringify(answer);
        return { status: 201, json, ...(creationKey && { storedBody: await site.webhooks.encrypt(json) }) };
      },
      asFirstAnswered,
    ),

    list: route(
      { summary: `The webhooks of ${of}, oldest first`, refusals: { 403: who } },
      { response: { 200: Webhooks } },
      async ({ site, viewer, params }) =>
        (await site.webhooks.list(viewer, idOf(params))).map(presentWebhook),
    ),

    delete: emptyRoute(
      { summary: `Delete a webhook of ${of}, with what it was still to get`, refusals },
      ({ site, viewer, params }) => site.webhooks.delete(viewer, idOf(params), webhookId(params)),
    ),

    test: route(
      {
        summary: `Send a ping to a webhook of ${of} now, up to 30 a minute`,
        refusals: { ...refusals, 409: 'The key to its secret is lost', 429: '30 tests in a minute' },
      },
      { response: { 200: ref(WebhookTest) } },
      async ({ site, viewer, params }) =>
        presentTest(await site.webhooks.test(viewer, idOf(params), webhookId(params))),
    ),

    deliveries: route(
      { summary: `The last 50 events for a webhook of ${of}, newest first`, refusals },
      { response: { 200: WebhookDeliveries } },
      async ({ site, viewer, params }) =>
        (await site.webhooks.deliveries(viewer, idOf(params), webhookId(params))).map(presentDelivery),
    ),
  };
}

export const webhook = {
  ofRegistry: routesFor('a registry', 10, 'Neither owner nor admin', registryId),
  ofSite: routesFor('the whole site', 20, 'Only admins', () => undefined),
};
