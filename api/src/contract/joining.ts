import { sample, text } from './common.ts';
import { Type } from './typebox.ts';

export const JoinRequest = Type.Object({
  url: text(
    { minLength: 10, maxLength: 500 },
    'https://ann-and-bob.example',
    "The site's address, with https",
  ),
  token: Type.Optional(
    text(
      { maxLength: 128 },
      'm9Zr1v6TnC4yQb8KxW2sLh7PdEf3GaUj5RkNtXoYiVc',
      'The token that the site currently shows at `/wp-json/trousseau/v1/joining`: at least 32 characters, for one use',
    ),
  ),
  code: Type.Optional(
    text({ maxLength: 128 }, 'kJ2n5QxT8vWcR4mZ7yLbPe', 'A code from the operator, if one is required'),
  ),
  secret: Type.Optional(
    text(
      { maxLength: 128 },
      'Qd8wTz4mRk1vXn6cYb3pLs',
      'The secret with which this site was added, where it joins again. The first time one of its own making, of 22 letters, digits, `-` and `_` or more: else it is given one',
    ),
  ),
});

const baseUrlField = {
  base_url: sample(
    'https://gifts.example/sites/kJ2n5QxT8vWcR4mZ7yLbPe',
    'The address of the service for this site',
  ),
};

export const JoinedAgain = Type.Object(baseUrlField, { description: 'The site was here already' });

export const Added = Type.Object(
  {
    ...baseUrlField,
    secret: sample('Qd8wTz4mRk1vXn6cYb3pLs', 'What this site needs to join again; shown only this once'),
  },
  { description: 'The site was added' },
);
