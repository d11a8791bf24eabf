import { Type } from 'typebox';
import {
  DEFAULT_LIMIT,
  Registry,
  RegistryCreate,
  RegistryQuery,
  RegistryUpdate,
  ref,
} from '../contract/index.ts';
import type { RegistryRules } from '../domain/registries.ts';
import type { Idempotent } from './idempotency.ts';
import { NO_CONTENT } from './response.ts';
import { registryId, repeatable, route } from './routes.ts';

export function registryRoutes(registries: RegistryRules, idempotent: Idempotent) {
  const tag = 'Registries';
  return {
    list: route(
      { tag, summary: "The caller's own registries, newest first", answersTotals: true },
      { querystring: RegistryQuery, response: { 200: Type.Array(ref(Registry)) } },
      async (request, reply) => {
        const { skip = 0, limit = DEFAULT_LIMIT } = request.query;
        const list = await registries.list(request.viewer, skip, limit);
        reply.header('x-host-total', list.total).header('x-host-totalpages', list.totalPages);
        return list.registries;
      },
    ),

    get: route({ tag, summary: 'One registry' }, { response: { 200: ref(Registry) } }, (request) =>
      registries.get(request.viewer, registryId(request)),
    ),

    create: repeatable(
      idempotent,
      {
        tag,
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
      async ({ viewer, body }) => ({
        status: 201,
        json: JSON.stringify(await registries.create(viewer, body)),
      }),
    ),

    update: route(
      {
        tag,
        summary: 'Change the supplied fields of a registry',
        examples: {
          'Another title': { title: 'Ann & Bob & Cleo' },
          'A surprise for good': { meta: { registry_surprise_until: 'always' } },
          'No surprise any more': { meta: { registry_surprise_until: null } },
          'For its invitees only': { status: 'private' },
        },
      },
      { body: RegistryUpdate, response: { 200: ref(Registry) } },
      (request) => registries.update(request.viewer, registryId(request), request.body),
    ),

    delete: route(
      { tag, summary: 'Delete a registry for good, and its items with it' },
      { response: NO_CONTENT },
      async (request, reply) => {
        await registries.delete(request.viewer, registryId(request));
        return reply.code(204).send();
      },
    ),
  };
}
