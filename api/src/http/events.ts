import { EventQuery, Events, ref } from '../contract/index.ts';
import type { EventPage } from '../domain/events.ts';
import { presentEvent } from './event-presenter.ts';
import { registryId, routesOf } from './routes.ts';

const presentPage = ({ events, next }: EventPage, admin: boolean): Events => ({
  events: events.map((event) => presentEvent(event, admin)),
  next,
});

const { route } = routesOf('Events');
const gone = 'Events after this cursor are no longer kept: start again without it';

export const event = {
  ofRegistry: route(
    {
      summary: 'The events of a registry in the last 30 days, oldest first',
      refusals: { 403: 'Neither owner nor admin', 410: gone },
    },
    { querystring: EventQuery, response: { 200: ref(Events) } },
    async ({ site, viewer, params, query }) =>
      presentPage(await site.events.ofRegistry(viewer, registryId(params), query), viewer.admin),
  ),

  ofAll: route(
    {
      summary: 'The events of all registries in the last 30 days, oldest first (admins only)',
      honoursOwner: true,
      refusals: { 403: 'Only admins', 410: gone },
    },
    { querystring: EventQuery, response: { 200: ref(Events) } },
    async ({ site, viewer, query }) => presentPage(await site.events.ofAll(viewer, query), viewer.admin),
  ),
};
