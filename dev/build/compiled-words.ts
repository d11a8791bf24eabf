import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Replaces the word tables with compiled regular expressions: a bookmark must be short, and the reader must start fast. */
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
