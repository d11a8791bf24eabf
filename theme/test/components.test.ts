// Draws every component of docs/design.md with the tokens of theme.json, by day and by night, in the theme's fonts, without WordPress.
// `node theme/test/components.test.ts --save` also saves the picture that the document shows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { settings, styles } = JSON.parse(read('theme/theme.json'));
const design = read('docs/design.md');

const button = (words: string, classes = '') =>
  `<button type="button" class="wp-element-button ${classes}">${words}</button>`;

const COMPONENTS: Record<string, string> = {
  Buttons: `<p class="trousseau-ways">${button('Send invitations')} ${button('Save as draft', 'trousseau-quiet')} <a href="#x">Cancel</a></p>`,
  Field: `<p class="trousseau-field"><label for="name">Name</label><input id="name" value="Copper pan"><small>Guests see it.</small></p>`,
  Select: `<p class="trousseau-field"><label for="currency">Currency</label><select id="currency"><option>Euro (EUR)</option></select></p>`,
  Picture: `<p class="trousseau-field is-picture"><input id="picture" type="file" data-ratio="2"><label class="wp-element-button trousseau-quiet" for="picture">Choose a picture</label><span class="trousseau-frame"><img src="data:image/svg+xml,${encodeURIComponent(read('theme/assets/gifts.svg'))}" alt="" style="aspect-ratio: 2"><input type="range" aria-label="Move the picture up or down"></span></p>`,
  Choice: `<fieldset class="trousseau-field"><legend>Who can see it?</legend><label class="trousseau-choice"><input type="radio" name="a" checked> <span>Only people I invite</span></label><label class="trousseau-choice"><input type="radio" name="a"> <span>Everyone<small>Listed on this site.</small></span></label></fieldset>`,
  Chips: `<fieldset class="trousseau-field is-share"><legend>Your share</legend><label class="trousseau-choice"><input type="radio" name="b" checked> <span>€20</span></label><label class="trousseau-choice"><input type="radio" name="b"> <span>€50</span></label></fieldset>`,
  Note: '<p class="trousseau-note is-answer">“Copper pan” is on your list.</p>',
  Tabs: '<nav class="trousseau-tabs" aria-label="List"><ul><li><a href="#a" aria-current="page">Home</a></li><li><a href="#b">Gifts</a></li><li><a href="#c">Guests</a></li></ul></nav>',
  Row: `<ul class="trousseau-rows" role="list"><li class="is-guest"><span><strong>Ann</strong> <small>Email sent</small></span><details class="trousseau-order__do"><summary aria-label="More: Ann">⋯</summary></details></li></ul>`,
  Menu: `<ul class="trousseau-rows" role="list" style="height: 15rem"><li class="is-guest"><strong>Copper pan</strong><details class="trousseau-order__do" open><summary aria-label="More: Copper pan">⋯</summary><div class="trousseau-order__menu"><a href="/gifts/?item=1">Edit</a><button type="button">Move up</button><button type="button" disabled>Move down</button><button type="button">Remove</button></div></details></li></ul>`,
  Gift: `<ul class="trousseau-items" role="list"><li class="trousseau-item"><div class="trousseau-item__text"><h3>Copper pan</h3><p class="trousseau-facts"><span class="trousseau-price">€24.90</span> · <span class="trousseau-retailer">Maison Bérard</span></p><div class="trousseau-actions"><a class="wp-element-button" href="#d">I’m giving this</a></div></div></li></ul>`,
};

const preset = (kind: string, all: Record<string, string>[], field: string) =>
  all.map(({ slug, [field]: value }) => `--wp--preset--${kind}--${slug}: ${value}`);
const presets = [
  ...preset('color', settings.color.palette, 'color'),
  ...preset('font-size', settings.typography.fontSizes, 'size'),
  ...preset('font-family', settings.typography.fontFamilies, 'fontFamily'),
].join('; ');

/** A file of the theme or the plugin as an address of its own, since the page has none. */
const data = (path: string) =>
  `data:${path.endsWith('.svg') ? 'image/svg+xml' : 'font/woff2'};base64,${readFileSync(join(root, path)).toString('base64')}`;
const styleSheet = (path: string) =>
  read(path).replace(/url\("([\w-]+\.svg)"\)/g, (_, name) => `url(${data(join(dirname(path), name))})`);
const fonts = settings.typography.fontFamilies.flatMap(
  ({ fontFace }: { fontFace: Record<string, string>[] }) =>
    fontFace.map(
      ({ fontFamily, fontWeight, fontStyle, unicodeRange, src }) =>
        `@font-face { font-family: ${fontFamily}; font-weight: ${fontWeight}; font-style: ${fontStyle}; unicode-range: ${unicodeRange}; src: url(${data(join('theme', src![0]!.replace('file:', '')))}) }`,
    ),
);
const { heading, h1, h2, h3 } = styles.elements;
const headings = Object.entries({ h1, h2, h3 })
  .map(([name, { typography }]) => `${name} { font-size: ${typography.fontSize} }`)
  .join('\n');
const { color, border, spacing, typography } = styles.elements.button;
const page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Components</title><style>
${fonts.join('\n')}
:root { ${presets} }
body { margin: 0; background: var(--wp--preset--color--base); color: var(--wp--preset--color--contrast); font: ${styles.typography.fontSize} / ${styles.typography.lineHeight} var(--wp--preset--font-family--body) }
:is(h1, h2, h3) { font-family: ${heading.typography.fontFamily}; font-weight: ${heading.typography.fontWeight}; letter-spacing: ${heading.typography.letterSpacing}; line-height: ${heading.typography.lineHeight} }
${headings}
.wp-element-button { font-family: inherit; background: ${color.background}; color: ${color.text}; border: ${border.width} ${border.style} ${border.color}; border-radius: ${border.radius}; padding: ${Object.values(spacing.padding).join(' ')}; font-size: ${typography.fontSize}; font-weight: ${typography.fontWeight}; line-height: ${typography.lineHeight} }
a { color: var(--wp--preset--color--accent) }
main { padding: 1rem }
${['plugin/assets/trousseau.css', 'theme/assets/base.css', 'theme/assets/registry.css'].map(styleSheet).join('')}</style>
<div class="wp-site-blocks"><main class="trousseau-page"><h1>Components</h1>${Object.entries(COMPONENTS)
  .map(([name, html]) => `<h2>${name}</h2>${html}`)
  .join('')}</main></div></html>`;

test('the document names each component and each token', () => {
  const named = [...design.matchAll(/^\| ([A-Z]\w+) \| `[^#\n]*$/gm)].map(([, name]) => name);
  assert.deepEqual(named, Object.keys(COMPONENTS));
  for (const { slug, color, name } of settings.color.palette)
    assert.ok(design.includes(`| ${name} | \`${slug}\` | \`${color}\` |`), `${slug} is ${color}`);
});

describe('each component', { skip: skipWithoutChromium() }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser?.close());

  for (const colorScheme of ['light', 'dark'] as const)
    test(`is drawn without a fault, ${colorScheme}`, async () => {
      // As high as the page: a menu opens where there is room on the screen.
      const tab = await browser.newPage({ colorScheme, viewport: { width: 390, height: 2200 } });
      await tab.setContent(page);
      await tab.evaluate('document.fonts.ready.then(() => true)');
      const loaded = `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`;
      assert.deepEqual(new Set((await tab.evaluate(loaded)) as string[]), new Set(['Fraunces', 'Figtree']));
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), 390);
      const { violations } = await runAxe(tab, 'main');
      assert.deepEqual(violations, []);
      const path = join(root, `docs/screenshots/components-${colorScheme}.png`);
      if (process.argv.includes('--save')) await tab.screenshot({ path, fullPage: true });
      await tab.close();
    });
});
