/** Runs `work` for each value, a few at a time. */
export async function allOf<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  const queue = values.values();
  const worker = async () => {
    for (const value of queue) await work(value);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
