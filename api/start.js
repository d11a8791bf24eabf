import module from 'node:module';
import { join } from 'node:path';

// An older Node stops at the imports below, with an error that names no version.
// 24.15 is the first whose SQLite has no known fault where one connection writes while another copies the log.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(`Trousseau needs Node 24.15 or newer, and this is ${process.version}`);
  process.exit(1);
}

// JavaScript, since Node doesn't keep the compiled code of the file that it starts with: for `src/main.ts` alone each start
// would load the compiler of TypeScript, a fifth of its time and up to 11 MB. `src/main.ts` names the same folder, for packages.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/trousseau'));
await import('./src/main.ts');
