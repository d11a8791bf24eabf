// Builds what the plugin ships beside its sources: browser scripts, assets/src/*.ts → assets/*.js, and translations. Packing
// runs it, and so does each WordPress that runs the plugin from a checkout.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildLanguages } from '../languages/languages.ts';
import { plugin } from '../languages/pot.ts';
import { compiledWords } from './compiled-words.ts';

const assets = join(plugin.folder, 'assets');

/** Writes only changed files, so that a WordPress running from this folder seldom reads half a file. */
export async function buildAssets(): Promise<string[]> {
  const { outputFiles } = await build({
    entryPoints: ['trousseau', 'known', 'pages', 'editor', 'registry-editor', 'settings', 'bookmarklet'].map(
      (name) => join(assets, 'src', `${name}.ts`),
    ),
    outdir: assets,
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    target: 'es2022',
    write: false,
    plugins: [compiledWords],
  });
  for (const { path, text } of outputFiles) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
  return outputFiles.map(({ path }) => basename(path));
}

export async function buildPlugin(): Promise<string[]> {
  return [...(await buildAssets()), ...buildLanguages(plugin)];
}

if (import.meta.main) console.log((await buildPlugin()).join('\n'));
