/** Where a thing lands that is moved: the list with it there. `where` is a place from 0, or one of the buttons' words. */
export function moved<T>(list: readonly T[], thing: T, where: string): T[] {
  const from = list.indexOf(thing);
  const rest = list.filter((other) => other !== thing);
  const places: Record<string, number> = { top: 0, up: from - 1, down: from + 1, bottom: rest.length };
  const to = Math.min(rest.length, Math.max(0, places[where] ?? Number(where)));
  return rest.toSpliced(to, 0, thing);
}

/** The places of some things in a list, in order: inserted into the others in this order, they make the same list. */
export function places<T>(list: readonly T[], some: ReadonlySet<T>, first: number): [T, number][] {
  return [...list.entries()]
    .filter(([, thing]) => some.has(thing))
    .map(([place, thing]) => [thing, first + place]);
}
