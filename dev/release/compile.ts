import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse, relative } from 'node:path';
import { Refusal } from './refusal.ts';

/** Returns the path of the JavaScript compiled from a source. */
export const asJavaScript = (path: string) => path.replace(/\.ts$/, '.js');
export const asDeclaration = (path: string) => path.replace(/\.ts$/, '.d.ts');

/** Compiles with the repository's own settings, and returns a function that reads an output by its source path. */
export function compile(root: string, scratch: string, include: string[]): (path: string) => string {
  const modules = join(root, 'node_modules');
  const tsc = join(modules, 'typescript/bin/tsc');
  if (!existsSync(tsc)) throw new Refusal('The TypeScript compiler is not installed: run npm ci first.');
  // The scratch folder and the repository may have no common folder but the root.
  const { root: rootDir } = parse(root);
  const outDir = join(scratch, 'compiled');
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        ...{ noEmit: false, noEmitOnError: true, declaration: true, rewriteRelativeImportExtensions: true },
        ...{ rootDir, outDir, typeRoots: [join(modules, '@types')] },
        // Node knows `using`, which would otherwise take sixty lines a file.
        target: 'esnext',
      },
      include,
      exclude: [],
    }),
  );
  const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    execFileSync(process.execPath, [tsc, '--project', scratch, '--singleThreaded'], options);
  } catch (error) {
    throw new Refusal(`TypeScript does not compile:\n${(error as { stdout: string }).stdout.trim()}`);
  }
  return (path) => readFileSync(join(outDir, relative(rootDir, path)), 'utf8');
}

/**
 * Returns a contract's shapes as a module whose declarations spell each of them out: the compiler prints an inferred
 * type in full, but only the name of an alias.
 */
export function inferredShapes(modules: string[], index: string): string {
  const names = modules.flatMap((module) =>
    [...readFileSync(module, 'utf8').matchAll(/^export type (\w+) = Static</gm)].map(([, name]) => name!),
  );
  return [
    `import type * as contract from ${JSON.stringify(index)};`,
    'declare function plain<T>(): { [K in keyof T]: T[K] };',
    ...names.sort().map((name) => `export const ${name} = plain<contract.${name}>();`),
  ].join('\n');
}

/** Turns the declarations of `inferredShapes` back into types. */
export const asTypes = (declarations: string) =>
  declarations.replace(/^export declare const (\w+): /gm, 'export type $1 = ');
