// Builds what the plugin ships besides its sources: browser scripts, src/*/scripts/NAME.ts → assets/NAME.js, each with a version for
// readers in assets/readable/, and translations. Packing runs this, and so does each WordPress that uses the plugin from a checkout.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { assertTranslated, buildLanguages } from '../languages/languages.ts';
import { plugin } from '../languages/pot.ts';
import { compiledWords } from './compiled-words.ts';

const assets = join(plugin.folder, 'assets');

const scripts = ['trousseau', 'known', 'pages', 'editor', 'registry-editor', 'bookmarklet'];

/** Bundles, for each script, the files of its name in all features. */
const ofFeatures: Plugin = {
  name: 'features',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^features:/ }, ({ path }) => ({ path: path.slice(9), namespace: 'features' }));
    onLoad({ filter: /./, namespace: 'features' }, ({ path }) => ({
      contents: globSync(`src/*/scripts/${path}.ts`, { cwd: plugin.folder })
        .sort()
        .map((file) => `import './${file}';`)
        .join('\n'),
      resolveDir: plugin.folder,
    }));
  },
};

/** Writes only changed files, so that a WordPress running from this folder seldom reads half a file. */
export async function buildAssets(): Promise<string[]> {
  // The plugin directory asks for a readable form of each minified script.
  const outputs = [...(await bundle(assets, true)), ...(await bundle(join(assets, 'readable'), false))];
  mkdirSync(join(assets, 'readable'), { recursive: true });
  for (const { path, text } of outputs) {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
  const built = outputs.map(({ path }) => relative(assets, path));
  // Scripts of an earlier version would ship, too.
  for (const file of globSync('{*,readable/*}.js', { cwd: assets }))
    if (!built.includes(file)) rmSync(join(assets, file));
  return built;
}

async function bundle(outdir: string, minify: boolean) {
  const { outputFiles } = await build({
    entryPoints: scripts.map((out) => ({ in: `features:${out}`, out })),
    outdir,
    bundle: true,
    minify,
    format: 'iife',
    charset: 'utf8',
    target: 'es2022',
    write: false,
    plugins: [ofFeatures, compiledWords],
  });
  return outputFiles;
}

export async function buildPlugin(): Promise<string[]> {
  return [...(await buildAssets()), ...buildLanguages(plugin)];
}

if (import.meta.main) {
  if (process.argv.includes('--release')) assertTranslated(plugin);
  console.log((await buildPlugin()).join('\n'));
}
