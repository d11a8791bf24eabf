import { UserRoles } from '../contract/index.ts';
import { NO_CONTENT } from './response.ts';
import { route, userId } from './routes.ts';

export const user = {
  setRoles: route(
    {
      tag: 'Webhooks',
      summary:
        'Tell which roles a user has on the host now: webhooks of an admin who is none any more end (admins only)',
      refusals: { 403: 'Only admins' },
      examples: { 'An editor now': { roles: ['editor'] }, 'Gone from the site': { roles: [] } },
    },
    { body: UserRoles, response: NO_CONTENT },
    async (request, reply) => {
      await request.site.webhooks.makerHasRoles(request.viewer, userId(request), request.body.roles);
      return reply.code(204).send();
    },
  ),
};
