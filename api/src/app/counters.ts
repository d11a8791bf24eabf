import { LOOKUP_PROBLEMS } from '../contract/index.ts';

/** Numbers that the parts of a service count, of all its sites together. */
export type Counters = ReturnType<typeof newCounters>;
export type AllCounters = Counters & { store: { pending: number } };

export const newCounters = () => ({
  host: { running: 0, answered: 0, failed: 0 },
  users: { hits: 0, misses: 0 },
  registries: { hits: 0, misses: 0 },
  claims: {
    made: { pending: 0, reserved: 0, purchased: 0 },
    refused: { 'too few': 0, 'too many': 0, unconfirmed: 0 },
  },
  lookups: {
    ...{ asked: 0, fetched: 0, tooMany: 0 },
    answered: Object.fromEntries(['none', ...LOOKUP_PROBLEMS].map((code) => [code, 0])),
  },
});
