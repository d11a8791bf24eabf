// Every template on a real WordPress, in Chromium: on a phone and a desktop, in light and dark; the page of a list in each state and in
// print; and the theme without the plugin.
// @again wordpress
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { mostTelling } from '../../dev/night.ts';
import { addPost, deactivate, setOption, setOptions } from '../../dev/wordpress/set-up.ts';
import {
  assertAccessible,
  assertLargeTargets,
  assertReadableAtNight,
  assertStill,
  describeSample,
  type Width,
  widths,
} from './guest.ts';

const LIST = '/registry/amelie-jonas/';
const templates = [
  { name: 'front-page', path: '/', bodyClass: 'home' },
  { name: 'archive-registry', path: '/registry/', bodyClass: 'post-type-archive-registry' },
  { name: 'single-registry', path: LIST, bodyClass: 'single-registry' },
  { name: 'index', path: '/journal/', bodyClass: 'blog' },
  { name: 'archive', path: '/category/uncategorized/', bodyClass: 'archive' },
  { name: 'single', path: '/hello-world/', bodyClass: 'single-post' },
  { name: 'page', path: '/our-story/', bodyClass: 'page' },
  { name: 'search', path: '/?s=the', bodyClass: 'search-results' },
  { name: 'search without results', path: '/?s=zzqq', bodyClass: 'search-no-results' },
  { name: '404', path: '/no-such-page/', bodyClass: 'error404', status: 404 },
];

describeSample('pages', (site) => {
  before(async () => {
    const page = { post_type: 'page', post_status: 'publish' };
    await setOptions(site, {
      show_on_front: 'page',
      page_on_front: await addPost(site, { ...page, post_title: 'Home' }),
      page_for_posts: await addPost(site, { ...page, post_title: 'Journal' }),
    });
    const comment = { comment_author: 'Ruth', comment_content: 'How lovely!', comment_approved: 1 };
    await site.call('wp_insert_comment', { comment_post_ID: 1, ...comment });
  });

  for (const { name, path, bodyClass, status = 200 } of templates) {
    for (const width of mostTelling<Width>(1, ['phone', 'desk'])) {
      test(`${name}, ${width}, by day and by night`, async () => {
        const { page, requests, errors, open } = await site.welcome({ width });
        assert.equal(await open(path), status);
        assert.ok((await page.getAttribute('body', 'class'))?.split(' ').includes(bodyClass));
        await assertStill(page);
        await assertAccessible(page);
        await assertLargeTargets(page);
        await assertReadableAtNight(page);
        const found = requests.filter((url) => new URL(url).origin !== site.url);
        assert.deepEqual(found, [], 'no request to anybody else');
        // WordPress's own emoji, which the plugin switches off on pages of lists.
        if (name.endsWith('registry'))
          assert.doesNotMatch(await page.content(), /\bs\.w\.org|dns-prefetch|preconnect/);
        assert.deepEqual(errors, []);
      });
    }
  }

  // accessibility.test.ts has the other direction.
  test('nothing sticks out at 400 % where people write from right to left', async () => {
    await setOption(site, 'test_rtl', '1');
    const { page, open } = await site.welcome();
    await page.setViewportSize({ width: 320, height: 256 });
    for (const { name, path } of templates) {
      await open(path);
      const found = await page.evaluate(() => ({
        direction: getComputedStyle(document.querySelector('main')!).direction,
        width: document.documentElement.scrollWidth,
      }));
      assert.deepEqual(found, { direction: 'rtl', width: 320 }, name);
    }
    await setOption(site, 'test_rtl', '');
  });

  test('night is dark, and day is light', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, open } = await site.welcome({ scheme });
      await open('/');
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(Number(/\d+/.exec(ground)) > 128, scheme === 'light', ground);
    }
  });

  test('text on a background that the site has chosen stays readable at night', async () => {
    const ID = Number(await site.call('WP_Theme_JSON_Resolver::get_user_global_styles_post_id'));
    await site.call('wp_set_object_terms', ID, 'trousseau', 'wp_theme');
    const content = { version: 2, isGlobalStylesUserThemeJSON: true };
    const style = (styles: object) =>
      site.call('wp_update_post', { ID, post_content: JSON.stringify({ ...content, styles }) });
    await style({ color: { background: '#ffffff' } });
    const { page, open } = await site.welcome({ scheme: 'dark' });
    await open('/our-story/');
    const text = await page.evaluate(() => getComputedStyle(document.body).color);
    assert.ok(Number(/\d+/.exec(text)) < 128, text);
    await style({});
  });

  test('a static home page shows what is written on it', async () => {
    const ID = await addPost(site, { post_type: 'page', post_status: 'publish', post_title: 'Ours' });
    const home = await site.call('get_option', 'page_on_front');
    await setOption(site, 'page_on_front', ID);
    const { page, open } = await site.welcome();
    await open('/');
    assert.equal(await page.locator('.hero').count(), 1);
    await site.call('wp_update_post', { ID, post_content: 'Welcome to our shop' });
    await open('/');
    assert.equal(await page.locator('.hero').count(), 0);
    assert.match(await page.locator('main').innerText(), /Welcome to our shop/);
    await setOption(site, 'page_on_front', home);
  });

  for (const width of mostTelling<Width>(1, ['phone', 'desk'])) {
    test(`text shows before the theme’s fonts arrive, and nothing moves then, ${width}`, async () => {
      for (const path of ['/', LIST]) {
        const { page } = await site.welcome({ width });
        const { promise: held, resolve: letCome } = Promise.withResolvers<void>();
        let asked = 0;
        await page.route('**/*.woff2', async (route) => {
          asked++;
          await held;
          await route.continue();
        });
        await page.goto(site.url + path, { waitUntil: 'domcontentloaded' });
        // Browsers don't paint text that is waiting for its font.
        const heading = page.locator('h1').first();
        await heading.waitFor();
        // Playwright's own screenshots wait for fonts.
        const devtools = await page.context().newCDPSession(page);
        const clip = { ...(await heading.boundingBox())!, scale: 1 };
        const colours = async () => (await devtools.send('Page.captureScreenshot', { clip })).data;
        const drawn = (await colours()).length;
        await page.addStyleTag({ content: 'h1 { color: transparent !important }' });
        const blank = (await colours()).length;
        assert.ok(drawn > blank + 500, `a heading of ${drawn} bytes, ${blank} without its words`);
        assert.ok(asked > 0, 'letters were asked for, and are still on their way');
        letCome();
        await assertStill(page);
        const names = await page.evaluate(() => {
          const loaded = [...document.fonts].filter(({ status }) => status === 'loaded');
          // The device's own fonts are shown until these are loaded.
          return loaded.map(({ family }) => family).filter((family) => !family.includes(' like '));
        });
        assert.deepEqual(new Set(names), new Set(['Fraunces', 'Figtree']));
      }
    });
  }

  test('the cards of lists show their pictures, on the front page as in the archive', async (t) => {
    const { page, open } = await site.welcome();
    const jpeg = await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 300, height: 200 } });
    const id = site.registries['Amélie & Jonas']!;
    await site.setPicture(id, jpeg);
    t.after(() => site.call('delete_post_thumbnail', id));
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ['/', '/registry/']) {
        await open(path);
        const cards = page.locator(':is(.trousseau-registries, .registry-cards > ul) > li');
        const card = cards.filter({ hasText: 'Amélie & Jonas' });
        const picture = card.locator('img');
        await picture.scrollIntoViewIfNeeded();
        const [shown, around] = [await picture.boundingBox(), await card.boundingBox()];
        assert.ok(Math.abs(shown!.width - around!.width) <= 3, `${path} ${width}: ${shown!.width}`);
        assert.ok(Math.abs(shown!.height - shown!.width / 2) <= 3, `${path}: ${shown!.height}`);
        assert.equal(await cards.locator('img').count(), 1);
        await assertStill(page);
      }
    }
  });

  test('the first tab stop skips to the content', async () => {
    const { page, open } = await site.welcome();
    await open(LIST);
    await page.keyboard.press('Tab');
    const skip = page.locator(':focus');
    assert.equal(await skip.textContent(), 'Skip to content');
    assert.ok(await skip.isVisible());
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.querySelector(':target')?.tagName), 'MAIN');

    await page.keyboard.press('Tab');
    const first = await page.locator(':focus').evaluate((element) => element.closest('main') !== null);
    assert.ok(first, 'the next stop is in the content');
  });

  test('the header leads to the lists and to the log-in, the front page to a search, on a phone too', async () => {
    const { page, open } = await site.welcome({ width: 'phone' });
    await open('/');
    await page.locator('header').getByRole('link', { name: 'Find a list' }).click();
    await page.getByRole('link', { name: 'All public lists' }).click();
    await page.waitForURL(/registry/);
    assert.equal(await page.textContent('h1'), 'Gift lists');
    await page.locator('header').getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL(/wp-login\.php\?redirect_to=/);

    await open('/');
    const filled = await page
      .locator('main .wp-element-button')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => getComputedStyle(button).backgroundColor !== 'rgba(0, 0, 0, 0)')
          .map((button) => button.textContent),
      );
    assert.deepEqual(filled, ['Create your list']);
    await page.locator('.hero').getByRole('link', { name: 'Find a list' }).click();
    await page.getByRole('searchbox').fill('amelie');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('main').getByRole('link', { name: 'Amélie & Jonas' }).waitFor();
    const ways = async () =>
      page.locator('main').getByRole('link', { name: 'Invited? Resend my invitation' }).count();
    for (const path of ['', '/?s=Noor', '/?s=zzqq', '/no-such-page/']) {
      if (path) await open(path);
      assert.equal(await ways(), 1, path);
    }
  });

  test('a registry shows occasion, names, story and gifts, each once', async () => {
    const { page, open } = await site.welcome();
    await open(LIST);
    assert.equal(await page.textContent('h1'), 'Amélie & Jonas');
    assert.equal(await page.locator('.trousseau-event').textContent(), 'Wedding\u00a0· 12 June 2027');
    assert.equal(await page.getByText('broken coffee machine').count(), 1);
    assert.equal(await page.locator('.trousseau-item').count(), 9);
    const told = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content');
    assert.deepEqual([await told('title'), await told('url')], ['Amélie & Jonas', site.url + LIST]);
    assert.ok((await told('description'))!.length > 20);
    const linen = page.locator('.trousseau-item', { hasText: 'linen bedding' });
    assert.equal(await linen.locator('progress').isVisible(), true);
    const mixer = page.locator('.trousseau-item', { hasText: 'Stand mixer' });
    assert.equal(await mixer.isVisible(), false, 'what is given is folded');
    await page.getByText('Given: 2').click();
    assert.equal(await mixer.isVisible(), true);
    assert.equal(await mixer.locator('progress').count(), 0);
  });

  test('the drawn gift stands for a picture that is missing or does not load', async () => {
    const card = 'li.trousseau-item:has-text("cocotte")';
    const shot = async (failing: boolean, without = false) => {
      const { page, open } = await site.welcome();
      if (failing) await page.route('**/cocotte.svg', (route) => route.fulfill({ status: 404 }));
      await open(LIST);
      const picture = page.locator(`${card} img`);
      await picture.scrollIntoViewIfNeeded();
      await picture.evaluate((image: HTMLImageElement) => image.decode().catch(() => {}));
      if (without) await picture.evaluate((image) => image.remove());
      const { x, y, width } = (await page.locator(card).boundingBox())!;
      return page.screenshot({ clip: { x: x + width / 2 - 60, y: y + 90, width: 120, height: 120 } });
    };
    const [shown, broken, missing] = [await shot(false), await shot(true), await shot(false, true)];
    assert.ok(broken.equals(missing), 'the same gift for both');
    assert.ok(!shown.equals(missing), 'a picture that loads covers it');
  });

  test('a phone shows the whole of every picture in round corners, with nothing above or below it', async () => {
    const { page, open } = await site.welcome({ width: 'phone' });
    await open(LIST);
    await page.getByText('Given: 2').click();
    const pictures = page.locator('.trousseau-item > img');
    await pictures.evaluateAll((images: HTMLImageElement[]) =>
      Promise.all(
        images.map((image) => {
          image.loading = 'eager';
          return image.decode();
        }),
      ),
    );
    const shapes = await pictures.evaluateAll((images) =>
      images.map((image) => {
        const { width, height } = image.getBoundingClientRect();
        const { naturalWidth, naturalHeight } = image as HTMLImageElement;
        const isWhole = Math.abs(height - (width * naturalHeight) / naturalWidth) < 1;
        return [Math.round(width), isWhole, parseFloat(getComputedStyle(image).borderRadius) > 4].join();
      }),
    );
    assert.ok(shapes.length > 5);
    assert.deepEqual(new Set(shapes), new Set(['96,true,true']));
  });

  test('on a phone a gift’s words keep off its picture, whatever side that is on', async (t) => {
    t.after(() => setOption(site, 'test_rtl', ''));
    for (const rtl of ['', '1']) {
      await setOption(site, 'test_rtl', rtl);
      const { page, open } = await site.welcome({ width: 'phone' });
      await open(LIST);
      const gaps = [];
      for (const card of await page.locator('.trousseau-item:has(img):visible').all()) {
        const [picture, name] = [card.locator('img'), card.locator(':is(h3, h4)')];
        const [one, other] = [(await picture.boundingBox())!, (await name.boundingBox())!];
        gaps.push(Math.max(other.x - one.x - one.width, one.x - other.x - other.width));
      }
      assert.ok(gaps.length > 3 && Math.min(...gaps) >= 12, `${rtl} ${gaps}`);
    }
  });

  test('a service that fails leaves the story, the gifts last known and a word', async (t) => {
    const answer = site.itemService.answer;
    t.after(() => {
      site.itemService.answer = answer;
    });
    site.itemService.answer = () => ({ status: 503, body: { detail: 'The store is away' } });
    const { page, open } = await site.welcome();
    // The page caches its list for a few seconds.
    await site.call('forget_locks', `gifts-${site.registries['Amélie & Jonas']}`);
    assert.equal(await open(LIST), 200);
    const found = (await page.locator('.trousseau-note[role=status]').textContent())!;
    assert.match(found, /the list as of .*gifts can’t be reserved/);
    // The message stands above a long story, so that readers who came for the gifts see it first.
    const above = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;
    assert.ok((await above('[role="status"]')) < (await above('.registry-story > p:not([role])')));
    assert.equal(await page.getByText('broken coffee machine').count(), 1);
    assert.equal(await page.locator('.trousseau-item').count(), 9);
    assert.equal(await page.getByRole('link', { name: /giving this/ }).count(), 0);
    await assertAccessible(page);
  });

  test('on paper there are gifts and no buttons', async () => {
    const { page, open } = await site.welcome({ scheme: 'dark' });
    await open(LIST);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.site-header', '.site-footer', '.trousseau-actions'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
    assert.ok(await page.getByText('2 needed').isVisible());
    const found = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(found, 'rgb(255, 255, 255)');
    const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)!.length;
    assert.ok(pages <= 3, `nine gifts on ${pages} sheets`);
  });

  // The last tests: the plugin stays off.
  describe('without the plugin', () => {
    const places = { '/': 200, '/registry/': 404, [LIST]: 404 };
    before(() => deactivate(site, 'trousseau'));

    test('an administrator is told what to do, and everybody else to come back', async () => {
      for (const name of [undefined, 'alice', 'admin'] as const) {
        const { page, open, errors } = await site.welcome(name && { user: site.users[name] });
        for (const [path, status] of Object.entries(places)) {
          assert.equal(await open(path), status);
          const words = (await page.textContent('main'))!;
          assert.equal(/The Trousseau plugin isn’t active/.test(words), name === 'admin', `${name} ${path}`);
          assert.equal(/taking a short break/.test(words), name !== 'admin', `${name} ${path}`);
          const ways = page.locator('main a[href*="post_type=registry"]');
          assert.equal(await ways.count(), 0, 'no way into nothing');
          if (path === '/' || name !== 'admin') await assertAccessible(page);
        }
        assert.deepEqual(errors, []);
        if (name !== 'admin') continue;
        await assertReadableAtNight(page);
        await page.getByRole('link', { name: 'Go to plugins' }).click();
        await page.waitForURL(/plugins\.php$/);
      }
    });

    test('everything else works as before', async () => {
      const { page, open } = await site.welcome();
      for (const path of ['/hello-world/', '/our-story/', '/?s=hello']) {
        assert.equal(await open(path), 200);
        assert.doesNotMatch((await page.textContent('main'))!, /short break|plugin/);
      }
    });
  });
});
