import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Puts compiled regular expressions in the place of the word tables: a bookmark must stay short, and a tab waits for its reader. */
export const compiledWords: Plugin = {
  name: 'compiled-words',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shop[\\/](?:\w+-words|class-names)\.ts$/ }, async ({ path }) => {
      const patterns = Object.entries(await import(pathToFileURL(path).href)).filter(
        ([, value]) => value instanceof RegExp,
      );
      return { contents: patterns.map(([name, pattern]) => `export const ${name} = ${pattern};`).join('\n') };
    });
  },
};
