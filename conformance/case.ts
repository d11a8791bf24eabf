import type { Chapter } from './chapters.ts';
import type { World } from './world.ts';

export type Test = (world: World) => Promise<void>;
type Marks = {
  /** Waits for a minute or more. */
  slow?: true;
  /** Looks at what other cases change, or is in their way: runs while no other does. */
  alone?: true;
};

/** One thing that a document promises. The id stays the same as long as the promise does. */
export type Case = { id: string; chapter: Chapter; test: Test } & Marks;

type Marked = { test: Test } & Marks;

export const slow = (test: Test): Marked => ({ test, slow: true });
export const alone = (test: Test): Marked => ({ test, alone: true });

/** The cases of one chapter by their names. */
export function chapter(chapter: Chapter, cases: Record<string, Test | Marked>): Case[] {
  return Object.entries(cases).map(([name, one]) => ({
    id: `${chapter} ${name}`,
    chapter,
    ...(typeof one === 'function' ? { test: one } : one),
  }));
}
