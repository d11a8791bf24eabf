import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './repository.ts';

const modules = join(import.meta.dirname, '../../../node_modules');

/** Makes an empty folder in which to install the packages as a user would. */
export function cleanFolder(t: TestContext) {
  const folder = temporaryFolder(t);
  // Commands whose first line names `node` use the Node.js that runs the tests.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

  const run = (command: string, ...args: string[]): string => {
    const options = { cwd: folder, encoding: 'utf8', env } as const;
    const { status, stdout, stderr, error } = spawnSync(command, args, options);
    if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  write('package.json', '{ "private": true, "type": "module" }\n');

  return {
    folder,
    env,
    run,
    write,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    install: (...args: string[]) =>
      run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...args),
    filesOf: (name: string) =>
      readdirSync(join(folder, 'node_modules', name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(join(folder, 'node_modules', name), join(entry.parentPath, entry.name)))
        .sort(),
    /** Checks a file as a strict user would, the declarations of the installed packages included. */
    typeCheck: (name: string) =>
      run(
        ...[process.execPath, join(modules, 'typescript/bin/tsc'), '--typeRoots', join(modules, '@types')],
        ...'--singleThreaded --noEmit --strict --module nodenext --target es2024 --types node'.split(' '),
        name,
      ),
  };
}
