import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** Replaces the word tables with compiled regular expressions: a bookmark must be short, and the reader must start fast. */
export const compiledWords: Plugin = {
  name: 'compiled-words',
  setup({ onLoad, initialOptions }) {
    // Only the patterns of a table are left, so an import of its words must stop the build.
    initialOptions.logOverride = { 'import-is-undefined': 'error' };
    onLoad({ filter: /[\\/]shop[\\/](?:\w+-words|class-names)\.ts$/ }, async ({ path }) => {
      const patterns = Object.entries(await import(pathToFileURL(path).href)).filter(
        ([, value]) => value instanceof RegExp,
      );
      return { contents: patterns.map(([name, pattern]) => `export const ${name} = ${pattern};`).join('\n') };
    });
  },
};
