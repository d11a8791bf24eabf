import { Invitees, InviteesResponse, ref } from '../contract/index.ts';
import { notHere } from './errors.ts';
import { registryId, routesOf } from './routes.ts';

const { repeatable, route } = routesOf('Invitees');
const response = { 200: ref(InviteesResponse) };

export const invitee = {
  list: route({ summary: 'The invitees' }, { response }, async (request) => ({
    invitees: await request.site.registries.invitees(request.viewer, registryId(request.params)),
  })),

  add: repeatable(
    {
      summary: 'Invite guests',
      examples: { 'By user name and by address': { invitees: ['bob', 'aunt@example.test'] } },
    },
    { body: Invitees, response },
    async ({ site, viewer, params, body }) => {
      const invitees = await site.registries.addInvitees(viewer, registryId(params), body.invitees);
      return { status: 200, json: JSON.stringify({ invitees }) };
    },
  ),

  remove: route({ summary: 'Uninvite a guest' }, { response }, async ({ site, viewer, params }) => {
    const { invitee } = params as { invitee: string };
    if (invitee === '') throw notHere();
    return { invitees: await site.registries.removeInvitee(viewer, registryId(params), invitee) };
  }),
};
