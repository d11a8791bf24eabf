// Builds what the theme ships beside its sources: translations. Packing runs it, and so does each WordPress that runs the
// theme from a checkout.
import { buildLanguages } from '../languages/languages.ts';
import { theme } from '../languages/pot.ts';

export const buildTheme = (): string[] => buildLanguages(theme);

if (import.meta.main) console.log(buildTheme().join('\n'));
