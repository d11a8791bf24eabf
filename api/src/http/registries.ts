import {
  DEFAULT_LIMIT,
  Registry,
  RegistryCreate,
  RegistryQuery,
  RegistryRights,
  RegistryUpdate,
  ref,
} from '../contract/index.ts';
import { Type } from '../contract/typebox.ts';
import { presentRegistry } from './registry-presenter.ts';
import { registryId, routesOf } from './routes.ts';

const { emptyRoute, repeatable, route } = routesOf('Registries');

export const registry = {
  list: route(
    { summary: "The caller's own registries, newest first", answersTotals: true },
    { querystring: RegistryQuery, response: { 200: Type.Array(ref(Registry)) } },
    async (request, reply) => {
      const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
      const list = await request.site.registries.list(request.viewer, skip, limit);
      reply.header('x-host-total', list.total).header('x-host-totalpages', list.totalPages);
      return list.registries.map(presentRegistry);
    },
  ),

  get: route({ summary: 'One registry' }, { response: { 200: ref(Registry) } }, async (request) =>
    presentRegistry(await request.site.registries.get(request.viewer, registryId(request.params))),
  ),

  create: repeatable(
    {
      summary: 'Create a registry; the caller becomes its owner',
      examples: {
        'The least: a private one': { title: 'Ann & Bob' },
        'A public one that is to be a surprise': {
          title: 'Ann & Bob',
          status: 'publish',
          story: 'We met at the library.',
          meta: {
            registry_event_type: 'wedding',
            registry_event_date: '2027-06-12',
            registry_currency: 'EUR',
            registry_surprise_until: '2027-06-13',
            registry_invitees: ['bob', 'aunt@example.test'],
          },
        },
      },
    },
    { body: RegistryCreate, response: { 201: ref(Registry) } },
    async ({ site, viewer, body }) => ({
      status: 201,
      json: JSON.stringify(presentRegistry(await site.registries.create(viewer, body))),
    }),
  ),

  update: route(
    {
      summary: 'Change the supplied fields of a registry',
      refusals: { 409: 'Another currency, while an active item is one that several pay for' },
      examples: {
        'Another title': { title: 'Ann & Bob & Cleo' },
        'A surprise for good': { meta: { registry_surprise_until: 'always' } },
        'No surprise any more': { meta: { registry_surprise_until: null } },
        'For its invitees only': { status: 'private' },
        'A co-owner': { meta: { registry_owners: ['bob'] } },
      },
    },
    { body: RegistryUpdate, response: { 200: ref(Registry) } },
    async ({ site, viewer, params, body }) =>
      presentRegistry(await site.registries.update(viewer, registryId(params), body)),
  ),

  delete: emptyRoute({ summary: 'Delete a registry for good, and its items with it' }, (request) =>
    request.site.registries.delete(request.viewer, registryId(request.params)),
  ),

  setRights: routesOf('Webhooks').emptyRoute(
    {
      summary:
        'Tell who owns a registry on the host now, whether it is shown and until when it is a surprise: webhooks of its owners wait for that (admins only)',
      refusals: { 403: 'Only admins' },
      examples: {
        'A draft now': {
          ...{ status: 'draft', user_id: 3, registry_owners: [] },
          ...{ registry_surprise_until: null, registry_surprise_keeps: 'all' },
        },
      },
    },
    ({ site, viewer, params, body }, { elapsedTime }) =>
      site.registries.setRights(viewer, registryId(params), body, elapsedTime),
    { body: RegistryRights },
  ),
};
