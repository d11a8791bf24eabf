import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// JavaScript, since Node doesn't keep the compiled code of the file that it starts with: for `src/main.ts` alone each start
// would load the compiler of TypeScript, a fifth of its time and up to 11 MB. `src/main.ts` names the same folder, for packages.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/trousseau'));
await import('./src/main.ts');
