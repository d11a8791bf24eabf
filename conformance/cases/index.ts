import type { Case } from '../case.ts';
import { affiliate } from './affiliate.ts';
import { claimFields } from './claim-fields.ts';
import { claimNumbers } from './claim-numbers.ts';
import { claimPeople } from './claim-people.ts';
import { claimStates } from './claim-states.ts';
import { claims } from './claims.ts';
import { claimsOverTime } from './claims-over-time.ts';
import { etags } from './etags.ts';
import { events } from './events.ts';
import { http } from './http.ts';
import { idempotency } from './idempotency.ts';
import { invitees } from './invitees.ts';
import { itemFields } from './item-fields.ts';
import { items } from './items.ts';
import { lookups } from './lookups.ts';
import { money } from './money.ts';
import { moves } from './moves.ts';
import { order } from './order.ts';
import { registries } from './registries.ts';
import { roles } from './roles.ts';
import { signingIn } from './sign-in.ts';
import { surprise } from './surprise.ts';
import { together } from './together.ts';
import { webhooks } from './webhooks.ts';

/** All cases, ordered by subject. */
export const cases: Case[] = [
  ...roles,
  ...http,
  ...signingIn,
  ...items,
  ...itemFields,
  ...etags,
  ...registries,
  ...order,
  ...invitees,
  ...affiliate,
  ...lookups,
  ...claims,
  ...claimFields,
  ...claimPeople,
  ...claimStates,
  ...claimNumbers,
  ...idempotency,
  ...surprise,
  ...together,
  ...money,
  ...moves,
  ...events,
  ...webhooks,
  ...claimsOverTime,
];
