// A guest's browser for tests, which records its requests, and the checks that every page must pass.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type SampleSite, startSampleSite } from '../../dev/sample/sample-site.ts';
import { runAxe } from '../../dev/wordpress/axe.ts';
import { launchChromium, signIn, skipWithoutChromium } from '../../dev/wordpress/browser.ts';
import { skipWithoutWordPress, type WordPress, type WordPressUser } from '../../dev/wordpress/wordpress.ts';

export const widths = { phone: 390, desk: 1280 };
export type Width = keyof typeof widths;
type Scheme = 'light' | 'dark';

interface As {
  width?: Width;
  scheme?: Scheme;
  user?: WordPressUser;
}

export interface SampleTest extends SampleSite {
  welcome(as?: As): Promise<Guest>;
}

export function describeSample(name: string, tests: (site: SampleTest) => void): void {
  describe(name, { skip: skipWithoutWordPress() || skipWithoutChromium() }, () => {
    let browser: Browser;
    const guests: Guest[] = [];
    const site = {
      async welcome(as?: As) {
        const guest = await welcome(browser, site, as);
        guests.push(guest);
        return guest;
      },
    } as SampleTest;
    before(async () => {
      browser = await launchChromium();
      Object.assign(site, await startSampleSite({ muPlugins: ['right-to-left'] }));
    });
    afterEach(() => Promise.all(guests.splice(0).map(({ leave }) => leave())));
    after(() => Promise.all([site.stop?.(), browser?.close()]));
    tests(site);
    test('WordPress logs no complaint about the theme', () => {
      assert.doesNotMatch(site.log(), /themes\/trousseau/);
    });
  });
}

export interface Guest {
  page: Page;
  requests: string[];
  /** Errors of the browser's console, except for missing pages. */
  errors: string[];
  open(path: string): Promise<number>;
  leave(): Promise<void>;
}

export async function welcome(
  browser: Browser,
  site: WordPress,
  { width = 'desk', scheme = 'light', user }: As = {},
): Promise<Guest> {
  const context = await browser.newContext({
    viewport: { width: widths[width], height: 900 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 404')) errors.push(message.text());
  });
  const guest: Guest = {
    page,
    requests,
    errors,
    async open(path) {
      const before = errors.length;
      const response = await page.goto(site.url + path, { waitUntil: 'load' });
      if (!errors.slice(before).some((text) => text.includes('ERR_NETWORK_CHANGED')))
        return response!.status();
      // The machine's own network changed, as where a container starts.
      errors.length = before;
      return guest.open(path);
    },
    leave: () => context.close(),
  };
  if (user) await signIn(page, site, user);
  return guest;
}

/** Checks landmarks, one main heading, nothing wider than the window, and axe-core's rules. */
export async function assertAccessible(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    return {
      landmarks: ['h1', 'main', '.wp-site-blocks > header', '.wp-site-blocks > footer'].map(count),
      excess: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };
  });
  const wanted = { landmarks: [1, 1, 1, 1], excess: 0 };
  assert.deepEqual(found, wanted, 'one h1, main, header and footer, and nothing wider than the window');
  await assertNoViolations(page, {});
}

/** Checks the same page in the other scheme: only colours change. */
export async function assertReadableAtNight(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertNoViolations(page, { runOnly: ['color-contrast'] });
  // axe-core ignores placeholders.
  const fields = await page.locator('[placeholder]').evaluateAll((fields) =>
    fields.map((field) => ({
      html: field.outerHTML,
      ink: getComputedStyle(field, '::placeholder').color,
      ground: getComputedStyle(field).backgroundColor,
    })),
  );
  const faint = fields.filter(({ ink, ground }) => contrast(channelsOf(ink), channelsOf(ground)) < 4.5);
  assert.deepEqual(faint, [], 'examples in empty fields can be read');
}

/** Returns the channels of a colour that a browser has computed, from 0 to 255. */
const channelsOf = (colour: string): number[] => colour.match(/[\d.]+/g)!.map(Number);

export function contrast(...colours: [one: number[], other: number[]]): number {
  const luminances = colours.map((channels) =>
    channels
      .slice(0, 3)
      .map((channel) => channel / 255)
      .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4))
      .reduce((sum, channel, at) => sum + channel * [0.2126, 0.7152, 0.0722][at]!, 0.05),
  );
  return Math.max(...luminances) / Math.min(...luminances);
}

async function assertNoViolations(page: Page, options: RunOptions): Promise<void> {
  // WordPress's own toolbar and skip link aren't part of the theme.
  const { violations, passes } = await runAxe(page, { exclude: [['#wpadminbar'], ['.skip-link']] }, options);
  assert.deepEqual(violations, []);
  assert.ok(passes['color-contrast']! > 3, 'axe-core measured the contrast');
}

/** Checks that every button, field and link is large enough to tap, except for links within a sentence. */
export async function assertLargeTargets(page: Page): Promise<void> {
  const small = await page
    .locator('a[href], button, summary, select, textarea, input:not([type="hidden"]), [tabindex="0"]')
    .evaluateAll((elements) => {
      const words = (node: ChildNode | null) => (node?.nodeType === 3 ? node.nodeValue!.trim() : '');
      // A link within a sentence is only as high as its line.
      const isInSentence = (element: Element) =>
        element.tagName === 'A' &&
        (/[^.?!…]$/.test(words(element.previousSibling)) || words(element.nextSibling) !== '');
      // The label of a checkbox counts as part of it.
      const target = (element: Element) =>
        (element.matches('[type="radio"], [type="checkbox"]') && (element as HTMLInputElement).labels?.[0]) ||
        element;
      return (
        elements
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
          // WordPress's own elements, and those only for screen readers and the keyboard.
          .filter(
            (element) => !element.closest('#wpadminbar, .skip-link, .screen-reader-text, .trousseau-trap'),
          )
          .filter((element) => !isInSentence(element))
          .map(target)
          .filter((element) => {
            const { width, height } = element.getBoundingClientRect();
            // The entire card of a list opens it.
            const isCard = element.closest('.trousseau-registries > li, .registry-cards li') !== null;
            return !isCard && (width < 43.9 || height < 43.9);
          })
          .map((element) => {
            const { width, height } = element.getBoundingClientRect();
            return `${element.outerHTML.slice(0, 200)} ${Math.round(width)} × ${Math.round(height)}`;
          })
      );
    });
  assert.deepEqual(small, []);
}

/** Checks that nothing has moved since the page began to load, and names what did. */
export async function assertStill(page: Page, limit = 0.02): Promise<void> {
  const { sum, moved } = await shiftOf(page);
  assert.ok(sum <= limit, `${page.url()} shifts by ${sum.toFixed(4)}:\n${moved.join('\n')}`);
}

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Returns the page's layout shift since it began to load, as browsers measure it, and what moved when, from where to where. */
async function shiftOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    // Only visible pictures: browsers load folded or distant ones later.
    const isInSight = (image: HTMLImageElement) =>
      image.checkVisibility() && image.getBoundingClientRect().top < innerHeight;
    const seen = [...document.images].filter(isInSight);
    await Promise.all(seen.map((image) => image.decode().catch(() => {})));
    const entries: PerformanceEntryList = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // Browsers report earlier shifts after the next frames.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    const shifts = [...entries, ...observer.takeRecords()] as Shift[];
    const name = (node: Node | null) =>
      node instanceof Element ? (node.cloneNode() as Element).outerHTML : `“${node?.nodeValue?.trim()}”`;
    const rectangle = ({ x, y, width, height }: DOMRect) => `${[x, y].join()} ${width} × ${height}`;
    const moved = shifts.flatMap(({ value, startTime, sources }) =>
      sources.map(
        ({ node, previousRect, currentRect }) =>
          `${value.toFixed(4)} at ${Math.round(startTime)} ms: ${name(node).slice(0, 200)}` +
          ` from ${rectangle(previousRect)} to ${rectangle(currentRect)}`,
      ),
    );
    return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved };
  });
}
