import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONTRACT = new URL('../src/contract/index.ts', import.meta.url).href;
const PRINT = `import * as contract from '${CONTRACT}'; console.log(JSON.stringify(contract));`;
// Takes TypeBox itself where the contract imports its few functions.
const WITH_TYPEBOX = `import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => next(name.endsWith('/typebox.ts') ? 'typebox' : name, context),
    load(url, context, next) { if (url.includes('/typebox/')) process.exitCode = 42; return next(url, context); },
  });`;

test('the contract is the same as made by the whole of TypeBox', async () => {
  const print = (...options: string[]) =>
    run(process.execPath, [...options, '--input-type=module', '--eval', PRINT]);
  const { stdout: ours } = await print();
  assert.ok(Object.keys(JSON.parse(ours)).length > 30, 'the shapes were found');
  const hook = `data:text/javascript,${encodeURIComponent(WITH_TYPEBOX)}`;
  // The exit code says that TypeBox was loaded.
  const { code, stdout: theirs } = await print('--import', hook).catch((error) => error);
  assert.equal(code, 42);
  assert.equal(ours, theirs);
});
