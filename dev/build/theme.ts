// Builds what the theme ships besides its sources: translations. Packing runs this, and so does each WordPress that uses the
// theme from a checkout.
import { assertTranslated, buildLanguages } from '../languages/languages.ts';
import { theme } from '../languages/pot.ts';

export const buildTheme = (): string[] => buildLanguages(theme);

if (import.meta.main) {
  if (process.argv.includes('--release')) assertTranslated(theme);
  console.log(buildTheme().join('\n'));
}
