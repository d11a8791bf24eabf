import { text } from './common.ts';
import { Type } from './typebox.ts';

export const JoinRequest = Type.Object({
  url: text({
    minLength: 10,
    maxLength: 500,
    description: "The site's address, with https",
    examples: ['https://ann-and-bob.example'],
  }),
  token: text({
    minLength: 32,
    maxLength: 128,
    description:
      'The token that the site shows at this moment under `/wp-json/trousseau/v1/joining`, used once',
    examples: ['m9Zr1v6TnC4yQb8KxW2sLh7PdEf3GaUj5RkNtXoYiVc'],
  }),
  code: Type.Optional(
    text({
      maxLength: 128,
      description: 'A code of the operator, where one is asked for',
      examples: ['kJ2n5QxT8vWcR4mZ7yLbPe'],
    }),
  ),
  secret: Type.Optional(
    text({
      maxLength: 128,
      description:
        'The secret with which this site was added, where it joins again. The first time one of its own making, of 22 letters, digits, `-` and `_` or more: else it is given one',
      examples: ['Qd8wTz4mRk1vXn6cYb3pLs'],
    }),
  ),
});

const baseUrl = {
  base_url: Type.String({
    description: 'The address of the service for this site',
    examples: ['https://gifts.example/sites/kJ2n5QxT8vWcR4mZ7yLbPe'],
  }),
};

export const Joined = Type.Object(baseUrl, { description: 'The site was here already' });

export const Added = Type.Object(
  {
    ...baseUrl,
    secret: Type.String({
      description: 'What this site needs to join again; told this once',
      examples: ['Qd8wTz4mRk1vXn6cYb3pLs'],
    }),
  },
  { description: 'The site was added' },
);
