/** Time in milliseconds: `wall` for what is written down, `steady` for what is measured. */
export type Clock = { wall(): number; steady(): number };

export const systemClock: Clock = { wall: () => Date.now(), steady: () => performance.now() };
