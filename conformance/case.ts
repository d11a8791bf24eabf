import type { World } from './world.ts';

export type Test = (world: World) => Promise<void>;
type Marks = {
  /** Whether the case waits for a minute or more. */
  slow?: true;
  /** Whether the case must run alone, because it and other cases would disturb each other. */
  alone?: true;
};

/** A page of `docs/contract/` and the heading of a section that the cases check, such as `items.md#etags`. */
export type Section = `${string}.md#${string}`;

/** A test of one promise of the contract. Its id stays the same as long as the promise does. */
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
