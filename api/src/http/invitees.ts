import { Invitees, InviteesResponse, ref } from '../contract/index.ts';
import { notHere } from './errors.ts';
import { registryId, repeatable, route } from './routes.ts';

const tag = 'Invitees';
const response = { 200: ref(InviteesResponse) };

export const invitee = {
  list: route({ tag, summary: 'The invitees' }, { response }, async (request) => ({
    invitees: await request.site.registries.invitees(request.viewer, registryId(request)),
  })),

  add: repeatable(
    {
      tag,
      summary: 'Invite guests',
      examples: { 'By user name and by address': { invitees: ['bob', 'aunt@example.test'] } },
    },
    { body: Invitees, response },
    async (request) => {
      const { site, viewer, body } = request;
      const invitees = await site.registries.addInvitees(viewer, registryId(request), body.invitees);
      return { status: 200, json: JSON.stringify({ invitees }) };
    },
  ),

  remove: route({ tag, summary: 'Uninvite a guest' }, { response }, async (request) => {
    const { site, viewer, params } = request;
    const { invitee } = params as { invitee: string };
    if (invitee === '') throw notHere();
    return { invitees: await site.registries.removeInvitee(viewer, registryId(request), invitee) };
  }),
};
