import { Invitees, InviteesResponse, ref } from '../contract/index.ts';
import type { RegistryRules } from '../domain/registries.ts';
import { notHere } from './errors.ts';
import type { Idempotent } from './idempotency.ts';
import { registryId, repeatable, route } from './routes.ts';

export function inviteeRoutes(registries: RegistryRules, idempotent: Idempotent) {
  const tag = 'Invitees';
  const response = { 200: ref(InviteesResponse) };
  return {
    list: route({ tag, summary: 'The invitees' }, { response }, async (request) => ({
      invitees: await registries.invitees(request.viewer, registryId(request)),
    })),

    add: repeatable(
      idempotent,
      {
        tag,
        summary: 'Invite guests',
        examples: { 'By user name and by address': { invitees: ['bob', 'aunt@example.test'] } },
      },
      { body: Invitees, response },
      async (request) => {
        const { viewer, body } = request;
        const invitees = await registries.addInvitees(viewer, registryId(request), body.invitees);
        return { status: 200, json: JSON.stringify({ invitees }) };
      },
    ),

    remove: route({ tag, summary: 'Uninvite a guest' }, { response }, async (request) => {
      const { invitee } = request.params as { invitee: string };
      if (invitee === '') throw notHere();
      return { invitees: await registries.removeInvitee(request.viewer, registryId(request), invitee) };
    }),
  };
}
