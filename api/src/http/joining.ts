import { Joined, JoinRequest } from '../contract/joining.ts';
import type { JoinRules } from '../domain/joining.ts';
import { route } from './routes.ts';
import { networkOf } from './sign-in-limits.ts';

/** A site adds itself to a service of many. */
export const joining = (rules: JoinRules) =>
  route(
    {
      tag: 'Sites',
      summary: 'Adds a site that shows a token at its own address',
      ofService: true,
      refusals: {
        403: 'The site does not show this token, or the code is missing, wrong or used up',
        429: 'More than 10 attempts in an hour from one address',
        502: 'The site cannot be reached, or answers nonsense',
        504: 'The site answers too late',
      },
      examples: {
        'A site with a code': {
          url: 'https://ann-and-bob.example',
          token: 'm9Zr1v6TnC4yQb8KxW2sLh7PdEf3GaUj5RkNtXoYiVc',
          code: 'kJ2n5QxT8vWcR4mZ7yLbPe',
        },
      },
    },
    {
      security: [],
      body: JoinRequest,
      response: { 200: Joined, 201: { ...Joined, description: 'The site was added' } },
    },
    async ({ ip, body }, reply) => {
      const { baseUrl, isNew } = await rules.join(networkOf(ip), body);
      reply.code(isNew ? 201 : 200);
      return { base_url: baseUrl };
    },
  );
