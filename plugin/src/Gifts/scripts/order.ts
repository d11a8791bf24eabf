/** The places of some things in a list, in order: inserted into the others in this order, they make the same list. */
export function places<T>(list: readonly T[], some: ReadonlySet<T>, first: number): [T, number][] {
  return [...list.entries()]
    .filter(([, thing]) => some.has(thing))
    .map(([place, thing]) => [thing, first + place]);
}
