// Builds what the theme ships beside its sources: translations. Packing runs it, and so does each WordPress that runs the
// theme from a checkout.
import { assertTranslated, buildLanguages } from '../languages/languages.ts';
import { theme } from '../languages/pot.ts';

export const buildTheme = (): string[] => buildLanguages(theme);

if (import.meta.main) {
  if (process.argv.includes('--release')) assertTranslated(theme);
  console.log(buildTheme().join('\n'));
}
