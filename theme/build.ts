// Compiles the translations, languages/*.po → languages/*.mo: before packing, and where the theme runs from a checkout.
import { buildLanguages } from '../plugin/dev/languages.ts';
import { theme } from '../plugin/dev/pot.ts';

if (import.meta.main) console.log(buildLanguages(theme).join('\n'));
