import module from 'node:module';
import { join } from 'node:path';

// An older Node stops at the imports below, with an error that names no version.
if (parseInt(process.versions.node, 10) < 24) {
  console.error(`Trousseau needs Node 24 or newer, this is ${process.version}`);
  process.exit(1);
}

// JavaScript, since Node doesn't keep the compiled code of the file that it starts with: for `src/main.ts` alone each start
// would load the compiler of TypeScript, a fifth of its time and up to 11 MB. `src/main.ts` names the same folder, for packages.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/trousseau'));
await import('./src/main.ts');
