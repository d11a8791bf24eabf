import { Added, JoinedAgain, JoinRequest } from '../contract/joining.ts';
import type { JoinRules } from '../domain/joining.ts';
import { routesOf } from './routes.ts';
import { networkOf } from './sign-in-limits.ts';

export const joining = (rules: JoinRules) =>
  routesOf('Sites').route(
    {
      summary: 'Adds a site that shows a token at its own address',
      ofService: true,
      refusals: {
        403: 'The site does not show this token, or the code is missing, wrong or used up',
        409: 'The address is that of a site that was added before, and its secret is missing or wrong',
        429: 'More than 10 attempts in an hour from one IP address',
        502: 'The site cannot be reached, or answers with nonsense',
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
    { security: [], body: JoinRequest, response: { 200: JoinedAgain, 201: Added } },
    async ({ ip, body }, reply) => {
      const { baseUrl, secret } = await rules.join(networkOf(ip), body);
      if (secret !== undefined) reply.code(201);
      return { base_url: baseUrl, secret };
    },
  );
