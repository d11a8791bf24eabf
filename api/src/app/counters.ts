/** Numbers that the parts of a service count, of all its sites together. */
export type Counters = ReturnType<typeof newCounters>;
export type AllCounters = Counters & { store: { pending: number } };

export const newCounters = () => ({
  host: { running: 0, answered: 0, failed: 0 },
  users: { hits: 0, misses: 0 },
  claims: { made: { pending: 0, reserved: 0, purchased: 0 } },
});
