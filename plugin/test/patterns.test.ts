// Patterns and templates of the plugin: valid in the editor, and pages in a block theme that knows no registries.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { deleteOption, setOptions, switchTheme } from '../../dev/wordpress/set-up.ts';
import {
  complaints,
  decoded,
  type RecordingService,
  recordingService,
  rest,
  visit,
} from '../../dev/wordpress/site.ts';
import { skipWithoutWordPress, startWordPress, type WordPress } from '../../dev/wordpress/wordpress.ts';

describe('patterns and templates', { skip: skipWithoutWordPress() }, () => {
  let site: WordPress;
  let service: RecordingService;
  const gift = { id: 801, name: 'Copper kettle', url: 'https://shop.example/kettle', is_active: true };

  before(async () => {
    site = await startWordPress();
    service = await recordingService(({ path }) => {
      const registry = Number(/^\/registries\/(\d+)\/items$/.exec(path)?.[1]);
      return {
        body: registry ? [{ ...gift, registry_id: registry, quantity_needed: 1, quantity_purchased: 0 }] : [],
      };
    });
    await setOptions(site, { trousseau_base_url: service.url });
  });
  after(async () => {
    await service?.close();
    await site?.stop();
  });

  const takesTemplates = () => Number.parseFloat(site.version) >= 6.7;
  const patterns = async (): Promise<{ name: string; content: string; categories: string[] }[]> =>
    (await rest(site, site.users.admin, 'GET', '/wp/v2/block-patterns/patterns')).json.filter(
      ({ name }: { name: string }) => name.startsWith('trousseau-plugin/'),
    );
  const templates = async (): Promise<{ slug: string; content: { raw: string } }[]> =>
    (await rest(site, site.users.admin, 'GET', '/wp/v2/templates?context=edit')).json.filter(
      ({ slug, source }: { slug: string; source: string }) =>
        slug.endsWith('-registry') && source === 'plugin',
    );

  test('a block theme without templates for registries shows them by the plugin’s', async () => {
    await switchTheme(site, 'twentytwentythree').then(() => deleteOption(site, 'rewrite_rules'));
    assert.deepEqual(
      (await templates()).map(({ slug }) => slug).sort(),
      takesTemplates() ? ['archive-registry', 'single-registry'] : [],
    );
    const made = await rest(site, site.users.alice, 'POST', '/wp/v2/registry', {
      title: 'Ann & Bob',
      status: 'publish',
      content: '<!-- wp:paragraph --><p>Our story</p><!-- /wp:paragraph -->',
      meta: { registry_event_type: 'Housewarming' },
    });
    const nobody = await visit(site, null);
    const main = /<main.*<\/main>/s.exec((await nobody(made.json.link)).text)![0];
    for (const words of ['Ann & Bob</h1>', 'Housewarming', 'Our story', 'Copper kettle</h3>'])
      assert.equal(decoded(main).split(words).length - 1, 1, words);
    const list = await nobody('/registry/');
    assert.equal(list.status, 200);
    assert.ok(decoded(list.text).includes('Ann & Bob</a>'));
    if (takesTemplates()) assert.match(list.text, /<main.*Housewarming.*<\/main>/s);
    assert.deepEqual(complaints(site), []);
  });

  test('a theme’s own templates come first, and a theme without blocks has none', async () => {
    await switchTheme(site, 'trousseau');
    assert.deepEqual(await templates(), []);
    await switchTheme(site, 'twentytwentyone');
    assert.deepEqual(await templates(), []);
    await switchTheme(site, 'twentytwentythree');
  });

  test('each pattern is a page that works for whom it is made', async () => {
    const found = await patterns();
    assert.deepEqual(found.map(({ name }) => name.split('/')[1]).sort(), ['lists', 'mine', 'start']);
    const shown = new Map([
      ['lists', 'Ann & Bob'],
      ['mine', 'Gifts you give'],
      ['start', 'Make your registry'],
    ]);
    const alice = await visit(site, site.users.alice);
    for (const { name, content, categories } of found) {
      assert.deepEqual(categories, ['trousseau']);
      const page = await rest(site, site.users.admin, 'POST', '/wp/v2/pages', {
        ...{ title: name, status: 'publish', content },
      });
      const { status, text } = await alice(page.json.link);
      assert.equal(status, 200);
      assert.ok(decoded(text).includes(shown.get(name.split('/')[1]!)!), name);
      if (name.endsWith('/start')) {
        const address = /class="wp-block-button__link wp-element-button" href="([^"]*)"/.exec(text)![1]!;
        assert.equal((await alice(decoded(address))).status, 200, 'the button leads to a page');
      }
      if (name.endsWith('/mine')) assert.ok(decoded(text).includes('Ann & Bob'), 'their lists');
    }
    assert.deepEqual(complaints(site), []);
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
