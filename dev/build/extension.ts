// Builds the scripts of the browser extension: extension/src/*.ts → extension/*.js. Packing and the extension's tests run this.
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { compiledWords } from './compiled-words.ts';

const folder = join(import.meta.dirname, '../../extension');

export async function buildExtension(outdir = folder): Promise<void> {
  const shared: BuildOptions = {
    outdir,
    bundle: true,
    minify: true,
    charset: 'utf8',
    target: 'es2022',
    plugins: [compiledWords],
  };
  const sources = (names: string[]) => names.map((name) => join(folder, 'src', `${name}.ts`));
  await Promise.all([
    build({ ...shared, format: 'iife', entryPoints: sources(['background']) }),
    build({ ...shared, format: 'esm', entryPoints: sources(['popup', 'sites']) }),
    // The browser hands the value of a script's last expression to the extension.
    build({
      ...shared,
      format: 'iife',
      globalName: 'trousseau',
      footer: { js: 'trousseau.read()' },
      entryPoints: sources(['reader']),
    }),
  ]);
}

if (import.meta.main) await buildExtension();
