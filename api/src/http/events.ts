import { EventQuery, Events, ref } from '../contract/index.ts';
import { registryId, route } from './routes.ts';

const tag = 'Events';
const gone = 'Events behind the cursor are no longer kept: begin again without it';

export const event = {
  ofRegistry: route(
    {
      tag,
      summary: 'The events of a registry in the last 30 days, oldest first',
      refusals: {
        403: 'Neither owner nor admin',
        410: gone,
      },
    },
    { querystring: EventQuery, response: { 200: ref(Events) } },
    (request) => request.site.events.ofRegistry(request.viewer, registryId(request), request.query),
  ),

  ofAll: route(
    {
      tag,
      summary: 'The events of all registries in the last 30 days, oldest first (admins only)',
      honoursOwner: true,
      refusals: { 403: 'Only admins', 410: gone },
    },
    { querystring: EventQuery, response: { 200: ref(Events) } },
    (request) => request.site.events.ofAll(request.viewer, request.query),
  ),
};
