import type { World } from './world.ts';

export type Test = (world: World) => Promise<void>;
type Marks = {
  /** Waits for a minute or more. */
  slow?: true;
  /** Looks at what other cases change, or is in their way: runs while no other does. */
  alone?: true;
};

/** A page of `docs/contract/` and the heading whose sentences the cases hold, such as `items.md#etags`. */
export type Section = `${string}.md#${string}`;

/** One promise. Its name stays as long as the promise does. */
export type Case = { id: string; section: Section; test: Test } & Marks;

type Marked = { test: Test } & Marks;

export const slow = (test: Test): Marked => ({ test, slow: true });
export const alone = (test: Test): Marked => ({ test, alone: true });

/** Returns the cases of a section, by their names. */
export function section(section: Section, cases: Record<string, Test | Marked>): Case[] {
  return Object.entries(cases).map(([name, one]) => ({
    id: `${section} ${name}`,
    section,
    ...(typeof one === 'function' ? { test: one } : one),
  }));
}
