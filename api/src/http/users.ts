import { QuestionKey, ref, UserRoles } from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import { emptyRoute, route, userId } from './routes.ts';

export const questionKey = route(
  {
    tag: 'Webhooks',
    summary: 'The key by which the host’s plugin knows questions of this service (admins only)',
    refusals: { 403: 'Only admins' },
  },
  { response: { 200: ref(QuestionKey) } },
  async ({ site, viewer }) => {
    if (!viewer.admin) throw new Problem('forbidden', 'Only admins may have this key');
    return { key: await site.questionKey() };
  },
);

export const user = {
  setRoles: emptyRoute(
    {
      tag: 'Webhooks',
      summary:
        'Tell which roles a user has on the host now: webhooks of someone who is no longer an admin, or no longer there, end (admins only)',
      refusals: { 403: 'Only admins' },
      examples: { 'An editor now': { roles: ['editor'] }, 'Deleted on the site': { roles: [], gone: true } },
    },
    { body: UserRoles },
    (request) => request.site.webhooks.makerHasRoles(request.viewer, userId(request), request.body),
  ),
};
