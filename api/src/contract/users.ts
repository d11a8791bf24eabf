import type { Static } from 'typebox';
import { list, sample, text } from './common.ts';
import { shape } from './shape.ts';
import { Type } from './typebox.ts';

/** What the host's plugin reports of a user. */
export const UserRoles = shape('UserRoles', {
  roles: list(text({ minLength: 1, maxLength: 200 }, 'administrator'), 100, {
    description: 'All roles of the user on the host',
  }),
  username: Type.Optional(text({ maxLength: 254 }, 'bob')),
  email: Type.Optional(
    text({ maxLength: 254 }, 'bob@example.com', 'Co-owners are named by this or by `username`'),
  ),
  gone: Type.Optional(Type.Boolean({ description: 'The host has no such user any more', examples: [false] })),
});
export type UserRoles = Static<typeof UserRoles>;

export const QuestionKey = shape('QuestionKey', {
  key: sample(
    '3nq0fW2kQ8mZrT1xV5bYcA',
    'The service asks the host without credentials whether a registry or an admin is still there, and sends this along',
  ),
});
export type QuestionKey = Static<typeof QuestionKey>;
