export const ITEMS_EACH = 30;
const ITEMS_A_VISIT = 5;
// The service remembers this many registries: the bench measures the cost of a remembered one.
const MOST_REGISTRIES = 5_000;

/**
 * The items of a registry are not next to each other in the store: they were added a few at a time, with other registries' between.
 */
export function shape(rows: number) {
  const registries = Math.max(1, Math.floor(rows / ITEMS_EACH));
  const visited = Math.min(registries, MOST_REGISTRIES);
  return {
    registries,
    visited,
    /** Every `stride`-th registry is requested. */
    stride: Math.floor(registries / visited),
    registryOf: (id: number) => (Math.floor((id - 1) / ITEMS_A_VISIT) % registries) + 1,
    itemsOf: (registry: number): number[] => {
      const ids: number[] = [];
      for (let visit = registry - 1; visit * ITEMS_A_VISIT < rows; visit += registries) {
        for (let i = 1; i <= ITEMS_A_VISIT && visit * ITEMS_A_VISIT + i <= rows; i++)
          ids.push(visit * ITEMS_A_VISIT + i);
      }
      return ids;
    },
  };
}

/** Returns the id of the registry's item at this place, if there are this many registries. */
export function itemOf(registry: number, registries: number, place: number): number {
  const visit = Math.floor(place / ITEMS_A_VISIT);
  return (registry - 1 + visit * registries) * ITEMS_A_VISIT + (place % ITEMS_A_VISIT) + 1;
}
