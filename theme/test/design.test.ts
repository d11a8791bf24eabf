// Compares theme.json, the palette and block markup with how the oldest supported WordPress reads them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { rest } from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';
import { contrast, type Guest, welcome } from './guest.ts';

const theme = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(theme, file), 'utf8');
const themeJson = JSON.parse(read('theme.json'));

const hex = (colour: string) => [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));

describe('palette', () => {
  const day: Record<string, string> = Object.fromEntries(
    themeJson.settings.color.palette.map(({ slug, color }: { slug: string; color: string }) => [slug, color]),
  );
  const darkRule = /prefers-color-scheme: dark\)([^@]*?)\n}/.exec(read('assets/base.css'))![1]!;
  const night = Object.fromEntries(
    [...darkRule.matchAll(/--wp--preset--color--([\w-]+): (#[0-9a-f]{6});/g)].map(([, slug, colour]) => [
      slug!,
      colour!,
    ]),
  );

  test('night has every colour of the day', () => {
    assert.deepEqual(Object.keys(night).sort(), Object.keys(day).sort());
  });

  for (const [name, palette] of Object.entries({ day, night })) {
    test(`text can be read on every ground by ${name}`, () => {
      const pairs = ['contrast', 'muted', 'accent', 'leaf'].flatMap((ink) =>
        ['base', 'surface', 'tint'].map((ground) => [ink, ground]),
      );
      for (const [ink, ground] of [...pairs, ['accent-contrast', 'accent']]) {
        const ratio = contrast(hex(palette[ink!]!), hex(palette[ground!]!));
        assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
      }
    });
  }
});

test('fonts come in small files, and text doesn’t wait for them', () => {
  const fonts = join(theme, 'assets/fonts');
  const files = readdirSync(fonts).filter((name) => name.endsWith('.woff2'));
  for (const name of files) assert.ok(statSync(join(fonts, name)).size < 25_000, name);
  const families = themeJson.settings.typography.fontFamilies as {
    fontFamily: string;
    fontFace: Record<string, string & string[]>[];
  }[];
  const faces = families.flatMap(({ fontFace }) => fontFace);
  assert.deepEqual(faces.map(({ src }) => src![0]!.replace('file:./assets/fonts/', '')).sort(), files.sort());
  for (const face of faces) assert.equal(face.fontDisplay, 'swap');
  const own = [...read('assets/fallback-fonts.css').matchAll(/font-family: (".*? like .*?");/g)].map(
    ([, name]) => name,
  );
  const named = families.flatMap(({ fontFamily }) => fontFamily.match(/"[^"]* like [^"]*"/g) ?? []);
  assert.deepEqual(own, named);

  // Letters of the theme's languages in Latin script, and of neighbouring languages.
  const covered = (letter: string) =>
    families.every(({ fontFace }) =>
      fontFace.some(({ unicodeRange }) =>
        unicodeRange!.split(', ').some((range) => {
          const [from, to = from] = range
            .slice(2)
            .split('-')
            .map((digits) => Number.parseInt(digits, 16));
          return letter.codePointAt(0)! >= from! && letter.codePointAt(0)! <= to!;
        }),
      ),
    );
  const letters = 'AZaz09äöüÄÖÜßẞàâçéèêëîïôœùûÿÀÂÇÉÈÊËÎÏÔŒÙÛŸáíñóúüÁÍÑÓÚ¿¡«»„“”‚‘’–—…·×€ ŁłŚşğİıŐőčžřĐđ';
  const found = [...letters].filter((letter) => !covered(letter));
  assert.deepEqual(found, []);
});

describe('to WordPress', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  before(async () => {
    site = await startWordPress({ theme: 'trousseau' });
  });
  after(() => site?.stop());

  test('theme.json has only known words', async (t) => {
    if (!site.version.startsWith('6.1.')) return t.skip(`${site.version} rewrites it into its own version`);
    const kept = await site.call('theme_json');
    // WordPress groups a theme's presets under the origin `theme`.
    const compare = (written: unknown, found: unknown, path: string): string[] => {
      if (written === null || typeof written !== 'object') return written === found ? [] : [path];
      if (Array.isArray(written)) {
        const list = (found as { theme?: unknown })?.theme ?? found;
        return JSON.stringify(list) === JSON.stringify(written) ? [] : [path];
      }
      return Object.entries(written).flatMap(([key, value]) =>
        compare(value, (found as Record<string, unknown> | undefined)?.[key], `${path}.${key}`),
      );
    };
    const { $schema, ...written } = structuredClone(themeJson);
    delete written.settings.appearanceTools; // a switch that WordPress expands into the settings that it stands for
    assert.match($schema, /\/6\.1\//);
    assert.deepEqual(compare(written, kept, ''), []);
  });

  test('WordPress reads the whole header of style.css', async () => {
    const header = await site.call('theme_header', 'trousseau');
    const version = /^Version: (\d+\.\d+\.\d+)$/m.exec(read('style.css'))![1];
    assert.deepEqual(header, [false, true, version, '6.1', '8.1', 'trousseau-theme']);
  });

  describe('and to its editor', { skip: skipWithoutChromium() }, () => {
    type Block = { name: string; isValid: boolean; innerBlocks: Block[]; originalContent: string };
    let guest: Guest;
    let browser: Browser;
    before(async () => {
      browser = await launchChromium();
      guest = await welcome(browser, site, { user: site.users.admin });
    });
    after(() => browser?.close());

    async function faultsIn(sources: Record<string, string>): Promise<string[]> {
      await guest.open('/wp-admin/post-new.php?post_type=page');
      await guest.page.waitForFunction(`window.wp?.blocks?.getBlockType('trousseau/page')`);
      return guest.page.evaluate((sources) => {
        const { parse } = (window as unknown as { wp: { blocks: { parse(source: string): Block[] } } }).wp
          .blocks;
        const invalid = ({ isValid, name, originalContent, innerBlocks }: Block): string[] => [
          ...(isValid && !/missing|freeform/.test(name) ? [] : [`${name}: ${originalContent}`]),
          ...innerBlocks.flatMap(invalid),
        ];
        return Object.entries(sources).flatMap(([name, source]) =>
          parse(source)
            .flatMap(invalid)
            .map((fault) => `${name}: ${fault}`),
        );
      }, sources);
    }
    type Template = { slug: string; source: string; content: { raw: string } };
    type Pattern = { name: string; content: string };
    const ask = async (path: string) => (await rest(site, site.users.admin, 'GET', path)).json;
    const templates = async (): Promise<[string, string][]> => {
      const all: Template[] = await ask('/wp/v2/templates?context=edit');
      const own = all.filter(({ slug, source }) => slug.endsWith('-registry') && source === 'plugin');
      return own.map(({ slug, content }) => [slug, content.raw]);
    };
    const patterns = async (begin: string): Promise<[string, string][]> => {
      const all: Pattern[] = await ask('/wp/v2/block-patterns/patterns');
      return all.filter(({ name }) => name.startsWith(begin)).map(({ name, content }) => [name, content]);
    };

    test('every template, part and pattern is valid', async () => {
      const own = await patterns('trousseau/');
      assert.ok(own.some(([name]) => name === 'trousseau/hero'));
      const files = ['templates', 'parts'].flatMap((folder) =>
        readdirSync(join(theme, folder)).map((file): [string, string] => [file, read(`${folder}/${file}`)]),
      );
      assert.deepEqual(await faultsIn(Object.fromEntries([...own, ...files])), []);
    });

    test('and those of the plugin are, whose templates a theme with its own, or without blocks, replaces', async () => {
      assert.deepEqual(await templates(), []);
      await site.call('switch_theme', 'twentytwentyone');
      assert.deepEqual(await templates(), []);
      await site.call('switch_theme', 'plain');
      const all = [...(await patterns('trousseau-plugin/')), ...(await templates())];
      assert.equal(all.length, Number.parseFloat(site.version) >= 6.7 ? 5 : 3);
      assert.deepEqual(await faultsIn(Object.fromEntries(all)), []);
    });
  });
});
