// Every night a test tries all combinations of what it crosses; at a push, some stand for the others.
export const isNight = process.env.NIGHT === 'yes';

/** Returns all of them at night, and otherwise the first so many. */
export const mostTelling = <T>(most: number, all: readonly T[]): readonly T[] =>
  isNight ? all : all.slice(0, most);
