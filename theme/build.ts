// Compiles the translations, languages/*.po → languages/*.mo: before packing, and where the theme runs from a checkout.
import { buildLanguages } from '../dev/languages/languages.ts';
import { theme } from '../dev/languages/pot.ts';

if (import.meta.main) console.log(buildLanguages(theme).join('\n'));
