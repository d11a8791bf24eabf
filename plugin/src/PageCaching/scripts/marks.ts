// A readable cookie says whether this device is known at a registry: in numbers, which give no right to anything.
export interface Marks {
  isSignedIn: boolean;
  isGuest: boolean;
  /** Gifts that are given from here. */
  items: number[];
  /** Those of them that wait to be confirmed. */
  waiting: number[];
  /** The gift that the waiting message is about (0: the whole list), and the message's length. */
  answer: { item: number; length: number } | null;
}

/** Null on a stranger's device, which has nothing to ask for. */
export function marksAt(registry: number, name: string, cookies: string): Marks | null {
  const value = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  const marks = value ? value.slice(name.length + 1).split('.') : [];
  const numbersOf = (kind: RegExp) => marks.flatMap((mark) => kind.exec(mark)?.[1] ?? []).map(Number);
  const [, item, length] = marks.map((mark) => /^m(\d+)-(\d+)$/.exec(mark)).find((parts) => parts) ?? [];
  const found: Marks = {
    isSignedIn: marks.includes('u'),
    isGuest: marks.includes(`g${registry}`),
    items: numbersOf(new RegExp(`^${registry}-(\\d+)w?$`)),
    waiting: numbersOf(new RegExp(`^${registry}-(\\d+)w$`)),
    answer: item ? { item: Number(item), length: Number(length) } : null,
  };
  return found.isSignedIn || found.isGuest || found.items.length || found.answer ? found : null;
}
