import type { Static } from 'typebox';
import { oneOf } from './common.ts';
import { siteToken } from './joining.ts';
import { Type } from './typebox.ts';

export const ExportRequest = Type.Object({ token: siteToken });
export type ExportRequest = Static<typeof ExportRequest>;

export const MoveEnd = Type.Object({
  state: oneOf(['moved', 'kept'], {
    description: '`moved`: the site is at another service for good; `kept`: it stays here and opens at once',
    examples: ['moved'],
  }),
});
export type MoveEnd = Static<typeof MoveEnd>;

export const Imported = Type.Object(
  {
    items: Type.Integer({ description: 'How many items the site has now', examples: [120] }),
    claims: Type.Integer({ description: 'How many claims it has', examples: [48] }),
  },
  { description: 'All rows are there' },
);
export type Imported = Static<typeof Imported>;
