// WordPress's requirements for the tag “accessibility-ready” that axe-core doesn't check by itself, on every template and two forms.
// pages.test.ts and owner-pages.test.ts run axe-core on every page, by day and by night.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { describeSample, type Guest } from './guest.ts';

const list = '/registry/amelie-jonas/';
const paths = [
  ...['/', '/registry/', list, '/category/uncategorized/'],
  ...['/hello-world/', '/our-story/', '/?s=the', '/none/'],
];
const forms = ['/registries/new/', 'give'];

describeSample('the list of themes that are ready for everybody', (site) => {
  let guest: Guest;
  let page: Page;
  before(() => {
    forms[1] = `/registries/${site.registries['Amélie & Jonas']}/give/?item=4`;
  });
  beforeEach(async () => {
    guest = await site.welcome({ user: site.users.bob });
    page = guest.page;
  });

  const onEach = async (places: string[], check: (path: string) => Promise<void>) => {
    for (const path of places) {
      await guest.open(path);
      await check(path);
    }
  };
  // Requirements that only examine a page are all checked in one visit to each page.
  const titles = new Set<string>();
  let newWindows = 0;
  const points: Record<string, (path: string) => Promise<void>> = {
    'controls are links, buttons and fields': async (path) => {
      const made =
        '.wp-site-blocks :is(div, span, li, p)[onclick], .wp-site-blocks [role="button"]:not(button, a)';
      assert.equal(await page.locator(made).count(), 0, path);
    },
    'headings start with one h1 and leave out no level': async (path) => {
      assert.equal(await page.locator('h1').count(), 1, path);
      const levels = await page
        .locator('h1, h2, h3, h4, h5, h6')
        .evaluateAll((nodes) => nodes.map(({ tagName }) => Number(tagName[1])));
      for (const [place, level] of levels.entries())
        assert.ok(place === 0 || level <= levels[place - 1]! + 1, `${path}: ${levels}`);
    },
    'links within text are underlined': async (path) => {
      const plain = await page.locator('main p a[href]:not(.wp-element-button)').evaluateAll((links) => {
        const isText = (near: ChildNode | null) => near?.nodeType === 3 && near.nodeValue!.trim().length > 1;
        return links
          .filter((link) => isText(link.previousSibling) || isText(link.nextSibling))
          .filter((link) => !getComputedStyle(link).textDecorationLine.includes('underline'))
          .map(({ outerHTML }) => outerHTML);
      });
      assert.deepEqual(plain, [], path);
    },
    'the words of a link say where it leads': async (path) => {
      if (forms.includes(path)) return;
      const links = await page
        .locator('.wp-site-blocks a[href]')
        .evaluateAll((links) =>
          links.map((link) => (link.getAttribute('aria-label') ?? link.textContent ?? '').trim()),
        );
      const vague = /^(?:read more|more|here|click here|link|continue reading|…)$/i;
      assert.deepEqual(
        links.filter((words) => vague.test(words)),
        [],
        path,
      );
      const rule = { runOnly: ['identical-links-same-purpose'] };
      const { violations } = await runAxe(page, { exclude: [['#wpadminbar'], ['.skip-link']] }, rule);
      assert.deepEqual(violations, [], path);
    },
    'nothing plays or moves by itself': async (path) => {
      assert.equal(await page.locator('video[autoplay], audio[autoplay], marquee, blink').count(), 0, path);
      const moving = await page.evaluate(() => {
        const times = document.getAnimations().map(({ effect }) => effect?.getComputedTiming());
        return times.filter((time) => Number(time?.duration) > 5000 || time?.iterations === Infinity).length;
      });
      assert.equal(moving, 0, path);
    },
    'a link that opens a new window says so': async (path) => {
      for (const words of await page.locator('.wp-site-blocks a[target="_blank"]').allTextContents()) {
        assert.match(words, /opens in a new tab/, path);
        newWindows++;
      }
    },
  };

  test('each page fulfils every point, has a title of its own, and opens the shop in a new window', async () => {
    const faults: string[] = [];
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await onEach([...paths, ...forms], async (path) => {
      titles.add(await page.title());
      for (const [point, check] of Object.entries(points))
        await check(path).catch((error) => faults.push(`${point}: ${error.message}`));
    });
    assert.deepEqual(faults, []);
    assert.equal(titles.size, paths.length + forms.length, [...titles].join(', '));
    assert.ok(newWindows > 0, 'from the page for giving');
  });

  test('the keyboard reaches everything in the order of the page, and sees where it is', async () => {
    await onEach([list, ...forms], async (path) => {
      const all = await page
        .locator(
          '.wp-site-blocks :is(a[href], button, input:not([type="hidden"]), select, textarea, summary):not(:disabled, [type="radio"]:not(:checked))',
        )
        .evaluateAll((nodes) => {
          const isShown = (node: Element) => node.checkVisibility({ visibilityProperty: true });
          return nodes.filter((node) => isShown(node) && (node as HTMLElement).tabIndex >= 0).length;
        });
      let stops = 0;
      let above = true;
      let last = '';
      for (let press = 0; press < all + 60 && stops < all; press++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
          const node = document.activeElement as HTMLElement;
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(node);
          return {
            inside: node.closest('.wp-site-blocks') !== null,
            seen: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
            html: node.outerHTML.slice(0, 120),
            positive: node.tabIndex > 0,
            id: node.id,
          };
        });
        if (!at.inside) {
          if (!above) break;
          continue;
        }
        above = false;
        // A date field has several tab stops, which the browser marks itself.
        if (at.id !== '' && at.id === last) continue;
        last = at.id;
        stops++;
        assert.ok(at.seen && !at.positive, `${path}: ${at.html}`);
      }
      assert.ok(stops >= all * 0.9 && stops > 5, `${path}: ${stops} of ${all}`);
    });
  });

  test('text may be twice as large, spaced out, and 320 pixels wide, and nothing is cut off', async () => {
    const spaced =
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';
    for (const [width, places, content] of [
      [320, [...paths, ...forms], spaced],
      [1280, paths, ':root { font-size: 200% !important }'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await onEach([...places], async (path) => {
        await page.addStyleTag({ content });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${path}: ${wide} pixels too wide at ${width}`);
      });
    }
  });

  test('reaching or changing a field opens no other page', async () => {
    await onEach(forms, async (path) => {
      const before = page.url();
      for (const field of await page
        .locator('main :is(input:not([type="hidden"], [type="file"]), select, textarea)')
        .all()) {
        if (!(await field.isVisible())) continue;
        await field.focus();
        const kind = await field.evaluate((node) => (node as HTMLInputElement).type);
        if (kind === 'text' || kind === 'textarea') await field.fill('Ann');
        if (kind === 'select-one') await field.selectOption({ index: 1 }).catch(() => undefined);
      }
      assert.equal(page.url(), before, path);
    });
  });
});
