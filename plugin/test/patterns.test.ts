// Patterns and templates of the plugin: valid in the editor, and none where a theme has its own. PatternsTest.php has the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { describeWordPress } from '../../dev/wordpress/describe-site.ts';

describeWordPress('patterns and templates', {}, (site) => {
  const takesTemplates = () => Number.parseFloat(site.version) >= 6.7;
  const patterns = async (): Promise<{ name: string; content: string; categories: string[] }[]> =>
    (await site.rest('admin', 'GET', '/wp/v2/block-patterns/patterns')).json.filter(
      ({ name }: { name: string }) => name.startsWith('trousseau-plugin/'),
    );
  const templates = async (): Promise<{ slug: string; content: { raw: string } }[]> =>
    (await site.rest('admin', 'GET', '/wp/v2/templates?context=edit')).json.filter(
      ({ slug, source }: { slug: string; source: string }) =>
        slug.endsWith('-registry') && source === 'plugin',
    );

  test('a theme’s own templates come first, and a theme without blocks has none', async () => {
    await site.switchTheme('trousseau');
    assert.deepEqual(await templates(), []);
    await site.switchTheme('twentytwentyone');
    assert.deepEqual(await templates(), []);
    await site.switchTheme('plain');
  });

  test('the editor finds every block of patterns and templates valid', {
    skip: skipWithoutChromium(),
  }, async () => {
    const contents = [
      ...(await patterns()).map(({ content }) => content),
      ...(await templates()).map(({ content }) => content.raw),
    ];
    assert.equal(contents.length, takesTemplates() ? 5 : 3);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await signIn(page, site, site.users.admin);
      await page.goto(`${site.url}/wp-admin/post-new.php?post_type=page`);
      await page.waitForFunction(`window.wp?.blocks?.getBlockType('trousseau/page')`);
      const broken = await page.evaluate((texts) => {
        interface Block {
          name: string;
          isValid: boolean;
          innerBlocks: Block[];
        }
        const { parse } = (window as unknown as { wp: { blocks: { parse(text: string): Block[] } } }).wp
          .blocks;
        const all = (blocks: Block[]): Block[] =>
          blocks.flatMap((block) => [block, ...all(block.innerBlocks)]);
        return all(texts.flatMap((text) => parse(text)))
          .filter(({ name, isValid }) => !isValid || /missing|freeform/.test(name))
          .map(({ name }) => name);
      }, contents);
      assert.deepEqual(broken, []);
    } finally {
      await browser.close();
    }
  });
});
