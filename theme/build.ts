// Compiles the translations: languages/*.po → languages/*.mo. Run by `npm run wordpress` and before packing.
import { buildLanguages } from '../plugin/dev/languages.ts';
import { theme } from '../plugin/dev/pot.ts';

if (import.meta.main) console.log(buildLanguages(theme).join('\n'));
