import { QuestionKey, ref, UserRoles } from '../contract/index.ts';
import { Problem } from '../contract/problem.ts';
import { routesOf, userId } from './routes.ts';

const { emptyRoute, route } = routesOf('Webhooks');
export const questionKey = route(
  {
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
      summary:
        'Tell which roles a user has on the host now: webhooks of someone who is no longer an admin, or no longer there, end (admins only)',
      refusals: { 403: 'Only admins' },
      examples: { 'An editor now': { roles: ['editor'] }, 'Deleted on the site': { roles: [], gone: true } },
    },
    ({ site, viewer, params, body }) => site.webhooks.storeReportedRoles(viewer, userId(params), body),
    { body: UserRoles },
  ),
};
